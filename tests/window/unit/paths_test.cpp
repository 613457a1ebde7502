#include "app/ui/text/paths.h"

#include <cstdlib>
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

TEST(Paths, TheHomeFolderIsMeantByItsSign) {
    const char* home = std::getenv("HOME");
    ASSERT_NE(home, nullptr);
    const std::filesystem::path folder(home);
    EXPECT_EQ(in_user_folder("~/a/run.cairn", "captures"), folder / "a" / "run.cairn");
    EXPECT_EQ(in_user_folder("~", "captures"), folder / "");
    EXPECT_EQ(in_user_folder("~x", "captures"), user_folder("captures") / "~x");
    EXPECT_EQ(in_user_folder("run.cairn", "captures"), user_folder("captures") / "run.cairn");
    EXPECT_EQ(in_user_folder("a/~/run.cairn", "captures"), "a/~/run.cairn");
}

} // namespace
} // namespace cairn::ui
