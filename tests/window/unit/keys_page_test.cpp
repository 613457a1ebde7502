// The page of keys says what the table of keys says. With CAIRN_WRITE_TEXTS=1 in the environment this test writes the
// page's part instead, and then holds.
#include "app/core/base/text_file.h"
#include "app/core/report/report.h"
#include "app/ui/input_map.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>

namespace cairn::ui {
namespace {

constexpr const char* page_file = CAIRN_SOURCE_DIR "/docs/reference/keys.md";

// The tables of the page, a group of the program's own bindings each, in their order. Keys of one action share a row.
std::string key_tables(const std::vector<KeyBinding>& bindings) {
    std::string text = "## Mouse\n\n| mouse | action |\n|---|---|\n";
    for (const MouseBinding& mouse : mouse_bindings()) {
        text += std::string("| ") + mouse.gesture + " | " + mouse.description + " |\n";
    }
    std::string group;
    for (std::size_t i = 0; i < bindings.size(); ++i) {
        const KeyBinding& binding = bindings[i];
        if (i > 0 && bindings[i - 1].action == binding.action) {
            continue; // its keys are in the row already
        }
        if (group != binding.group) {
            group = binding.group;
            text += "\n## " + group + "\n\n| key | action | name in settings |\n|---|---|---|\n";
        }
        text += "| `" + binding.key_name + "`";
        for (std::size_t j = i + 1; j < bindings.size() && bindings[j].action == binding.action; ++j) {
            text += ", `" + bindings[j].key_name + "`";
        }
        text += std::string(" | ") + binding.description + " | `" + binding.id + "` |\n";
    }
    return text;
}

TEST(KeysPage, SaysWhatTheTableOfKeysSays) {
    std::string page = core::read_whole_file(page_file);
    const std::string start = "<!-- keys -->\n", end = "<!-- end -->";
    const std::size_t begin = page.find(start);
    ASSERT_NE(begin, std::string::npos);
    const std::size_t from = begin + start.size(), to = page.find(end, from);
    ASSERT_NE(to, std::string::npos);
    const std::string expected = key_tables(default_key_bindings());
    if (std::getenv("CAIRN_WRITE_TEXTS") != nullptr) {
        core::write_text_file(page_file, page.replace(from, to - from, expected));
        return;
    }
    EXPECT_EQ(page.substr(from, to - from), expected)
        << page_file << " differs from app/ui/input_map.cpp. To write it anew, run this test with "
        << "CAIRN_WRITE_TEXTS=1 in the environment";
}

TEST(KeysPage, ShowsAChangedKey) {
    std::vector<KeyBinding> bindings = default_key_bindings();
    const std::string before = key_tables(bindings);
    bindings.front().key_name = "F25";
    EXPECT_NE(key_tables(bindings), before);
    bindings.front().key_name = default_key_bindings().front().key_name;
    bindings.pop_back();
    EXPECT_NE(key_tables(bindings), before) << "an action that is missing";
}

} // namespace
} // namespace cairn::ui
