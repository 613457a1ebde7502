#include "app/core/scene/writer/body_writer.h"

#include "app/core/base/error.h"
#include "app/core/scene/values/scene_keys.h"

#include <variant>

namespace cairn::core {

using physics::BodyDef;
using physics::Vec3;

void write_points(WrappedText& out, const PointList& points) {
    out.add_list(points.size(), [&](std::size_t i) { return json_text(points[i], "points"); });
}

namespace {

std::string quoted_colour(const std::optional<physics::Colour>& colour) {
    return '"' + (colour ? colour_text(*colour) : std::string(automatic_colour)) + '"';
}

// What a material states, as members after others or alone.
std::string material_members(const physics::ShapeMaterial& material, bool first) {
    std::string text;
    for (const physics::MaterialParameter& p : physics::material_parameters) {
        if (material.of(p.number)) {
            text += (first ? "\"" : ", \"") + std::string(p.key) + "\": " + json_text(*material.of(p.number), p.key);
            first = false;
        }
    }
    if (material.colour) {
        text += (first ? "\"colour\": " : ", \"colour\": ") + quoted_colour(material.colour);
    }
    return text;
}

void write_mesh_materials(WrappedText& out, const physics::MeshData& mesh,
                          const std::vector<physics::ShapeMaterial>& materials) {
    if (mesh.materials.empty()) {
        return;
    }
    out.add(", \"materials\":", true);
    out.add_list(mesh.materials.size(), [&](std::size_t i) {
        const std::string& name = mesh.materials[i];
        std::string entry = "{";
        entry += name.empty() ? std::string() : "\"name\": " + json_text(name);
        entry += i < materials.size() ? material_members(materials[i], name.empty()) : std::string();
        return entry + '}';
    });
    out.add(", \"triangle_materials\":", true);
    out.add_list(mesh.triangle_materials.size(),
                 [&](std::size_t i) { return std::to_string(mesh.triangle_materials[i]); });
}

void write_geometry(WrappedText& out, const physics::ShapeDef& shape, const PointSetNames& names) {
    const auto simple = [&](std::string_view kind, const std::string& members) {
        out.add("{\"" + std::string(kind) + "\": {" + members + "}}");
    };
    const auto member = [](std::string_view key, float value) {
        return '"' + std::string(key) + "\": " + json_text(value, key);
    };
    struct Writer {
        WrappedText& out;
        const physics::ShapeDef& shape;
        const PointSetNames& names;
        const decltype(simple)& put;
        const decltype(member)& field;

        void operator()(const physics::Sphere& s) const { put("sphere", field("radius", s.radius)); }
        void operator()(const physics::Box& b) const {
            put("box", "\"half_extents\": " + json_text(b.half_extents, "half_extents"));
        }
        void operator()(const physics::Capsule& c) const {
            put("capsule", field("radius", c.radius) + ", " + field("half_height", c.half_height));
        }
        void operator()(const physics::Cylinder& c) const {
            put("cylinder", field("radius", c.radius) + ", " + field("half_height", c.half_height));
        }
        void operator()(const physics::Cone& c) const {
            put("cone", field("radius", c.radius) + ", " + field("height", c.height));
        }
        void operator()(const physics::Diamond& d) const { put("diamond", field("scale", d.scale)); }
        void operator()(const physics::PointSet& set) const {
            if (set.points == nullptr) {
                throw InputError("a hull has no points and cannot be written to a scene");
            }
            if (const std::string* name = names.name(set.points.get())) {
                put("hull", "\"points\": \"" + *name + '"');
                return;
            }
            out.add("{\"hull\": {\"points\":");
            write_points(out, *set.points);
            out.add("}}", true);
        }
        void operator()(const physics::Mesh& mesh) const {
            if (mesh.data == nullptr) {
                throw InputError("a mesh has no triangles and cannot be written to a scene");
            }
            out.add(std::string("{\"mesh\": {") + (mesh.data->two_sided ? "\"two_sided\": true, " : "") +
                    "\"vertices\":");
            write_points(out, mesh.data->vertices);
            out.add(", \"triangles\":", true);
            out.add_list(mesh.data->triangles.size(), [&](std::size_t i) {
                const auto& t = mesh.data->triangles[i];
                return '[' + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ']';
            });
            write_mesh_materials(out, *mesh.data, shape.mesh_materials);
            out.add("}}", true);
        }
        void operator()(const physics::HeightField& field_) const {
            if (field_.data == nullptr) {
                throw InputError("a height field has no heights and cannot be written to a scene");
            }
            const physics::HeightData& data = *field_.data;
            out.add("{\"heightfield\": {" + field("spacing", data.spacing) + ", \"heights\":");
            out.add_list(data.heights.size(), [&](std::size_t k) {
                const bool first = k % data.columns == 0, last = (k + 1) % data.columns == 0;
                return (first ? "[" : "") + json_text(data.heights[k], "heights") + (last ? "]" : "");
            });
            std::vector<std::string> cells;
            for (std::size_t k = 0; k < 64 * data.holes.size(); ++k) {
                if ((data.holes[k / 64] >> (k % 64) & 1u) != 0) {
                    cells.push_back('[' + std::to_string(k % data.columns) + ", " + std::to_string(k / data.columns) +
                                    ']');
                }
            }
            for (std::size_t k = 0; k < cells.size(); ++k) {
                out.add((k == 0 ? ", \"holes\": [" : "") + cells[k] + (k + 1 < cells.size() ? "," : "]"), k == 0);
            }
            out.add("}}", true);
        }
    };
    std::visit(Writer{out, shape, names, simple, member}, shape.geometry);
}

} // namespace

void write_body(WrappedText& out, const BodyDef& body, const PointSetNames& names, bool everything) {
    static const BodyDef defaults;
    ObjectText members(out, everything);
    if (everything || !body.name.empty()) {
        members.add("name", json_text(body.name));
    }
    if (body.shapes.size() == 1 && !body.shapes[0].sensor && body.shapes[0].material == physics::ShapeMaterial() &&
        body.shapes[0].pose == physics::Transform{} && same_bits(body.shapes[0].pose.position, Vec3(0.0f)) &&
        same_bits(body.shapes[0].pose.orientation, physics::identity_orientation)) {
        write_geometry(members.start("shape"), body.shapes[0], names);
    } else {
        members.start("shapes").add("[");
        for (std::size_t i = 0; i < body.shapes.size(); ++i) {
            const physics::ShapeDef& shape = body.shapes[i];
            if (i > 0) {
                out.add(",", true);
            }
            ObjectText part(out, everything);
            write_geometry(part.start("shape"), shape, names);
            part.add_unless(Vec3(0.0f), "position", shape.pose.position);
            part.add_unless(physics::identity_orientation, "orientation", shape.pose.orientation);
            if (shape.sensor) {
                part.add("sensor", "true");
            }
            for (const physics::MaterialParameter& p : physics::material_parameters) {
                part.add_if_any(p.key, shape.material.of(p.number));
            }
            if (shape.material.colour) {
                part.add("colour", quoted_colour(shape.material.colour));
            }
            part.end();
        }
        out.add("]", true);
    }
    if (everything || body.type != defaults.type) {
        members.add("type", '"' + std::string(body_types[static_cast<std::size_t>(body.type)]) + '"');
    }
    members.add_unless(Vec3(0.0f), "position", body.pose.position);
    members.add_unless(physics::identity_orientation, "orientation", body.pose.orientation);
    members.add_unless(Vec3(0.0f), "linear_velocity", body.linear_velocity);
    members.add_unless(Vec3(0.0f), "angular_velocity", body.angular_velocity);
    // The density of a body with a mass has no effect and is not written: files may hold only one of the two.
    members.add_if_any("mass", body.mass);
    if (!body.mass) {
        members.add_unless(defaults.density, "density", body.density);
    }
    members.add_if_any("inertia", body.inertia);
    // As files have it; nothing for the mass.
    const auto text_of = [](const physics::BodyParameter& p, const BodyDef& of) {
        std::string text;
        with_value(p, of, [&]<typename Value>(const Value& value) {
            if constexpr (std::is_same_v<Value, bool>) {
                text = value ? "true" : "false";
            } else if constexpr (std::is_same_v<Value, float>) {
                text = json_text(value, p.key);
            }
        });
        return text;
    };
    for (const physics::BodyParameter& p : physics::plain_body_parameters) {
        const std::string text = text_of(p, body);
        if (everything || text != text_of(p, defaults)) {
            members.add(p.key, text);
        }
    }
    if (everything || body.filter.group != defaults.filter.group) {
        members.add("group", std::to_string(body.filter.group));
    }
    if (body.filter.mask != defaults.filter.mask) {
        std::string list;
        for (int group = 0; group < physics::CollisionFilter::groups; ++group) {
            if ((body.filter.mask >> group & 1u) != 0) {
                list += (list.empty() ? "" : ", ") + std::to_string(group);
            }
        }
        members.add("mask", '[' + list + ']');
    }
    if (body.locks != 0) {
        std::string list;
        for (std::size_t axis = 0; axis < axis_names.size(); ++axis) {
            if ((body.locks >> axis & 1u) != 0) {
                list += (list.empty() ? "\"" : ", \"") + std::string(axis_names[axis]) + '"';
            }
        }
        members.add("lock", '[' + list + ']');
    }
    if (everything || body.colour) {
        members.add("colour", quoted_colour(body.colour));
    }
    members.end();
}

std::string full_body_text(const BodyDef& body) {
    return wrapped(0, [&](WrappedText& out) { write_body(out, body, {}, true); });
}

std::string body_text(const BodyDef& body, std::size_t indent) {
    return wrapped(indent, [&](WrappedText& out) { write_body(out, body, {}, false); });
}

} // namespace cairn::core
