// Scenes to measure on, made from formulas instead of files: the six on which engines are compared, fast bodies, crowds
// of fast and of overlapping bodies, and series that grow from 1,000 to 100,000 bodies.
//
// All share gravity (0,0,-10) m/s^2, 60 Hz, density 1000 kg/m^3, friction 0.6, restitution 0, no damping; static bodies
// come first. Only the sleeping series lets its bodies sleep.
#pragma once

#include "app/core/scene/scene.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

struct BenchSceneName {
    std::string name;   // "pyramid", "pile_10k"
    std::string series; // several scenes that belong together: "peers", "duel", "plate", "crowd", "pile", ...
    std::size_t bodies = 0;
};

// All of them, a series together and in ascending size.
const std::vector<BenchSceneName>& bench_scene_names();

// Nothing if there is no such scene.
std::optional<Scene> make_bench_scene(std::string_view name);

// What a user names: "bench/NAME" is a scene from here or a series, all else a scene file or the name of a shipped one.
struct SceneToMeasure {
    std::string name;   // short: without folder and ending
    std::string series; // empty for files
    Scene scene;
};
// Throws InputError.
std::vector<SceneToMeasure> scenes_to_measure(const std::filesystem::path& given);

} // namespace cairn::core
