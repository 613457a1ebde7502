// Height fields out of pictures.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/height_image.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::core {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

std::string big(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
            static_cast<char>(value)};
}

std::string chunk(const std::string& type, const std::string& body) {
    std::uint32_t crc = 0xffffffffu;
    for (const char c : type + body) {
        crc ^= static_cast<unsigned char>(c);
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
        }
    }
    return big(static_cast<std::uint32_t>(body.size())) + type + body + big(~crc);
}

// A PNG of rows of bytes, as they are: one stored block.
std::string png(std::uint32_t width, const std::vector<std::string>& rows, int depth, int colour) {
    std::string raw;
    for (const std::string& row : rows) {
        raw += '\0' + row;
    }
    std::uint32_t a = 1, b = 0;
    for (const char c : raw) {
        a = (a + static_cast<unsigned char>(c)) % 65521;
        b = (b + a) % 65521;
    }
    const auto size = static_cast<std::uint32_t>(raw.size());
    const auto two = [](std::uint32_t n) { return std::string{static_cast<char>(n), static_cast<char>(n >> 8)}; };
    const std::string packed = "\x78\x01\x01" + two(size) + two(~size) + raw + big(b << 16 | a);
    const std::string header = big(width) + big(static_cast<std::uint32_t>(rows.size())) + static_cast<char>(depth) +
                               static_cast<char>(colour) + std::string(3, '\0');
    return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", "");
}

std::string picture_error(const std::filesystem::path& path) {
    try {
        read_height_image(path, 0, 1);
    } catch (const InputError& e) {
        return e.what();
    }
    return "no error";
}

TEST(HeightImage, SixteenBitsAndEightTheUpperEdgeNorth) {
    const TemporaryFolder folder;
    using namespace std::string_literals;
    const auto deep =
        folder.write("deep.png", png(3, {"\x00\x00\x00\x01\xff\xff"s, "\x80\x00\x00\x00\x00\x00"s}, 16, 0));
    const physics::HeightData data = read_height_image(deep, -1, 3);
    EXPECT_EQ(data.columns, 3u);
    EXPECT_EQ(data.rows, 2u);
    EXPECT_TRUE(data.holes.empty());
    const std::array<float, 6> expected{-1 + 4 * (32768.0f / 65535.0f), -1, -1, -1, -1 + 4 * (1 / 65535.0f), 3};
    for (std::size_t i = 0; i < 6; ++i) {
        EXPECT_FLOAT_EQ(data.heights[i], expected[i]) << i;
    }
    const auto flat = folder.write("flat.png", png(2, {"\x00\xff"s, "\x80\x00"s}, 8, 0));
    EXPECT_EQ(read_height_image(flat, 0, 1).heights[3], 1.0f);
}

TEST(HeightImage, TransparentSamplesAreHoles) {
    const TemporaryFolder folder;
    using namespace std::string_literals;
    const std::string row = "\x10\xff\x10\xff\x10\xff\x10\xff"s;
    const auto path = folder.write(
        "h.png", png(4, {row, "\x10\xff\x10\x00\x10\xff\x10\xff"s, row, "\x10\xff\x10\xff\x10\xff\x10\x00"s}, 8, 4));
    const physics::HeightData data = read_height_image(path, 0, 1);
    // Sample (1, 2), counted from below, and (3, 0): a corner of one cell alone.
    ASSERT_EQ(data.holes.size(), 1u);
    const std::uint64_t expected = 1ull << 4 | 1ull << 5 | 1ull << 8 | 1ull << 9 | 1ull << 2;
    EXPECT_EQ(data.holes[0], expected);
}

TEST(HeightImage, FaultsAreTold) {
    const TemporaryFolder folder;
    EXPECT_THAT(picture_error(folder.write("a.png", "P5 2 2 255\n")), HasSubstr("this is no PNG picture"));
    EXPECT_THAT(picture_error(folder.write("b.png", png(2, {"\1\2\3\4\5\6", "\1\2\3\4\5\6"}, 8, 2))),
                HasSubstr("has colours"));
    EXPECT_THAT(picture_error(folder.write("c.png", png(1, {"\1", "\2"}, 8, 0))), HasSubstr("2 to 4096 samples"));
    std::string cut = png(3, {"\1\2\3", "\1\2\3"}, 8, 0);
    EXPECT_THAT(picture_error(folder.write("d.png", cut.substr(0, 45))), HasSubstr("the picture is damaged"));
    folder.write("e.png", png(2, {"\1\2", "\1\2"}, 8, 0));
    EXPECT_EQ(picture_error(folder / "e.png"), "no error");
    const Scene scene = parse_scene(
        R"({"cairn": 1, "bodies": [{"type": "static", "shape": {"heightfield": {"file": "e.png", "low": 0, "high": 5}}}]})",
        "s.json", folder.path());
    EXPECT_EQ(scene.bodies.at(0).shapes.size(), 1u);
}

} // namespace
} // namespace cairn::core
