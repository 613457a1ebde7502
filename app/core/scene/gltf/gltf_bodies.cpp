#include "app/core/scene/gltf/gltf_bodies.h"

#include "app/core/scene/json/document.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/world/parameters/validation.h"
#include "physics/world/store/body_kind.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyType;
using physics::Vec3;

constexpr std::uint8_t all_rotations = 56, all_translations = 7; // of BodyDef::locks

// What of a body the format has no words for, in those of scene files.
constexpr std::array<std::string_view, 5> own_body_keys{"density", "linear_damping", "angular_damping", "can_sleep",
                                                        "lock"};

class GltfBodyReader {
  public:
    GltfBodyReader(const GltfTree& tree, const SceneReading& how, GltfLosses& losses)
        : tree_(tree),
          file_(tree.file()),
          losses_(losses),
          shapes_(tree, how, losses),
          any_physics_(has_rigid_bodies(file_)),
          places_(tree.nodes().size()) {
        out_.nodes.resize(tree.nodes().size());
    }

    GltfBodies read() {
        for (const std::size_t index : tree_.order()) {
            find_body(index);
        }
        std::vector<std::optional<std::size_t>> kept(open_.size());
        for (std::size_t i = 0; i < open_.size(); ++i) {
            if (!open_[i].def.shapes.empty()) {
                kept[i] = out_.bodies.size();
                finish(open_[i]);
            } else {
                losses_.add("bodies without a collider");
            }
        }
        for (const std::size_t index : tree_.order()) {
            GltfMember& member = out_.nodes[index];
            const std::optional<std::size_t> open = member.body;
            member.body = open ? kept[*open] : std::nullopt;
            member.pose = tree_.nodes()[index].world.pose();
            if (member.body) {
                const Open& of = open_[*open];
                member.pose = turned_into(of, places_[index]);
                member.pose.position -= of.centre;
            }
        }
        return std::move(out_);
    }

  private:
    struct Open {
        BodyDef def; // with shapes in the node's frame
        std::size_t node = 0;
        const Node* motion = nullptr;
        bool material_known = false;
        glm::dquat turn{1.0, 0.0, 0.0, 0.0}; // of the principal axes, in the node's frame
        Vec3 centre{0.0f};                   // of mass, m, in the frame turned so
    };

    // A place in the node's frame, seen along the principal axes; without its stretch.
    static physics::Transform turned_into(const Open& body, const GltfPlace& place) {
        if (body.turn == glm::dquat(1.0, 0.0, 0.0, 0.0)) {
            return place.pose();
        }
        GltfPlace axes, bare;
        axes.orientation = glm::conjugate(body.turn);
        bare.position = place.position;
        bare.orientation = place.orientation;
        return axes.child(bare).pose();
    }

    std::string name_of(std::size_t index) const {
        for (std::optional<std::size_t> at = index; at; at = tree_.nodes()[*at].parent) {
            if (const Node* name = file_.member(*tree_.nodes()[*at].json, "name")) {
                return file_.string(*name, "name");
            }
        }
        return {};
    }

    void open_body(std::size_t index, const Node* motion) {
        Open body;
        body.node = index;
        body.motion = motion;
        const Node* kinematic = file_.member(motion, "isKinematic");
        body.def.type = motion == nullptr                                                  ? BodyType::fixed
                        : kinematic != nullptr && file_.boolean(*kinematic, "isKinematic") ? BodyType::kinematic
                                                                                           : BodyType::dynamic;
        body.def.name = name_of(index);
        places_[index] = {};
        places_[index].stretch = tree_.nodes()[index].world.stretch;
        out_.nodes[index].body = open_.size();
        open_.push_back(std::move(body));
        if (open_.size() > max_scene_bodies) {
            file_.fail(*tree_.nodes()[index].json, "more than " + std::to_string(max_scene_bodies) + " bodies");
        }
    }

    void find_body(std::size_t index) {
        const GltfNode& node = tree_.nodes()[index];
        const Node* own = file_.extension(*node.json, rigid_bodies);
        const Node* motion = file_.member(own, "motion");
        const Node *collider = file_.member(own, "collider"), *trigger = file_.member(own, "trigger");
        const Node* mesh_node = file_.member(*node.json, "mesh");
        const bool has_mesh = mesh_node != nullptr;
        const std::size_t mesh = has_mesh ? file_.index(*mesh_node, "mesh", file_.meshes().size()) : 0;
        const std::optional<std::size_t> above = node.parent ? out_.nodes[*node.parent].body : std::nullopt;
        if (motion != nullptr) {
            open_body(index, motion);
        } else if (above) {
            out_.nodes[index].body = above;
            places_[index] = places_[*node.parent].child(node.local);
        } else if (collider != nullptr || trigger != nullptr || (!any_physics_ && has_mesh) ||
                   file_.member(file_.own_extras(*node.json), "body") != nullptr) {
            open_body(index, nullptr);
        } else {
            return;
        }
        Open& body = open_[*out_.nodes[index].body];
        if (has_mesh && !body.def.colour) {
            body.def.colour = shapes_.colour(mesh);
        }
        if (!any_physics_ && has_mesh) {
            body.def.shapes.push_back({shapes_.surface(mesh, places_[index]), places_[index].pose()});
        }
        for (const Node* part : {collider, trigger}) {
            if (part != nullptr) {
                add_shapes(*part, index, part == trigger, body);
            }
        }
    }

    void add_shapes(const Node& part, std::size_t index, bool sensor, Open& body) {
        const std::size_t before = body.def.shapes.size();
        shapes_.add(part, *tree_.nodes()[index].json, places_[index], sensor, body.def);
        const std::optional<physics::Material> material = sensor ? std::nullopt : shapes_.material(part);
        if (material && !body.material_known) {
            body.def.material = *material;
        } else if (material) {
            for (std::size_t i = before; i < body.def.shapes.size(); ++i) {
                set_apart(body.def.shapes[i].material, *material, body.def.material);
            }
        }
        const physics::CollisionFilter filter = shapes_.filter(part);
        if (before == 0) {
            body.def.filter = filter;
        } else if (!(filter == body.def.filter)) {
            losses_.add("filters of shapes that differ within a body");
        }
        body.material_known = body.material_known || !sensor;
    }

    // What differs from the body's is stated.
    static void set_apart(physics::ShapeMaterial& shape, const physics::Material& own, const physics::Material& body) {
        for (const physics::MaterialParameter& p : physics::material_parameters) {
            if (own.*p.number != body.*p.number) {
                shape.of(p.number) = own.*p.number;
            }
        }
    }

    // What Cairn has written beside the format's own words.
    void take_extras(Open& body) const {
        const Node& node = *tree_.nodes()[body.node].json;
        const Node* own = file_.member(file_.own_extras(node), "body");
        if (own == nullptr) {
            return;
        }
        std::string text = R"({"shape": {"sphere": {"radius": 1}})";
        for (const std::string_view key : own_body_keys) {
            if (const Node* value = file_.member(*own, key)) {
                text += ", \"" + std::string(key) + "\": " + std::string(file_.text_of(*value));
            }
        }
        text += '}';
        BodyDef stated;
        try {
            stated = body_from_document(Document(text, file_.name()), {});
        } catch (const InputError& error) {
            file_.fail(*own, error.message());
        }
        if (const Node* unnamed = file_.member(*own, "unnamed");
            unnamed != nullptr && file_.boolean(*unnamed, "unnamed")) {
            body.def.name.clear();
        }
        body.def.linear_damping = stated.linear_damping;
        body.def.angular_damping = stated.angular_damping;
        body.def.can_sleep = stated.can_sleep;
        body.def.locks |= stated.locks;
        // The density holds for as long as the mass is what followed from it.
        const Node *mass = file_.member(*own, "mass"), *written = file_.member(body.motion, "mass");
        const bool same = mass == nullptr ? written == nullptr : written != nullptr && mass->number == written->number;
        if (same && file_.member(*own, "density") != nullptr) {
            body.def.density = stated.density;
            body.def.mass.reset();
        }
    }

    void take_motion(Open& body) const {
        const Node& motion = *body.motion;
        const glm::dquat& world = tree_.nodes()[body.node].world.orientation;
        GltfPlace frame;
        frame.orientation = world;
        const auto velocity = [&](std::string_view key, const Range& range, Vec3& target) {
            if (const Node* node = file_.member(motion, key)) {
                const std::vector<double> v = file_.numbers(*node, key, 3);
                const glm::dvec3 turned = frame.point({v[0], v[1], v[2]});
                if (!(glm::length(turned) <= static_cast<double>(range.max))) {
                    file_.fail(*node, in_quotes(key) + " must be no longer than " + float_text(range.max) + ' ' +
                                          std::string(range.unit));
                }
                target = Vec3(turned);
            }
        };
        velocity("linearVelocity", speed_range, body.def.linear_velocity);
        velocity("angularVelocity", spin_range, body.def.angular_velocity);
        if (const Node* factor = file_.member(motion, "gravityFactor")) {
            const double most = static_cast<double>(physics::limits::gravity_scale);
            body.def.gravity_scale = file_.number_within(*factor, "gravityFactor", -most, most);
        }
        if (body.def.type != BodyType::dynamic) {
            return;
        }
        if (const Node* mass = file_.member(motion, "mass")) {
            if (file_.number(*mass, "mass") == 0.0) { // the format's infinity
                body.def.locks |= all_translations;
            } else {
                body.def.mass = file_.number_within(*mass, "mass", static_cast<double>(physics::limits::least_mass),
                                                    static_cast<double>(physics::limits::greatest_mass));
            }
        }
        if (const Node* inertia = file_.member(motion, "inertiaDiagonal")) {
            take_inertia(*inertia, body);
        }
    }

    void take_inertia(const Node& inertia, Open& body) const {
        const std::vector<double> moments = file_.numbers(inertia, "inertiaDiagonal", 3);
        const auto infinite = std::ranges::count(moments, 0.0);
        if (infinite == 3) {
            body.def.locks |= all_rotations;
            return;
        }
        if (infinite > 0) {
            losses_.add("bodies that turn about some of their own axes alone");
            return;
        }
        const Vec3 diagonal(moments[0], moments[1], moments[2]);
        if (const std::string problem = physics::problem_with_inertia(diagonal); !problem.empty()) {
            file_.fail(inertia, problem);
        }
        body.def.inertia = diagonal;
        if (const Node* turn = file_.member(*body.motion, "inertiaOrientation")) {
            const std::vector<double> q = file_.numbers(*turn, "inertiaOrientation", 4);
            const glm::dquat axes(q[3], q[0], q[1], q[2]);
            const double length2 = glm::dot(axes, axes);
            if (!(std::abs(length2 - 1.0) < 1e-3)) {
                file_.fail(*turn, "\"inertiaOrientation\" must be a quaternion [x, y, z, w] of length 1");
            }
            if (std::abs(axes.w) < 1.0 - 1e-12) {
                body.turn = glm::normalize(axes);
            }
        }
    }

    void finish(Open& body) {
        const GltfNode& node = tree_.nodes()[body.node];
        if (body.motion != nullptr) {
            take_motion(body);
        }
        take_extras(body);
        if (body.turn != glm::dquat(1.0, 0.0, 0.0, 0.0)) {
            for (physics::ShapeDef& shape : body.def.shapes) {
                GltfPlace place;
                place.position = shape.pose.position;
                place.orientation = glm::dquat(shape.pose.orientation);
                shape.pose = turned_into(body, place);
            }
        }
        if (const std::string problem = physics::problem_with(body.def); !problem.empty()) {
            file_.fail(*node.json, problem);
        }
        const auto built = kinds_.get(body.def);
        if (const auto* problem = std::get_if<std::string>(&built)) {
            file_.fail(*node.json, "this node's body is not usable: " + *problem);
        }
        const physics::BodyKind& kind = *std::get<std::shared_ptr<const physics::BodyKind>>(built);
        if (glm::length(kind.centre) > 1e-6f * kind.bounding_radius) { // else what rounding has left of it
            body.centre = kind.centre;
        }
        check_centre(body);
        GltfPlace axes = node.world;
        axes.stretch = glm::dmat3(1.0);
        if (body.turn != glm::dquat(1.0, 0.0, 0.0, 0.0)) {
            GltfPlace turn;
            turn.orientation = body.turn;
            axes = axes.child(turn);
        }
        axes.position = axes.point(glm::dvec3(body.centre));
        body.def.pose = axes.pose();
        out_.bodies.push_back(body.def);
    }

    void check_centre(const Open& body) const {
        const Node* stated = file_.member(body.motion, "centerOfMass");
        if (stated == nullptr) {
            return;
        }
        const std::vector<double> v = file_.numbers(*stated, "centerOfMass", 3);
        GltfPlace place;
        place.position = {v[0], v[1], v[2]};
        if (glm::length(turned_into(body, place).position - body.centre) > 1e-3f) {
            losses_.add("centres of mass that do not follow from the shapes");
        }
    }

    const GltfTree& tree_;
    const GltfFile& file_;
    GltfLosses& losses_;
    GltfShapes shapes_;
    bool any_physics_;
    std::vector<Open> open_;
    std::vector<GltfPlace> places_; // by node, in the frame of its body's node
    physics::BodyKindLibrary kinds_;
    GltfBodies out_;
};

} // namespace

bool has_rigid_bodies(const GltfFile& file) {
    return std::ranges::any_of(file.nodes(),
                               [&](const Node* node) { return file.extension(*node, rigid_bodies) != nullptr; });
}

GltfBodies read_gltf_bodies(const GltfTree& tree, const SceneReading& how, GltfLosses& losses) {
    return GltfBodyReader(tree, how, losses).read();
}

} // namespace cairn::core
