// Scenes that take their time to read.
#include "app/ui/opening/scene_loading.h"

#include "app/core/base/error.h"
#include "app/ui/session/picture/progress_picture.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace cairn::ui {
namespace {

class SceneLoadings : public ::testing::Test {
  protected:
    SceneLoadings() {
        std::filesystem::create_directories(folder_);
        ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    }
    ~SceneLoadings() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path write(const std::string& text) const {
        std::ofstream(folder_ / "scene.json") << text;
        return folder_ / "scene.json";
    }
    // A sheet with waves, of so many points along each side: its hulls take long to find.
    std::filesystem::path waves(int side) const {
        std::string vertices, triangles;
        for (int i = 0; i < side * side; ++i) {
            const int x = i % side, y = i / side;
            vertices += (i > 0 ? "," : "") + ("[" + std::to_string(x)) + "," + std::to_string(y) + "," +
                        std::to_string((x * x + 3 * y * x + y) % 7) + "]";
            if (x + 1 < side && y + 1 < side) {
                const std::string a = std::to_string(i), b = std::to_string(i + 1), c = std::to_string(i + side),
                                  d = std::to_string(i + side + 1);
                triangles +=
                    (triangles.empty() ? "[" : ",[") + a + "," + b + "," + d + "],[" + a + "," + d + "," + c + "]";
            }
        }
        return write(R"({"cairn": 1, "bodies": [{"decomposed": {"concavity": 0.001, "vertices": [)" + vertices +
                     R"(], "triangles": [)" + triangles + "]}}]}");
    }
    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("cairn-loading-" + std::to_string(::getpid()));
    std::vector<std::filesystem::path> files_;
};

TEST_F(SceneLoadings, WhatIsQuickIsNotShown) {
    SceneLoading loading(write(R"({"cairn": 1, "name": "Quick", "bodies": [{"shape": {"sphere": {"radius": 1}}}]})"));
    int shown = 0;
    ASSERT_TRUE(loading.wait(std::chrono::minutes(1)));
    const core::Scene scene = take_patiently(loading, files_, [&](const std::string&, double) {
        ++shown;
        return true;
    });
    EXPECT_EQ(scene.name, "Quick");
    EXPECT_EQ(shown, 0);
    EXPECT_EQ(files_, std::vector{loading.path()});
}

TEST_F(SceneLoadings, AFaultIsToldAsWhereverScenesAreRead) {
    SceneLoading loading(write("{\n  \"cairn\": 1,\n  \"bodys\": []}"));
    try {
        take_patiently(loading, files_, {});
        FAIL();
    } catch (const core::InputError& error) {
        EXPECT_NE(std::string(error.what()).find("scene.json:3:"), std::string::npos) << error.what();
    }
}

TEST_F(SceneLoadings, WhatTakesLongIsShownAndCanBeGivenUp) {
    SceneLoading loading(waves(70));
    std::vector<double> shares;
    std::string what;
    try {
        take_patiently(loading, files_, [&](const std::string& text, double share) {
            what = text;
            shares.push_back(share);
            return shares.size() < 3;
        });
        FAIL() << "it was read within a moment";
    } catch (const core::InputError& error) {
        EXPECT_STREQ(error.what(), "scene.json was not opened");
    }
    EXPECT_GE(shares.size(), 3u);
    EXPECT_LE(shares.back(), 1.0);
    EXPECT_NE(what.find("Opening scene.json"), std::string::npos) << what;
}

TEST(ProgressPicture, FillsTheBarAsFarAsItIs) {
    LabelPainter text(1.0f);
    const auto amber = [&](double share) {
        const render::Image image = ProgressPicture::paint(text, 320, 200, 1.0f, "Opening a scene", share);
        int count = 0;
        for (std::size_t i = 0; i < image.pixels.size(); i += 4) {
            count += image.pixels[i] == 255 && image.pixels[i + 1] == 179 ? 1 : 0;
            EXPECT_EQ(image.pixels[i + 3], 255);
        }
        return count;
    };
    EXPECT_EQ(amber(0.0), 0);
    const int whole = amber(1.0);
    EXPECT_EQ(whole, 288 * 8);
    EXPECT_EQ(amber(0.5), whole / 2);
    EXPECT_EQ(amber(7.0), whole) << "a share is at most all of it";
}

} // namespace
} // namespace cairn::ui
