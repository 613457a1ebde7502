// The points of mesh and point files, for hulls, and the triangles of mesh files: Wavefront (.obj), stereolithography
// (.stl), polygon files (.ply) and scenes (.glb, .gltf; see gltf/gltf_scene.h).
//
// Read here and not by a mesh library: only vertices and faces are wanted, and what is wrong must be reported with its
// place. tinyobjloader, which was used before, skips what it does not understand (a byte order mark cost the first
// vertex) and counts no columns; Assimp is ten megabytes.
#pragma once

#include "app/core/scene/values/file_access.h"
#include "physics/geometry/geometry.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

// All vertices of a Wavefront .obj text in their order, in the file's own units. Throws InputError, located in `name`,
// for a line that is no statement of such a file, for a vertex without three coordinates within -1e6 .. 1e6, for a face
// that names a missing vertex, for more than max_hull_points vertices and for none.
std::vector<physics::Vec3> parse_obj_points(std::string_view text, const std::string& name);

// The same with the faces; one of more than three corners becomes a fan about its first. Throws InputError as well for
// no faces, and for more triangles than a mesh may have.
// Where only `points` are needed, faces may be missing.
physics::MeshData parse_obj_mesh(std::string_view text, const std::string& name, bool points = false);

// A mesh file of any kind, recognised by the end of its name (.stl, .ply, .glb or .gltf in any case, .obj whatever else
// it is), the standard input by what it begins with. `access`: to the files that a .gltf names, one that has its data
// beside it.
physics::MeshData read_mesh(const std::filesystem::path& path, bool points = false, const FileAccess& access = {});
std::vector<physics::Vec3> read_mesh_points(const std::filesystem::path& path, const FileAccess& access = {});

// The ends of names of mesh files, and whether a name has one of them, in any case.
inline constexpr std::array<std::string_view, 5> mesh_endings{".obj", ".stl", ".ply", ".glb", ".gltf"};
bool is_mesh_name(const std::filesystem::path& path);

// One point a line: three numbers between blanks, commas or semicolons. Empty lines and what follows a # are skipped.
// Throws InputError, located in `name`, for anything else and for what .obj vertices are refused for.
std::vector<physics::Vec3> parse_xyz_points(std::string_view text, const std::string& name);

// A mesh or a file of points, told apart by the end of its name (of a mesh or .xyz, in any case), the standard input by
// what it begins with; throws InputError for others.
std::vector<physics::Vec3> read_points(const std::filesystem::path& path);

} // namespace cairn::core
