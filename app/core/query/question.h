// One line of `cairn query`: two placed shapes, how they move, and what is asked of them.
// docs/reference/query-format.md has the format.
#pragma once

#include "app/algorithms/algorithm.h"
#include "app/core/scene/json/document.h"
#include "physics/query/time_of_impact.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace cairn::core {

struct Question {
    std::string id; // the text of "id", if there is one
    algorithms::QueryAlgorithm algorithm = algorithms::QueryAlgorithm::gjk_epa;
    bool names_algorithm = false; // the line says which
    physics::Shape a, b;
    physics::Geometry geometry_a, geometry_b; // what they were built from
    // Both as seen from `origin`, the position of A: the physics works in single precision, and shapes far from the
    // world's origin shall be answered as precisely as near it.
    glm::dvec3 origin{0.0}; // world, m
    physics::Sweep sweep_a, sweep_b;
    float duration = 0.0f; // s
    bool moving = false;
};

// The line as a document; `name` is what errors call it. Throws InputError.
Document question_document(std::string_view line, const std::string& name);

// Meshes are looked for in `folder`. Throws InputError, located in the line.
Question read_question(const Document& line, const std::filesystem::path& folder);

// Impact is when the shapes touch: the gap left may be a thousandth of the smaller shape, 0.1 mm at most, but no less
// than single precision resolves at the size of the pair.
physics::ToiSettings impact_settings(const physics::Shape& a, const physics::Shape& b);

// The words for them in answers and tables: "separated", "hit".
std::string_view name_of(physics::QueryStatus status);
std::string_view name_of(physics::ToiStatus status);

} // namespace cairn::core
