// Saving a scene over the file that it came from: what people wrote there stays, as far as it still holds.
#pragma once

#include "app/core/scene/scene.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

struct RewrittenScene {
    std::string text;
    std::vector<std::size_t> order; // the file's bodies, includes first, by their index in the scene
    std::vector<std::string> lost;  // what the old text had and this one has not: a few words each, for people
};

// `old_text` with the changes that make it `scene`: comments and layout, "include", "repeat", "point_sets" and mesh
// files stay where what they say still holds, and else are replaced by the bodies themselves. `from`: for each body of
// the scene its index among the old text's, includes first, or none; then a name that only one body has on either side
// tells. Bodies that joints name get
// names of their own. The result reads back as the scene, with its bodies in `order`; where that cannot be had from the
// old text, it is written anew. `old_name`, `folder`: as of parse_scene. Throws InputError for an old text that is no
// scene, and for a scene that no text can say.
RewrittenScene rewrite_scene(const Scene& scene, std::span<const std::optional<std::size_t>> from,
                             std::string_view old_text, const std::string& old_name,
                             const std::filesystem::path& folder);

// The same as a text of its own, in the scene's order. `from`: as above, for expectations that name bodies by index.
RewrittenScene fresh_scene_text(Scene scene, std::span<const std::optional<std::size_t>> from);

} // namespace cairn::core
