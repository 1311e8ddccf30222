// The bound of a first index: every file of a directory through simdjson's DOM, the full name and the numbers taken out,
// digits kept, and an index by the last nine digits built. No store.   parse DIR
#include <dirent.h>
#include <fcntl.h>
#include <simdjson.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <unordered_map>
#include <vector>

int main(int, char **arguments) {
    std::vector<std::string> names;
    DIR *dir = opendir(arguments[1]);
    if (!dir) return 2;
    while (auto *entry = readdir(dir))
        if (entry->d_name[0] != '.') names.push_back(entry->d_name);

    simdjson::dom::parser parser;
    std::unordered_map<std::string, int> by_phone;
    std::vector<std::string> full;
    by_phone.reserve(names.size() * 2);
    full.reserve(names.size());
    std::string text(1 << 17, 0);
    for (auto &name : names) {
        int file = openat(dirfd(dir), name.c_str(), O_RDONLY);
        long length = read(file, text.data(), text.size() - simdjson::SIMDJSON_PADDING);
        close(file);
        simdjson::dom::element card;
        if (length < 0 || parser.parse(text.data(), length, false).get(card)) {
            std::fprintf(stderr, "%s cannot be read\n", name.c_str());
            return 2;
        }
        full.emplace_back(std::string_view(card["name"]["full"]));
        for (auto phone : simdjson::dom::object(card["phones"])) {
            std::string digits;
            for (char c : std::string_view(phone.value["number"]))
                if (c >= '0' && c <= '9') digits += c;
            if (digits.size() > 9) digits.erase(0, digits.size() - 9);
            by_phone.emplace(digits, full.size() - 1);
        }
    }
    std::printf("%zu contacts, %zu numbers\n", full.size(), by_phone.size());
}
