#include "app/core/scene/shapes/scene_shapes.h"

#include "app/core/base/files/user_folders.h"
#include "app/core/scene/shapes/decomposed_mesh.h"
#include "app/core/scene/shapes/height_image.h"
#include "app/core/scene/shapes/kept_decomposition.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/shape.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <array>
#include <bit>

namespace cairn::core {

using physics::BodyDef;
using physics::BodyType;
using physics::Geometry;
using physics::PointSet;
using physics::Quat;
using physics::ShapeDef;
using physics::Vec3;

namespace {

constexpr std::array<std::string_view, 1> height_endings{".png"};

} // namespace

Quat turned_frame(const Quat& orientation, const Quat& turn) {
    return turn == physics::identity_orientation ? orientation : physics::normalized(orientation * turn);
}

void ShapeReader::parse_point_sets(const Node& node) {
    if (node.kind != NodeKind::object) {
        document_.fail(node, "\"point_sets\" must be an object of named lists of points, not " +
                                 std::string(kind_name(node.kind)));
    }
    for (const Node* set : document_.children(node)) {
        expect_list(document_, *set, set->key, "points [x, y, z]");
        if (!point_sets_.try_emplace(std::string(set->key), PointList{set, {}}).second) {
            document_.fail_at_key(*set, "the point set " + in_quotes(set->key) + " is given twice");
        }
        if (set->kind == NodeKind::array && set->child_count < min_hull_points) {
            document_.fail(*set, "a hull needs at least " + std::to_string(min_hull_points) + " points, not " +
                                     std::to_string(set->child_count));
        }
        // Read even where no body uses it, so that a mistake shows where it is made.
        point_sets_[std::string(set->key)].by_scale[std::bit_cast<std::uint32_t>(1.0f)] = parse_points(*set, 1.0f);
    }
}

ShapeDef ShapeReader::parse_placed_shape(const Node& node) {
    const ObjectReader reader(document_, node, "an entry of \"shapes\"", body_shape_keys);
    ShapeDef shape;
    parse_shape(reader.require("shape"), shape);
    reader.take("position", shape.pose.position, read_vector, coordinate_range);
    reader.take("orientation", shape.pose.orientation, read_orientation);
    read_material(reader, shape.material);
    if (const Node* value = reader.find("sensor")) {
        shape.sensor = read_boolean(document_, *value, "sensor");
        if (shape.sensor && (std::holds_alternative<physics::Mesh>(shape.geometry) ||
                             std::holds_alternative<physics::HeightField>(shape.geometry))) {
            document_.fail_at_key(*value, "a sensor is a solid shape; a mesh or a height field has no inside");
        }
    }
    return shape;
}

void ShapeReader::read_material(const ObjectReader& reader, physics::ShapeMaterial& material) const {
    for (const physics::MaterialParameter& p : physics::material_parameters) {
        if (const Node* value = reader.find(p.key)) {
            material.of(p.number) = number(*value, p.key, range_of(p));
        }
    }
    reader.take("colour", material.colour, read_colour);
}

void ShapeReader::parse_shape(const Node& node, ShapeDef& to) {
    if (node.kind != NodeKind::object) {
        document_.fail(node, "\"shape\" must be an object like {\"sphere\": {\"radius\": 0.5}}, not " +
                                 std::string(kind_name(node.kind)));
    }
    const Node* kind = document_.first(node);
    if (kind == nullptr) {
        document_.fail(node, "\"shape\" is empty;" + suggestion("", shape_kinds));
    }
    if (std::ranges::find(shape_kinds, kind->key) == shape_kinds.end()) {
        document_.fail_at_key(*kind,
                              "unknown shape " + in_quotes(kind->key) + ";" + suggestion(kind->key, shape_kinds));
    }
    if (const Node* second = document_.next(*kind)) {
        document_.fail_at_key(*second, "a shape is of one kind; use \"shapes\" for a body made of several");
    }
    const std::string what = in_quotes(kind->key);
    const auto size = [&](const ObjectReader& reader, std::string_view key) {
        return number(reader.require(key), key, size_range);
    };
    Geometry& geometry = to.geometry;
    if (kind->key == "sphere") {
        const ObjectReader reader(document_, *kind, what, sphere_keys);
        geometry = physics::Sphere{size(reader, "radius")};
    } else if (kind->key == "box") {
        const ObjectReader reader(document_, *kind, what, box_keys);
        geometry = physics::Box{read_vector(document_, reader.require("half_extents"), "half_extents", size_range)};
    } else if (kind->key == "capsule") {
        const ObjectReader reader(document_, *kind, what, capsule_keys);
        geometry = physics::Capsule{size(reader, "radius"), size(reader, "half_height")};
    } else if (kind->key == "cylinder") {
        const ObjectReader reader(document_, *kind, what, cylinder_keys);
        geometry = physics::Cylinder{size(reader, "radius"), size(reader, "half_height")};
    } else if (kind->key == "cone") {
        const ObjectReader reader(document_, *kind, what, cone_keys);
        geometry = physics::Cone{size(reader, "radius"), size(reader, "height")};
    } else if (kind->key == "diamond") {
        const ObjectReader reader(document_, *kind, what, diamond_keys);
        const Node* scale = reader.find("scale");
        geometry = physics::Diamond{scale == nullptr ? 1.0f : number(*scale, "scale", size_range)};
    } else if (kind->key == "mesh") {
        geometry = parse_mesh(*kind, to.mesh_materials);
    } else if (kind->key == "heightfield") {
        geometry = parse_heightfield(*kind);
    } else {
        geometry = parse_hull(*kind);
    }
    check_shape(geometry, *kind);
}

PointSet ShapeReader::parse_hull(const Node& node) {
    const ObjectReader reader(document_, node, "\"hull\"", hull_keys);
    const Node* points = reader.find("points");
    const Node* mesh = reader.find("mesh");
    if ((points == nullptr) == (mesh == nullptr)) {
        document_.fail(node, points == nullptr ? "\"hull\" needs \"points\" or \"mesh\""
                                               : "\"hull\" takes \"points\" or \"mesh\", not both");
    }
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    if (mesh != nullptr) {
        return {load_mesh(*mesh, scale)};
    }
    if (points->kind != NodeKind::string) {
        return {parse_points(*points, scale)};
    }
    const auto found = point_sets_.find(points->string);
    if (found == point_sets_.end()) {
        document_.fail(*points, "there is no point set " + in_quotes(points->string) + " in \"point_sets\"");
    }
    Points& shared = found->second.by_scale[std::bit_cast<std::uint32_t>(scale)];
    if (shared == nullptr) {
        shared = parse_points(*found->second.node, scale);
    }
    return {shared};
}

Points ShapeReader::parse_points(const Node& node, float scale, std::string_view what) {
    expect_list(document_, node, what, "points [x, y, z]");
    if (node.child_count > max_hull_points) {
        document_.fail(node, "more than " + std::to_string(max_hull_points) + " points");
    }
    auto points = std::make_shared<std::vector<Vec3>>();
    points->reserve(node.child_count);
    for (const Node* point : document_.children(node)) {
        points->push_back(read_vector(document_, *point, what, coordinate_range) * scale);
    }
    return points;
}

// The file that is named, and its name for all that name it differently.
std::pair<std::filesystem::path, std::string> ShapeReader::find_mesh(const Node& node, std::string_view key) {
    return find_file(node, key, mesh_endings, "mesh", "an .obj, .stl, .ply, .glb or .gltf file");
}

std::pair<std::filesystem::path, std::string> ShapeReader::find_file(const Node& node, std::string_view key,
                                                                     std::span<const std::string_view> endings,
                                                                     std::string_view what, std::string_view form) {
    const std::string name = read_string(document_, node, key), kind(what);
    const std::filesystem::path path = (folder_ / name).lexically_normal();
    const auto ends_so = [extension = path.extension()](std::string_view ending) {
        std::string upper(ending);
        std::ranges::transform(upper, upper.begin(), [](char c) { return c >= 'a' ? char(c - 32) : c; });
        return extension == ending || extension == upper;
    };
    if (std::ranges::none_of(endings, ends_so)) {
        document_.fail(node, "a " + kind + " is " + std::string(form) + ", not " + in_quotes(name));
    }
    const FileAccess::Found found = known_.access.find(document_, node, path, kind);
    return {found.path, found.canonical.string()};
}

Points ShapeReader::load_mesh(const Node& node, float scale) {
    const auto [path, canonical] = find_mesh(node, "mesh");
    Points& shared = known_.meshes[{canonical, std::bit_cast<std::uint32_t>(scale)}];
    if (shared == nullptr) {
        std::vector<Vec3> points = read_mesh_points(path, known_.access);
        for (Vec3& point : points) {
            point *= scale;
        }
        shared = std::make_shared<const std::vector<Vec3>>(std::move(points));
    }
    return shared;
}

Geometry ShapeReader::parse_mesh(const Node& node, std::vector<physics::ShapeMaterial>& materials) {
    const ObjectReader reader(document_, node, "\"mesh\"", mesh_keys);
    const Node* sides = reader.find("two_sided");
    const bool two_sided = sides != nullptr && read_boolean(document_, *sides, "two_sided");
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    const Node *file = find_surface(reader, node), *list = reader.find("materials");
    physics::Mesh mesh;
    if (file == nullptr) {
        const auto data = parse_surface(reader, scale, two_sided);
        read_triangle_materials(reader, *data);
        mesh.data = data;
    } else {
        if (const Node* places = reader.find("triangle_materials")) {
            document_.fail_at_key(*places, "\"triangle_materials\" belong to \"triangles\"; a file says itself which "
                                           "triangles are of which material");
        }
        mesh.data = load_surface(*file, scale, two_sided);
    }
    if (list != nullptr) {
        materials = read_mesh_materials(*list, *mesh.data, file != nullptr);
    }
    return mesh;
}

// Of what the surface is: the file, or none for lists.
const Node* ShapeReader::find_surface(const ObjectReader& reader, const Node& node) const {
    const Node* file = reader.find("file");
    const bool listed = reader.find("vertices") != nullptr || reader.find("triangles") != nullptr;
    if ((file != nullptr) == listed) {
        document_.fail(node,
                       in_quotes(node.key) + (listed ? " takes a \"file\" or \"vertices\" and \"triangles\", not both"
                                                     : " needs a \"file\" or \"vertices\" and \"triangles\""));
    }
    return file;
}

Surface ShapeReader::load_surface(const Node& file, float scale, bool two_sided) {
    const auto [path, canonical] = find_mesh(file, "file");
    Surface& shared = known_.surfaces[{canonical, std::bit_cast<std::uint32_t>(scale), two_sided}];
    if (shared == nullptr) {
        physics::MeshData data = read_mesh(path, false, known_.access);
        for (Vec3& vertex : data.vertices) {
            vertex *= scale;
        }
        data.two_sided = two_sided;
        shared = std::make_shared<const physics::MeshData>(std::move(data));
    }
    return shared;
}

// The hulls of a mesh as a body of 1 kg/m^3.
const BodyDef& ShapeReader::parse_decomposed(const Node& node) {
    const ObjectReader reader(document_, node, "\"decomposed\"", decomposed_keys);
    const Node* scale_node = reader.find("scale");
    const float scale = scale_node == nullptr ? 1.0f : number(*scale_node, "scale", mesh_scale_range);
    physics::DecompositionSettings settings;
    if (const Node* value = reader.find("concavity")) {
        settings.concavity = static_cast<double>(number(*value, "concavity", concavity_range));
    }
    settings.max_hulls = static_cast<std::size_t>(max_decomposed_hulls);
    if (const Node* value = reader.find("max_hulls")) {
        settings.max_hulls =
            static_cast<std::size_t>(read_integer(document_, *value, "max_hulls", 1, max_decomposed_hulls));
    }
    if (const Node* value = reader.find("max_vertices")) {
        settings.max_vertices = static_cast<std::size_t>(
            read_integer(document_, *value, "max_vertices", min_decomposed_vertices, max_decomposed_vertices));
    }
    const Node* file = find_surface(reader, node);
    const Surface mesh = file == nullptr ? parse_surface(reader, scale, false) : load_surface(*file, scale, false);
    BodyDef& body = known_.decomposed[{mesh, settings.concavity, *settings.max_hulls, settings.max_vertices}];
    if (!body.shapes.empty()) {
        return body;
    }
    if (mesh->triangles.size() > max_decomposed_triangles) {
        document_.fail(node, "a mesh of " + std::to_string(mesh->triangles.size()) + " triangles, of which at most " +
                                 std::to_string(max_decomposed_triangles) +
                                 " are decomposed when a scene is read; simplify it, or use `cairn decompose`");
    }
    const auto answer = known_.executor != nullptr
                            ? kept_decomposition(*mesh, settings, cache_folder(), *known_.executor, known_.progress)
                            : kept_decomposition(*mesh, settings, cache_folder());
    if (const auto* error = std::get_if<physics::MeshError>(&answer)) {
        document_.fail(node, "\"decomposed\" is not a usable mesh: " + error->reason);
    }
    BodyDef made = core::body_of(std::get<physics::Decomposition>(answer), 1.0f);
    for (const ShapeDef& hull : made.shapes) {
        check_shape(hull.geometry, node);
    }
    return body = std::move(made);
}

Quat ShapeReader::take_decomposed(const Node& node, BodyDef& body) {
    const BodyDef& from = parse_decomposed(node);
    body.shapes = from.shapes;
    if (from.mass && body.type == BodyType::dynamic) {
        const float scale = body.mass ? *body.mass / *from.mass : body.density;
        if (!body.mass) {
            body.mass = body.density * *from.mass;
            body.density = BodyDef().density;
        }
        const physics::BodyParameter* range = physics::find_body_parameter("mass");
        if (!(*body.mass >= range->least && *body.mass <= range->greatest)) {
            document_.fail(node, "the mesh has a mass of " + float_text(*body.mass) +
                                     " kg, which no body can have; give the body \"mass\" or another \"density\"");
        }
        if (!body.inertia && from.inertia && physics::problem_with_inertia(scale * *from.inertia).empty()) {
            body.inertia = scale * *from.inertia;
            body.pose.orientation = turned_frame(body.pose.orientation, from.pose.orientation);
            return from.pose.orientation;
        }
    }
    for (ShapeDef& shape : body.shapes) {
        shape.pose.orientation = physics::identity_orientation;
    }
    return physics::identity_orientation;
}

std::shared_ptr<physics::MeshData> ShapeReader::parse_surface(const ObjectReader& reader, float scale, bool two_sided) {
    auto data = std::make_shared<physics::MeshData>();
    data->two_sided = two_sided;
    data->vertices = *parse_points(reader.require("vertices"), scale, "vertices");
    const Node& triangles = reader.require("triangles");
    expect_list(document_, triangles, "triangles", "triangles [a, b, c]");
    if (triangles.child_count > physics::max_mesh_triangles) {
        document_.fail(triangles, "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
    }
    data->triangles.reserve(triangles.child_count);
    for (const Node* triangle : document_.children(triangles)) {
        expect_list(document_, *triangle, "triangles", "three places in \"vertices\"");
        if (triangle->child_count != 3) {
            document_.fail(*triangle, "a triangle has three corners, not " + std::to_string(triangle->child_count));
        }
        auto& corners = data->triangles.emplace_back();
        std::size_t k = 0;
        for (const Node* corner : document_.children(*triangle)) {
            const auto place = static_cast<std::size_t>(
                read_integer(document_, *corner, "triangles", 0, static_cast<std::int64_t>(max_hull_points)));
            if (place >= data->vertices.size()) {
                document_.fail(*corner, "there is no vertex " + std::to_string(place) + "; \"vertices\" has " +
                                            std::to_string(data->vertices.size()) + ", and the first is 0");
            }
            corners[k++] = static_cast<std::uint32_t>(place);
        }
    }
    return data;
}

physics::HeightField ShapeReader::parse_heightfield(const Node& node) {
    const ObjectReader reader(document_, node, "\"heightfield\"", heightfield_keys);
    const Node *file = reader.find("file"), *heights = reader.find("heights"), *holes = reader.find("holes");
    const Node *low = reader.find("low"), *high = reader.find("high"), *spacing_node = reader.find("spacing");
    if ((file != nullptr) == (heights != nullptr)) {
        document_.fail(node, file == nullptr ? "\"heightfield\" needs a \"file\" or \"heights\""
                                             : "\"heightfield\" takes a \"file\" or \"heights\", not both");
    }
    const float spacing = spacing_node == nullptr ? 1.0f : number(*spacing_node, "spacing", size_range);
    std::shared_ptr<physics::HeightData> data;
    const float from = low == nullptr ? 0.0f : number(*low, "low", height_range);
    const float to = high == nullptr ? 0.0f : number(*high, "high", height_range);
    if (heights != nullptr) {
        for (const Node* end : {low, high}) {
            if (end != nullptr) {
                document_.fail_at_key(*end, in_quotes(end->key) + " is for pictures; \"heights\" are in metres");
            }
        }
        data = parse_heights(*heights);
    } else {
        reader.require("low");
        reader.require("high");
        const auto [path, canonical] = find_file(*file, "file", height_endings, "height field", "a .png file");
        Field& shared = known_.fields[{canonical, from, to, spacing}];
        if (shared == nullptr) {
            data = std::make_shared<physics::HeightData>(read_height_image(path, from, to));
            data->spacing = spacing;
            shared = data;
        }
        if (holes == nullptr) {
            return {shared};
        }
        data = std::make_shared<physics::HeightData>(*shared);
    }
    data->spacing = spacing;
    if (holes != nullptr) {
        for (const Node* cell : expect_list(document_, *holes, "holes", "cells [i, j]")) {
            expect_list(document_, *cell, "holes", "two places");
            if (cell->child_count != 2) {
                document_.fail(*cell,
                               "a cell is a list of two places [i, j], not of " + std::to_string(cell->child_count));
            }
            const Node& first = *document_.first(*cell);
            const auto i = read_integer(document_, first, "holes", 0, std::int64_t{data->columns} - 2);
            const auto j = read_integer(document_, *document_.next(first), "holes", 0, std::int64_t{data->rows} - 2);
            physics::add_hole(*data, static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
        }
    }
    return {data};
}

std::shared_ptr<physics::HeightData> ShapeReader::parse_heights(const Node& node) {
    expect_list(document_, node, "heights", "rows of heights");
    auto data = std::make_shared<physics::HeightData>();
    const auto check_side = [&](const Node& at, std::size_t count) {
        if (count < 2 || count > physics::max_height_samples) {
            document_.fail(at, "a height field has 2 to " + std::to_string(physics::max_height_samples) +
                                   " samples along each side, not " + std::to_string(count));
        }
    };
    check_side(node, node.child_count);
    for (const Node* row : document_.children(node)) {
        expect_list(document_, *row, "heights", "heights, m");
        check_side(*row, row->child_count);
        if (data->rows > 0 && row->child_count != data->columns) {
            document_.fail(*row, "this row has " + std::to_string(row->child_count) + " heights, the first one " +
                                     std::to_string(data->columns));
        }
        data->columns = static_cast<std::uint32_t>(row->child_count);
        ++data->rows;
        for (const Node* height : document_.children(*row)) {
            data->heights.push_back(number(*height, "heights", height_range));
        }
    }
    return data;
}

void ShapeReader::check_shape(const Geometry& geometry, const Node& at) const {
    const auto* mesh = std::get_if<physics::Mesh>(&geometry);
    if (mesh != nullptr && !known_.good_surfaces.insert(mesh->data).second) {
        return;
    }
    const auto* field = std::get_if<physics::HeightField>(&geometry);
    if (field != nullptr && !known_.good_fields.insert(field->data).second) {
        return;
    }
    const auto* hull = std::get_if<PointSet>(&geometry);
    if (hull != nullptr && !known_.good_hulls.insert(hull->points).second) {
        return;
    }
    const auto* diamond = std::get_if<physics::Diamond>(&geometry);
    if (diamond != nullptr && !known_.good_diamonds.insert(diamond->scale).second) {
        return;
    }
    if (const auto error = physics::check_geometry(geometry)) {
        document_.fail(at, in_quotes(at.key) + " is not a usable shape: " + error->reason);
    }
}

} // namespace cairn::core
