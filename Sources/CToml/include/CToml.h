#pragma once

#include <stdint.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What a node of a TOML document is.
enum CTomlKind {
    CTomlTable = 0,
    CTomlArray = 1,
    CTomlString = 2,
    CTomlInteger = 3,
    CTomlFloat = 4,
    CTomlBoolean = 5,
    /// A date, a time, or both: the configuration has none, so their values do not cross.
    CTomlDate = 6,
    /// A table or an array beyond the depth that is walked.
    CTomlTooDeep = 7,
};

/// One node; a table or array is followed by its children, depth first.
struct CTomlNode {
    int32_t kind;
    /// Counted from 1: where the key stands, or the value if it has no key.
    uint32_t line;
    uint32_t column;
    /// How many children follow.
    size_t children;
    /// UTF-8, not ended by NUL; belongs to the document. NULL for elements of arrays.
    const char *_Nullable key;
    size_t keyLength;
    /// The text of a string; belongs to the document.
    const char *_Nullable text;
    size_t textLength;
    /// The value of an integer or of a boolean.
    int64_t integer;
};

struct CTomlDocument;

/// Reads a document. NULL only if there is no memory. The caller ends it with `CTomlFree`.
struct CTomlDocument *_Nullable CTomlRead(const void *_Nonnull bytes, size_t count);

/// The nodes, the top-level table first. None if the text is no TOML.
const struct CTomlNode *_Nullable CTomlNodes(const struct CTomlDocument *_Nonnull document, size_t *_Nonnull count);

/// Why the text is no TOML (ended by NUL), and where; NULL if it is.
const char *_Nullable CTomlFlaw(
    const struct CTomlDocument *_Nonnull document, uint32_t *_Nonnull line, uint32_t *_Nonnull column);

void CTomlFree(struct CTomlDocument *_Nonnull document);

#ifdef __cplusplus
}
#endif
