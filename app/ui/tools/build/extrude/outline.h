// Outlines in the plane: whether a solid can stand on one, and the convex pieces that it is cut into. Pure.
#pragma once

#include <cstddef>
#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cairn::ui {

// Corners in order, m; the last one is joined to the first.
using Outline = std::vector<glm::vec2>;

// Why no solid can stand on it, a phrase for people; none: one can. Edge i goes from corner i to the next one.
struct OutlineFault {
    std::string reason;
    std::optional<std::size_t> edge, other; // that are at fault
};
std::optional<OutlineFault> outline_fault(std::span<const glm::vec2> corners);
// Would the edge from the last corner to `next` cross one that is there already?
bool crosses_open(std::span<const glm::vec2> corners, const glm::vec2& next);

// Twice the area, m^2; positive where the corners go counter-clockwise.
double doubled_area(std::span<const glm::vec2> corners);
glm::dvec2 centroid_of(std::span<const glm::vec2> corners);

// Convex outlines, counter-clockwise, that fill one without fault and overlap nowhere; one where it is convex already.
std::vector<Outline> convex_pieces(std::span<const glm::vec2> corners);

} // namespace cairn::ui
