#include "app/ui/view/quality.h"

#include "app/core/base/joined_words.h"

#include <algorithm>

namespace cairn::ui {

const std::array<QualityInfo, 4>& qualities() {
    // The lowest keeps a processor that draws by itself fluent, see docs/results/window-performance.md; high is what a
    // graphics card of the last ten years does without effort.
    static const std::array<QualityInfo, 4> table{
        {{Quality::low, "low", "Low", {1, 1024, 1, false, true, 100}},
         {Quality::medium, "medium", "Medium", {2, 2048, 2, false, true, 100}},
         {Quality::high, "high", "High", {4, 2048, 3, true, true, 100}},
         {Quality::ultra, "ultra", "Ultra", {8, 4096, 4, true, true, 100}}}};
    return table;
}

void set_quality(DrawSettings& settings, Quality quality) {
    const bool interpolate = settings.interpolate;
    settings = qualities()[static_cast<std::size_t>(quality)].settings;
    settings.interpolate = interpolate;
}

std::optional<Quality> quality_of(const DrawSettings& settings, int max_msaa) {
    for (const QualityInfo& info : qualities()) {
        const DrawSettings& s = info.settings;
        if (std::min(s.msaa, max_msaa) == std::min(settings.msaa, max_msaa) && s.shadow_map == settings.shadow_map &&
            s.shadow_cascades == settings.shadow_cascades && s.occlusion == settings.occlusion &&
            s.resolution == settings.resolution) {
            return info.quality;
        }
    }
    return std::nullopt;
}

std::optional<Quality> quality_named(std::string_view name) {
    const auto found = std::ranges::find(qualities(), name, &QualityInfo::name);
    return found == qualities().end() ? std::nullopt : std::optional(found->quality);
}

std::string quality_names() {
    return core::joined_words(qualities(), &QualityInfo::name);
}

} // namespace cairn::ui
