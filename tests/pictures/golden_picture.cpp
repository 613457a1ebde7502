#include "tests/pictures/golden_picture.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

namespace cairn::ui {

void expect_golden(const std::string& name, const render::Image& image) {
    const std::filesystem::path golden =
        std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "pictures" / "golden" / (name + ".png");
    const char* bless = std::getenv("CAIRN_BLESS");
    if (bless != nullptr && std::string(bless) == "1") {
        std::filesystem::create_directories(golden.parent_path());
        render::write_png(golden, image);
        return;
    }
    const render::tests::Difference apart = render::tests::difference(image, render::read_image(golden));
    if (apart.rms > render::tests::largest_rms || apart.block > render::tests::largest_block) {
        render::write_png(name + "_actual.png", image);
        if (!apart.picture.pixels.empty()) {
            render::write_png(name + "_difference.png", apart.picture);
        }
        ADD_FAILURE() << name << ": rms " << apart.rms << ", worst block " << apart.block << "; see "
                      << std::filesystem::current_path() / (name + "_difference.png");
    }
}

} // namespace cairn::ui
