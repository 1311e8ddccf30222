#include "CSimdJSON.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <simdjson.h>

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

// Texts above this are files, and rare; what was reserved for one is given back at the next small text.
constexpr size_t kept_capacity = 1 << 20;

// Offsets are kept in 32 bits.
constexpr size_t largest_text = size_t(1) << 31;

// Up to here comparing each name with each is quicker than sorting them.
constexpr size_t few_names = 12;

struct Reader {
  simdjson::dom::parser parser;
  std::vector<char> text;
  std::vector<CSimdJSONNode> nodes;
  std::vector<std::string_view> names;
  size_t next_structural = 0;
  size_t max_nodes = 0;
  bool too_many = false;

  uint32_t place() { return parser.implementation->structural_indexes[next_structural++]; }

  // A number keeps its text: a double would lose digits.
  void number(CSimdJSONNode &node) {
    size_t end = node.start;
    while (std::strchr("+-.0123456789eE", text[end]) != nullptr && text[end] != 0) end++;
    node.kind = CSimdJSONNumber;
    node.text = text.data() + node.start;
    node.count = uint32_t(end - node.start);
  }

  bool name_is_new(size_t first, std::string_view name) const {
    if (names.size() - first > few_names) return true;  // all are compared at the end
    return std::find(names.begin() + first, names.end(), name) == names.end();
  }

  bool names_differ(size_t first) {
    if (names.size() - first <= few_names) return true;
    std::sort(names.begin() + first, names.end());
    return std::adjacent_find(names.begin() + first, names.end()) == names.end();
  }

  bool walk(element value, size_t levels_left) {
    size_t at = nodes.size();
    if (at >= max_nodes) {
      too_many = true;
      return false;
    }
    nodes.push_back({nullptr, 0, place(), 0, 0});
    switch (value.type()) {
    case element_type::NULL_VALUE:
      nodes[at].kind = CSimdJSONNull;
      return true;
    case element_type::BOOL:
      nodes[at].kind = value.get_bool().value_unsafe() ? CSimdJSONTrue : CSimdJSONFalse;
      return true;
    case element_type::INT64:
    case element_type::UINT64:
    case element_type::DOUBLE:
      number(nodes[at]);
      return true;
    case element_type::STRING: {
      std::string_view string = value.get_string().value_unsafe();
      nodes[at].kind = CSimdJSONString;
      nodes[at].text = string.data();
      nodes[at].count = uint32_t(string.size());
      return true;
    }
    case element_type::ARRAY: {
      if (levels_left == 0) return false;
      uint32_t count = 0, end = 0;
      // A range must outlive the loop; the result that it would be a part of does not.
      simdjson::dom::array array = value.get_array().value_unsafe();
      for (element each : array) {
        if (!walk(each, levels_left - 1)) return false;
        end = place();
        count++;
      }
      if (count == 0) end = place();
      nodes[at].kind = CSimdJSONArray;
      nodes[at].count = count;
      nodes[at].end = end + 1;
      return true;
    }
    case element_type::OBJECT: {
      if (levels_left == 0) return false;
      uint32_t count = 0, end = 0;
      size_t first = names.size();
      simdjson::dom::object object = value.get_object().value_unsafe();
      for (auto member : object) {
        if (!name_is_new(first, member.key)) return false;
        names.push_back(member.key);
        nodes.push_back({member.key.data(), uint32_t(member.key.size()), place(), 0, CSimdJSONString});
        place();  // the colon
        // The names of inner objects lie behind ours only while they are read.
        if (!walk(member.value, levels_left - 1)) return false;
        end = place();
        count++;
      }
      if (count == 0) end = place();
      if (!names_differ(first)) return false;
      names.resize(first);
      nodes[at].kind = CSimdJSONObject;
      nodes[at].count = count;
      nodes[at].end = end + 1;
      return true;
    }
    }
    return false;
  }
};

// simdjson's care for halves of surrogate pairs differs between versions; texts that escape one are left to our own reader.
bool escapes_surrogate(const uint8_t *bytes, size_t count) {
  const uint8_t *at = bytes, *end = bytes + count;
  while ((at = static_cast<const uint8_t *>(std::memchr(at, '\\', size_t(end - at)))) != nullptr) {
    if (end - at >= 4 && at[1] == 'u' && (at[2] | 0x20) == 'd' && !(at[3] >= '0' && at[3] <= '7')) return true;
    at += 2;
    if (at >= end) return false;
  }
  return false;
}

}  // namespace

const CSimdJSONNode *csimdjson_read(const uint8_t *bytes, size_t count, size_t max_depth, size_t max_nodes,
                                   bool *too_many) try {
  *too_many = false;
  thread_local std::unique_ptr<Reader> reader;
  if (count == 0 || count > largest_text || escapes_surrogate(bytes, count)) return nullptr;
  if (!reader || (reader->text.size() > kept_capacity && count <= kept_capacity)) reader = std::make_unique<Reader>();
  size_t padded = count + simdjson::SIMDJSON_PADDING;
  if (reader->text.size() < padded) reader->text.resize(padded);
  std::memcpy(reader->text.data(), bytes, count);
  std::memset(reader->text.data() + count, 0, simdjson::SIMDJSON_PADDING);
  reader->nodes.clear();
  reader->names.clear();
  reader->next_structural = 0;
  reader->max_nodes = max_nodes;
  reader->too_many = false;
  element root;
  if (reader->parser.parse(reader->text.data(), count, false).get(root)) return nullptr;
  if (reader->walk(root, max_depth)) return reader->nodes.data();
  *too_many = reader->too_many;
  return nullptr;
} catch (...) {
  return nullptr;
}
