#include "app/core/scene/shapes/height_image.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "physics/geometry/height_grid.h"

#include <memory>
#include <stb_image.h>
#include <string>

namespace cairn::core {

namespace {

constexpr std::uint64_t greatest_picture = std::uint64_t{256} << 20; // bytes

struct FreeSamples {
    void operator()(stbi_us* samples) const { stbi_image_free(samples); }
};

} // namespace

physics::HeightData read_height_image(const std::filesystem::path& path, float low, float high) {
    const auto fail = [&path](const std::string& what) { throw InputError({path.string(), 0, 0}, what); };
    const std::string text = read_whole_file(path, greatest_picture);
    const auto* bytes = reinterpret_cast<const stbi_uc*>(text.data()); // NOLINT: the library's type for bytes
    const int size = static_cast<int>(text.size());
    int columns = 0, rows = 0, channels = 0;
    if (!text.starts_with("\x89PNG") || stbi_info_from_memory(bytes, size, &columns, &rows, &channels) == 0) {
        fail("this is no PNG picture");
    }
    constexpr int most = static_cast<int>(physics::max_height_samples);
    if (columns < 2 || rows < 2 || columns > most || rows > most) {
        fail("a height field has 2 to " + std::to_string(most) + " samples along each side; the picture has " +
             std::to_string(columns) + " x " + std::to_string(rows));
    }
    if (channels > 2) {
        fail("heights are a grey picture, with or without transparency; this one has colours");
    }
    const std::unique_ptr<stbi_us, FreeSamples> samples(
        stbi_load_16_from_memory(bytes, size, &columns, &rows, &channels, 2));
    if (samples == nullptr) {
        fail(std::string("the picture is damaged: ") + stbi_failure_reason());
    }
    physics::HeightData data;
    data.columns = static_cast<std::uint32_t>(columns);
    data.rows = static_cast<std::uint32_t>(rows);
    const float range = high - low;
    for (std::uint32_t j = 0; j < data.rows; ++j) {
        const stbi_us* row = samples.get() + 2 * std::size_t{data.rows - 1 - j} * data.columns;
        for (std::uint32_t i = 0; i < data.columns; ++i) {
            data.heights.push_back(low + range * (static_cast<float>(row[2 * i]) / 65535.0f));
            if (row[2 * i + 1] == 0) {
                for (const std::uint32_t cell_row : {j - 1, j}) { // what lies before the first is far beyond the last
                    for (const std::uint32_t cell : {i - 1, i}) {
                        if (cell < data.columns - 1 && cell_row < data.rows - 1) {
                            physics::add_hole(data, cell, cell_row);
                        }
                    }
                }
            }
        }
    }
    return data;
}

} // namespace cairn::core
