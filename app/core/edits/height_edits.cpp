#include "app/core/edits/height_edits.h"

#include <algorithm>
#include <cmath>

namespace cairn::core {

using namespace physics;

namespace {

std::shared_ptr<const HeightData> field_of(const World& world, BodyId body, std::uint32_t shape) {
    const auto model = world.model(body);
    if (!model || shape >= model->def.shapes.size()) {
        return nullptr;
    }
    const auto* field = std::get_if<HeightField>(&model->def.shapes[shape].geometry);
    return field != nullptr ? field->data : nullptr;
}

struct Samples {
    std::uint32_t first = 0, count = 0;
};

// Those within `radius` of `middle`, along one side of the field, all in units of its spacing.
Samples reached(float middle, float radius, std::uint32_t samples) {
    const float last = static_cast<float>(samples - 1);
    const float low = std::ceil(std::max(middle - radius, 0.0f)), high = std::floor(std::min(middle + radius, last));
    if (!(low <= high)) {
        return {};
    }
    return {static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(high - low) + 1};
}

// Of the samples around (i, j), without those beside the field.
float mean_around(const HeightData& data, std::uint32_t i, std::uint32_t j) {
    float sum = 0.0f;
    int count = 0;
    for (std::uint32_t row = j > 0 ? j - 1 : 0; row <= std::min(j + 1, data.rows - 1); ++row) {
        for (std::uint32_t column = i > 0 ? i - 1 : 0; column <= std::min(i + 1, data.columns - 1); ++column) {
            sum += data.heights[std::size_t{row} * data.columns + column];
            ++count;
        }
    }
    return sum / static_cast<float>(count);
}

} // namespace

std::optional<SetHeights> present_heights(const World& world, BodyId body, std::uint32_t shape,
                                          const HeightRegion& region) {
    const std::shared_ptr<const HeightData> data = field_of(world, body, shape);
    if (!data || region.column >= data->columns || region.columns > data->columns - region.column ||
        region.row >= data->rows || region.rows > data->rows - region.row) {
        return std::nullopt;
    }
    SetHeights present{body, shape, region, {}};
    present.heights.reserve(std::size_t{region.columns} * region.rows);
    for (std::uint32_t row = region.row; row < region.row + region.rows; ++row) {
        const auto first =
            data->heights.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * data->columns + region.column);
        present.heights.insert(present.heights.end(), first, first + region.columns);
    }
    return present;
}

std::optional<SetHeights> brushed(const World& world, const BrushHeights& brush) {
    const std::shared_ptr<const HeightData> data = field_of(world, brush.body, brush.place);
    if (!data) {
        return std::nullopt;
    }
    const float radius = brush.radius / data->spacing;
    const float x = brush.x / data->spacing + 0.5f * static_cast<float>(data->columns - 1);
    const float y = brush.y / data->spacing + 0.5f * static_cast<float>(data->rows - 1);
    const Samples across = reached(x, radius, data->columns), along = reached(y, radius, data->rows);
    if (across.count == 0 || along.count == 0) {
        return std::nullopt;
    }
    std::optional<SetHeights> set =
        present_heights(world, brush.body, brush.place, {across.first, along.first, across.count, along.count});
    std::size_t at = 0;
    for (std::uint32_t j = along.first; j < along.first + along.count; ++j) {
        for (std::uint32_t i = across.first; i < across.first + across.count; ++i) {
            float& height = set->heights[at++];
            const float u = (static_cast<float>(i) - x) / radius, v = (static_cast<float>(j) - y) / radius;
            const float within = std::max(1.0f - (u * u + v * v), 0.0f);
            const float share = brush.amount * within * within; // level in the middle and at the rim
            switch (brush.action) {
            case BrushHeights::Action::raise:
                height += share;
                break;
            case BrushHeights::Action::smooth:
                height += share * (mean_around(*data, i, j) - height);
                break;
            case BrushHeights::Action::flatten:
                height += share * (brush.level - height);
                break;
            }
            height = std::clamp(height, -max_height, max_height);
        }
    }
    return set;
}

void lay_over(SetHeights& to, const SetHeights& from) {
    for (std::uint32_t row = 0; row < from.region.rows; ++row) {
        const std::size_t place = std::size_t{from.region.row - to.region.row + row} * to.region.columns +
                                  (from.region.column - to.region.column);
        std::copy_n(from.heights.begin() + static_cast<std::ptrdiff_t>(std::size_t{row} * from.region.columns),
                    from.region.columns, to.heights.begin() + static_cast<std::ptrdiff_t>(place));
    }
}

} // namespace cairn::core
