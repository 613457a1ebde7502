// The tools that select, measure and delete.
#pragma once

#include "app/ui/tools/tool.h"

#include <memory>
#include <optional>

namespace cairn::ui {

std::unique_ptr<Tool> make_select_tool();
std::unique_ptr<Tool> make_measure_tool();
std::unique_ptr<Tool> make_remove_tool();

// The angle at `at` between the ways to `a` and `b`, degrees; nullopt where one of them has no length.
std::optional<float> angle_at(const glm::vec3& at, const glm::vec3& a, const glm::vec3& b);

} // namespace cairn::ui
