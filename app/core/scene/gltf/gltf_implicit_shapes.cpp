// KHR_implicit_shapes: spheres, boxes, and what is round about an axis.
#include "app/core/scene/gltf/gltf_shapes.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

namespace cairn::core {

namespace {

using physics::Vec3;

constexpr int taper_corners = 32; // of each round end of what narrows

void add_ring(std::vector<Vec3>& points, double radius, double z) {
    for (int i = 0; i < (radius > 0.0 ? taper_corners : 1); ++i) {
        const double angle = 2.0 * std::numbers::pi * i / taper_corners;
        points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
}

// Axes of revolution run along Y in glTF.
GltfPlace along_z(const GltfPlace& place, double shift = 0.0) {
    GltfPlace turn;
    turn.orientation = {std::sqrt(0.5), -std::sqrt(0.5), 0.0, 0.0};
    GltfPlace bare;
    bare.position = place.position;
    bare.orientation = place.child(turn).orientation;
    bare.position = bare.point({0.0, 0.0, shift});
    return bare;
}

} // namespace

double GltfShapes::sized(const Node& shape, std::string_view key, double otherwise) const {
    const Node* node = file_.member(shape, key);
    const double value = node == nullptr ? otherwise : file_.number(*node, key);
    if (!(value >= 0.0 && value <= static_cast<double>(2.0f * size_range.max))) {
        file_.fail(node == nullptr ? shape : *node, in_quotes(key) + " must be within 0 .. 20000 m");
    }
    return value;
}

void GltfShapes::add_implicit(const Node& shape, const GltfPlace& place, physics::BodyDef& body) {
    const Node& type_node = file_.require(shape, "type");
    const std::string type = file_.string(type_node, "type");
    constexpr std::array<std::string_view, 4> types{"sphere", "box", "capsule", "cylinder"};
    if (std::ranges::find(types, type) == types.end()) {
        file_.fail(type_node, "unknown shape " + in_quotes(type) + ";" + suggestion(type, types));
    }
    const Node* sizes = file_.member(shape, type);
    const Node& of = sizes == nullptr ? shape : *sizes;
    glm::dvec3 scale(1.0);
    if (place.stretches()) {
        double off = 0.0;
        for (int i = 0; i < 3; ++i) {
            scale[i] = std::abs(place.stretch[i][i]);
            off = std::max(off, std::abs(place.stretch[i][(i + 1) % 3]) + std::abs(place.stretch[i][(i + 2) % 3]));
        }
        if (off > 1e-5 * std::max(scale.x, std::max(scale.y, scale.z))) {
            file_.fail(shape, "a node that uses this shape shears it: it is scaled by a node above that is turned");
        }
    }
    const auto alike = [](double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(a, b); };
    physics::ShapeDef def;
    if (type == "sphere") {
        if (!alike(scale.x, scale.y) || !alike(scale.x, scale.z)) {
            file_.fail(shape, "a node that uses this sphere scales it to an ellipsoid, which no shape is");
        }
        def.geometry = physics::Sphere{static_cast<float>(sized(of, "radius", 0.5) * scale.x)};
        def.pose = place.pose();
    } else if (type == "box") {
        std::vector<double> size{1.0, 1.0, 1.0};
        if (const Node* node = file_.member(of, "size")) {
            size = file_.numbers(*node, "size", 3);
        }
        def.geometry = physics::Box{Vec3(0.5 * glm::dvec3(size[0], size[1], size[2]) * scale)};
        def.pose = place.pose();
    } else {
        if (!alike(scale.x, scale.z)) {
            file_.fail(shape, "a node that uses this " + type + " scales it to an oval, which no shape is");
        }
        const double height = sized(of, "height", 0.5) * scale.y;
        const double bottom = sized(of, "radiusBottom", 0.25) * scale.x, top = sized(of, "radiusTop", 0.25) * scale.x;
        const bool round = type == "capsule";
        const auto half = static_cast<float>(0.5 * height);
        def.pose = along_z(place).pose();
        if (bottom == top) {
            const auto radius = static_cast<float>(top);
            def.geometry = round ? physics::Geometry(physics::Capsule{radius, half})
                                 : physics::Geometry(physics::Cylinder{radius, half});
        } else if (!round && (top == 0.0 || bottom == 0.0)) {
            // Its origin is the centroid, a quarter of the height above the base.
            def.geometry = physics::Cone{static_cast<float>(std::max(bottom, top)), static_cast<float>(height)};
            GltfPlace at = along_z(place, top == 0.0 ? -0.25 * height : 0.25 * height);
            if (bottom == 0.0) {
                GltfPlace over;
                over.orientation = {0.0, 1.0, 0.0, 0.0};
                at = at.child(over);
            }
            def.pose = at.pose();
        } else {
            losses_.add("shapes that narrow are hulls of " + std::to_string(taper_corners) + " corners a ring");
            auto points = std::make_shared<std::vector<Vec3>>();
            constexpr int rings = 8; // of a half sphere
            for (const double end : {-1.0, 1.0}) {
                const double radius = end < 0.0 ? bottom : top;
                for (int i = 0; i <= (round ? rings : 0); ++i) {
                    const double angle = 0.5 * std::numbers::pi * i / rings;
                    add_ring(*points, i == rings ? 0.0 : radius * std::cos(angle),
                             end * (0.5 * height + (round ? radius * std::sin(angle) : 0.0)));
                }
            }
            def.geometry = physics::PointSet{points};
        }
    }
    body.shapes.push_back(std::move(def));
}

} // namespace cairn::core
