#include "app/ui/text/number_format.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

TEST(NumberFormatTest, LargeNumbersAreWrittenWithoutPowersOfTen) {
    EXPECT_EQ(short_text(1330.0), "1330");
    EXPECT_EQ(short_text(-1333.4), "-1333");
    EXPECT_EQ(short_text(999.7), "1000");
    EXPECT_EQ(short_text(9999999.0), "9999999");
    EXPECT_EQ(short_text(1.5e9), "1.5e+09") << "too long to be read digit by digit";
}

TEST(NumberFormatTest, SmallNumbersKeepThreeDigits) {
    EXPECT_EQ(short_text(0.0), "0");
    EXPECT_EQ(short_text(202.4), "202");
    EXPECT_EQ(short_text(0.01234), "0.0123");
    EXPECT_EQ(short_text(1.5e-9), "1.5e-09");
}

TEST(NumberFormatTest, OtherFormatsStay) {
    EXPECT_EQ(plain_format("%.2f", 12345.0), "%.2f");
    EXPECT_EQ(plain_format("%.1g", 100000.0), "%.0f");
    EXPECT_EQ(plain_format("%.3g", 100.0), "%.3g");
}

} // namespace
} // namespace cairn::ui
