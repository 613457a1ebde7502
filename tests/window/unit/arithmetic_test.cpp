#include "app/ui/text/arithmetic.h"

#include <cmath>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

TEST(Arithmetic, IsThatOfPeople) {
    EXPECT_EQ(arithmetic("2*9.81"), 2 * 9.81);
    EXPECT_EQ(arithmetic(" 1 + 2 * 3 - 4 / 8 "), 6.5);
    EXPECT_EQ(arithmetic("-(1+2)*-3"), 9.0);
    EXPECT_EQ(arithmetic("8/4/2"), 1.0);
    EXPECT_EQ(arithmetic("8-4-2"), 2.0);
    EXPECT_EQ(arithmetic("1e3/+2"), 500.0);
    EXPECT_EQ(arithmetic("-.5"), -0.5);
    EXPECT_EQ(arithmetic("2--3"), 5.0);
    EXPECT_EQ(arithmetic("2^3^2"), 512.0);
    EXPECT_EQ(arithmetic("-2^2*(1+2)"), -12.0);
    EXPECT_EQ(arithmetic("2^-1"), 0.5);
}

TEST(Arithmetic, WhatIsNoNumberIsNone) {
    for (const char* text : {"", " ", "*2", "2*", "1+", "(1", "1)", "2 3", "abc", "1..2", "2^", "nan", "0x10", "1,5"}) {
        EXPECT_FALSE(arithmetic(text)) << text;
    }
    EXPECT_FALSE(arithmetic(std::string(5000, '(')));
    EXPECT_FALSE(arithmetic(std::string(5000, '-')));
    EXPECT_TRUE(std::isinf(*arithmetic("1/0")));
    EXPECT_TRUE(std::isinf(*arithmetic("1e999")));
    EXPECT_TRUE(std::isnan(arithmetic("0/0").value_or(0.0))); // for the field to reject
}

} // namespace
} // namespace cairn::ui
