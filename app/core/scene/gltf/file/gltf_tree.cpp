#include "app/core/scene/gltf/file/gltf_tree.h"

#include "app/core/scene/values/material_names.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace cairn::core {

namespace {

using physics::MeshData;
using physics::Vec3;

glm::dquat unit_of(const glm::dquat& q) {
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / length, q.x / length, q.y / length, q.z / length};
}

glm::dquat product(const glm::dquat& a, const glm::dquat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

// Nothing is lost where the turn is none.
glm::dvec3 turned(const glm::dquat& q, const glm::dvec3& v) {
    const glm::dquat u = unit_of(q);
    const glm::dvec3 axis(u.x, u.y, u.z);
    const glm::dvec3 t = 2.0 * glm::cross(axis, v);
    return v + u.w * t + glm::cross(axis, t);
}

// Without what rounding leaves of coordinates where turns cancel.
Vec3 cleared(const glm::dvec3& point) {
    const double least = 1e-14 * (std::abs(point.x) + std::abs(point.y) + std::abs(point.z));
    Vec3 out;
    for (int axis = 0; axis < 3; ++axis) {
        out[axis] = std::abs(point[axis]) <= least ? 0.0f : static_cast<float>(point[axis]);
    }
    return out;
}

// Z up from Y up: a quarter turn about X.
GltfPlace upright() {
    GltfPlace place;
    place.orientation = {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};
    return place;
}

} // namespace

glm::dvec3 GltfPlace::point(const glm::dvec3& local) const {
    return position + turned(orientation, stretches() ? stretch * local : local);
}

GltfPlace GltfPlace::child(const GltfPlace& local) const {
    GltfPlace place;
    place.position = point(local.position);
    place.orientation = product(unit_of(orientation), local.orientation);
    if (stretches()) { // R S r s = (R r) (r^T S r s)
        const glm::dmat3 turn = glm::mat3_cast(unit_of(local.orientation));
        place.stretch = glm::transpose(turn) * stretch * turn * local.stretch;
    } else {
        place.stretch = local.stretch;
    }
    return place;
}

physics::Transform GltfPlace::pose() const {
    const glm::dquat& q = orientation;
    const double length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const glm::dquat u = std::abs(length2 - 1.0) <= 1e-6 ? q : unit_of(q);
    return {Vec3(position), physics::Quat(static_cast<float>(u.w), static_cast<float>(u.x), static_cast<float>(u.y),
                                          static_cast<float>(u.z))};
}

GltfTree::GltfTree(const GltfFile& file) : file_(file) {
    read_nodes();
    find_scene();
}

GltfPlace GltfTree::local_place(const Node& node) const {
    GltfPlace place;
    const auto within_range = [&](const Node& at, const glm::dvec3& v) {
        const double most = static_cast<double>(coordinate_range.max);
        if (!(std::abs(v.x) <= most && std::abs(v.y) <= most && std::abs(v.z) <= most)) {
            file_.fail(at, "a node stands or is scaled beyond 1e6");
        }
    };
    if (const Node* matrix = file_.member(node, "matrix")) {
        const std::vector<double> m = file_.numbers(*matrix, "matrix", 16);
        glm::dmat3 linear;
        for (int column = 0; column < 3; ++column) {
            for (int row = 0; row < 3; ++row) {
                linear[column][row] = m[static_cast<std::size_t>(4 * column + row)];
            }
            within_range(*matrix, linear[column]);
        }
        place.position = {m[12], m[13], m[14]};
        within_range(*matrix, place.position);
        // The turn takes the first axis onto the first column and the second near the second; the rest is stretch.
        const glm::dvec3 third = glm::cross(linear[0], linear[1]);
        if (!(glm::length(linear[0]) > 1e-12 && glm::length(third) > 1e-12 * glm::length(linear[0]))) {
            place.stretch = linear; // flat
            return place;
        }
        const glm::dvec3 x = glm::normalize(linear[0]), z = glm::normalize(third);
        const glm::dmat3 turn(x, glm::cross(z, x), z);
        place.orientation = unit_of(glm::quat_cast(turn));
        place.stretch = glm::transpose(turn) * linear;
        for (int i = 0; i < 3; ++i) { // that of a turn alone is none
            for (int k = 0; k < 3; ++k) {
                const double rounded = std::round(place.stretch[i][k]);
                if (std::abs(place.stretch[i][k] - rounded) < 1e-6) {
                    place.stretch[i][k] = rounded;
                }
            }
        }
        return place;
    }
    if (const Node* value = file_.member(node, "translation")) {
        const std::vector<double> t = file_.numbers(*value, "translation", 3);
        place.position = {t[0], t[1], t[2]};
        within_range(*value, place.position);
    }
    if (const Node* value = file_.member(node, "rotation")) {
        const std::vector<double> q = file_.numbers(*value, "rotation", 4);
        const double length2 = std::inner_product(q.begin(), q.end(), q.begin(), 0.0);
        if (!(length2 > 1e-6 && length2 < 1e6)) {
            file_.fail(*value, "\"rotation\" must be a quaternion [x, y, z, w] of length 1");
        }
        place.orientation = {q[3], q[0], q[1], q[2]};
        if (std::abs(length2 - 1.0) > 1e-6) {
            place.orientation = unit_of(place.orientation);
        }
    }
    if (const Node* value = file_.member(node, "scale")) {
        const std::vector<double> s = file_.numbers(*value, "scale", 3);
        within_range(*value, {s[0], s[1], s[2]});
        place.stretch = glm::dmat3(s[0], 0, 0, 0, s[1], 0, 0, 0, s[2]);
    }
    return place;
}

void GltfTree::read_nodes() {
    nodes_.resize(file_.nodes().size());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        nodes_[i].json = file_.nodes()[i];
        nodes_[i].local = local_place(*nodes_[i].json);
        for (const Node* child : file_.list(file_.member(*nodes_[i].json, "children"), "children")) {
            const std::size_t index = node_index(*child, "children");
            if (nodes_[index].parent || index == i) {
                file_.fail(*child, "node " + std::to_string(index) + " is the child of two nodes, or of itself");
            }
            nodes_[index].parent = i;
            nodes_[i].children.push_back(index);
        }
    }
}

void GltfTree::find_scene() {
    if (const std::vector<const Node*>& scenes = file_.scenes(); !scenes.empty()) {
        const Node* chosen = file_.member(file_.root(), "scene");
        scene_ = scenes[chosen == nullptr ? 0 : file_.index(*chosen, "scene", scenes.size())];
        for (const Node* root : file_.list(file_.member(*scene_, "nodes"), "nodes")) {
            const std::size_t index = node_index(*root, "nodes");
            if (nodes_[index].parent || nodes_[index].in_scene) {
                file_.fail(*root, "node " + std::to_string(index) + " is no root, or stands in the scene twice");
            }
            visit(index);
        }
        return;
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) { // a file without scenes is a collection: all of it
        if (!nodes_[i].parent) {
            visit(i);
        }
    }
}

// Each node has one parent, and this begins at one that has none: there is no circle.
void GltfTree::visit(std::size_t root) {
    std::vector<std::size_t> open{root};
    while (!open.empty()) {
        const std::size_t index = open.back();
        open.pop_back();
        GltfNode& node = nodes_[index];
        node.world = (node.parent ? nodes_[*node.parent].world : upright()).child(node.local);
        node.in_scene = true;
        order_.push_back(index);
        const glm::dvec3 at = glm::abs(node.world.position);
        if (!(std::max(at.x, std::max(at.y, at.z)) <= static_cast<double>(coordinate_range.max))) {
            file_.fail(*node.json, "this node stands farther than 1e6 m from the origin");
        }
        open.insert(open.end(), node.children.rbegin(), node.children.rend());
    }
}

void GltfTree::add_primitive(const Node& primitive, const GltfPlace& place, MeshData& to) const {
    constexpr std::size_t triangles = 4, strip = 5; // and 6: a fan
    const Node* mode_node = file_.member(primitive, "mode");
    const std::size_t mode = mode_node == nullptr ? triangles : file_.index(*mode_node, "mode", 7);
    const Node* positions = file_.member(file_.require(primitive, "attributes"), "POSITION");
    if (mode < triangles || positions == nullptr) { // points and lines
        return;
    }
    const std::vector<Vec3> points = file_.vectors(*positions);
    if (to.vertices.size() + points.size() > std::max(max_hull_points, 3 * physics::max_mesh_triangles)) {
        file_.fail(primitive, "more than " + std::to_string(3 * physics::max_mesh_triangles) + " vertices");
    }
    std::vector<std::uint32_t> corners;
    const Node* indices = file_.member(primitive, "indices");
    if (indices != nullptr) {
        corners = file_.whole_numbers(*indices);
    } else {
        corners.resize(points.size());
        std::iota(corners.begin(), corners.end(), 0u);
    }
    for (const std::uint32_t corner : corners) {
        if (corner >= points.size()) {
            file_.fail(*indices, "an index names vertex " + std::to_string(corner) + " but there are " +
                                     std::to_string(points.size()));
        }
    }
    const std::size_t count = mode == triangles ? corners.size() / 3 : std::max<std::size_t>(corners.size(), 2) - 2;
    if (to.triangles.size() + count > physics::max_mesh_triangles) {
        file_.fail(primitive, "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
    }
    const auto base = static_cast<std::uint32_t>(to.vertices.size());
    to.vertices.reserve(to.vertices.size() + points.size());
    for (const Vec3& p : points) {
        const glm::dvec3 at = place.point(glm::dvec3(p));
        if (!(glm::length(at) <= static_cast<double>(coordinate_range.max))) {
            file_.fail(primitive, "a vertex of this mesh is scaled beyond 1e6 m");
        }
        to.vertices.push_back(cleared(at));
    }
    const bool mirrored = glm::determinant(place.stretch) < 0.0;
    to.triangles.reserve(to.triangles.size() + count);
    for (std::size_t t = 0; t < count; ++t) {
        std::array<std::uint32_t, 3> corner{};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::size_t at = mode == triangles ? 3 * t + k : mode == strip ? t + k : k == 0 ? 0 : t + k;
            corner[k] = base + corners[at];
        }
        if (mirrored != (mode == strip && t % 2 == 1)) {
            std::swap(corner[1], corner[2]);
        }
        to.triangles.push_back(corner);
    }
    const Node* material = file_.member(primitive, "material");
    std::size_t number = 0; // one more than the material's
    if (material != nullptr) {
        number = 1 + file_.index(*material, "material", file_.materials().size());
    }
    if (number >= physics::max_mesh_materials) {
        file_.fail(*material, "more than " + std::to_string(physics::max_mesh_materials - 1) + " materials");
    }
    to.triangle_materials.resize(to.triangles.size(), static_cast<std::uint16_t>(number));
}

void GltfTree::name_triangles(MeshData& mesh) const {
    name_materials(mesh, [this](std::size_t material) {
        const Node* name = file_.member(*file_.materials()[material], "name");
        const std::string text = name != nullptr ? file_.string(*name, "name") : std::string();
        return text.empty() ? std::to_string(material) : text;
    });
}

void GltfTree::add_mesh(std::size_t mesh, const GltfPlace& place, MeshData& to) const {
    for (const Node* primitive : file_.list(&file_.require(*file_.meshes()[mesh], "primitives"), "primitives")) {
        add_primitive(*primitive, place, to);
    }
}

void GltfTree::add_below(std::size_t node, const GltfPlace& place, MeshData& to) const {
    std::vector<std::pair<std::size_t, GltfPlace>> open{{node, place}};
    while (!open.empty()) {
        const auto [index, at] = open.back();
        open.pop_back();
        if (const Node* mesh = file_.member(*nodes_[index].json, "mesh")) {
            add_mesh(file_.index(*mesh, "mesh", file_.meshes().size()), at, to);
        }
        const std::vector<std::size_t>& children = nodes_[index].children;
        for (auto child = children.rbegin(); child != children.rend(); ++child) {
            open.emplace_back(*child, at.child(nodes_[*child].local));
        }
    }
}

MeshData GltfTree::everything() const {
    MeshData data;
    for (const std::size_t index : order_) {
        if (const Node* mesh = file_.member(*nodes_[index].json, "mesh")) {
            add_mesh(file_.index(*mesh, "mesh", file_.meshes().size()), nodes_[index].world, data);
        }
    }
    name_triangles(data);
    return data;
}

} // namespace cairn::core
