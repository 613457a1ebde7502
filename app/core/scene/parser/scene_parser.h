// From a parsed document to a scene: meaning, ranges, includes and repeats.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/scene.h"

#include <filesystem>
#include <vector>

namespace cairn::core {

// `file` is the document's own path for finding include cycles; empty for a text that is no file. `files`, if any, gets
// the included files and meshes, each once.
Scene scene_from_document(const Document& document, const std::filesystem::path& folder,
                          const std::filesystem::path& file, std::vector<std::filesystem::path>* files = nullptr,
                          const SceneReading& how = {});

// A document that is one body; "repeat" is rejected.
physics::BodyDef body_from_document(const Document& document, const std::filesystem::path& folder);

// A document that is a scene, a list of bodies or one body; these may repeat.
Scene excerpt_from_document(const Document& document, const std::filesystem::path& folder);

// A document that is one joint between bodies of the scene.
physics::JointDef joint_from_document(const Document& document, const Scene& scene);

// Only "name" and "description"; other members are not looked at.
struct SceneTitle {
    std::string name, description;
};
SceneTitle title_from_document(const Document& document);

} // namespace cairn::core
