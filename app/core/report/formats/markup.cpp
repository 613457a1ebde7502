#include "app/core/report/formats/markup.h"

#include <cstddef>
#include <cstdint>

namespace cairn::core {
namespace {

// How many bytes the character at the start of the text takes in UTF-8 (RFC 3629); 0: it is none that XML 1.0 has.
std::size_t character(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) {
        return lead >= 0x20 || lead == '\t' || lead == '\n' ? 1 : 0;
    }
    const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || text.size() < size) {
        return 0;
    }
    std::uint32_t code = lead & (0xffu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0u) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3fu);
    }
    const bool longer_than_needed = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
    const bool surrogate = code >= 0xd800 && code < 0xe000;
    return longer_than_needed || surrogate || code > 0x10ffff || code == 0xfffe || code == 0xffff ? 0 : size;
}

} // namespace

std::string escaped(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t size = character(text);
        const char c = size == 0 ? '?' : text[0];
        const std::string_view whole = text.substr(0, size);
        text.remove_prefix(size == 0 ? 1 : size);
        if (size > 1) {
            out += whole;
            continue;
        }
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\n':
            out += "&#10;";
            break;
        default:
            out += c;
        }
    }
    return out;
}

} // namespace cairn::core
