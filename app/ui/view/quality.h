// How finely the world is drawn, and the few settings of it that go well together.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::ui {

struct DrawSettings {
    int msaa = 4;            // samples, 1 = off
    int shadow_map = 2048;   // texels, 0 = no shadows
    int shadow_cascades = 3; // maps, each twice as wide as the one before
    bool occlusion = true;   // ambient occlusion
    bool interpolate = true; // between the last two steps; no matter of quality
    int resolution = 100;    // percent of the window's pixels along each side that are drawn, and stretched
};

// Differs from all that a renderer may have been set to.
inline DrawSettings never_drawn() {
    return {-1, -1, -1, false, true, -1};
}

enum class Quality { low, medium, high, ultra };

struct QualityInfo {
    Quality quality;
    const char* name; // in options and reports
    const char* title;
    DrawSettings settings;
};
const std::array<QualityInfo, 4>& qualities();

void set_quality(DrawSettings& settings, Quality quality);
// The one that these settings are, whatever `interpolate`; a driver that has fewer samples than a quality asks for
// still has that quality. nullopt: none of them.
std::optional<Quality> quality_of(const DrawSettings& settings, int max_msaa);
std::optional<Quality> quality_named(std::string_view name);
std::string quality_names(); // comma-separated, for messages

} // namespace cairn::ui
