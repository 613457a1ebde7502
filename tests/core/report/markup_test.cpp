// Text within markup, and the file for build servers that is made of it.
#include "app/core/report/formats/junit.h"
#include "app/core/report/formats/markup.h"
#include "app/core/report/formats/number_text.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

TEST(Markup, TextStandsForItself) {
    EXPECT_EQ(escaped("a < b && \"c\" > 'd'"), "a &lt; b &amp;&amp; &quot;c&quot; &gt; 'd'");
    EXPECT_EQ(escaped("two\nlines\tand a tab"), "two&#10;lines\tand a tab");
    EXPECT_EQ(escaped(std::string_view("\x01\x1b[1m\r\0", 7)), "??[1m??");
    EXPECT_EQ(escaped("gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82"),
              "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x99\x82");
    // Latin-1, cut off, overlong, a surrogate, beyond Unicode, and what XML leaves out.
    EXPECT_EQ(escaped("a\xfc"
                      "b"),
              "a?b");
    EXPECT_EQ(escaped("\xe2\x82"), "??");
    EXPECT_EQ(escaped("\xc0\x80 \xe0\x80\x80"), "?? ???");
    EXPECT_EQ(escaped("\xed\xa0\x80 \xf5\x80\x80\x80 \xef\xbf\xbf"), "??? ???? ???");
}

TEST(Markup, NumbersForPeopleAreShort) {
    EXPECT_EQ(short_number(0.0123456), "0.0123");
    EXPECT_EQ(short_number(2.0), "2");
    EXPECT_EQ(short_number(1234567.0), "1.23e+06");
    EXPECT_EQ(short_number(1234567.0, 9), "1234567");
    EXPECT_EQ(short_number(-1e-30), "-1e-30");
}

TEST(Junit, TellsWhatPassedFailedAndCouldNotBeChecked) {
    EXPECT_EQ(junit_file("the suite", "a.b",
                         {{"good", 0.5, "", "", {}},
                          {"bad \"one\"", 0.25, "", "x < y", {"line 1", "line & 2"}},
                          {"lost", 0.0, "no such file", "", {}}}),
              R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" errors="1" time="0.750">
  <testsuite name="the suite" tests="3" failures="1" errors="1" time="0.750">
    <testcase classname="a.b" name="good" time="0.500"/>
    <testcase classname="a.b" name="bad &quot;one&quot;" time="0.250">
      <failure message="x &lt; y">line 1
line &amp; 2
</failure>
    </testcase>
    <testcase classname="a.b" name="lost" time="0.000">
      <error message="no such file"/>
    </testcase>
  </testsuite>
</testsuites>
)");
}

} // namespace
} // namespace cairn::core
