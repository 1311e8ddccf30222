#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node is.
enum {
  CSimdJSONNull = 0,
  CSimdJSONTrue = 1,
  CSimdJSONFalse = 2,
  CSimdJSONNumber = 3,
  CSimdJSONString = 4,
  CSimdJSONArray = 5,
  CSimdJSONObject = 6,
};

/// One value, or one name of an object; values follow each other as they stand in the text, an object's names before their values.
typedef struct {
  /// The text of a number (as it was written), or of a string or name (without escapes, valid UTF-8).
  const char *text;
  /// Bytes of `text`; elements of an array; members of an object.
  uint32_t count;
  /// Where the value begins, in bytes from the start of the input.
  uint32_t start;
  /// Just behind the last byte of an array or object; of other kinds it is not set.
  uint32_t end;
  uint8_t kind;
} CSimdJSONNode;

/// Reads one JSON text into nodes, which live until the next call on the same thread.
///
/// Answers NULL for every text that is not plainly right: bad syntax or UTF-8, more than `max_depth` levels or `max_nodes`
/// nodes (then, and only then, `too_many` is set), a name given twice, an escaped surrogate (also half of a good pair), a number beyond 64 bits. It does not say which: the reader that
/// tells people has to look for itself, and may find nothing wrong.
const CSimdJSONNode *csimdjson_read(const uint8_t *bytes, size_t count, size_t max_depth, size_t max_nodes,
                                   bool *too_many);

#ifdef __cplusplus
}
#endif
