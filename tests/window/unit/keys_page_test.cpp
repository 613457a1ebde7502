// The page of keys says what the registry of actions says. With CAIRN_WRITE_TEXTS=1 in the environment this test writes
// the page's part instead, and then holds.
#include "app/core/base/files/text_file.h"
#include "app/core/report/report.h"
#include "app/ui/session/registrations.h"

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace cairn::ui {
namespace {

constexpr const char* page_file = CAIRN_SOURCE_DIR "/docs/reference/keys.md";

// The tables of the page, a group each, with the program's own keys.
std::string key_tables(const Actions& actions) {
    std::string text = "## Mouse\n\n| mouse | action |\n|---|---|\n";
    for (const MouseBinding& mouse : mouse_bindings()) {
        text += std::string("| ") + mouse.gesture + " | " + mouse.description + " |\n";
    }
    const char* group = "";
    for (const auto& action : actions.all()) {
        if (std::strcmp(group, action->group) != 0) {
            group = action->group;
            text += std::string("\n## ") + group + "\n\n| key | action | name in settings |\n|---|---|---|\n";
        }
        std::string keys;
        for (const std::string& key : keys_in(actions.default_bindings(), *action)) {
            keys += (keys.empty() ? "`" : ", `") + key + "`";
        }
        text += "| " + keys + " | " + action->title + " | `" + action->id + "` |\n";
    }
    return text;
}

class KeysPage : public ::testing::Test {
  protected:
    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
};

TEST_F(KeysPage, SaysWhatTheRegistryOfActionsSays) {
    std::string page = core::read_whole_file(page_file);
    const std::string start = "<!-- keys -->\n", end = "<!-- end -->";
    const std::size_t begin = page.find(start);
    ASSERT_NE(begin, std::string::npos);
    const std::size_t from = begin + start.size(), to = page.find(end, from);
    ASSERT_NE(to, std::string::npos);
    const std::string expected = key_tables(ctx_.actions);
    if (std::getenv("CAIRN_WRITE_TEXTS") != nullptr) {
        core::write_text_file(page_file, page.replace(from, to - from, expected));
        return;
    }
    EXPECT_EQ(page.substr(from, to - from), expected)
        << page_file << " differs from app/ui/session/actions.cpp. To write it anew, run this test with "
        << "CAIRN_WRITE_TEXTS=1 in the environment";
}

TEST_F(KeysPage, ShowsAnActionThatIsAdded) {
    const std::string before = key_tables(ctx_.actions);
    ctx_.actions.add({"added", "Added by a test", {"F25"}, [](Context&) {}});
    EXPECT_EQ(key_tables(ctx_.actions), before + "| `F25` | Added by a test | `added` |\n");
}

} // namespace
} // namespace cairn::ui
