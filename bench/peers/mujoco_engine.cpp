// MuJoCo at its defaults: soft contacts, Newton's method, the pyramid of friction, one Euler step per frame. Double
// precision.
#include "bench/peers/engine.h"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

namespace cairn::bench {
namespace {

using physics::Quat;
using physics::Shape;
using physics::ShapeKind;
using physics::Transform;
using physics::Vec3;

// Numbers of an attribute, to the last digit of a float.
template <typename... T>
std::string numbers(T... values) {
    std::ostringstream out;
    out.precision(9);
    ((out << values << ' '), ...);
    return out.str();
}

std::string attribute(const char* name, const std::string& value) {
    return std::string(" ") + name + "=\"" + value + "\"";
}

std::string placed(const Transform& pose) {
    const Vec3& p = pose.position;
    const Quat& q = pose.orientation;
    return attribute("pos", numbers(p.x, p.y, p.z)) + attribute("quat", numbers(q.w, q.x, q.y, q.z));
}

// The model as MJCF, MuJoCo's own format (XML).
class ModelText {
  public:
    explicit ModelText(const physics::FrameState& start) {
        for (std::size_t i = 0; i < start.bodies.size(); ++i) {
            add(start.bodies[i], *start.models[i]);
        }
        const Vec3& g = start.settings.gravity;
        // A row for each edge of the pyramid of friction; room grows with the square of the rows.
        const std::size_t contacts = 50 + 8 * start.bodies.size();
        text_ = "<mujoco><compiler inertiafromgeom=\"false\" boundmass=\"0\" angle=\"radian\"/><size" +
                attribute("nconmax", std::to_string(contacts)) + attribute("njmax", std::to_string(4 * contacts)) +
                "/><option" + attribute("timestep", numbers(start.settings.dt())) +
                attribute("gravity", numbers(g.x, g.y, g.z)) + "/><default><geom condim=\"3\"/></default><asset>" +
                meshes_.str() + "</asset><worldbody>" + bodies_.str() + "</worldbody></mujoco>";
    }
    const std::string& text() const { return text_; }

  private:
    std::string shape_attributes(const Shape& shape) {
        const Vec3& half = shape.half_extents;
        switch (shape.kind) {
        case ShapeKind::sphere:
            return attribute("type", "sphere") + attribute("size", numbers(shape.radius));
        case ShapeKind::box:
            return attribute("type", "box") + attribute("size", numbers(half.x, half.y, half.z));
        case ShapeKind::capsule:
            return attribute("type", "capsule") + attribute("size", numbers(shape.radius, half.z));
        case ShapeKind::cylinder:
            return attribute("type", "cylinder") + attribute("size", numbers(shape.radius, half.z));
        case ShapeKind::hull:
            return attribute("type", "mesh") + attribute("mesh", mesh_of(*shape.hull));
        case ShapeKind::cone:
        case ShapeKind::mesh:
            break;
        }
        throw Unsupported("a shape that MuJoCo does not know");
    }

    // MuJoCo moves a mesh to its centroid and a geometry back by as much.
    std::string mesh_of(const physics::ConvexHull& hull) {
        const auto [found, added] = mesh_names_.try_emplace(&hull, "m" + std::to_string(mesh_names_.size()));
        if (added) {
            std::string vertices;
            for (const Vec3& v : hull.vertices) {
                vertices += numbers(v.x, v.y, v.z);
            }
            meshes_ << "<mesh" << attribute("name", found->second) << attribute("vertex", vertices) << "/>";
        }
        return found->second;
    }

    void add(const physics::BodyState& state, const physics::BodyModel& model) {
        const physics::Material& material = model.def.material;
        if (state.type == physics::BodyType::kinematic) {
            throw Unsupported("kinematic bodies are not given to MuJoCo");
        }
        if (material.restitution > 0.0f) {
            throw Unsupported("MuJoCo has no restitution");
        }
        if (friction_ < 0.0f) {
            friction_ = material.friction;
        } else if (friction_ != material.friction) {
            throw Unsupported("MuJoCo mixes friction in another way");
        }
        bodies_ << "<body" << placed(state.pose) << '>';
        if (model.mass > 0.0f) {
            const physics::Mat3& t = model.inertia;
            bodies_ << "<freejoint/><inertial pos=\"0 0 0\"" << attribute("mass", numbers(model.mass))
                    << attribute("fullinertia", numbers(t[0][0], t[1][1], t[2][2], t[1][0], t[2][0], t[2][1])) << "/>";
        }
        for (const physics::BodyModel::Part& part : model.parts) {
            bodies_ << "<geom" << shape_attributes(*part.shape) << placed(part.pose)
                    << attribute("friction", numbers(material.friction, 0.0f, 0.0f)) << "/>";
        }
        bodies_ << "</body>";
    }

    std::string text_;
    std::ostringstream meshes_, bodies_;
    std::map<const physics::ConvexHull*, std::string> mesh_names_;
    float friction_ = -1.0f; // of the first body
};

struct Destroy {
    void operator()(mjModel* model) const { mj_deleteModel(model); }
    void operator()(mjData* data) const { mj_deleteData(data); }
    void operator()(mjVFS* files) const {
        mj_deleteVFS(files);
        delete files;
    }
};

std::unique_ptr<mjModel, Destroy> model_of(const physics::FrameState& start) {
    const std::string text = ModelText(start).text();
    const std::unique_ptr<mjVFS, Destroy> files(new mjVFS);
    mj_defaultVFS(files.get());
    const char* const name = "scene.xml";
    if (mj_makeEmptyFileVFS(files.get(), name, static_cast<int>(text.size())) != 0) {
        throw Unsupported("MuJoCo has no memory for the scene");
    }
    std::memcpy(files->filedata[mj_findFileVFS(files.get(), name)], text.data(), text.size());
    char error[300] = "";
    std::unique_ptr<mjModel, Destroy> model(mj_loadXML(name, files.get(), error, sizeof error));
    if (!model) {
        throw Unsupported(std::string("MuJoCo: ") + error);
    }
    return model;
}

class MujocoEngine : public Engine {
  public:
    explicit MujocoEngine(const physics::FrameState& start) : start_(start.bodies) {
        require_plain_bodies(start, "MuJoCo");
        if (!start.joints.empty()) {
            throw Unsupported("joints are not given to MuJoCo");
        }
        mju_user_warning = [](const char*) {}; // else it writes a file where it stands
        model_ = model_of(start);
        data_.reset(mj_makeData(model_.get()));
        int row = 0;
        for (std::size_t i = 0; i < start.bodies.size(); ++i) {
            const bool moves = start.models[i]->mass > 0.0f;
            rows_.push_back(moves ? row : -1);
            if (!moves) {
                continue;
            }
            const physics::BodyState& body = start.bodies[i];
            const Vec3 local = physics::inverse_rotate(body.pose.orientation, body.angular_velocity);
            for (int k = 0; k < 3; ++k) {
                data_->qvel[6 * row + k] = static_cast<double>(body.linear_velocity[k]);
                data_->qvel[6 * row + 3 + k] = static_cast<double>(local[k]);
            }
            ++row;
        }
    }

    const char* name() const override { return "MuJoCo"; }
    void step() override {
        mj_step(model_.get(), data_.get());
        for (const int full : {mjWARN_CONTACTFULL, mjWARN_CNSTRFULL}) {
            if (data_->warning[full].number > 0) { // it goes on without the others
                throw Unsupported("MuJoCo has no room for so many contacts");
            }
        }
    }

    void read(std::vector<BodyMotionState>& bodies) const override {
        bodies.resize(rows_.size());
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i] < 0) {
                bodies[i] = {start_[i].pose, Vec3(0.0f), Vec3(0.0f)};
                continue;
            }
            const mjtNum* q = data_->qpos + 7 * rows_[i];
            const mjtNum* v = data_->qvel + 6 * rows_[i];
            const auto number = [](mjtNum value) { return static_cast<float>(value); };
            const Quat turned(number(q[3]), number(q[4]), number(q[5]), number(q[6]));
            bodies[i] = {{Vec3(number(q[0]), number(q[1]), number(q[2])), turned},
                         Vec3(number(v[0]), number(v[1]), number(v[2])),
                         physics::rotate(turned, Vec3(number(v[3]), number(v[4]), number(v[5])))};
        }
    }

    EngineContacts contacts() const override {
        EngineContacts out;
        std::vector<std::pair<int, int>> pairs;
        for (int i = 0; i < data_->ncon; ++i) {
            const mjContact& contact = data_->contact[i];
            out.depth = std::max(out.depth, -contact.dist);
            pairs.emplace_back(model_->geom_bodyid[contact.geom1], model_->geom_bodyid[contact.geom2]);
        }
        out.points = pairs.size();
        std::sort(pairs.begin(), pairs.end());
        out.pairs = static_cast<std::size_t>(std::unique(pairs.begin(), pairs.end()) - pairs.begin());
        return out;
    }

  private:
    std::vector<physics::BodyState> start_;
    std::unique_ptr<mjModel, Destroy> model_;
    std::unique_ptr<mjData, Destroy> data_;
    std::vector<int> rows_; // by body, among those that move; -1: it does not
};

} // namespace

std::unique_ptr<Engine> make_mujoco_engine(const physics::FrameState& start) {
    return std::make_unique<MujocoEngine>(start);
}

} // namespace cairn::bench
