#include "app/core/scene/scene.h"
#include "app/ui/browser/scene_browser.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {
namespace {

TEST(Browser, TheGalleryIsThereAndSaysWhatToTry) {
    const std::vector<core::SceneFile> shipped = core::list_scenes(core::data_folder() / "scenes");
    std::set<std::string> tries;
    for (const std::string_view name : gallery_scenes()) {
        const auto file =
            std::find_if(shipped.begin(), shipped.end(), [&](const auto& f) { return f.path.stem() == name; });
        ASSERT_NE(file, shipped.end()) << name;
        const std::string text = what_to_try(file->description);
        EXPECT_GT(text.size(), 10u) << name;
        tries.insert(text);
    }
    EXPECT_EQ(tries.size(), gallery_scenes().size()) << "each of them another";
    EXPECT_EQ(what_to_try("Cards. Try: take one out."), "Take one out.");
    EXPECT_EQ(what_to_try("Cards."), "");
}

} // namespace
} // namespace cairn::ui
