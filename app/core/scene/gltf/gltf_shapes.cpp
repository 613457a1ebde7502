#include "app/core/scene/gltf/gltf_shapes.h"

#include "app/core/base/files/user_folders.h"
#include "app/core/base/joined_words.h"
#include "app/core/look/body_colours.h"
#include "app/core/look/colour_text.h"
#include "app/core/scene/shapes/kept_decomposition.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/base/hash.h"
#include "physics/geometry/shape.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyType;
using physics::MeshData;
using physics::PointSet;
using physics::ShapeDef;
using physics::Vec3;

struct ExactPoint {
    std::size_t operator()(const Vec3& p) const { return physics::Hasher(0).add(p).value(); }
};

// Meshes for drawing have a vertex for each normal at it.
void join_equal_vertices(MeshData& mesh) {
    std::vector<Vec3> points;
    std::vector<std::uint32_t> place;
    place.reserve(mesh.vertices.size());
    std::unordered_map<Vec3, std::uint32_t, ExactPoint> known;
    for (const Vec3& vertex : mesh.vertices) {
        const Vec3 p = vertex + Vec3(0.0f); // -0 becomes 0
        const auto [at, fresh] = known.try_emplace(p, static_cast<std::uint32_t>(points.size()));
        if (fresh) {
            points.push_back(p);
        }
        place.push_back(at->second);
    }
    mesh.vertices = std::move(points);
    for (auto& triangle : mesh.triangles) {
        for (std::uint32_t& corner : triangle) {
            corner = place[corner];
        }
    }
}

std::vector<double> stretch_of(const GltfPlace& place) {
    std::vector<double> stretch;
    for (int i = 0; i < 9; ++i) {
        stretch.push_back(place.stretch[i / 3][i % 3]);
    }
    return stretch;
}

// A two-sided mesh is written with both of its sides.
void drop_back_sides(MeshData& mesh) {
    using Corners = std::array<std::uint32_t, 3>;
    const auto first_lowest = [](Corners c) {
        std::rotate(c.begin(), std::ranges::min_element(c), c.end());
        return c;
    };
    std::set<Corners> fronts;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const Corners c = mesh.triangles[i];
        if (fronts.contains(first_lowest({c[0], c[2], c[1]}))) {
            continue;
        }
        fronts.insert(first_lowest(c));
        mesh.triangles[kept] = c;
        if (!mesh.triangle_materials.empty()) {
            mesh.triangle_materials[kept] = mesh.triangle_materials[i];
        }
        ++kept;
    }
    mesh.triangles.resize(kept);
    mesh.triangle_materials.resize(std::min(kept, mesh.triangle_materials.size()));
}

} // namespace

std::string GltfLosses::text() const {
    return joined_words(all_, std::identity(), "; ");
}

GltfShapes::GltfShapes(const GltfTree& tree, const SceneReading& how, GltfLosses& losses)
    : tree_(tree), file_(tree.file()), how_(how), losses_(losses), collision_filters_(tree.file()) {
    const Node* implicit = file_.extension(file_.root(), implicit_shapes);
    const Node* physics_of_file = file_.extension(file_.root(), rigid_bodies);
    shapes_ = file_.list(file_.member(implicit, "shapes"), "shapes");
    materials_ = file_.list(file_.member(physics_of_file, "physicsMaterials"), "physicsMaterials");
}

// By the materials of the file's primitives, or as Cairn has noted it.
void GltfShapes::name_triangles(MeshData& mesh, const Node* own) const {
    const Node *list = file_.member(own, "materials"), *numbers = file_.member(own, "triangle_materials");
    if (list == nullptr || numbers == nullptr) {
        tree_.name_triangles(mesh);
        if (mesh.materials.size() == 1) { // all triangles are of one
            mesh.materials.clear();
            mesh.triangle_materials.clear();
        }
        return;
    }
    for (const Node* entry : file_.list(list, "materials")) {
        const Node* name = file_.member(*entry, "name");
        mesh.materials.push_back(name != nullptr ? file_.string(*name, "name") : std::string());
    }
    const std::vector<std::uint32_t> places = file_.whole_numbers(*numbers);
    if (places.size() != mesh.triangles.size()) {
        file_.fail(*numbers, std::to_string(places.size()) + " materials for " + std::to_string(mesh.triangles.size()) +
                                 " triangles");
    }
    if (mesh.materials.size() > physics::max_mesh_materials) {
        file_.fail(*list, "more than " + std::to_string(physics::max_mesh_materials) + " materials");
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] >= mesh.materials.size()) {
            file_.fail(*numbers, "there is no material " + std::to_string(places[i]) + " of the mesh");
        }
        mesh.triangle_materials[i] = static_cast<std::uint16_t>(places[i]);
    }
}

std::vector<physics::ShapeMaterial> GltfShapes::own_materials(const Node* own, const MeshData& mesh) const {
    std::vector<physics::ShapeMaterial> out;
    bool any = false;
    for (const Node* entry : file_.list(file_.member(own, "materials"), "materials")) {
        physics::ShapeMaterial& material = out.emplace_back();
        for (const physics::MaterialParameter& p : physics::material_parameters) {
            if (const Node* value = file_.member(*entry, p.key)) {
                material.of(p.number) =
                    file_.number_within(*value, p.key, static_cast<double>(p.least), static_cast<double>(p.greatest));
                any = true;
            }
        }
        if (const Node* value = file_.member(*entry, "colour")) {
            material.colour = colour_of(file_.string(*value, "colour"));
            if (!material.colour) {
                file_.fail(*value, "\"colour\" must be \"#rrggbb\", six hexadecimal digits");
            }
            any = true;
        }
    }
    return any && out.size() == mesh.materials.size() ? out : std::vector<physics::ShapeMaterial>();
}

std::shared_ptr<const MeshData> GltfShapes::mesh_of(const Key& key, const GltfPlace& place, const Node* own) {
    const Node* sides = file_.member(own, "two_sided");
    const bool two_sided = sides != nullptr && file_.boolean(*sides, "two_sided");
    std::shared_ptr<const MeshData>& shared = meshes_[{key, two_sided}];
    if (shared == nullptr) {
        auto data = std::make_shared<MeshData>();
        data->two_sided = two_sided;
        GltfPlace stretched;
        stretched.stretch = place.stretch;
        if (std::get<0>(key)) {
            tree_.add_below(std::get<1>(key), stretched, *data);
        } else {
            tree_.add_mesh(std::get<1>(key), stretched, *data);
        }
        join_equal_vertices(*data);
        name_triangles(*data, own);
        if (two_sided) {
            drop_back_sides(*data);
        }
        shared = data;
    }
    return shared;
}

void GltfShapes::add_decomposed(const Key& key, const MeshData& mesh, const Node& at, const physics::Transform& pose,
                                BodyDef& body) {
    std::vector<PointSet>& hulls = decomposed_[key];
    if (hulls.empty()) {
        if (mesh.triangles.size() > max_decomposed_triangles) {
            file_.fail(at, "a mesh of " + std::to_string(mesh.triangles.size()) +
                               " triangles on a body that moves, of "
                               "which at most " +
                               std::to_string(max_decomposed_triangles) +
                               " are decomposed; simplify it, or ask for its \"convexHull\"");
        }
        physics::DecompositionSettings settings;
        settings.max_hulls = static_cast<std::size_t>(max_decomposed_hulls);
        const auto answer = how_.executor != nullptr
                                ? kept_decomposition(mesh, settings, cache_folder(), *how_.executor, how_.progress)
                                : kept_decomposition(mesh, settings, cache_folder());
        if (const auto* error = std::get_if<physics::MeshError>(&answer)) {
            file_.fail(at, "this mesh of a body that moves cannot be decomposed: " + error->reason);
        }
        for (const std::vector<Vec3>& points : std::get<physics::Decomposition>(answer).hulls) {
            hulls.push_back({std::make_shared<const std::vector<Vec3>>(points)});
        }
    }
    for (const PointSet& hull : hulls) {
        body.shapes.push_back({hull, pose});
    }
}

void GltfShapes::add_mesh_shape(const Key& key, const Node& at, const GltfPlace& place, bool hull, const Node* own,
                                BodyDef& body) {
    const physics::Transform pose = place.pose();
    const std::shared_ptr<const MeshData> mesh = mesh_of(key, place, own);
    if (mesh->triangles.empty() || (hull && mesh->vertices.size() > max_hull_points)) {
        file_.fail(at, mesh->triangles.empty() ? "this shape's mesh has no triangles"
                                               : "a hull of more than " + std::to_string(max_hull_points) + " points");
    }
    if (hull) {
        PointSet& points = hulls_[key];
        if (points.points == nullptr) {
            points.points = std::make_shared<const std::vector<Vec3>>(mesh->vertices);
        }
        body.shapes.push_back({points, pose});
    } else if (body.type == BodyType::fixed) {
        body.shapes.push_back({physics::Mesh{mesh}, pose});
        body.shapes.back().mesh_materials = own_materials(own, *mesh);
    } else {
        add_decomposed(key, *mesh, at, pose, body);
    }
}

// What only Cairn has; other programs see the mesh instead.
void GltfShapes::add_own(const Node& own, const GltfPlace& place, BodyDef& body) {
    ShapeDef def;
    def.pose = place.pose();
    if (const Node* diamond = file_.member(own, "diamond")) {
        def.geometry = physics::Diamond{static_cast<float>(sized(*diamond, "scale", 1.0))};
        const auto built = physics::build_shape(def.geometry);
        if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
            file_.fail(*diamond, error->reason);
        }
        // The node stands at its centroid.
        def.pose.position -= physics::rotate(def.pose.orientation, std::get<physics::Shape>(built).author_offset);
    } else {
        const Node& node = file_.require(own, "heightfield");
        const Node& heights = file_.require(node, "heights");
        physics::HeightField& shared = fields_[std::string(file_.text_of(node))];
        if (shared.data == nullptr) {
            auto data = std::make_shared<physics::HeightData>();
            const auto side = [&](std::string_view key) {
                const Node& value = file_.require(node, key);
                if (!value.is_integer || value.integer < 2 ||
                    value.integer > static_cast<std::int64_t>(physics::max_height_samples)) {
                    file_.fail(value, "a height field has 2 to " + std::to_string(physics::max_height_samples) +
                                          " samples along each side");
                }
                return static_cast<std::uint32_t>(value.integer);
            };
            data->columns = side("columns");
            data->rows = side("rows");
            data->spacing = static_cast<float>(sized(node, "spacing", 1.0));
            data->heights = file_.floats(heights);
            if (data->heights.size() != std::size_t{data->columns} * data->rows) {
                file_.fail(heights, std::to_string(data->heights.size()) + " heights for " +
                                        std::to_string(data->columns) + " x " + std::to_string(data->rows) +
                                        " samples");
            }
            if (const Node* holes = file_.member(node, "holes")) {
                for (const std::uint32_t cell : file_.whole_numbers(*holes)) {
                    const std::uint32_t i = cell % data->columns, j = cell / data->columns;
                    if (i + 1 >= data->columns || j + 1 >= data->rows) {
                        file_.fail(*holes, "cell " + std::to_string(cell) + " is not one of the field");
                    }
                    physics::add_hole(*data, i, j);
                }
            }
            shared.data = data;
        }
        def.geometry = shared;
    }
    body.shapes.push_back(std::move(def));
}

void GltfShapes::add(const Node& collider, const Node& node, const GltfPlace& place, bool sensor, BodyDef& body) {
    const std::size_t before = body.shapes.size();
    const Node* geometry = file_.member(collider, "geometry");
    if (geometry == nullptr) {
        if (sensor) { // the triggers below it are what it is made of
            return;
        }
        file_.fail(collider, "a collider needs \"geometry\" with a \"shape\", a \"node\" or a \"mesh\"");
    }
    const Node* extras = file_.own_extras(node);
    const Node* own = file_.member(extras, "shape");
    const Node* shape = file_.member(*geometry, "shape");
    const Node* mesh_node = file_.member(*geometry, "node");
    const Node* mesh = file_.member(*geometry, "mesh");
    if ((shape != nullptr) + (mesh_node != nullptr) + (mesh != nullptr) != 1) {
        file_.fail(*geometry, "\"geometry\" takes exactly one of \"shape\", \"node\" and \"mesh\"");
    }
    const bool known = own != nullptr && !place.stretches() &&
                       (file_.member(*own, "diamond") != nullptr || file_.member(*own, "heightfield") != nullptr);
    if (known) {
        add_own(*own, place, body);
    } else if (shape != nullptr) {
        add_implicit(*shapes_[file_.index(*shape, "shape", shapes_.size())], place, body);
    } else {
        const Node* hull = file_.member(*geometry, "convexHull");
        const Key key{mesh_node != nullptr,
                      mesh_node != nullptr ? tree_.node_index(*mesh_node, "node")
                                           : file_.index(*mesh, "mesh", file_.meshes().size()),
                      stretch_of(place)};
        add_mesh_shape(key, *geometry, place, hull != nullptr && file_.boolean(*hull, "convexHull"), own, body);
    }
    for (std::size_t i = before; i < body.shapes.size(); ++i) {
        const bool surface = std::holds_alternative<physics::Mesh>(body.shapes[i].geometry) ||
                             std::holds_alternative<physics::HeightField>(body.shapes[i].geometry);
        if (sensor && surface) {
            file_.fail(collider, "a trigger is a solid shape; a mesh has no inside: ask for its \"convexHull\"");
        }
        body.shapes[i].sensor = sensor;
    }
    if (body.shapes.size() > max_shapes_per_body) {
        file_.fail(node, "a body takes at most " + std::to_string(max_shapes_per_body) + " shapes");
    }
}

physics::Mesh GltfShapes::surface(std::size_t mesh, const GltfPlace& place) {
    return {mesh_of({false, mesh, stretch_of(place)}, place, nullptr)};
}

std::optional<physics::Material> GltfShapes::material(const Node& collider) const {
    const Node* index = file_.member(collider, "physicsMaterial");
    if (index == nullptr) {
        return std::nullopt;
    }
    const Node& node = *materials_[file_.index(*index, "physicsMaterial", materials_.size())];
    const auto value = [&](const Node* at, std::string_view key, double most, double otherwise) {
        return at == nullptr ? static_cast<float>(otherwise) : file_.number_within(*at, key, 0.0, most);
    };
    const Node* moving = file_.member(node, "dynamicFriction");
    const Node* resting = file_.member(node, "staticFriction");
    constexpr double friction_of_format = 0.6; // where a material states none
    physics::Material material;
    const double most = static_cast<double>(physics::limits::friction);
    const float at_rest = value(resting, "staticFriction", most, friction_of_format);
    material.friction =
        moving == nullptr && resting != nullptr ? at_rest : value(moving, "dynamicFriction", most, friction_of_format);
    if (moving != nullptr && resting != nullptr && at_rest != material.friction) {
        losses_.add("friction at rest that differs from that in motion");
    }
    material.restitution = value(file_.member(node, "restitution"), "restitution", 1.0, 0.0);
    material.rolling_resistance =
        value(file_.member(file_.own_extras(node), "rolling_resistance"), "rolling_resistance", 1.0, 0.0);
    return material;
}

std::optional<physics::Colour> GltfShapes::colour(std::size_t mesh) const {
    for (const Node* primitive : file_.list(file_.member(*file_.meshes()[mesh], "primitives"), "primitives")) {
        const Node* index = file_.member(*primitive, "material");
        if (index == nullptr) {
            continue;
        }
        const Node& material = *file_.materials()[file_.index(*index, "material", file_.materials().size())];
        const Node* automatic = file_.member(file_.own_extras(material), "automatic");
        const Node* surface = file_.member(material, "pbrMetallicRoughness");
        const Node* factor = file_.member(surface, "baseColorFactor");
        if (automatic != nullptr || factor == nullptr) {
            return std::nullopt;
        }
        const std::vector<double> rgba = file_.numbers(*factor, "baseColorFactor", 4);
        const glm::vec3 srgb =
            srgb_from_linear(glm::clamp(glm::vec3(rgba[0], rgba[1], rgba[2]), glm::vec3(0.0f), glm::vec3(1.0f)));
        const auto byte = [](float share) { return static_cast<std::uint8_t>(std::lround(255.0f * share)); };
        return physics::Colour{byte(srgb.x), byte(srgb.y), byte(srgb.z)};
    }
    return std::nullopt;
}

} // namespace cairn::core
