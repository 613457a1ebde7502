#include "app/core/export/gltf.h"

#include "app/core/base/base64.h"
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/export/gltf_buffer.h"
#include "app/core/export/gltf_physics.h"
#include "app/core/look/body_colours.h"
#include "app/core/look/colour_text.h"
#include "app/core/look/surroundings.h"
#include "app/core/scene/show/camera_path.h"
#include "app/core/scene/values/file_access.h"
#include "app/core/scene/worlds/frame_bodies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

constexpr int shade_steps = 5;        // of one hue: each makes a material
constexpr float wall_opacity = 0.18f; // walls stand between the viewer and what happens
constexpr float vertical_fov = 0.8f;  // rad, as in the window

Json numbers(const Vec3& v) {
    return Json::array({json_of(v.x), json_of(v.y), json_of(v.z)});
}

Json numbers(const Quat& q) { // glTF: x, y, z, w
    return Json::array({json_of(q.x), json_of(q.y), json_of(q.z), json_of(q.w)});
}

std::span<const float> floats_of(const std::vector<Vec3>& vectors) {
    return {vectors.empty() ? nullptr : &vectors.front().x, vectors.size() * 3};
}

// What kind of thing a fixed body is to the eye: those that bound a scene are drawn differently from furniture.
enum class Fixed : std::uint8_t { furniture, ground, wall };

Fixed kind_of_fixed(const MotionTrack& track) {
    const std::optional<BoxAxes> box = box_of(*track.model, track.keys.front().pose);
    if (!box) {
        return Fixed::furniture;
    }
    if (wall_axis(*box)) {
        return Fixed::wall;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float a = box->half[(axis + 1) % 3], b = box->half[(axis + 2) % 3];
        if (std::abs(box->axis[static_cast<std::size_t>(axis)].z) > 0.999f && a * b >= 4.0f &&
            4.0f * box->half[axis] <= std::min(a, b)) {
            return Fixed::ground;
        }
    }
    return Fixed::furniture;
}

class GltfDocument {
  public:
    explicit GltfDocument(const GltfRun& run) : run_(run), physics_(run.start) {
        add_camera();
        for (const MotionTrack& track : run.tracks) {
            add_body(track);
        }
        for (const JointState& joint : run.start.joints) {
            add_joint(*joint.def);
        }
    }

    const std::string& data() const { return buffer_.bytes(); }

    // `uri`: of the data; empty where the binary form holds it.
    Json json(const std::string& uri) const {
        Json out;
        out["asset"] = {{"version", "2.0"}, {"generator", build_name()}};
        out["scene"] = 0;
        out["scenes"] = Json::array({{{"name", run_.name}, {"nodes", Json::array({0})}}});
        Json nodes = Json::array();
        Json root;
        root["name"] = run_.name;
        root["rotation"] = Json::array({-std::sqrt(0.5), 0.0, 0.0, std::sqrt(0.5)}); // Z up to Y up
        root["children"] = children_;
        nodes.push_back(std::move(root));
        nodes.insert(nodes.end(), nodes_.begin(), nodes_.end());
        out["nodes"] = std::move(nodes);
        out["cameras"] =
            Json::array({{{"type", "perspective"},
                          {"perspective", {{"yfov", json_of(vertical_fov)}, {"znear", 0.1}, {"zfar", 2000}}}}});
        const auto add = [&out](const char* key, const Json& values) {
            if (!values.empty()) { // the format has no empty lists
                out[key] = values;
            }
        };
        add("meshes", meshes_);
        add("materials", materials_);
        if (!channels_.empty()) {
            out["animations"] = Json::array({{{"name", run_.name}, {"channels", channels_}, {"samplers", samplers_}}});
        }
        physics_.add_to(out, run_.name, run_.camera);
        add("accessors", buffer_.accessors());
        add("bufferViews", buffer_.views());
        if (!buffer_.bytes().empty()) {
            Json buffer;
            if (!uri.empty()) {
                buffer["uri"] = uri;
            }
            buffer["byteLength"] = buffer_.bytes().size();
            out["buffers"] = Json::array({std::move(buffer)});
        }
        return out;
    }

  private:
    // The root comes first.
    std::size_t add_node(Json node) {
        nodes_.push_back(std::move(node));
        return nodes_.size();
    }

    // A camera looks along its own -Z, with +Y up.
    static Quat orientation_of_view(const Vec3& eye, const Vec3& target) {
        const Vec3 back = normalized_or(eye - target, Vec3(0, -1, 0));
        const Vec3 right = std::abs(back.z) > 0.999f ? Vec3(1, 0, 0) : glm::normalize(glm::cross(Vec3(0, 0, 1), back));
        return glm::quat_cast(Mat3(right, glm::cross(back, right), back));
    }

    void add_camera() {
        const bool moves = !run_.path.empty();
        const CameraKey first =
            moves ? camera_at(run_.path, run_.first) : CameraKey{0.0f, run_.camera.eye, run_.camera.target};
        Json node;
        node["name"] = "Camera";
        node["camera"] = 0;
        node["translation"] = numbers(first.eye);
        node["rotation"] = numbers(orientation_of_view(first.eye, first.target));
        const std::size_t index = add_node(std::move(node));
        children_.push_back(index);
        if (moves && run_.last > run_.first) {
            add_camera_path(index);
        }
    }

    // Viewers join samples by straight lines: thirty a second are not seen apart.
    void add_camera_path(std::size_t node) {
        constexpr double rate = 30.0; // 1/s
        const auto count = static_cast<std::size_t>(std::max(std::round((run_.last - run_.first) * rate), 1.0));
        std::vector<float> times, places, turns;
        Quat before = identity_orientation;
        for (std::size_t i = 0; i <= count; ++i) {
            const double at =
                run_.first + (run_.last - run_.first) * static_cast<double>(i) / static_cast<double>(count);
            const CameraKey pose = camera_at(run_.path, at);
            Quat q = orientation_of_view(pose.eye, pose.target);
            if (i > 0 && glm::dot(q, before) < 0.0f) {
                q = -q; // the same orientation, from which the straight way is the short one
            }
            before = q;
            times.push_back(time(at));
            places.insert(places.end(), {pose.eye.x, pose.eye.y, pose.eye.z});
            turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
        }
        add_path(node, times, places, turns);
    }

    void add_path(std::size_t node, const std::vector<float>& times, const std::vector<float>& places,
                  const std::vector<float>& turns) {
        const std::size_t input = buffer_.add_floats(times, "SCALAR", true);
        add_channel(node, "translation", input, buffer_.add_floats(places, "VEC3", false), "LINEAR");
        add_channel(node, "rotation", input, buffer_.add_floats(turns, "VEC4", false), "LINEAR");
    }

    // `own`: a colour that the body's author chose.
    std::size_t material(const glm::vec3& colour, float opacity, const std::string& name, bool own = false) {
        const auto [known, added] = known_materials_.try_emplace(name, materials_.size());
        if (added) {
            Json material;
            material["name"] = name;
            material["pbrMetallicRoughness"] = {{"baseColorFactor", Json::array({json_of(colour.x), json_of(colour.y),
                                                                                 json_of(colour.z), json_of(opacity)})},
                                                {"metallicFactor", 0},
                                                {"roughnessFactor", 0.75}};
            if (opacity < 1.0f) {
                material["alphaMode"] = "BLEND";
            }
            if (!own && physics_.any()) { // read again, it has none of its own either
                material["extras"] = {{"cairn", {{"automatic", true}}}};
            }
            materials_.push_back(std::move(material));
        }
        return known->second;
    }

    std::size_t material_of(const MotionTrack& track) {
        if (const std::optional<Colour>& own = track.model->def.colour) {
            const bool wall = track.model->def.type == BodyType::fixed && kind_of_fixed(track) == Fixed::wall;
            return material(body_colour(*own, 1.0f), wall ? wall_opacity : 1.0f,
                            (wall ? "wall " : "colour ") + colour_text(*own), true);
        }
        if (track.model->def.type == BodyType::fixed) {
            switch (kind_of_fixed(track)) {
            case Fixed::ground:
                return material(ground_colour(), 1.0f, "ground");
            case Fixed::wall:
                return material(neutral_colour(), wall_opacity, "wall");
            case Fixed::furniture:
                return material(neutral_colour(), 1.0f, "fixed");
            }
        }
        const std::uint32_t slot = track.body.index;
        const int hue = hue_of_slot(slot);
        const int step = std::min(static_cast<int>((shade_of_slot(slot) + 1.0f) * 0.5f * shade_steps), shade_steps - 1);
        const float shade = (static_cast<float>(step) + 0.5f) * 2.0f / shade_steps - 1.0f;
        return material(body_colour(hue, 1.0f, shade), 1.0f,
                        "hue " + std::to_string(hue) + " shade " + std::to_string(step));
    }

    struct Geometry {
        std::size_t positions, normals, indices; // accessors
    };

    const Geometry& geometry(const Shape& shape) {
        // Hulls that were built apart are told apart: they are rarely the same.
        const auto key = std::make_tuple(shape.kind, shape.radius, shape.half_extents.x, shape.half_extents.y,
                                         shape.half_extents.z, shape.hull.get(), shape.mesh.get());
        const auto known = geometries_.find(key);
        if (known != geometries_.end()) {
            return known->second;
        }
        const ShapeMesh mesh = tessellate(shape);
        const Geometry made{buffer_.add_vertices(floats_of(mesh.positions), true),
                            buffer_.add_vertices(floats_of(mesh.normals), false), buffer_.add_indices(mesh.triangles)};
        return geometries_.emplace(key, made).first->second;
    }

    std::size_t mesh(const Shape& shape, std::size_t material) {
        const Geometry& at = geometry(shape);
        const auto [known, added] = known_meshes_.try_emplace({at.positions, material}, meshes_.size());
        if (added) {
            Json primitive;
            primitive["attributes"] = {{"POSITION", at.positions}, {"NORMAL", at.normals}};
            primitive["indices"] = at.indices;
            primitive["material"] = material;
            meshes_.push_back({{"primitives", Json::array({std::move(primitive)})}});
        }
        return known->second;
    }

    void add_body(const MotionTrack& track) {
        const BodyModel& model = *track.model;
        const BodyState* state = physics_.find(track.body);
        const std::size_t colour = material_of(track);
        Json node;
        node["name"] = body_name(model.def, track.body);
        node["translation"] = numbers(track.keys.front().pose.position);
        node["rotation"] = numbers(track.keys.front().pose.orientation);
        const bool plain = model.parts.size() == 1 && !model.parts[0].sensor && model.parts[0].pose == Transform{};
        Json children = Json::array();
        // Nodes come before the one above them, which is the next that is added once its shape has been.
        if (plain) {
            node["mesh"] = mesh(*model.parts[0].shape, colour);
            if (state != nullptr) {
                add_shape(model, 0, colour, node, children, true);
            }
        } else {
            for (std::size_t i = 0; i < model.parts.size(); ++i) {
                const BodyModel::Part& part = model.parts[i];
                if (part.sensor && state == nullptr) { // nothing that one sees
                    continue;
                }
                Json child, below = Json::array();
                if (!part.sensor) {
                    child["mesh"] = mesh(*part.shape, colour);
                }
                child["translation"] = numbers(part.pose.position);
                child["rotation"] = numbers(part.pose.orientation);
                if (state != nullptr) {
                    add_shape(model, i, colour, child, below, !part.sensor);
                }
                if (!below.empty()) {
                    child["children"] = std::move(below);
                }
                children.push_back(add_node(std::move(child)));
            }
        }
        if (!children.empty()) { // a list must not be empty
            node["children"] = std::move(children);
        }
        if (state != nullptr) {
            node["extras"]["cairn"]["body"] = physics_.own_words(model);
            if (Json motion = physics_.motion(model, *state); !motion.is_null()) {
                node["extensions"]["KHR_physics_rigid_bodies"]["motion"] = std::move(motion);
            }
        }
        const std::size_t index = add_node(std::move(node));
        node_of_slot_[track.body.index] = index;
        children_.push_back(index);
        add_motion(track, index);
        add_presence(track, index);
    }

    // What the shape is to other bodies: on its node, or below it, where its axis has to be turned.
    void add_shape(const BodyModel& model, std::size_t part, std::size_t colour, Json& node, Json& children,
                   bool has_mesh) {
        GltfPhysics::Collider collider = physics_.collider(model, part, buffer_, [&] {
            if (has_mesh) {
                return nodes_.size() + 1; // the node itself
            }
            Json unseen; // it stands nowhere in the scene
            unseen["mesh"] = mesh(*model.parts[part].shape, colour);
            return add_node(std::move(unseen));
        });
        if (collider.rotation.is_null()) {
            node["extensions"] = std::move(collider.extension);
            if (!collider.own_words.is_null()) {
                node["extras"]["cairn"] = std::move(collider.own_words);
            }
            return;
        }
        Json turned;
        if (collider.shift != 0.0f) {
            turned["translation"] = numbers(Vec3(0.0f, 0.0f, collider.shift));
        }
        turned["rotation"] = std::move(collider.rotation);
        turned["extensions"] = std::move(collider.extension);
        children.push_back(add_node(std::move(turned)));
    }

    // A node in each body's frame, below it; of a joint to the world, below the root.
    void add_joint(const JointDef& def) {
        const auto frame = [](const Transform& pose) {
            Json node;
            node["translation"] = numbers(pose.position);
            node["rotation"] = numbers(pose.orientation);
            return node;
        };
        const auto hang = [this](std::size_t node, BodyId body) {
            Json& children = body ? nodes_[node_of_slot_.at(body.index) - 1]["children"] : children_;
            children.push_back(node);
        };
        const std::size_t end = add_node(frame(def.frame_b));
        hang(end, def.body_b);
        Json node = frame(def.frame_a);
        if (!def.name.empty()) {
            node["name"] = def.name;
        }
        node["extensions"] = physics_.joint(def, end);
        hang(add_node(std::move(node)), def.body_a);
    }

    void add_channel(std::size_t node, const char* path, std::size_t input, std::size_t output, const char* between) {
        samplers_.push_back({{"input", input}, {"interpolation", between}, {"output", output}});
        channels_.push_back({{"sampler", samplers_.size() - 1}, {"target", {{"node", node}, {"path", path}}}});
    }

    float time(double simulated) const { return static_cast<float>(simulated - run_.first); }

    void add_motion(const MotionTrack& track, std::size_t node) {
        if (track.keys.size() < 2) {
            return;
        }
        std::vector<float> times, places, turns;
        for (const MotionKey& key : track.keys) {
            times.push_back(time(key.time));
            const Vec3& p = key.pose.position;
            const Quat& q = key.pose.orientation;
            places.insert(places.end(), {p.x, p.y, p.z});
            turns.insert(turns.end(), {q.x, q.y, q.z, q.w});
        }
        add_path(node, times, places, turns);
    }

    // Nothing else is animated by all viewers that would make a body invisible.
    void add_presence(const MotionTrack& track, std::size_t node) {
        std::vector<float> times, scales;
        const auto from = [&](float when, float scale) {
            times.push_back(when);
            scales.insert(scales.end(), {scale, scale, scale});
        };
        const bool comes = track.first > run_.first, goes = track.last < run_.last;
        if (!comes && !goes) {
            return;
        }
        from(0.0f, comes ? 0.0f : 1.0f);
        if (comes) {
            from(time(track.first), 1.0f);
        }
        if (goes) { // it is not there in the frame after its last one: that is half a frame after it, or sooner
            from(std::nextafter(time(track.last), time(run_.last)), 0.0f);
        }
        add_channel(node, "scale", buffer_.add_floats(times, "SCALAR", true), buffer_.add_floats(scales, "VEC3", false),
                    "STEP");
    }

    const GltfRun& run_;
    GltfPhysics physics_;
    GltfBuffer buffer_;
    std::map<std::uint32_t, std::size_t> node_of_slot_; // of bodies
    Json children_ = Json::array(), nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(),
         channels_ = Json::array(), samplers_ = Json::array();
    std::map<std::string, std::size_t> known_materials_;
    std::map<std::tuple<ShapeKind, float, float, float, float, const ConvexHull*, const TriangleMesh*>, Geometry>
        geometries_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> known_meshes_; // by positions and material
};

void append_word(std::string& out, std::size_t value) {
    for (int byte = 0; byte < 4; ++byte) {
        out += static_cast<char>(value >> (8 * byte) & 0xff);
    }
}

} // namespace

std::string glb_of(const GltfRun& run) {
    const GltfDocument document(run);
    std::string json = document.json({}).dump(-1, ' ', false, Json::error_handler_t::replace);
    json.append((4 - json.size() % 4) % 4, ' ');
    const std::string& data = document.data();
    const std::size_t size = 12 + 8 + json.size() + (data.empty() ? 0 : 8 + data.size());
    if (size > 0xffffffffu) {
        throw InputError("the run does not fit into a glTF file, which holds 4 GiB: export fewer steps");
    }
    std::string out;
    out.reserve(size);
    out += "glTF";
    append_word(out, 2);
    append_word(out, size);
    append_word(out, json.size());
    out += "JSON";
    out += json;
    if (!data.empty()) {
        append_word(out, data.size());
        out.append("BIN\0", 4);
        out += data;
    }
    return out;
}

std::string gltf_of(const GltfRun& run) {
    const GltfDocument document(run);
    return text_of(
        document.json("data:application/octet-stream;base64," + base64(std::as_bytes(std::span(document.data())))), 1);
}

namespace {

bool is_binary(const std::filesystem::path& path) {
    const std::string end = ending_of(path);
    if (end != ".glb" && end != ".gltf" && path != "-") {
        throw InputError(Location{path.string(), 0, 0}, "a glTF file's name ends with .glb or .gltf");
    }
    return end != ".gltf";
}

} // namespace

std::string gltf_file(const std::filesystem::path& path, const GltfRun& run) {
    return is_binary(path) ? glb_of(run) : gltf_of(run);
}

void check_gltf_name(const std::filesystem::path& path) {
    is_binary(path);
}

} // namespace cairn::core
