#include "app/ui/input_map.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

TEST(InputMap, NoTwoActionsShareAKey) {
    std::set<std::pair<int, int>> taken;
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_TRUE(taken.insert({binding.key, binding.modifiers}).second) << binding.key_name;
        if (binding.held) { // flight ignores Shift
            EXPECT_TRUE(taken.insert({binding.key, binding.modifiers | modifier_shift}).second) << binding.key_name;
        }
    }
}

TEST(InputMap, EveryActionHasAKeyAndWords) {
    std::set<Action> bound;
    const std::set<std::string> groups = {"Time", "Bodies", "Camera", "View"}; // those that the overlay shows
    for (const KeyBinding& binding : key_bindings()) {
        bound.insert(binding.action);
        EXPECT_GT(std::string(binding.key_name).size(), 0u);
        EXPECT_GT(std::string(binding.description).size(), 3u);
        EXPECT_EQ(groups.count(binding.group), 1u) << binding.group;
        EXPECT_EQ(action_of_key(binding.key, binding.modifiers), binding.action);
    }
    for (int i = 0; i <= static_cast<int>(Action::quit); ++i) {
        EXPECT_EQ(bound.count(static_cast<Action>(i)), 1u) << "action " << i;
    }
}

TEST(InputMap, ModifiersAndRepetitionMatter) {
    EXPECT_EQ(action_of_key('Q', modifier_control), Action::quit);
    EXPECT_EQ(action_of_key('Q', modifier_none), Action::fly_down);
    EXPECT_EQ(action_of_key('W', modifier_shift), Action::fly_forward);
    EXPECT_EQ(action_of_key('P', modifier_control), std::nullopt);
    EXPECT_EQ(action_of_key('P', modifier_none, true), std::nullopt) << "holding P must not flicker";
    EXPECT_EQ(action_of_key('O', modifier_none, true), Action::single_step);
    EXPECT_EQ(action_of_key('J', modifier_none), std::nullopt);
    EXPECT_EQ(key_of(Action::quit), "Ctrl+Q");
}

} // namespace
} // namespace cairn::ui
