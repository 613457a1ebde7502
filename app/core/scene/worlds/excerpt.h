// Some bodies of a scene with the joints between them: what goes through a clipboard and what is duplicated.
#pragma once

#include "app/core/scene/scene.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace cairn::core {

// The bodies at these places in `frame.bodies` (ascending) as they are now, the joints between them, and those by which
// one of them hangs on the world. Settings, name and camera are the usual ones.
Scene excerpt_from(const physics::FrameState& frame, std::span<const std::size_t> places);

// What a person may have copied somewhere: a scene, a list of bodies, or one body; a comma at the end is passed over.
// Throws InputError with line and column like parse_scene.
Scene parse_excerpt(std::string_view text, const std::string& name, const std::filesystem::path& folder);

// Moves everything by `offset`, m.
void move_by(Scene& scene, const physics::Vec3& offset);

} // namespace cairn::core
