// Convex decompositions by the content of their meshes: what took seconds once is kept in the user's cache folder.
#pragma once

#include "physics/geometry/decomposition/decomposition.h"
#include "physics/geometry/geometry.h"

#include <filesystem>
#include <functional>
#include <variant>

namespace cairn::core {

// Larger meshes take minutes, which a scene that is opened does not have; `cairn decompose` has no such limit.
inline constexpr std::size_t max_decomposed_triangles = 100'000;

// The bits are those of physics::decompose(), whether they are read or made. Kept in files of `folder`/decompositions,
// one for each content of mesh and settings; a file that is damaged or of another version is made anew, and where none
// can be written, nothing is kept.
std::variant<physics::Decomposition, physics::MeshError>
kept_decomposition(const physics::MeshData& mesh, const physics::DecompositionSettings& settings,
                   const std::filesystem::path& folder);
// The same on an executor of the caller's, where work stops when it throws; `progress` as of physics::decompose().
std::variant<physics::Decomposition, physics::MeshError>
kept_decomposition(const physics::MeshData& mesh, const physics::DecompositionSettings& settings,
                   const std::filesystem::path& folder, physics::Executor& executor,
                   const std::function<void(double)>& progress = {});

} // namespace cairn::core
