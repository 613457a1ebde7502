#include "app/core/base/text_hash.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

std::uint64_t of(std::initializer_list<std::string_view> words) {
    TextHash hash;
    for (const std::string_view word : words) {
        hash.add(word);
        hash.end_word();
    }
    return hash.value();
}

// Known values of FNV-1a: sweeps and thumbnails that lie on disks are named by it.
TEST(TextHash, IsThatOfTheFilesThatWereWritten) {
    EXPECT_EQ(TextHash().value(), 0xcbf29ce484222325u);
    TextHash a, foobar;
    a.add("a");
    EXPECT_EQ(a.value(), 0xaf63dc4c8601ec8cu);
    foobar.add("foo");
    foobar.add("bar");
    EXPECT_EQ(foobar.value(), 0x85944171f73967e8u);
}

TEST(TextHash, TellsWhereWordsEndAndVersionsApart) {
    EXPECT_NE(of({"ab", "c"}), of({"a", "bc"}));
    EXPECT_NE(of({"a", ""}), of({"a"}));
    EXPECT_NE(TextHash(1).value(), TextHash().value());
}

} // namespace
} // namespace cairn::core
