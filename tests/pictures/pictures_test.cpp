// Pictures compared with those in tests/pictures/golden. CAIRN_BLESS=1 writes them anew: look at them before
// committing.
#include "app/core/runner/runner.h"
#include "app/ui/layers/debug_layers.h"
#include "app/ui/view/picture.h"
#include "tests/pictures/golden_picture.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

const std::filesystem::path folder = std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "pictures";

// The moment at which a shot strikes, see stage.json.
constexpr int moment = 90;

PictureOptions small() {
    PictureOptions options;
    options.width = 240;
    options.height = 135;
    set_quality(options.draw, Quality::low);
    return options;
}

render::Image picture(const PictureOptions& options) {
    core::Runner runner(core::read_scene(folder / "stage.json"));
    runner.watch(details_for(options));
    for (int step = 0; step < moment; ++step) {
        runner.step();
    }
    return draw_picture(runner.current(), runner.scene().camera, options);
}

std::vector<std::string> layer_list() {
    std::vector<std::string> names;
    for (const DebugLayer& layer : debug_layers()) {
        names.emplace_back(layer.name);
    }
    return names;
}

std::vector<std::string> mode_list() {
    std::vector<std::string> names;
    for (const ColourModeInfo& info : colour_modes()) {
        names.emplace_back(info.name);
    }
    return names;
}

std::vector<std::string> quality_list() {
    std::vector<std::string> names;
    for (const QualityInfo& info : qualities()) {
        names.emplace_back(info.name);
    }
    return names;
}

const auto by_name = [](const ::testing::TestParamInfo<std::string>& info) { return info.param; };

class LayerPicture : public ::testing::TestWithParam<std::string> {};
TEST_P(LayerPicture, IsAsItWas) {
    PictureOptions options = small();
    options.layers = {GetParam()};
    options.zones = {{"a box", {1.5f, 1.0f, 0.8f}, 0.0f, {{-1.5f, 0.0f, 0.8f}, {}}},
                     {"a ball", physics::Vec3(0.0f), 1.0f, {{2.0f, -1.0f, 1.0f}, {}}}};
    options.labels = {{"a label", {}, {0.0f, 0.0f, 2.5f}}};
    const render::Image image = picture(options);
    expect_golden("layer_" + GetParam(), image);
    // The layer shows, and what shows it would not pass for the picture without it.
    options.layers = {GetParam() == "joints" ? "sleeping" : "joints"};
    const render::tests::Difference apart = render::tests::difference(image, picture(options));
    EXPECT_TRUE(apart.rms > render::tests::largest_rms || apart.block > render::tests::largest_block);
}
INSTANTIATE_TEST_SUITE_P(Each, LayerPicture, ::testing::ValuesIn(layer_list()), by_name);

class ColourPicture : public ::testing::TestWithParam<std::string> {};
TEST_P(ColourPicture, IsAsItWas) {
    PictureOptions options = small();
    options.colours = *colour_mode_of(GetParam());
    const render::Image image = picture(options);
    expect_golden("colours_" + GetParam(), image);
    options.colours = next_mode(options.colours);
    const render::tests::Difference apart = render::tests::difference(image, picture(options));
    EXPECT_GT(apart.block, render::tests::largest_block) << "the next meaning looks different";
}
INSTANTIATE_TEST_SUITE_P(Each, ColourPicture, ::testing::ValuesIn(mode_list()), by_name);

class QualityPicture : public ::testing::TestWithParam<std::string> {};
TEST_P(QualityPicture, IsAsItWas) {
    PictureOptions options = small();
    set_quality(options.draw, *quality_named(GetParam()));
    expect_golden("quality_" + GetParam(), picture(options));
}
INSTANTIATE_TEST_SUITE_P(Each, QualityPicture, ::testing::ValuesIn(quality_list()), by_name);

} // namespace
} // namespace cairn::ui
