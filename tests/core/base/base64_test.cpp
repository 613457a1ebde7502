#include "app/core/base/base64.h"

#include <gtest/gtest.h>

#include <string_view>

namespace cairn::core {
namespace {

std::string base64_of(std::string_view text) {
    return base64(std::as_bytes(std::span(text)));
}

// The examples of RFC 4648, section 10, and the digits that letters do not reach.
TEST(Base64, IsThatOfTheStandard) {
    EXPECT_EQ(base64_of(""), "");
    EXPECT_EQ(base64_of("f"), "Zg==");
    EXPECT_EQ(base64_of("fo"), "Zm8=");
    EXPECT_EQ(base64_of("foo"), "Zm9v");
    EXPECT_EQ(base64_of("foob"), "Zm9vYg==");
    EXPECT_EQ(base64_of("fooba"), "Zm9vYmE=");
    EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64_of("\xff\xff\xfe"), "///+");
}

} // namespace
} // namespace cairn::core
