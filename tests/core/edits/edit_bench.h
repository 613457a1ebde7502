// A world and the history of its edits, to be used as an author does.
#pragma once

#include "app/core/edits/edit_history.h"

#include <gtest/gtest.h>

namespace cairn::core::testing {

struct Bench {
    physics::World world;
    EditHistory history;

    physics::CommandResult edit(const physics::Command& command, const EditMark& mark = {}) {
        physics::CommandResult result = history.apply(world, command, mark);
        EXPECT_TRUE(result.ok()) << result.error;
        return result;
    }
    void undo() { EXPECT_EQ(history.undo(world).problem, ""); }
    void redo() { EXPECT_EQ(history.redo(world).problem, ""); }
};

} // namespace cairn::core::testing
