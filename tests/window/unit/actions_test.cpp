#include "app/ui/palette/palette_entries.h"
#include "app/ui/session/registrations.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cairn::ui {
namespace {

class Keys : public ::testing::Test {
  protected:
    const Action* of_key(int key, int modifiers, bool repeated = false, bool player = false) const {
        return actions_.of_key(key, modifiers, repeated, player);
    }
    const Action* action(const char* id) const { return actions_.find(id); }

    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
    Actions& actions_ = ctx_.actions;
};

TEST_F(Keys, EveryActionHasAKeyAndWords) {
    const std::set<std::string> groups = {
        "Scenes", "Time",   "Bodies", "Tools",
        "Player", "Camera", "View",   "Pointing by keyboard"}; // as the overlay has them
    EXPECT_GT(actions_.all().size(), 100u);
    for (const auto& a : actions_.all()) {
        EXPECT_FALSE(a->keys.empty()) << a->id;
        EXPECT_GT(a->title.size(), 3u);
        EXPECT_EQ(groups.count(a->group), 1u) << a->group;
        EXPECT_EQ(a->id.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789"), std::string::npos) << a->id;
    }
    for (const KeyBinding& binding : actions_.bindings()) {
        const bool player = binding.action->use == KeyUse::player;
        EXPECT_EQ(of_key(binding.key, binding.modifiers, false, player), binding.action);
        if (player) {
            EXPECT_NE(of_key(binding.key, binding.modifiers), binding.action);
        }
    }
}

TEST_F(Keys, OtherWordsAreOfActionsAndParametersThatThereAre) {
    EXPECT_GT(other_words().size(), 30u);
    for (const OtherWords& one : other_words()) {
        const bool parameter =
            std::ranges::any_of(physics::parameters, [&](const physics::Parameter& p) { return p.key == one.id; });
        EXPECT_TRUE(parameter || actions_.find(one.id) != nullptr) << one.id;
    }
}

TEST_F(Keys, AnActionIsRejectedWhereItsIdOrItsKeyIsTaken) {
    const auto run = [](Context&) {};
    EXPECT_THROW(actions_.add({"pause", "Another pause", {"F25"}, run}), std::logic_error);
    EXPECT_THROW(actions_.add({"added", "Added", {"Hyper+P"}, run}), std::logic_error);
    EXPECT_THROW(actions_.add({"added_too", "Added", {"P"}, run}), std::logic_error);
    EXPECT_THROW(actions_.add({"flies", "Added", {"Shift+W"}, run}), std::logic_error) << "flight ignores Shift";
}

TEST_F(Keys, AnActionSaysWhenItIsEnabled) {
    EXPECT_FALSE(actions_.enabled(ctx_, "undo"));
    physics::BodyDef ball;
    ball.shapes = {{physics::Sphere{0.5f}, {}}};
    ctx_.submit(physics::CreateBody{ball}, "Add a ball");
    simulation_.update(0.0);
    EXPECT_TRUE(actions_.enabled(ctx_, "undo"));
    EXPECT_TRUE(actions_.enabled(ctx_, "pause"));
    ctx_.perform("undo");
    simulation_.update(0.0);
    EXPECT_FALSE(actions_.enabled(ctx_, "undo"));
    EXPECT_TRUE(simulation_.current().bodies.empty());
}

TEST_F(Keys, ModifiersAndRepetitionMatter) {
    EXPECT_EQ(of_key('Q', modifier_control), action("quit"));
    EXPECT_EQ(of_key('Q', modifier_none), action("fly_down"));
    EXPECT_EQ(of_key('W', modifier_shift), action("fly_forward"));
    EXPECT_EQ(of_key('P', modifier_control | modifier_shift), nullptr);
    EXPECT_EQ(of_key('P', modifier_none, true), nullptr) << "holding P must not flicker";
    EXPECT_EQ(of_key('O', modifier_none, true), action("single_step"));
    EXPECT_EQ(of_key('K', modifier_control), nullptr);
    EXPECT_EQ(actions_.key_of("quit"), "Ctrl+Q");
}

TEST_F(Keys, EveryKeyReadsBackAsItIsWritten) {
    for (const KeyBinding& binding : actions_.bindings()) {
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
    EXPECT_TRUE(actions_.set_keys({{"pause", {"F7", "Ctrl+F7"}}, {"toggle_grid", {}}}).empty());
    EXPECT_EQ(of_key(296, 0), action("pause"));
    EXPECT_EQ(of_key(296, modifier_control), action("pause"));
    EXPECT_EQ(of_key('P', 0), nullptr);
    EXPECT_EQ(of_key('G', 0), nullptr);
    EXPECT_EQ(actions_.key_of("pause"), "F7");
    EXPECT_EQ(actions_.key_of("toggle_grid"), "");
    const std::vector<KeyChoice> changed = actions_.changed_keys();
    ASSERT_EQ(changed.size(), 2u);
    EXPECT_EQ(changed[0].id, "pause");
    EXPECT_EQ(changed[0].keys, (std::vector<std::string>{"F7", "Ctrl+F7"}));
    EXPECT_EQ(changed[1].id, "toggle_grid");
    EXPECT_TRUE(changed[1].keys.empty());
    EXPECT_TRUE(actions_.set_keys({}).empty());
    EXPECT_EQ(of_key('P', 0), action("pause"));
    EXPECT_TRUE(actions_.changed_keys().empty());
}

TEST_F(Keys, TwoActionsCanChangePlaces) {
    EXPECT_TRUE(actions_.set_keys({{"pause", {"R"}}, {"restart", {"P"}}}).empty());
    EXPECT_EQ(of_key('R', 0), action("pause"));
    EXPECT_EQ(of_key('P', 0), action("restart"));
}

TEST_F(Keys, AreTakenFromOthersOnlyWhereThatIsWanted) {
    const auto conflicts = actions_.conflicts(*action("pause"), {"P", "R", "Shift+S", "F7"});
    ASSERT_EQ(conflicts.size(), 2u);
    EXPECT_EQ(conflicts[0].key, "R");
    EXPECT_EQ(conflicts[0].other, action("restart"));
    EXPECT_EQ(conflicts[1].other, action("fly_back")) << "flight ignores Shift";
    EXPECT_TRUE(actions_.conflicts(*action("pause"), {"Shift+Space"}).empty()) << "the player's own";

    actions_.assign(*action("pause"), {"P", "R"});
    EXPECT_EQ(of_key('R', 0), action("pause"));
    EXPECT_EQ(of_key('P', 0), action("pause"));
    EXPECT_EQ(actions_.key_of("restart"), "");
    actions_.assign(*action("undo"), {"Ctrl+Y"});
    EXPECT_EQ(actions_.key_of("redo"), "Ctrl+Shift+Z") << "its other key stays";
    EXPECT_EQ(of_key('R', 0), action("pause")) << "what was changed before stays";
    EXPECT_EQ(actions_.changed_keys().size(), 4u);
    for (const char* id : {"pause", "restart", "undo", "redo"}) {
        actions_.assign(*action(id), keys_in(actions_.default_bindings(), *action(id)));
    }
    EXPECT_TRUE(actions_.changed_keys().empty());
}

TEST_F(Keys, WhatCannotBeIsToldAndLeftOut) {
    const auto complaints = actions_.set_keys({{"pose", {"F7"}},
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
    EXPECT_EQ(of_key(296, 0), action("pause"));
    EXPECT_EQ(of_key('R', 0), nullptr) << "its keys were replaced by none that can be had";
    EXPECT_EQ(of_key('W', modifier_shift), action("spawn"));
}

} // namespace
} // namespace cairn::ui
