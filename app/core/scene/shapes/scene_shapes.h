// The shapes of a scene's bodies: each kind of its own, point sets by name, meshes, height fields and what is
// decomposed.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/values/file_access.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/base/executor.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

namespace cairn::core {

using Points = std::shared_ptr<const std::vector<physics::Vec3>>;
using Surface = std::shared_ptr<const physics::MeshData>;
using Field = std::shared_ptr<const physics::HeightData>;

// What one reading shares between a file and the files that it includes.
struct KnownShapes {
    FileAccess access;
    physics::Executor* executor = nullptr; // as of SceneReading, as is the next
    std::function<void(double)> progress{};
    // One copy of each mesh at each scale, however many bodies use it.
    std::map<std::pair<std::string, std::uint32_t>, Points> meshes;
    // Checked before: building a hull is the costly part of reading one.
    std::set<Points> good_hulls;
    std::map<std::tuple<std::string, std::uint32_t, bool>, Surface> surfaces; // of meshes: by file, scale and sides
    std::set<Surface> good_surfaces;
    std::map<std::tuple<std::string, float, float, float>, Field> fields; // by file, low, high and spacing
    std::set<Field> good_fields;
    // Of 1 kg/m^3, by mesh, concavity, most hulls and most vertices of each.
    std::map<std::tuple<Surface, double, std::size_t, std::size_t>, physics::BodyDef> decomposed;
    std::unordered_set<float> good_diamonds; // by scale
};

// All throw InputError where the file says what is no shape.
class ShapeReader {
  public:
    // `folder`: that of the file, from which it names others.
    ShapeReader(const Document& document, std::filesystem::path folder, KnownShapes& known)
        : document_(document), folder_(std::move(folder)), known_(known) {}

    void parse_point_sets(const Node& node);
    physics::ShapeDef parse_placed_shape(const Node& node);
    // The kind of shape, its sizes, and of meshes what they are made of.
    void parse_shape(const Node& node, physics::ShapeDef& to);
    // Gives the body the hulls, and of a closed mesh mass and inertia where the file states none. Returns what turns
    // the axes that the file means into the body's own, which are the mesh's principal axes then.
    physics::Quat take_decomposed(const Node& node, physics::BodyDef& body);

  private:
    physics::PointSet parse_hull(const Node& node);
    Points parse_points(const Node& node, float scale, std::string_view what = "points");
    Points load_mesh(const Node& node, float scale);
    void read_material(const ObjectReader& reader, physics::ShapeMaterial& material) const;
    physics::Geometry parse_mesh(const Node& node, std::vector<physics::ShapeMaterial>& materials);
    // mesh_materials.cpp
    void read_triangle_materials(const ObjectReader& reader, physics::MeshData& mesh) const;
    std::vector<physics::ShapeMaterial> read_mesh_materials(const Node& list, const physics::MeshData& mesh,
                                                            bool by_name) const;
    physics::HeightField parse_heightfield(const Node& node);
    std::shared_ptr<physics::HeightData> parse_heights(const Node& node);
    std::shared_ptr<physics::MeshData> parse_surface(const ObjectReader& reader, float scale, bool two_sided);
    const Node* find_surface(const ObjectReader& reader, const Node& node) const;
    Surface load_surface(const Node& file, float scale, bool two_sided);
    const physics::BodyDef& parse_decomposed(const Node& node);
    std::pair<std::filesystem::path, std::string> find_mesh(const Node& node, std::string_view key);
    std::pair<std::filesystem::path, std::string> find_file(const Node& node, std::string_view key,
                                                            std::span<const std::string_view> endings,
                                                            std::string_view what, std::string_view form);
    void check_shape(const physics::Geometry& geometry, const Node& at) const;

    float number(const Node& node, std::string_view what, const Range& range) const {
        return read_number(document_, node, what, range);
    }

    const Document& document_;
    std::filesystem::path folder_;
    KnownShapes& known_;
    struct PointList {
        const Node* node = nullptr;
        std::map<std::uint32_t, Points> by_scale;
    };
    std::map<std::string, PointList, std::less<>> point_sets_;
};

// A body's orientation once its frame has been turned: see ShapeReader::take_decomposed.
physics::Quat turned_frame(const physics::Quat& orientation, const physics::Quat& turn);

} // namespace cairn::core
