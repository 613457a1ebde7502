// The text of a scene's header. The whole text is write_scene() in scene.h; the lists have writers of their own.
#pragma once

#include "app/core/scene/scene.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::core {

// Every member spelled out, for changing one of them by its path; without the lists.
std::string full_header_text(const Scene& scene);
// Key and value of each parameter that one object of the file may hold and that differs; "" is the file itself.
std::vector<std::pair<std::string_view, std::string>>
changed_parameters(const physics::Settings& before, const physics::Settings& after, std::string_view section);

} // namespace cairn::core
