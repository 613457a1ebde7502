#include "app/ui/text/paths.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

// Two pictures within a second: the second must not take the place of the first.
TEST(Paths, DatedNamesDiffer) {
    std::set<std::string> names;
    for (int i = 0; i < 50; ++i) {
        names.insert(dated_name("Two boxes"));
    }
    EXPECT_EQ(names.size(), 50u);
    EXPECT_EQ(names.begin()->rfind("two-boxes-", 0), 0u);
}

} // namespace
} // namespace cairn::ui
