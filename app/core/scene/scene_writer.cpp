#include "app/core/scene/scene_writer.h"

#include "app/core/base/error.h"
#include "app/core/scene/scene_keys.h"
#include "app/core/scene/value_reader.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <variant>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::Quat;
using physics::Vec3;

std::string string_text(const std::string& text) {
    try {
        return nlohmann::json(text).dump();
    } catch (const nlohmann::json::type_error&) {
        throw InputError("the name " + in_quotes(text) + " is not UTF-8 text and cannot be written to a scene");
    }
}

std::string number_text(float value, std::string_view what) {
    if (!std::isfinite(value)) {
        throw InputError(in_quotes(what) + " is not finite and cannot be written to a scene");
    }
    return float_text(value);
}

std::string vector_text(const Vec3& v, std::string_view what) {
    return '[' + number_text(v.x, what) + ", " + number_text(v.y, what) + ", " + number_text(v.z, what) + ']';
}

std::string quat_text(const Quat& q, std::string_view what) {
    return '[' + number_text(q.w, what) + ", " + number_text(q.x, what) + ", " + number_text(q.y, what) + ", " +
           number_text(q.z, what) + ']';
}

bool same_bits(float a, float b) {
    return a == b && std::signbit(a) == std::signbit(b);
}
bool same_bits(const Vec3& a, const Vec3& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
bool same_bits(const Quat& a, const Quat& b) {
    return same_bits(a.w, b.w) && same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}

// Sets words next to each other and starts a new line where they no longer fit.
class Wrapped {
  public:
    Wrapped(std::string& out, std::size_t indent) : out_(out), indent_(indent), column_(indent) {}

    // `joined` words follow the one before without a space and never start a line.
    void add(const std::string& word, bool joined = false) {
        constexpr std::size_t width = 120;
        if (!joined && !first_) {
            if (column_ + 1 + word.size() > width) {
                out_ += '\n';
                out_.append(indent_, ' ');
                column_ = indent_;
            } else {
                out_ += ' ';
                ++column_;
            }
        }
        out_ += word;
        column_ += word.size();
        first_ = false;
    }

  private:
    std::string& out_;
    std::size_t indent_;
    std::size_t column_;
    bool first_ = true;
};

// Members of one object, with the commas between them.
class Members {
  public:
    explicit Members(Wrapped& out) : out_(out) { out_.add("{"); }
    void add(std::string_view key, const std::string& value) {
        start(key);
        out_.add(value);
    }
    // For a value that the caller writes in several words.
    Wrapped& start(std::string_view key) {
        if (any_) {
            out_.add(",", true);
        }
        out_.add('"' + std::string(key) + "\":", !any_);
        any_ = true;
        return out_;
    }
    void end() { out_.add("}", true); }

  private:
    Wrapped& out_;
    bool any_ = false;
};

using PointList = std::vector<Vec3>;

// Hulls that several shapes share are written once, by name.
class PointSetNames {
  public:
    explicit PointSetNames(const Scene& scene) {
        std::unordered_map<const PointList*, std::size_t> uses;
        std::vector<const PointList*> order;
        for (const BodyDef& body : scene.bodies) {
            for (const physics::ShapeDef& shape : body.shapes) {
                if (const auto* set = std::get_if<physics::PointSet>(&shape.geometry); set != nullptr && set->points) {
                    if (++uses[set->points.get()] == 2) {
                        order.push_back(set->points.get());
                    }
                }
            }
        }
        for (const PointList* points : order) {
            names_[points] = "hull" + std::to_string(sets_.size() + 1);
            sets_.push_back(points);
        }
    }
    PointSetNames() = default;

    const std::vector<const PointList*>& sets() const { return sets_; }
    const std::string* name(const PointList* points) const {
        const auto found = names_.find(points);
        return found == names_.end() ? nullptr : &found->second;
    }

  private:
    std::vector<const PointList*> sets_;
    std::unordered_map<const PointList*, std::string> names_;
};

void write_points(Wrapped& out, const PointList& points) {
    out.add("[");
    for (std::size_t i = 0; i < points.size(); ++i) {
        out.add(vector_text(points[i], "points") + (i + 1 < points.size() ? "," : ""), i == 0);
    }
    out.add("]", true);
}

void write_geometry(Wrapped& out, const physics::Geometry& geometry, const PointSetNames& names) {
    const auto simple = [&](std::string_view kind, const std::string& members) {
        out.add("{\"" + std::string(kind) + "\": {" + members + "}}");
    };
    const auto member = [](std::string_view key, float value) {
        return '"' + std::string(key) + "\": " + number_text(value, key);
    };
    struct Writer {
        Wrapped& out;
        const PointSetNames& names;
        const decltype(simple)& put;
        const decltype(member)& field;

        void operator()(const physics::Sphere& s) const { put("sphere", field("radius", s.radius)); }
        void operator()(const physics::Box& b) const {
            put("box", "\"half_extents\": " + vector_text(b.half_extents, "half_extents"));
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
            out.add("[");
            for (std::size_t i = 0; i < mesh.data->triangles.size(); ++i) {
                const auto& t = mesh.data->triangles[i];
                out.add("[" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + "]" +
                            (i + 1 < mesh.data->triangles.size() ? "," : ""),
                        i == 0);
            }
            out.add("]}}", true);
        }
        void operator()(const physics::HeightField& field_) const {
            if (field_.data == nullptr) {
                throw InputError("a height field has no heights and cannot be written to a scene");
            }
            const physics::HeightData& data = *field_.data;
            out.add("{\"heightfield\": {" + field("spacing", data.spacing) + ", \"heights\":");
            out.add("[");
            for (std::size_t k = 0; k < data.heights.size(); ++k) {
                const bool first = k % data.columns == 0, last = (k + 1) % data.columns == 0;
                out.add((first ? "[" : "") + number_text(data.heights[k], "heights") +
                            (!last                         ? ","
                             : k + 1 < data.heights.size() ? "],"
                                                           : "]"),
                        k == 0);
            }
            out.add("]", true);
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
    std::visit(Writer{out, names, simple, member}, geometry);
}

void write_body(Wrapped& out, const BodyDef& body, const PointSetNames& names, bool everything) {
    static const BodyDef defaults;
    Members members(out);
    if (everything || !body.name.empty()) {
        members.add("name", string_text(body.name));
    }
    if (body.shapes.size() == 1 && !body.shapes[0].sensor && !body.shapes[0].material.any() &&
        body.shapes[0].pose == physics::Transform{} && same_bits(body.shapes[0].pose.position, Vec3(0.0f)) &&
        same_bits(body.shapes[0].pose.orientation, physics::identity_orientation)) {
        write_geometry(members.start("shape"), body.shapes[0].geometry, names);
    } else {
        members.start("shapes").add("[");
        for (std::size_t i = 0; i < body.shapes.size(); ++i) {
            const physics::ShapeDef& shape = body.shapes[i];
            if (i > 0) {
                out.add(",", true);
            }
            Members part(out);
            write_geometry(part.start("shape"), shape.geometry, names);
            if (everything || !same_bits(shape.pose.position, Vec3(0.0f))) {
                part.add("position", vector_text(shape.pose.position, "position"));
            }
            if (everything || !same_bits(shape.pose.orientation, physics::identity_orientation)) {
                part.add("orientation", quat_text(shape.pose.orientation, "orientation"));
            }
            if (shape.sensor) {
                part.add("sensor", "true");
            }
            for (const physics::BodyParameter& p : physics::body_parameters) {
                const auto* member = std::get_if<float physics::Material::*>(&p.member);
                if (member != nullptr && shape.material.of(*member)) {
                    part.add(p.key, number_text(*shape.material.of(*member), p.key));
                }
            }
            part.end();
        }
        out.add("]", true);
    }
    if (everything || body.type != defaults.type) {
        members.add("type", '"' + std::string(body_types[static_cast<std::size_t>(body.type)]) + '"');
    }
    const auto vector = [&](std::string_view key, const Vec3& value) {
        if (everything || !same_bits(value, Vec3(0.0f))) {
            members.add(key, vector_text(value, key));
        }
    };
    vector("position", body.pose.position);
    if (everything || !same_bits(body.pose.orientation, physics::identity_orientation)) {
        members.add("orientation", quat_text(body.pose.orientation, "orientation"));
    }
    vector("linear_velocity", body.linear_velocity);
    vector("angular_velocity", body.angular_velocity);
    // A body with a mass can still hold another density than the default one; files have no word for that, and it has
    // no effect.
    if (body.mass.has_value()) {
        members.add("mass", number_text(*body.mass, "mass"));
    } else if (everything || !same_bits(body.density, defaults.density)) {
        members.add("density", number_text(body.density, "density"));
    }
    if (body.inertia.has_value()) {
        members.add("inertia", vector_text(*body.inertia, "inertia"));
    }
    for (const physics::BodyParameter& p : physics::body_parameters) {
        if (p.member == decltype(p.member)(&BodyDef::density)) {
            continue; // above
        }
        const auto number = [&](float value, float standard) {
            if (everything || !same_bits(value, standard)) {
                members.add(p.key, number_text(value, p.key));
            }
        };
        if (const auto* field = std::get_if<float BodyDef::*>(&p.member)) {
            number(body.**field, defaults.**field);
        } else if (const auto* of_material = std::get_if<float physics::Material::*>(&p.member)) {
            number(body.material.**of_material, defaults.material.**of_material);
        } else if (const auto* flag = std::get_if<bool BodyDef::*>(&p.member)) {
            if (everything || body.**flag != defaults.**flag) {
                members.add(p.key, body.**flag ? "true" : "false");
            }
        } // the mass: above
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
    members.end();
}

// Key and value of the parameters in one object of the file.
std::vector<std::pair<std::string_view, std::string>> parameter_members(const physics::Settings& settings,
                                                                        std::string_view section, bool everything) {
    struct Text {
        const physics::Settings& settings;
        std::string_view key;

        std::string operator()(bool physics::Settings::*member) const { return settings.*member ? "true" : "false"; }
        std::string operator()(int physics::Settings::*member) const { return std::to_string(settings.*member); }
        std::string operator()(float physics::Settings::*member) const { return number_text(settings.*member, key); }
        std::string operator()(Vec3 physics::Settings::*member) const { return vector_text(settings.*member, key); }
    };
    static const physics::Settings defaults;
    std::vector<std::pair<std::string_view, std::string>> members;
    for (const physics::Parameter& p : physics::parameters) {
        if (p.section != section) {
            continue;
        }
        std::string text = std::visit(Text{settings, p.key}, p.member);
        // Compared as texts, which tell -0.0 from 0.
        if (everything || text != std::visit(Text{defaults, p.key}, p.member)) {
            members.emplace_back(p.key, std::move(text));
        }
    }
    return members;
}

std::string limits_text(const physics::JointLimits& limits) {
    return '[' + number_text(limits.lower, "limits") + ", " + number_text(limits.upper, "limits") + ']';
}

void write_motor(Members& members, const physics::JointMotor& motor) {
    Members out(members.start("motor"));
    out.add("speed", number_text(motor.speed, "speed"));
    out.add("max_force", number_text(motor.max_force, "max_force"));
    out.end();
}

void write_spring(Members& members, const physics::JointSpring& spring, bool everything) {
    Members out(members.start("spring"));
    out.add("hertz", number_text(spring.hertz, "hertz"));
    if (everything || !same_bits(spring.damping_ratio, 0.0f)) {
        out.add("damping_ratio", number_text(spring.damping_ratio, "damping_ratio"));
    }
    if (!same_bits(spring.target, 0.0f)) {
        out.add("target", number_text(spring.target, "target"));
    }
    if (spring.max_force) {
        out.add("max_force", number_text(*spring.max_force, "max_force"));
    }
    out.end();
}

// What does not act on the axis in its mode has no effect, and files have no word for it.
void write_axis(Members& members, std::string_view name, const physics::JointAxis& axis, bool everything) {
    using Mode = physics::JointAxis::Mode;
    if (axis.mode == Mode::locked || axis.mode == Mode::free) {
        if (everything || axis.mode == Mode::free) {
            members.add(name, '"' + std::string(joint_axis_modes[static_cast<std::size_t>(axis.mode)]) + '"');
        }
        return;
    }
    Members out(members.start(name));
    if (axis.mode == Mode::limited) {
        out.add("limits", limits_text(axis.limits));
    } else if (axis.mode == Mode::motor) {
        write_motor(out, axis.motor);
    } else {
        write_spring(out, axis.spring, everything);
    }
    out.end();
}

// Always in the bodies' own frames, which keep all bits.
void write_joint(Wrapped& out, const physics::JointDef& joint, const BodyReferences& bodies, bool everything) {
    using physics::JointKind;
    Members members(out);
    members.add("type", '"' + std::string(joint_kinds[static_cast<std::size_t>(joint.kind)]) + '"');
    if (everything || !joint.name.empty()) {
        members.add("name", string_text(joint.name));
    }
    if (joint.body_a) {
        members.add("a", bodies.text(joint.body_a));
    }
    members.add("b", bodies.text(joint.body_b));
    members.add("anchor_a", vector_text(joint.frame_a.position, "anchor_a"));
    members.add("anchor_b", vector_text(joint.frame_b.position, "anchor_b"));
    members.add("frame_a", quat_text(joint.frame_a.orientation, "frame_a"));
    members.add("frame_b", quat_text(joint.frame_b.orientation, "frame_b"));
    const bool has_ratio =
        joint.kind == JointKind::gear || joint.kind == JointKind::rack || joint.kind == JointKind::pulley;
    if (has_ratio && (everything || !same_bits(joint.ratio, 1.0f))) {
        members.add("ratio", number_text(joint.ratio, "ratio"));
    }
    if (joint.kind == JointKind::pulley) {
        members.add("ground_a", vector_text(joint.ground_a, "ground_a"));
        members.add("ground_b", vector_text(joint.ground_b, "ground_b"));
    }
    if (joint.kind == JointKind::distance || joint.kind == JointKind::pulley) {
        members.add("length", number_text(joint.length, "length"));
    }
    if (joint.limits) {
        members.add("limits", limits_text(*joint.limits));
    }
    if (joint.motor) {
        write_motor(members, *joint.motor);
    }
    if (joint.spring) {
        write_spring(members, *joint.spring, everything);
    }
    if (!joint.axes.empty()) {
        Members axes(members.start("axes"));
        for (std::size_t i = 0; i < joint.axes.size(); ++i) {
            write_axis(axes, axis_names[i], joint.axes[i], everything);
        }
        axes.end();
    }
    if (joint.cone) {
        members.add("cone", number_text(*joint.cone, "cone"));
    }
    if (everything || joint.collide) {
        members.add("collide", joint.collide ? "true" : "false");
    }
    if (everything || joint.ignore_within != 1) {
        members.add("ignore_within", std::to_string(joint.ignore_within));
    }
    if (joint.break_force) {
        members.add("break_force", number_text(*joint.break_force, "break_force"));
    }
    if (joint.break_torque) {
        members.add("break_torque", number_text(*joint.break_torque, "break_torque"));
    }
    members.end();
}

void write_zone(Wrapped& out, const Zone& zone) {
    Members members(out);
    members.add("name", string_text(zone.name));
    if (zone.radius > 0.0f) {
        members.add("radius", number_text(zone.radius, "radius"));
    } else {
        members.add("half_extents", vector_text(zone.half_extents, "half_extents"));
    }
    members.add("position", vector_text(zone.pose.position, "position"));
    if (!same_bits(zone.pose.orientation, physics::Transform{}.orientation)) {
        members.add("orientation", quat_text(zone.pose.orientation, "orientation"));
    }
    members.end();
}

std::string subject_text(const Expectation::Subject& subject) {
    return subject.index ? std::to_string(*subject.index) : string_text(subject.name);
}

void write_expectation(Wrapped& out, const Expectation& e) {
    Members members(out);
    if (e.body) {
        members.add("body", subject_text(*e.body));
    }
    if (e.joint) {
        members.add("joint", subject_text(*e.joint));
    }
    const auto number = [](double value) { return number_text(static_cast<float>(value), "expect"); };
    switch (e.about) {
    case Expectation::About::within:
        members.add("within", string_text(e.zone));
        break;
    case Expectation::About::rests:
        members.add("rests", "true");
        break;
    case Expectation::About::upright:
        members.add("upright", number(*e.most));
        break;
    case Expectation::About::touches:
        members.add("touches", subject_text(*e.other));
        break;
    case Expectation::About::breaks:
        members.add("breaks", "true");
        break;
    case Expectation::About::step_time:
    case Expectation::About::measure: {
        const bool times = e.about == Expectation::About::step_time;
        Members range(members.start(times ? "step_time" : measure_keys[static_cast<std::size_t>(e.measure)]));
        if (times) {
            range.add("of", string_text(e.reference.file));
        }
        if (e.other) {
            range.add("to", subject_text(*e.other));
        }
        if (e.point) {
            range.add("point", vector_text(*e.point, "point"));
        }
        if (e.other_point) {
            range.add("to_point", vector_text(*e.other_point, "to_point"));
        }
        if (e.least) {
            range.add("least", number(*e.least));
        }
        if (e.most) {
            range.add("most", number(*e.most));
        }
        range.end();
        break;
    }
    }
    const bool one_step = e.when == Expectation::When::at || e.when == Expectation::When::by ||
                          (e.when != Expectation::When::between && e.first == 0);
    members.add(expectation_time_keys[static_cast<std::size_t>(e.when)],
                one_step ? std::to_string(e.last)
                         : '[' + std::to_string(e.first) + ", " + std::to_string(e.last) + ']');
    if (!e.why.empty()) {
        members.add("why", string_text(e.why));
    }
    members.end();
}

// A line for each entry.
template <typename Entry, typename Write>
void append_entries(std::string& text, const std::vector<Entry>& entries, const Write& write) {
    text += '[';
    for (std::size_t i = 0; i < entries.size(); ++i) {
        text += i == 0 ? "\n    " : ",\n    ";
        Wrapped out(text, 5);
        write(out, entries[i]);
    }
    text += entries.empty() ? "]" : "\n  ]";
}

// A last member that is a list; nothing for none.
template <typename Entry, typename Write>
void append_list(std::string& text, std::string_view key, const std::vector<Entry>& entries, const Write& write) {
    if (!entries.empty()) {
        text += ",\n  \"" + std::string(key) + "\": ";
        append_entries(text, entries, write);
    }
}

// The lines of the header, each without its final comma.
std::vector<std::string> header_lines(const Scene& scene, bool everything) {
    std::vector<std::string> lines{"\"cairn\": " + std::to_string(scene_version)};
    const auto line = [&](std::string_view key, const std::string& value) {
        lines.push_back('"' + std::string(key) + "\": " + value);
    };
    const auto object = [&](std::string_view key, const std::vector<std::pair<std::string_view, std::string>>& list) {
        if (list.empty()) {
            return;
        }
        std::string text;
        const std::size_t indent = 2 + key.size() + 5;
        Wrapped out(text, indent);
        Members members(out);
        for (const auto& [name, value] : list) {
            members.add(name, value);
        }
        members.end();
        line(key, text);
    };
    if (everything || !scene.name.empty()) {
        line("name", string_text(scene.name));
    }
    if (everything || !scene.description.empty()) {
        line("description", string_text(scene.description));
    }
    for (const std::string_view section : {"", "step", "solver"}) {
        const auto members = parameter_members(scene.settings, section, everything);
        if (!section.empty()) {
            object(section, members);
            continue;
        }
        for (const auto& [key, value] : members) {
            line(key, value);
        }
    }
    std::vector<std::pair<std::string_view, std::string>> list;
    const SceneCamera camera;
    if (everything || !same_bits(scene.camera.eye, camera.eye)) {
        list.emplace_back("eye", vector_text(scene.camera.eye, "eye"));
    }
    if (everything || !same_bits(scene.camera.target, camera.target)) {
        list.emplace_back("target", vector_text(scene.camera.target, "target"));
    }
    object("camera", list);
    return lines;
}

} // namespace

std::string full_header_text(const Scene& scene) {
    std::string text = "{";
    for (const std::string& line : header_lines(scene, true)) {
        text += (text.size() == 1 ? "" : ",") + line;
    }
    return text + '}';
}

std::string full_body_text(const BodyDef& body) {
    std::string text;
    Wrapped out(text, 0);
    write_body(out, body, {}, true);
    return text;
}

std::string full_joint_text(const physics::JointDef& joint) {
    std::string text;
    Wrapped out(text, 0);
    write_joint(out, joint, {}, true);
    return text;
}

BodyReferences::BodyReferences(const std::vector<BodyDef>& bodies) : bodies_(&bodies) {
    for (const BodyDef& body : bodies) {
        ++count_[body.name];
    }
}

std::string BodyReferences::text(physics::BodyId body) const {
    const std::string* name = bodies_ != nullptr ? &(*bodies_)[body.index].name : nullptr;
    return name != nullptr && !name->empty() && count_.at(*name) == 1 ? string_text(*name) : std::to_string(body.index);
}

std::string body_text(const BodyDef& body, std::size_t indent) {
    std::string text;
    Wrapped out(text, indent);
    write_body(out, body, {}, false);
    return text;
}

std::string joint_text(const physics::JointDef& joint, const BodyReferences& bodies, std::size_t indent) {
    std::string text;
    Wrapped out(text, indent);
    write_joint(out, joint, bodies, false);
    return text;
}

std::vector<std::pair<std::string_view, std::string>>
changed_parameters(const physics::Settings& before, const physics::Settings& after, std::string_view section) {
    const auto then = parameter_members(before, section, true);
    auto now = parameter_members(after, section, true);
    std::vector<std::pair<std::string_view, std::string>> changed;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].second != then[i].second) {
            changed.push_back(std::move(now[i]));
        }
    }
    return changed;
}

std::string json_text(const std::string& text) {
    return string_text(text);
}

std::string json_text(const Vec3& vector) {
    return vector_text(vector, "vector");
}

std::string expectations_text(const Scene& scene) {
    std::string text;
    append_entries(text, scene.expectations, write_expectation);
    return text;
}

std::string zone_text(const Zone& zone) {
    std::string text;
    Wrapped out(text, 5);
    write_zone(out, zone);
    return text;
}

std::string expectation_text(const Expectation& expectation) {
    std::string text;
    Wrapped out(text, 5);
    write_expectation(out, expectation);
    return text;
}

std::string write_scene(const Scene& scene) {
    std::string text = "{\n";
    for (const std::string& line : header_lines(scene, false)) {
        text += "  " + line + ",\n";
    }
    const PointSetNames names(scene);
    if (!names.sets().empty()) {
        text += "  \"point_sets\": {";
        for (std::size_t i = 0; i < names.sets().size(); ++i) {
            text += i == 0 ? "\n    " : ",\n    ";
            Wrapped out(text, 5);
            out.add('"' + *names.name(names.sets()[i]) + "\":");
            write_points(out, *names.sets()[i]);
        }
        text += "\n  },\n";
    }
    text += "  \"bodies\": ";
    append_entries(text, scene.bodies, [&](Wrapped& out, const BodyDef& body) { write_body(out, body, names, false); });
    const BodyReferences references(scene.bodies);
    append_list(text, "joints", scene.joints,
                [&](Wrapped& out, const physics::JointDef& joint) { write_joint(out, joint, references, false); });
    append_list(text, "zones", scene.zones, write_zone);
    append_list(text, "expect", scene.expectations, write_expectation);
    if (!(scene.show == SceneShow{})) {
        text += ",\n  \"show\": " + show_text(scene.show);
    }
    text += "\n}\n";
    return text;
}

} // namespace cairn::core
