// toml++ behind C: Swift cannot import templates. The document is flattened once, and owns every text handed out.

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0

#include "CToml.h"

#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace {
// Levels of tables and arrays. The configuration has three; the walk below recurses.
constexpr int depthLimit = 16;
}

struct CTomlDocument {
    toml::table table;
    std::vector<CTomlNode> nodes;
    std::string flaw;
    uint32_t line = 0;
    uint32_t column = 0;

    void add(const toml::node &node, const toml::key *key, int depth) {
        const auto place = key ? key->source().begin : node.source().begin;
        CTomlNode out{CTomlDate, place.line, place.column, 0, nullptr, 0, nullptr, 0, 0};
        if (key) {
            out.key = key->str().data();
            out.keyLength = key->str().size();
        }
        if (const auto *inner = node.as_table()) {
            out.kind = depth < depthLimit ? CTomlTable : CTomlTooDeep;
            out.children = depth < depthLimit ? inner->size() : 0;
            nodes.push_back(out);
            if (depth < depthLimit)
                for (const auto &[name, value] : *inner) add(value, &name, depth + 1);
            return;
        }
        if (const auto *inner = node.as_array()) {
            out.kind = depth < depthLimit ? CTomlArray : CTomlTooDeep;
            out.children = depth < depthLimit ? inner->size() : 0;
            nodes.push_back(out);
            if (depth < depthLimit)
                for (const auto &value : *inner) add(value, nullptr, depth + 1);
            return;
        }
        if (const auto *value = node.as_string()) {
            out.kind = CTomlString;
            out.text = value->get().data();
            out.textLength = value->get().size();
        } else if (const auto *value = node.as_integer()) {
            out.kind = CTomlInteger;
            out.integer = value->get();
        } else if (node.is_floating_point()) {
            out.kind = CTomlFloat;
        } else if (const auto *value = node.as_boolean()) {
            out.kind = CTomlBoolean;
            out.integer = value->get() ? 1 : 0;
        }
        nodes.push_back(out);
    }
};

CTomlDocument *CTomlRead(const void *bytes, size_t count) {
    auto *document = new (std::nothrow) CTomlDocument;
    if (!document) return nullptr;
    auto result = toml::parse(std::string_view(static_cast<const char *>(bytes), count));
    if (!result) {
        document->flaw = std::string(result.error().description());
        document->line = result.error().source().begin.line;
        document->column = result.error().source().begin.column;
        return document;
    }
    document->table = std::move(result).table();
    document->add(document->table, nullptr, 0);
    return document;
}

const CTomlNode *CTomlNodes(const CTomlDocument *document, size_t *count) {
    *count = document->nodes.size();
    return document->nodes.empty() ? nullptr : document->nodes.data();
}

const char *CTomlFlaw(const CTomlDocument *document, uint32_t *line, uint32_t *column) {
    *line = document->line;
    *column = document->column;
    return document->flaw.empty() ? nullptr : document->flaw.c_str();
}

void CTomlFree(CTomlDocument *document) { delete document; }
