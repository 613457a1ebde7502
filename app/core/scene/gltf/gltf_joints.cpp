#include "app/core/scene/gltf/gltf_joints.h"

#include "app/core/scene/json/document.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/store/body_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyType;
using physics::JointAxis;
using physics::JointDef;
using physics::JointKind;
using physics::JointLimits;
using physics::JointMotor;
using physics::JointSpring;
using physics::Quat;
using Mode = JointAxis::Mode;

// What limits and drives leave of the six ways in which one frame moves against the other.
struct GltfFreedom {
    struct Axis {
        Mode mode = Mode::free; // free, locked or limited
        JointLimits limits;
        std::optional<JointMotor> motor;
        std::optional<JointSpring> spring;
    };
    std::array<Axis, physics::joint_axes> axes; // as of JointAxis
    std::optional<JointLimits> distance;        // of the two origins
    std::optional<float> cone;
    int cone_axis = 2; // about which it stands

    bool all(int first, Mode mode) const {
        return std::all_of(axes.begin() + first, axes.begin() + first + 3,
                           [&](const Axis& a) { return a.mode == mode; });
    }
    int count(int first, Mode mode) const {
        return static_cast<int>(std::count_if(axes.begin() + first, axes.begin() + first + 3,
                                              [&](const Axis& a) { return a.mode == mode; }));
    }
};

class GltfJointReader {
  public:
    GltfJointReader(const GltfTree& tree, const GltfBodies& bodies, GltfLosses& losses)
        : tree_(tree), file_(tree.file()), bodies_(bodies), losses_(losses) {
        scene_.bodies = bodies.bodies;
        descriptions_ =
            file_.list(file_.member(file_.extension(file_.root(), rigid_bodies), "physicsJoints"), "physicsJoints");
    }

    std::vector<JointDef> read() {
        std::vector<JointDef> joints;
        for (const std::size_t index : tree_.order()) {
            const Node* joint = file_.member(file_.extension(*tree_.nodes()[index].json, rigid_bodies), "joint");
            if (joint == nullptr) {
                continue;
            }
            if (std::optional<JointDef> def = read_joint(*joint, index)) {
                joints.push_back(std::move(*def));
            }
            if (joints.size() > max_scene_joints) {
                file_.fail(*joint, "more than " + std::to_string(max_scene_joints) + " joints");
            }
        }
        return joints;
    }

  private:
    bool dynamic(const GltfMember& member) const {
        return member.body && bodies_.bodies[*member.body].type == BodyType::dynamic;
    }

    std::optional<JointDef> read_joint(const Node& joint, std::size_t index) {
        const Node& other = file_.require(joint, "connectedNode");
        const std::size_t connected = tree_.node_index(other, "connectedNode");
        const Node& which = file_.require(joint, "joint");
        const Node& description = *descriptions_[file_.index(which, "joint", descriptions_.size())];
        if (!tree_.nodes()[connected].in_scene) {
            file_.fail(other, "this joint leads to a node that does not stand in the scene");
        }
        GltfMember a = bodies_.nodes[index], b = bodies_.nodes[connected];
        if (a.body == b.body || (!dynamic(a) && !dynamic(b))) {
            return std::nullopt;
        }
        const bool reversed = !b.body; // a joint to the world has its body second
        if (reversed) {
            std::swap(a, b);
        }
        JointDef def;
        const Node* own = file_.own_extras(joint);
        if (own != nullptr && file_.member(*own, "type") != nullptr && !reversed) {
            def = read_own(*own, a, b);
        } else {
            GltfFreedom freedom = read_freedom(description, a, b);
            if (reversed) {
                reverse(freedom);
            }
            def = classify(freedom);
        }
        if (const Node* collide = file_.member(joint, "enableCollision")) {
            def.collide = file_.boolean(*collide, "enableCollision");
        }
        if (const Node* name =
                def.name.empty() && own == nullptr ? file_.member(*tree_.nodes()[index].json, "name") : nullptr) {
            def.name = file_.string(*name, "name");
        }
        def.body_a = a.body ? physics::BodyId{static_cast<std::uint32_t>(*a.body), 0} : physics::BodyId{};
        def.body_b = {static_cast<std::uint32_t>(*b.body), 0};
        const Quat turn = def.frame_a.orientation; // that classify wants
        def.frame_a = a.pose;
        def.frame_b = b.pose;
        if (turn != physics::identity_orientation) {
            def.frame_a.orientation = physics::normalized(def.frame_a.orientation * turn);
            def.frame_b.orientation = physics::normalized(def.frame_b.orientation * turn);
        }
        if (const std::string problem = physics::problem_with(def); !problem.empty()) {
            file_.fail(joint, "this joint is not usable: " + problem);
        }
        return def;
    }

    // What Cairn has written in the words of its scenes.
    JointDef read_own(const Node& own, const GltfMember& a, const GltfMember& b) const {
        std::string text = "{\"b\": " + std::to_string(*b.body);
        if (a.body) {
            text += ", \"a\": " + std::to_string(*a.body);
        }
        for (const char* key : {"anchor_a", "anchor_b"}) {
            text += std::string(", \"") + key + "\": [0, 0, 0]";
        }
        for (const char* key : {"frame_a", "frame_b"}) {
            text += std::string(", \"") + key + "\": [1, 0, 0, 0]";
        }
        for (const Node* member : file_.children(own)) {
            text += ", \"" + std::string(member->key) + "\": " + std::string(file_.text_of(*member));
        }
        text += '}';
        try {
            JointDef def = joint_from_document(Document(text, file_.name()), scene_);
            def.frame_a = def.frame_b = {};
            return def;
        } catch (const InputError& error) {
            file_.fail(own, error.message());
        }
    }

    float ranged(const Node& node, std::string_view key, const Range& range) const {
        const double value = file_.number(node, key);
        if (!(value >= static_cast<double>(range.min) && value <= static_cast<double>(range.max))) {
            file_.fail(node, in_quotes(key) + " is not within what a joint can have");
        }
        return static_cast<float>(value);
    }

    GltfFreedom read_freedom(const Node& description, const GltfMember& a, const GltfMember& b) {
        GltfFreedom freedom;
        for (const Node* limit : file_.list(file_.member(description, "limits"), "limits")) {
            add_limit(*limit, freedom);
        }
        for (const Node* drive : file_.list(file_.member(description, "drives"), "drives")) {
            add_drive(*drive, freedom, a, b);
        }
        return freedom;
    }

    void add_limit(const Node& limit, GltfFreedom& freedom) {
        const Node *linear = file_.member(limit, "linearAxes"), *angular = file_.member(limit, "angularAxes");
        if ((linear == nullptr) == (angular == nullptr)) {
            file_.fail(limit, "a limit takes \"linearAxes\" or \"angularAxes\"");
        }
        const Node *least = file_.member(limit, "min"), *most = file_.member(limit, "max");
        if (file_.member(limit, "stiffness") != nullptr) {
            losses_.add("soft limits of joints, which are hard");
        }
        // What has no bound in one direction gets one that no joint reaches.
        const float far = linear != nullptr ? physics::limits::position : physics::limits::joint_angle;
        const JointLimits limits{least == nullptr ? -far : ranged(*least, "min", joint_limit_range),
                                 most == nullptr ? far : ranged(*most, "max", joint_limit_range)};
        if (limits.lower > limits.upper) {
            file_.fail(limit, "\"min\" is greater than \"max\"");
        }
        if (least == nullptr && most == nullptr) {
            return;
        }
        const int first = linear != nullptr ? 0 : 3;
        std::vector<int> axes;
        for (const Node* axis : file_.list(linear != nullptr ? linear : angular, "axes")) {
            axes.push_back(static_cast<int>(file_.index(*axis, "axes of a limit", 3)));
        }
        std::ranges::sort(axes);
        axes.erase(std::unique(axes.begin(), axes.end()), axes.end());
        const bool locked = limits.lower >= 0.0f && limits.upper == 0.0f;
        if (locked || (axes.size() > 1 && limits.upper <= 0.0f)) {
            for (const int axis : axes) {
                freedom.axes[static_cast<std::size_t>(first + axis)].mode = Mode::locked;
            }
        } else if (axes.size() == 1) {
            GltfFreedom::Axis& axis = freedom.axes[static_cast<std::size_t>(first + axes[0])];
            axis.mode = Mode::limited;
            axis.limits = limits;
        } else if (linear != nullptr && axes.size() == 3) {
            freedom.distance = JointLimits{std::max(limits.lower, 0.0f), limits.upper};
        } else if (angular != nullptr && axes.size() == 2) {
            freedom.cone = std::min(limits.upper, physics::limits::joint_cone);
            freedom.cone_axis = 3 - axes[0] - axes[1];
        } else { // within a circle, or of all turning: within a box about it
            losses_.add("round limits about an axis, which are square");
            for (const int axis : axes) {
                GltfFreedom::Axis& one = freedom.axes[static_cast<std::size_t>(first + axis)];
                one.mode = Mode::limited;
                one.limits = {-limits.upper, limits.upper};
            }
        }
    }

    // kg, or kg m^2 for turns: what a force between the two moves.
    double moved_mass(bool linear, const GltfMember& a, const GltfMember& b) {
        double inverse = 0.0;
        for (const GltfMember& member : {a, b}) {
            if (!dynamic(member)) {
                continue;
            }
            const auto built = kinds_.get(bodies_.bodies[*member.body]); // a body that was built before
            const physics::BodyKind& kind = *std::get<std::shared_ptr<const physics::BodyKind>>(built);
            const double turning =
                static_cast<double>(kind.inertia[0][0] + kind.inertia[1][1] + kind.inertia[2][2]) / 3.0;
            inverse += 1.0 / (linear ? static_cast<double>(kind.mass) : turning);
        }
        return 1.0 / inverse;
    }

    void add_drive(const Node& drive, GltfFreedom& freedom, const GltfMember& a, const GltfMember& b) {
        const Node& type_node = file_.require(drive, "type");
        const std::string type = file_.string(type_node, "type");
        if (type != "linear" && type != "angular") {
            file_.fail(type_node, "a drive is \"linear\" or \"angular\", not " + in_quotes(type));
        }
        const bool linear = type == "linear";
        const std::size_t axis = file_.index(file_.require(drive, "axis"), "axis", 3);
        GltfFreedom::Axis& driven = freedom.axes[axis + (linear ? 0 : 3)];
        const auto value = [&](std::string_view key) {
            const Node* node = file_.member(drive, key);
            return node == nullptr ? 0.0 : file_.number(*node, key);
        };
        const Node* most = file_.member(drive, "maxForce");
        const double stiffness = value("stiffness"), damping = value("damping");
        if (!(stiffness >= 0.0 && damping >= 0.0)) {
            file_.fail(drive, "\"stiffness\" and \"damping\" of a drive must be numbers from 0 on");
        }
        if (stiffness == 0.0) {
            if (damping > 0.0) {
                const Node* speed = file_.member(drive, "velocityTarget");
                driven.motor = {speed == nullptr ? 0.0f : ranged(*speed, "velocityTarget", joint_speed_range),
                                most == nullptr ? physics::limits::joint_force
                                                : ranged(*most, "maxForce", joint_force_range)};
            }
            return;
        }
        const Node* mode = file_.member(drive, "mode");
        const bool force = mode == nullptr || file_.string(*mode, "mode") != "acceleration";
        const double mass = force ? moved_mass(linear, a, b) : 1.0;
        const double turn = std::sqrt(stiffness / mass); // rad/s
        JointSpring spring;
        spring.hertz =
            static_cast<float>(std::clamp(turn / (2.0 * std::numbers::pi), static_cast<double>(joint_hertz_range.min),
                                          static_cast<double>(joint_hertz_range.max)));
        spring.damping_ratio =
            static_cast<float>(std::min(0.5 * damping / mass / turn, static_cast<double>(joint_damping_range.max)));
        if (const Node* target = file_.member(drive, "positionTarget")) {
            spring.target = ranged(*target, "positionTarget", joint_limit_range);
        }
        if (most != nullptr) {
            spring.max_force = ranged(*most, "maxForce", joint_force_range);
        }
        driven.spring = spring;
        if (value("velocityTarget") != 0.0) {
            losses_.add("drives of joints that have a position and a velocity as their target");
        }
    }

    // Seen from the other frame.
    static void reverse(GltfFreedom& freedom) {
        for (GltfFreedom::Axis& axis : freedom.axes) {
            axis.limits = {-axis.limits.upper, -axis.limits.lower};
            if (axis.motor) {
                axis.motor->speed = -axis.motor->speed;
            }
            if (axis.spring) {
                axis.spring->target = -axis.spring->target;
            }
        }
    }

    // A turn that takes Z onto that axis, X and Y onto the two that follow it.
    static Quat onto_axis(std::size_t axis) {
        return axis == 2   ? physics::identity_orientation
               : axis == 0 ? Quat(0.5f, 0.5f, 0.5f, 0.5f)
                           : Quat(0.5f, -0.5f, -0.5f, -0.5f);
    }

    // The frames' common turn is left in frame_a.
    JointDef classify(const GltfFreedom& freedom) {
        JointDef def;
        const bool fixed = freedom.all(0, Mode::locked), free = freedom.all(0, Mode::free);
        const int turns_locked = freedom.count(3, Mode::locked);
        const auto along = [&](std::size_t first, Mode mode, bool other) {
            std::size_t axis = 0;
            while (axis < 3 && (freedom.axes[first + axis].mode == mode) == other) {
                ++axis;
            }
            return std::min<std::size_t>(axis, 2);
        };
        const auto take = [&](const GltfFreedom::Axis& axis) {
            if (axis.mode == Mode::limited) {
                def.limits = axis.limits;
            }
            def.motor = axis.motor;
            def.spring = axis.spring;
        };
        const auto undriven = [&](std::size_t first) {
            return std::none_of(freedom.axes.begin() + static_cast<std::ptrdiff_t>(first),
                                freedom.axes.begin() + static_cast<std::ptrdiff_t>(first + 3),
                                [](const GltfFreedom::Axis& axis) { return axis.motor || axis.spring; });
        };
        if (fixed && turns_locked == 3) {
            def.kind = JointKind::weld;
        } else if (fixed && turns_locked == 2 && !freedom.cone) {
            def.kind = JointKind::hinge;
            const std::size_t axis = along(3, Mode::locked, true);
            def.frame_a.orientation = onto_axis(axis);
            take(freedom.axes[3 + axis]);
        } else if (fixed && turns_locked == 0 && undriven(3) && is_ball(freedom)) {
            def.kind = JointKind::ball;
            const auto axis =
                freedom.cone ? static_cast<std::size_t>(freedom.cone_axis) : along(3, Mode::limited, false);
            def.frame_a.orientation = onto_axis(axis);
            def.cone = freedom.cone;
            take(freedom.axes[3 + axis]);
        } else if (turns_locked == 3 && freedom.count(0, Mode::locked) == 2) {
            def.kind = JointKind::slider;
            const std::size_t axis = along(0, Mode::locked, true);
            def.frame_a.orientation = onto_axis(axis);
            take(freedom.axes[axis]);
        } else if (freedom.distance && free && freedom.all(3, Mode::free) && !freedom.cone && undriven(0) &&
                   undriven(3)) {
            def.kind = JointKind::distance;
            def.length = freedom.distance->upper;
            if (freedom.distance->lower < freedom.distance->upper) {
                def.limits = freedom.distance;
            }
        } else {
            six_axes(freedom, def);
        }
        return def;
    }

    // Turns about all axes, of which at most one is bounded, within a cone at most.
    static bool is_ball(const GltfFreedom& freedom) {
        const int limited = freedom.count(3, Mode::limited);
        return limited == 0 ||
               (limited == 1 &&
                (!freedom.cone || freedom.axes[3 + static_cast<std::size_t>(freedom.cone_axis)].mode == Mode::limited));
    }

    void six_axes(const GltfFreedom& freedom, JointDef& def) {
        def.kind = JointKind::six_dof;
        if (freedom.cone || freedom.distance) {
            losses_.add("cones and distances of joints that have other limits, too");
        }
        for (const GltfFreedom::Axis& axis : freedom.axes) {
            JointAxis out;
            out.mode = axis.mode;
            out.limits = axis.limits;
            if (axis.mode != Mode::locked && (axis.motor || axis.spring)) {
                if (axis.mode == Mode::limited) {
                    losses_.add("limits of axes of joints that are driven, too");
                }
                out.mode = axis.spring ? Mode::spring : Mode::motor;
                out.limits = {};
                out.motor = axis.spring ? JointMotor{} : *axis.motor;
                out.spring = axis.spring ? *axis.spring : JointSpring{};
            }
            def.axes.push_back(out);
        }
    }

    const GltfTree& tree_;
    const GltfFile& file_;
    const GltfBodies& bodies_;
    GltfLosses& losses_;
    Scene scene_; // of the bodies
    std::vector<const Node*> descriptions_;
    physics::BodyKindLibrary kinds_;
};

} // namespace

std::vector<JointDef> read_gltf_joints(const GltfTree& tree, const GltfBodies& bodies, GltfLosses& losses) {
    return GltfJointReader(tree, bodies, losses).read();
}

} // namespace cairn::core
