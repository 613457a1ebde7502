#include "app/ui/input_map.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

TEST(InputMap, NoTwoActionsShareAKey) {
    for (const KeyUse use : {KeyUse::always, KeyUse::player}) {
        std::set<std::pair<int, int>> taken;
        for (const KeyBinding& binding : key_bindings()) {
            if (binding.use != use) {
                continue;
            }
            EXPECT_TRUE(taken.insert({binding.key, binding.modifiers}).second) << binding.key_name;
            if (binding.held) { // flight ignores Shift
                EXPECT_TRUE(taken.insert({binding.key, binding.modifiers | modifier_shift}).second) << binding.key_name;
            }
        }
    }
}

// What a test changes is not left to the next one.
class Keys : public ::testing::Test {
  protected:
    ~Keys() override { set_keys({}); }
};

TEST(InputMap, EveryActionHasAKeyAndWords) {
    std::set<Action> bound;
    const std::set<std::string> groups = {"Scenes", "Time",   "Bodies", "Tools",
                                          "Player", "Camera", "View"}; // those that the overlay shows
    for (const KeyBinding& binding : key_bindings()) {
        bound.insert(binding.action);
        EXPECT_GT(std::string(binding.key_name).size(), 0u);
        EXPECT_GT(std::string(binding.description).size(), 3u);
        EXPECT_EQ(groups.count(binding.group), 1u) << binding.group;
        const bool player = binding.use == KeyUse::player;
        EXPECT_EQ(action_of_key(binding.key, binding.modifiers, false, player), binding.action);
        if (player) {
            EXPECT_NE(action_of_key(binding.key, binding.modifiers), binding.action);
        }
    }
    for (const KeyBinding& a : key_bindings()) {
        EXPECT_EQ(action_of_id(a.id), a.action) << a.id << " names two actions";
        EXPECT_EQ(std::string(a.id).find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"), std::string::npos)
            << a.id;
    }
    for (int i = 0; i <= static_cast<int>(Action::quit); ++i) {
        EXPECT_EQ(bound.count(static_cast<Action>(i)), 1u) << "action " << i;
    }
}

TEST(InputMap, ModifiersAndRepetitionMatter) {
    EXPECT_EQ(action_of_key('Q', modifier_control), Action::quit);
    EXPECT_EQ(action_of_key('Q', modifier_none), Action::fly_down);
    EXPECT_EQ(action_of_key('W', modifier_shift), Action::fly_forward);
    EXPECT_EQ(action_of_key('P', modifier_control | modifier_shift), std::nullopt);
    EXPECT_EQ(action_of_key('P', modifier_none, true), std::nullopt) << "holding P must not flicker";
    EXPECT_EQ(action_of_key('O', modifier_none, true), Action::single_step);
    EXPECT_EQ(action_of_key('K', modifier_control), std::nullopt);
    EXPECT_EQ(key_of(Action::quit), "Ctrl+Q");
}

TEST(InputMap, EveryKeyReadsBackAsItIsWritten) {
    for (const KeyBinding& binding : key_bindings()) {
        EXPECT_EQ(parse_chord(binding.key_name), std::pair(binding.key, binding.modifiers)) << binding.key_name;
    }
    EXPECT_EQ(parse_chord("ctrl+shift+pageup"), std::pair(266, modifier_control | modifier_shift));
    EXPECT_EQ(chord_text(266, modifier_control | modifier_shift), "Ctrl+Shift+PageUp");
    EXPECT_EQ(parse_chord("f25"), std::pair(314, 0));
    for (const char* nonsense : {"", "+", "Ctrl+", "F26", "F0", "Hyper+P", "PP", "ä", "Ctrl++"}) {
        EXPECT_EQ(parse_chord(nonsense), std::nullopt) << nonsense;
    }
}

TEST_F(Keys, CanBeChangedAndTakenAway) {
    EXPECT_TRUE(set_keys({{"pause", {"F7", "Ctrl+F7"}}, {"toggle_grid", {}}}).empty());
    EXPECT_EQ(action_of_key(296, 0), Action::pause);
    EXPECT_EQ(action_of_key(296, modifier_control), Action::pause);
    EXPECT_EQ(action_of_key('P', 0), std::nullopt);
    EXPECT_EQ(action_of_key('G', 0), std::nullopt);
    EXPECT_EQ(key_of(Action::pause), "F7");
    EXPECT_EQ(key_of(Action::toggle_grid), "");
    const std::vector<KeyChoice> changed = changed_keys();
    ASSERT_EQ(changed.size(), 2u);
    EXPECT_EQ(changed[0].id, "pause");
    EXPECT_EQ(changed[0].keys, (std::vector<std::string>{"F7", "Ctrl+F7"}));
    EXPECT_EQ(changed[1].id, "toggle_grid");
    EXPECT_TRUE(changed[1].keys.empty());
    EXPECT_TRUE(set_keys({}).empty());
    EXPECT_EQ(action_of_key('P', 0), Action::pause);
    EXPECT_TRUE(changed_keys().empty());
}

TEST_F(Keys, TwoActionsCanChangePlaces) {
    EXPECT_TRUE(set_keys({{"pause", {"R"}}, {"restart", {"P"}}}).empty());
    EXPECT_EQ(action_of_key('R', 0), Action::pause);
    EXPECT_EQ(action_of_key('P', 0), Action::restart);
}

TEST_F(Keys, WhatCannotBeIsToldAndLeftOut) {
    const auto complaints = set_keys({{"pose", {"F7"}},
                                      {"pause", {"Hyper+P", "F7"}},
                                      {"restart", {"F7"}},
                                      {"pause", {"K"}},
                                      {"reload", {"T"}},
                                      {"spawn", {"Shift+W"}}});
    ASSERT_EQ(complaints.size(), 6u);
    EXPECT_EQ(complaints[0].text, "unknown action \"pose\"");
    EXPECT_EQ(complaints[0].choice, 0u);
    EXPECT_EQ(complaints[1].text, "\"Hyper+P\" is not a key; write it like \"P\", \"F5\" or \"Ctrl+Shift+Z\"");
    EXPECT_EQ(complaints[2].text, "F7 is already used by \"pause\"");
    EXPECT_EQ(complaints[2].choice, 2u);
    EXPECT_EQ(complaints[3].text, "the keys of \"pause\" are given twice");
    // Flight ignores Shift, so that Shift+W was flying forward.
    EXPECT_EQ(complaints[4].text, "W is now \"spawn\", and \"fly_forward\" has no key");
    EXPECT_EQ(complaints[4].choice, 5u);
    EXPECT_EQ(complaints[5].text, "T is now \"reload\", and \"toggle_touching\" has no key");
    EXPECT_EQ(action_of_key(296, 0), Action::pause);
    EXPECT_EQ(action_of_key('R', 0), std::nullopt) << "its keys were replaced by none that can be had";
    EXPECT_EQ(action_of_key('W', modifier_shift), Action::spawn);
}

} // namespace
} // namespace cairn::ui
