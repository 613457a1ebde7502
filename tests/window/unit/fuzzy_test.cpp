#include "app/ui/text/fuzzy.h"

#include <gtest/gtest.h>
#include <string>

namespace cairn::ui {
namespace {

TEST(Fuzzy, LettersInOrderAreFoundInAnyCase) {
    EXPECT_TRUE(fuzzy_score("ctp", "Contact points"));
    EXPECT_TRUE(fuzzy_score("POINTS cont", "Contact points")) << "words may stand in any order";
    EXPECT_FALSE(fuzzy_score("ptc", "Contact points"));
    EXPECT_FALSE(fuzzy_score("contact x", "Contact points"));
    EXPECT_FALSE(fuzzy_score("aa", "a"));
    EXPECT_FALSE(fuzzy_score("a", ""));
    EXPECT_EQ(fuzzy_score("", "anything"), 0);
    EXPECT_EQ(fuzzy_score("  ", "anything"), 0);
    EXPECT_TRUE(fuzzy_score("übe", "überall"));
}

TEST(Fuzzy, TheBetterFindScoresHigher) {
    const auto score = [](const char* typed, const char* text) { return fuzzy_score(typed, text).value_or(-99999); };
    EXPECT_GT(score("sub", "Substeps"), score("sub", "Stiffness, used by some"));
    EXPECT_GT(score("sub", "Substeps"), score("sub", "Max substeps")) << "shorter";
    EXPECT_GT(score("mp", "Max penetration"), score("mp", "Jump")) << "beginnings of words";
    EXPECT_GT(score("slow", "Slower"), score("slow", "Sleep below"));
    // The best way to find it counts, not the first.
    EXPECT_GT(score("grid", "Large grid"), score("grid", "g r i d as letters"));
}

TEST(Fuzzy, SentencesAreLookedThroughByWords) {
    EXPECT_TRUE(has_words("QUIET rest", "Lets quiet groups rest"));
    EXPECT_FALSE(has_words("qt", "Lets quiet groups rest"));
    EXPECT_TRUE(has_words("", "anything"));
    EXPECT_FALSE(has_words("a", ""));
    EXPECT_GT(found_score("dom", "Domino run", "Domino run: 128 of them"),
              found_score("dom", "Wall", "Wall of dominoes"));
    EXPECT_TRUE(found_score("dom", "Wall", "Wall of dominoes"));
    EXPECT_FALSE(found_score("dmo", "Wall", "Wall of dominoes"));
    EXPECT_GT(found_score("moon", "World", "World gravity earth moon"),
              found_score("moon", "Smooth motion", "Smooth motion"))
        << "a word before scattered letters";
    EXPECT_GT(found_score("frame", "Frame all", "Frame all"), found_score("frame", "Single step", "Single step frame"));
    EXPECT_EQ(found_score("", "Wall", ""), found_score("", "Tower", "x")) << "nothing typed keeps the order";
}

TEST(Fuzzy, LongTextsAreCutNotRejected) {
    const std::string text = "start " + std::string(500, 'x') + " end";
    EXPECT_TRUE(fuzzy_score("start", text));
    EXPECT_FALSE(fuzzy_score("end", text));
}

} // namespace
} // namespace cairn::ui
