#include "app/core/capture/command_list.h"
#include "tests/core/capture/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace cairn::core {
namespace {

using namespace testing;
using namespace physics;

TEST(CommandList, GivesBackWhatItWasGiven) {
    const std::vector<Command> commands = full_commands();
    const CommandList list = commands;
    EXPECT_EQ(list.size(), commands.size());
    EXPECT_TRUE(std::equal(list.begin(), list.end(), commands.begin(), commands.end()));
    EXPECT_EQ(std::distance(list.begin(), list.end()), static_cast<std::ptrdiff_t>(commands.size()));

    CommandList one_by_one;
    EXPECT_TRUE(one_by_one.empty());
    EXPECT_TRUE(one_by_one.begin() == one_by_one.end());
    for (const Command& command : commands) {
        EXPECT_FALSE(one_by_one == list);
        one_by_one.push_back(command);
    }
    EXPECT_TRUE(one_by_one == list);
    one_by_one.clear();
    EXPECT_TRUE(one_by_one == CommandList{});
}

TEST(CommandList, IsAsSmallAsItsCommands) {
    CommandList drag;
    for (int i = 0; i < 1000; ++i) {
        drag.push_back(MoveGrab{{1, static_cast<float>(i), 4}});
    }
    EXPECT_LT(drag.bytes().size(), 1000 * sizeof(Command) / 4);
    EXPECT_EQ(std::get<MoveGrab>(*std::next(drag.begin(), 700)).target.y, 700.0f);
}

TEST(CommandList, TakesWholeCommandsFromARecordOrNone) {
    const CommandList all = full_commands();
    CborWriter out;
    out.raw(all.bytes());
    out.unsigned_integer(7); // what follows in the record
    CborReader in(out.bytes());
    CommandList taken;
    taken.take(in, all.size());
    EXPECT_TRUE(taken == all);
    EXPECT_EQ(in.unsigned_integer(), 7u);

    const std::span<const std::uint8_t> cut = std::span(out.bytes()).first(all.bytes().size() - 1);
    CommandList none;
    CborReader ended(cut), waiting(cut, 1000);
    EXPECT_THROW(none.take(ended, all.size()), CborError);
    EXPECT_THROW(none.take(waiting, all.size()), CborCutOff);
    EXPECT_TRUE(none.empty());
}

} // namespace
} // namespace cairn::core
