#include "app/core/capture/records.h"

#include "app/core/scene/scene_keys.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <type_traits>

namespace cairn::core {
namespace {

using namespace cairn::physics;

// Point sets are shared by many bodies of a scene: its header holds each of them once, and bodies name it by number.
// Commands stand alone and hold their points themselves.
using SharedPoints = std::shared_ptr<const std::vector<Vec3>>;

// Encoder and decoder offer the same members, so that every structure is described once, for both directions.
class Encoder {
  public:
    explicit Encoder(CborWriter& out) : out_(out) {}

    const std::map<SharedPoints, std::uint64_t>* point_set_numbers = nullptr;

    void map(std::uint64_t pairs) { out_.map(pairs); }
    // A map that had fewer pairs in an older version, and has `more` of them where `extra` is there to be told. Which
    // of them it has.
    struct Since {
        bool since_4 = true, extra = false;
    };
    Since map_since(std::uint64_t /*before*/, std::uint64_t pairs, bool extra, std::uint64_t more = 1) {
        out_.map(pairs + (extra ? more : 0));
        return {true, extra};
    }
    template <class T>
    void field(std::string_view key, const T& value) {
        out_.text(key);
        put(value);
    }

    void put(float value) { out_.single(value); }
    void put(bool value) { out_.boolean(value); }
    void put(const std::string& value) { out_.text(value); }
    void put(int value) { out_.unsigned_integer(static_cast<std::uint64_t>(value)); }
    void put(std::uint8_t value) { out_.unsigned_integer(value); }
    void put(std::uint32_t value) { out_.unsigned_integer(value); }
    void put(const Vec3& v) { floats({v.x, v.y, v.z}); }
    void put(const Quat& q) { floats({q.w, q.x, q.y, q.z}); }
    void put(const BodyId& id) {
        out_.array(2);
        out_.unsigned_integer(id.index);
        out_.unsigned_integer(id.generation);
    }
    void put(const JointId& id) { put(BodyId{id.index, id.generation}); }
    void put(JointKind kind) { out_.text(joint_kinds[static_cast<std::size_t>(kind)]); }
    void put(JointAxis::Mode mode) { out_.text(joint_axis_modes[static_cast<std::size_t>(mode)]); }
    void put(BodyType type) {
        out_.text(type == BodyType::fixed ? "static" : type == BodyType::kinematic ? "kinematic" : "dynamic");
    }
    template <class T>
    void put(const std::optional<T>& value) {
        if (value) {
            put(*value);
        } else {
            out_.null();
        }
    }
    template <class T>
    void put(const std::vector<T>& values) {
        out_.array(values.size());
        for (const T& value : values) {
            put(value);
        }
    }
    void put(const PointSet& set) {
        if (point_set_numbers != nullptr) {
            const auto number = point_set_numbers->find(set.points);
            if (number != point_set_numbers->end()) {
                map(1);
                out_.text("point_set");
                out_.unsigned_integer(number->second);
                return;
            }
        }
        map(1);
        out_.text("points");
        points(set.points);
    }
    void points(const SharedPoints& set) {
        const std::size_t count = set ? set->size() : 0;
        out_.array(3 * count);
        for (std::size_t i = 0; i < count; ++i) {
            const Vec3& p = (*set)[i];
            out_.single(p.x);
            out_.single(p.y);
            out_.single(p.z);
        }
    }
    void put(const Mesh& mesh) {
        static const physics::MeshData nothing;
        const physics::MeshData& data = mesh.data ? *mesh.data : nothing;
        map(3);
        field("two_sided", data.two_sided);
        out_.text("vertices");
        points(std::shared_ptr<const std::vector<Vec3>>(mesh.data, &data.vertices));
        out_.text("triangles");
        out_.array(3 * data.triangles.size());
        for (const auto& triangle : data.triangles) {
            for (const std::uint32_t vertex : triangle) {
                out_.unsigned_integer(vertex);
            }
        }
    }
    void put(const HeightField& field_) {
        static const physics::HeightData nothing;
        const physics::HeightData& data = field_.data ? *field_.data : nothing;
        map(5);
        out_.text("columns");
        out_.unsigned_integer(data.columns);
        out_.text("rows");
        out_.unsigned_integer(data.rows);
        field("spacing", data.spacing);
        out_.text("heights");
        out_.array(data.heights.size());
        for (const float height : data.heights) {
            out_.single(height);
        }
        out_.text("holes");
        out_.array(data.holes.size());
        for (const std::uint64_t word : data.holes) {
            out_.unsigned_integer(word);
        }
    }
    template <class T>
    void put(const T& structure);

  private:
    void floats(std::initializer_list<float> values) {
        out_.array(values.size());
        for (const float value : values) {
            out_.single(value);
        }
    }
    CborWriter& out_;
};

std::uint64_t begin_points(CborReader& in) {
    const std::uint64_t numbers = in.array();
    if (numbers % 3 != 0) {
        in.fail("expected three numbers for every point");
    }
    return numbers / 3;
}

SharedPoints read_points(CborReader& in) {
    const std::uint64_t count = begin_points(in);
    auto list = std::make_shared<std::vector<Vec3>>();
    constexpr std::size_t least = 15; // bytes of a point: more is not reserved than can be there
    list->reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, in.left() / least)));
    for (std::uint64_t i = 0; i < count; ++i) {
        Vec3& p = list->emplace_back();
        p.x = in.single();
        p.y = in.single();
        p.z = in.single();
    }
    return list;
}

// The point sets of a header. Each is made when the first body asks for it: a set takes several times the memory of its
// bytes where it is small, and a file may hold many that nobody asks for.
class PointSets {
  public:
    // Passes them in the reader, whose bytes have to outlive this.
    explicit PointSets(CborReader& in) : from_(in) {
        const std::uint64_t count = in.array();
        for (std::uint64_t i = 0; i < count; ++i) {
            places_.push_back(in.offset());
            const std::uint64_t points = begin_points(in);
            if (points == 0) {
                in.fail("a point set without points");
            }
            for (std::uint64_t k = 0; k < 3 * points; ++k) {
                in.single();
            }
        }
    }
    std::size_t size() const { return places_.size(); }
    const SharedPoints& get(std::uint64_t number) {
        SharedPoints& made = made_[number];
        if (!made) {
            CborReader in = from_.at(places_[number]);
            made = read_points(in);
        }
        return made;
    }

  private:
    CborReader from_;
    std::deque<std::size_t> places_; // offsets, bytes
    std::map<std::uint64_t, SharedPoints> made_;
};

class Decoder {
  public:
    explicit Decoder(CborReader& in) : in_(in) {}

    PointSets* point_sets = nullptr;

    void map(std::uint64_t pairs) { in_.map(pairs); }
    struct Since {
        bool since_4 = true, extra = false;
    };
    Since map_since(std::uint64_t before, std::uint64_t pairs, bool /*extra*/, std::uint64_t more = 1) {
        const std::uint64_t found = in_.map({before, pairs, pairs + more});
        return {found != before, found == pairs + more};
    }
    template <class T>
    void field(std::string_view key, T& value) {
        in_.key(key);
        put(value);
    }

    void put(float& value) { value = in_.single(); }
    void put(bool& value) { value = in_.boolean(); }
    void put(std::string& value) { value = in_.text(); }
    void put(int& value) {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0x7fffffff) {
            in_.fail("a number is too large");
        }
        value = static_cast<int>(number);
    }
    void put(std::uint8_t& value) {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0xff) {
            in_.fail("a number is too large");
        }
        value = static_cast<std::uint8_t>(number);
    }
    void put(std::uint32_t& value) { value = number32(); }
    void put(Vec3& v) {
        in_.array(3);
        v.x = in_.single();
        v.y = in_.single();
        v.z = in_.single();
    }
    void put(Quat& q) {
        in_.array(4);
        q.w = in_.single();
        q.x = in_.single();
        q.y = in_.single();
        q.z = in_.single();
    }
    void put(BodyId& id) {
        in_.array(2);
        id.index = number32();
        id.generation = number32();
    }
    void put(JointId& id) {
        BodyId same;
        put(same);
        id = {same.index, same.generation};
    }
    void put(JointKind& kind) {
        const auto found = std::find(joint_kinds.begin(), joint_kinds.end(), in_.text());
        if (found == joint_kinds.end()) {
            in_.fail("expected the kind of a joint");
        }
        kind = static_cast<JointKind>(found - joint_kinds.begin());
    }
    void put(JointAxis::Mode& mode) {
        const auto found = std::find(joint_axis_modes.begin(), joint_axis_modes.end(), in_.text());
        if (found == joint_axis_modes.end()) {
            in_.fail("expected what an axis of a joint does");
        }
        mode = static_cast<JointAxis::Mode>(found - joint_axis_modes.begin());
    }
    void put(BodyType& type) {
        const std::string_view name = in_.text();
        if (name == "static") {
            type = BodyType::fixed;
        } else if (name == "kinematic") {
            type = BodyType::kinematic;
        } else if (name == "dynamic") {
            type = BodyType::dynamic;
        } else {
            in_.fail("expected static, kinematic or dynamic");
        }
    }
    template <class T>
    void put(std::optional<T>& value) {
        if (in_.take_null()) {
            value.reset();
        } else {
            put(value.emplace());
        }
    }
    template <class T>
    void put(std::vector<T>& values) {
        const std::uint64_t count = in_.array();
        values.clear();
        for (std::uint64_t i = 0; i < count; ++i) {
            put(values.emplace_back());
        }
    }
    void put(PointSet& set) {
        map(1);
        const std::string_view key = in_.text();
        if (key == "points") {
            set.points = points();
        } else if (key == "point_set") {
            const std::uint64_t number = in_.unsigned_integer();
            if (point_sets == nullptr || number >= point_sets->size()) {
                in_.fail("there is no such point set");
            }
            set.points = point_sets->get(number);
        } else {
            in_.fail("expected the key \"points\" or \"point_set\"");
        }
    }
    SharedPoints points() { return read_points(in_); }
    void put(Mesh& mesh) {
        auto data = std::make_shared<physics::MeshData>();
        map(3);
        field("two_sided", data->two_sided);
        in_.key("vertices");
        data->vertices = *points();
        in_.key("triangles");
        const std::uint64_t numbers = in_.array();
        if (numbers % 3 != 0) {
            in_.fail("expected three numbers for every triangle");
        }
        for (std::uint64_t i = 0; i < numbers; i += 3) {
            for (std::uint32_t& vertex : data->triangles.emplace_back()) {
                vertex = number32();
            }
        }
        mesh.data = std::move(data);
    }
    void put(HeightField& field_) {
        auto data = std::make_shared<physics::HeightData>();
        map(5);
        in_.key("columns");
        data->columns = number32();
        in_.key("rows");
        data->rows = number32();
        field("spacing", data->spacing);
        in_.key("heights");
        for (std::uint64_t left = in_.array(); left > 0; --left) {
            data->heights.push_back(in_.single());
        }
        in_.key("holes");
        for (std::uint64_t left = in_.array(); left > 0; --left) {
            data->holes.push_back(in_.unsigned_integer());
        }
        field_.data = std::move(data);
    }
    template <class T>
    void put(T& structure);

  private:
    std::uint32_t number32() {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0xffffffff) {
            in_.fail("a number is too large");
        }
        return static_cast<std::uint32_t>(number);
    }
    CborReader& in_;
};

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

// Fails to compile when a structure gains or loses a member: then the format below changes, and its version with it.
[[maybe_unused]] void members_are_all_described(const Settings& s, const BodyDef& b, const SetBody& c, const Grab& g,
                                                const Material& m, const SceneCamera& e, const Scene& w,
                                                const JointDef& j, const JointMotor& o, const JointSpring& q,
                                                const ShapeDef& h) {
    [[maybe_unused]] const auto& [h1, h2, h3, h4] = h;
    [[maybe_unused]] const auto& [n1, n2, n3] = h.material;
    [[maybe_unused]] const auto& [s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17] = s;
    [[maybe_unused]] const auto& [b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16] = b;
    [[maybe_unused]] const auto& [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18] = c;
    [[maybe_unused]] const auto& [g1, g2, g3, g4, g5, g6] = g;
    [[maybe_unused]] const auto& [m1, m2, m3] = m;
    [[maybe_unused]] const auto& [e1, e2] = e;
    // But for the last three: zones, expectations and how it is shown, of which nothing in a run follows.
    [[maybe_unused]] const auto& [w1, w2, w3, w4, w5, w6, w7, w8, w9] = w;
    [[maybe_unused]] const auto& [j1, j2, j3, j4, j5, j6, j7, j8, j9, j10, j11, j12, j13, j14, j15, j16, j17, j18,
                                  j19] = j;
    [[maybe_unused]] const auto& [o1, o2] = o;
    [[maybe_unused]] const auto& [q1, q2, q3, q4] = q;
}

template <class Coder, Is<Settings> S>
void fields(Coder& code, S& s) {
    code.map(17);
    code.field("gravity", s.gravity);
    code.field("hz", s.hz);
    code.field("substeps", s.substeps);
    code.field("max_substeps", s.max_substeps);
    code.field("sleeping", s.sleeping);
    code.field("continuous", s.continuous);
    code.field("warm_starting", s.warm_starting);
    code.field("contact_hertz", s.contact_hertz);
    code.field("contact_damping_ratio", s.contact_damping_ratio);
    code.field("max_push_speed", s.max_push_speed);
    code.field("restitution_threshold", s.restitution_threshold);
    code.field("joint_hertz", s.joint_hertz);
    code.field("joint_damping_ratio", s.joint_damping_ratio);
    code.field("linear_slop", s.linear_slop);
    code.field("speculative_distance", s.speculative_distance);
    code.field("sleep_speed", s.sleep_speed);
    code.field("sleep_time", s.sleep_time);
}

template <class Coder, Is<SceneCamera> S>
void fields(Coder& code, S& camera) {
    code.map(2);
    code.field("eye", camera.eye);
    code.field("target", camera.target);
}

template <class Coder, Is<Sphere> S>
void fields(Coder& code, S& shape) {
    code.map(1);
    code.field("radius", shape.radius);
}
template <class Coder, Is<Box> S>
void fields(Coder& code, S& shape) {
    code.map(1);
    code.field("half_extents", shape.half_extents);
}
template <class Coder, class S>
requires(Is<S, Capsule> || Is<S, Cylinder>) void fields(Coder& code, S& shape) {
    code.map(2);
    code.field("radius", shape.radius);
    code.field("half_height", shape.half_height);
}
template <class Coder, Is<Cone> S>
void fields(Coder& code, S& shape) {
    code.map(2);
    code.field("radius", shape.radius);
    code.field("height", shape.height);
}
template <class Coder, Is<Diamond> S>
void fields(Coder& code, S& shape) {
    code.map(1);
    code.field("scale", shape.scale);
}

template <class Coder, Is<ShapeDef> S>
void fields(Coder& code, S& shape) {
    const bool extra = code.map_since(3, 3, shape.sensor || shape.material.any(), 4).extra;
    code.field("geometry", shape.geometry);
    code.field("position", shape.pose.position);
    code.field("orientation", shape.pose.orientation);
    if (extra) {
        code.field("sensor", shape.sensor);
        code.field("friction", shape.material.friction);
        code.field("restitution", shape.material.restitution);
        code.field("rolling_resistance", shape.material.rolling_resistance);
    }
}

template <class Coder, Is<CollisionFilter> S>
void fields(Coder& code, S& filter) {
    code.map(2);
    code.field("group", filter.group);
    code.field("mask", filter.mask);
}

template <class Coder, Is<BodyDef> S>
void fields(Coder& code, S& body) {
    const auto [since_4, locked] = code.map_since(17, 18, body.locks != 0);
    code.field("name", body.name);
    code.field("type", body.type);
    code.field("position", body.pose.position);
    code.field("orientation", body.pose.orientation);
    code.field("linear_velocity", body.linear_velocity);
    code.field("angular_velocity", body.angular_velocity);
    code.field("shapes", body.shapes);
    code.field("mass", body.mass);
    code.field("density", body.density);
    code.field("inertia", body.inertia);
    code.field("friction", body.material.friction);
    code.field("restitution", body.material.restitution);
    code.field("rolling_resistance", body.material.rolling_resistance);
    code.field("linear_damping", body.linear_damping);
    code.field("angular_damping", body.angular_damping);
    code.field("gravity_scale", body.gravity_scale);
    code.field("can_sleep", body.can_sleep);
    if (since_4) {
        code.field("filter", body.filter);
    }
    if (locked) {
        code.field("locks", body.locks);
    }
}

template <class Coder, Is<JointLimits> S>
void fields(Coder& code, S& limits) {
    code.map(2);
    code.field("lower", limits.lower);
    code.field("upper", limits.upper);
}
template <class Coder, Is<JointMotor> S>
void fields(Coder& code, S& motor) {
    code.map(2);
    code.field("speed", motor.speed);
    code.field("max_force", motor.max_force);
}
template <class Coder, Is<JointSpring> S>
void fields(Coder& code, S& spring) {
    code.map(4);
    code.field("hertz", spring.hertz);
    code.field("damping_ratio", spring.damping_ratio);
    code.field("target", spring.target);
    code.field("max_force", spring.max_force);
}
template <class Coder, Is<JointAxis> S>
void fields(Coder& code, S& axis) {
    code.map(4);
    code.field("mode", axis.mode);
    code.field("limits", axis.limits);
    code.field("motor", axis.motor);
    code.field("spring", axis.spring);
}
template <class Coder, Is<JointDef> S>
void fields(Coder& code, S& joint) {
    const auto [since_4, six] = code.map_since(14, 20, !joint.axes.empty());
    code.field("name", joint.name);
    code.field("kind", joint.kind);
    code.field("body_a", joint.body_a);
    code.field("body_b", joint.body_b);
    code.field("anchor_a", joint.frame_a.position);
    code.field("frame_a", joint.frame_a.orientation);
    code.field("anchor_b", joint.frame_b.position);
    code.field("frame_b", joint.frame_b.orientation);
    code.field("collide", joint.collide);
    code.field("length", joint.length);
    code.field("limits", joint.limits);
    code.field("motor", joint.motor);
    code.field("spring", joint.spring);
    code.field("cone", joint.cone);
    if (since_4) {
        code.field("ratio", joint.ratio);
        code.field("ground_a", joint.ground_a);
        code.field("ground_b", joint.ground_b);
        code.field("ignore_within", joint.ignore_within);
        code.field("break_force", joint.break_force);
        code.field("break_torque", joint.break_torque);
    }
    if (six) {
        code.field("axes", joint.axes);
    }
}

template <class Coder, Is<CreateBody> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("body", command.body);
}
template <class Coder, Is<DestroyBody> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("body", command.body);
}
template <class Coder, Is<ApplyImpulse> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("impulse", command.impulse);
    code.field("point", command.point);
}
template <class Coder, Is<CreateBodies> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("bodies", command.bodies);
    code.field("joints", command.joints);
    code.field("ties", command.ties);
}
template <class Coder, Is<ApplyForce> S>
void fields(Coder& code, S& command) {
    code.map(4);
    code.field("body", command.body);
    code.field("force", command.force);
    code.field("torque", command.torque);
    code.field("point", command.point);
}
template <class Coder, Is<MoveKinematic> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("position", command.target.position);
    code.field("orientation", command.target.orientation);
}
template <class Coder, Is<AddShape> S>
void fields(Coder& code, S& command) {
    code.map(3);
    code.field("body", command.body);
    code.field("shape", command.shape);
    code.field("place", command.place);
}
template <class Coder, Is<RemoveShape> S>
void fields(Coder& code, S& command) {
    code.map(2);
    code.field("body", command.body);
    code.field("shape", command.shape);
}
template <class Coder, Is<Explode> S>
void fields(Coder& code, S& command) {
    code.map(4);
    code.field("centre", command.centre);
    code.field("radius", command.radius);
    code.field("impulse", command.impulse);
    code.field("groups", command.groups);
}
template <class Coder, Is<Grab> S>
void fields(Coder& code, S& command) {
    code.map(6);
    code.field("body", command.body);
    code.field("local_point", command.local_point);
    code.field("target", command.target);
    code.field("hertz", command.hertz);
    code.field("damping_ratio", command.damping_ratio);
    code.field("max_acceleration", command.max_acceleration);
}
template <class Coder, Is<MoveGrab> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("target", command.target);
}
template <class Coder, Is<ReleaseGrab> S>
void fields(Coder& code, S&) {
    code.map(0);
}
template <class Coder, Is<SetSettings> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("settings", command.settings);
}
template <class Coder, Is<CreateJoint> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("joint", command.joint);
}
template <class Coder, Is<DestroyJoint> S>
void fields(Coder& code, S& command) {
    code.map(1);
    code.field("joint", command.joint);
}
template <class Coder, Is<SetJoint> S>
void fields(Coder& code, S& command) {
    code.map(2);
    code.field("joint", command.joint);
    code.field("def", command.def);
}
template <class Coder, Is<SetBody> S>
void fields(Coder& code, S& c) {
    const auto [since_4, locks] = code.map_since(16, 17, c.locks.has_value());
    code.field("body", c.body);
    code.field("name", c.name);
    code.field("type", c.type);
    code.field("position", c.position);
    code.field("orientation", c.orientation);
    code.field("linear_velocity", c.linear_velocity);
    code.field("angular_velocity", c.angular_velocity);
    code.field("mass", c.mass);
    code.field("inertia", c.inertia);
    code.field("friction", c.friction);
    code.field("restitution", c.restitution);
    code.field("rolling_resistance", c.rolling_resistance);
    code.field("linear_damping", c.linear_damping);
    code.field("angular_damping", c.angular_damping);
    code.field("gravity_scale", c.gravity_scale);
    code.field("can_sleep", c.can_sleep);
    if (since_4) {
        code.field("filter", c.filter);
    }
    if (locks) {
        code.field("locks", c.locks);
    }
}

// Alternatives of a variant: a map with one pair, the alternative's name and its content.
template <class T>
constexpr std::string_view name_of() {
    using U = std::remove_const_t<T>;
    if constexpr (std::same_as<U, Sphere>) {
        return "sphere";
    } else if constexpr (std::same_as<U, Box>) {
        return "box";
    } else if constexpr (std::same_as<U, Capsule>) {
        return "capsule";
    } else if constexpr (std::same_as<U, Cylinder>) {
        return "cylinder";
    } else if constexpr (std::same_as<U, Cone>) {
        return "cone";
    } else if constexpr (std::same_as<U, Diamond>) {
        return "diamond";
    } else if constexpr (std::same_as<U, PointSet>) {
        return "hull";
    } else if constexpr (std::same_as<U, Mesh>) {
        return "mesh";
    } else if constexpr (std::same_as<U, HeightField>) {
        return "heightfield";
    } else if constexpr (std::same_as<U, CreateBody>) {
        return "create_body";
    } else if constexpr (std::same_as<U, DestroyBody>) {
        return "destroy_body";
    } else if constexpr (std::same_as<U, SetBody>) {
        return "set_body";
    } else if constexpr (std::same_as<U, ApplyImpulse>) {
        return "apply_impulse";
    } else if constexpr (std::same_as<U, CreateBodies>) {
        return "create_bodies";
    } else if constexpr (std::same_as<U, ApplyForce>) {
        return "apply_force";
    } else if constexpr (std::same_as<U, MoveKinematic>) {
        return "move_kinematic";
    } else if constexpr (std::same_as<U, AddShape>) {
        return "add_shape";
    } else if constexpr (std::same_as<U, RemoveShape>) {
        return "remove_shape";
    } else if constexpr (std::same_as<U, Explode>) {
        return "explode";
    } else if constexpr (std::same_as<U, Grab>) {
        return "grab";
    } else if constexpr (std::same_as<U, MoveGrab>) {
        return "move_grab";
    } else if constexpr (std::same_as<U, ReleaseGrab>) {
        return "release_grab";
    } else if constexpr (std::same_as<U, CreateJoint>) {
        return "create_joint";
    } else if constexpr (std::same_as<U, DestroyJoint>) {
        return "destroy_joint";
    } else if constexpr (std::same_as<U, SetJoint>) {
        return "set_joint";
    } else {
        static_assert(std::same_as<U, SetSettings>);
        return "set_settings";
    }
}

template <class T>
struct IsVariant : std::false_type {};
template <class... T>
struct IsVariant<std::variant<T...>> : std::true_type {};

template <class... Alternatives>
void decode_variant(Decoder& code, CborReader& in, std::variant<Alternatives...>& value) {
    in.map(1);
    const std::string_view name = in.text();
    const auto attempt = [&]<class T>(std::type_identity<T>) {
        if (name != name_of<T>()) {
            return false;
        }
        code.put(value.template emplace<T>());
        return true;
    };
    if (!(attempt(std::type_identity<Alternatives>{}) || ...)) {
        in.fail("\"" + std::string(name.substr(0, 40)) + "\" is not known here");
    }
}

template <class T>
void Encoder::put(const T& structure) {
    if constexpr (IsVariant<T>::value) {
        std::visit(
            [&](const auto& alternative) {
                map(1);
                field(name_of<std::remove_cvref_t<decltype(alternative)>>(), alternative);
            },
            structure);
    } else {
        fields(*this, structure);
    }
}

template <class T>
void Decoder::put(T& structure) {
    if constexpr (IsVariant<T>::value) {
        decode_variant(*this, in_, structure);
    } else {
        fields(*this, structure);
    }
}

} // namespace

void encode(CborWriter& out, const Scene& scene) {
    std::map<SharedPoints, std::uint64_t> numbers;
    std::vector<SharedPoints> sets;
    for (const BodyDef& body : scene.bodies) {
        for (const ShapeDef& shape : body.shapes) {
            const auto* set = std::get_if<PointSet>(&shape.geometry);
            if (set != nullptr && set->points && numbers.emplace(set->points, sets.size()).second) {
                sets.push_back(set->points);
            }
        }
    }
    Encoder code(out);
    code.point_set_numbers = &numbers;
    code.map(7);
    code.field("name", scene.name);
    code.field("description", scene.description);
    code.field("settings", scene.settings);
    code.field("camera", scene.camera);
    out.text("point_sets");
    out.array(sets.size());
    for (const SharedPoints& set : sets) {
        code.points(set);
    }
    code.field("bodies", scene.bodies);
    code.field("joints", scene.joints);
}

void decode(CborReader& in, Scene& scene) {
    Decoder code(in);
    code.map(7);
    code.field("name", scene.name);
    code.field("description", scene.description);
    code.field("settings", scene.settings);
    code.field("camera", scene.camera);
    in.key("point_sets");
    PointSets sets(in);
    code.point_sets = &sets;
    code.field("bodies", scene.bodies);
    code.field("joints", scene.joints);
}

void encode(CborWriter& out, const Command& command) {
    Encoder(out).put(command);
}

void decode(CborReader& in, Command& command) {
    Decoder(in).put(command);
}

void encode(CborWriter& out, const Settings& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Settings& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const BodyDef& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, BodyDef& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const JointDef& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, JointDef& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const Grab& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Grab& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const Vec3& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Vec3& value) {
    Decoder(in).put(value);
}

} // namespace cairn::core
