// A scene: what a world starts from, with names and a camera for people.
#pragma once

#include "app/core/scene/expectation.h"
#include "app/core/scene/show/scene_show.h"
#include "physics/world/body_def.h"
#include "physics/world/joint_def.h"
#include "physics/world/settings.h"
#include "physics/world/world.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

struct SceneCamera {
    physics::Vec3 eye{0.0f, -30.0f, 12.0f};
    physics::Vec3 target{0.0f, 0.0f, 2.0f};
    friend bool operator==(const SceneCamera&, const SceneCamera&) = default;
};

// Repeats and includes are already expanded; the order of the bodies is the order everywhere (traces, captures, slots).
struct Scene {
    std::string name;
    std::string description;
    physics::Settings settings;
    SceneCamera camera;
    std::vector<physics::BodyDef> bodies;
    std::vector<physics::JointDef> joints; // bodies are named by their index above, generation 0
    // What must be true of it while it runs. Nothing of the motion follows from these, and captures do not hold them.
    std::vector<Zone> zones;
    std::vector<Expectation> expectations;
    SceneShow show; // nor does it follow from this
    friend bool operator==(const Scene&, const Scene&) = default;
};

// What a file may make the reading do.
struct SceneReading {
    bool confined =
        false; // includes and meshes lie in the scene's own folder or below it, links followed; else rejected
    bool expectations = true; // read what is expected, too
    // Of meshes that are decomposed, which may take many seconds: the executor, one of its own if there is none, and a
    // callback with the share of the present mesh that is done, 0..1.
    physics::Executor* executor = nullptr;
    std::function<void(double)> progress{};
};

// Reads a scene file with its includes and meshes (paths relative to the file that names them). Throws InputError with
// file, line and column for anything that is not exactly a valid scene.
Scene read_scene(const std::filesystem::path& path, const SceneReading& how = {});
// Adds to `files` what the reading opens or tries to: the scene's own file, then included files and meshes, in the
// order in which they are named, each once. After an exception `files` holds what was known by then.
Scene read_scene(const std::filesystem::path& path, std::vector<std::filesystem::path>& files,
                 const SceneReading& how = {});
// The same from a text; `name` stands for the file in errors, `folder` is where its relative paths start.
Scene parse_scene(std::string_view text, const std::string& name, const std::filesystem::path& folder);

// The scene as text that parse_scene reads back to an equal scene: floats in their shortest exact form, defaults left
// out.
std::string write_scene(const Scene& scene);
// Writes to a temporary file, syncs and renames. Throws InputError naming the path.
void save_scene(const Scene& scene, const std::filesystem::path& path);

// Sets one value by path, as `--set gravity.2=-3.7`, `--set step.substeps=8`, `--set bodies.3.friction=0.1` or, for
// every body, `--set bodies.*.friction=0.1` do: applied to the scene as if the file had said so.
// Throws InputError when the path names nothing or
// the value is rejected.
void set_value(Scene& scene, std::string_view assignment);

// Creates the world of a scene. Throws InputError naming the body that the world rejects.
physics::World make_world(const Scene& scene, physics::Executor* executor = nullptr);

// The scene that a running world stands for now, for "save as": poses and velocities of the frame, all else from the
// models.
Scene scene_from(const physics::FrameState& frame, const std::string& name, const SceneCamera& camera);

// The folder that holds scenes/ and assets/: found from the program, the build tree or the installation.
std::filesystem::path data_folder();
// The file of a scene that ships with the program, by its name without folder and ending ("duel"). Throws InputError.
std::filesystem::path builtin_scene(const std::string& name);
// For people who name a scene by hand, as when they open the window; what a script names means that and nothing else.
// `given` if there is such a file; else the shipped scene of that name ("duel", "duel.json" or "scenes/duel.json"), so
// that these can be named from any folder; else `given` again.
std::filesystem::path find_scene(const std::filesystem::path& given);

// The *.json files of a folder (not the schema) by name.
struct SceneFile {
    std::filesystem::path path;
    std::string name;        // "name" in the file
    std::string description; // one line
};
std::vector<SceneFile> list_scenes(const std::filesystem::path& folder);

} // namespace cairn::core
