#include "app/ui/opening/mesh_pictures.h"

#include "app/core/base/files/user_folders.h"
#include "app/core/scene/shapes/kept_decomposition.h"
#include "app/core/workers/breakable_executor.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/camera/view_fit.h"
#include "physics/geometry/shape.h"
#include "physics/world/world.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

namespace cairn::ui {

using physics::MeshData;
using physics::Vec3;

namespace {

struct ShownShape {
    std::shared_ptr<const physics::FrameState> frame; // none:
    std::string problem;
    std::size_t parts = 0;
};

ShownShape shown(const std::vector<physics::BodyDef>& bodies) {
    ShownShape out;
    physics::World world;
    for (const physics::BodyDef& body : bodies) {
        const physics::CommandResult result = world.apply(physics::CreateBody{body});
        if (!result.ok()) {
            out.problem = result.error;
            return out;
        }
    }
    auto frame = std::make_shared<physics::FrameState>();
    world.publish(*frame);
    out.frame = std::move(frame);
    out.parts = bodies.size();
    return out;
}

// Where its points are, whatever its centroid.
std::optional<physics::BodyDef> hull_body(std::vector<Vec3> points, std::string& problem) {
    physics::BodyDef body;
    body.shapes = {{physics::PointSet{std::make_shared<const std::vector<Vec3>>(std::move(points))}, {}}};
    const auto built = physics::build_shape(body.shapes[0].geometry);
    if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
        problem = error->reason;
        return std::nullopt;
    }
    body.pose.position = std::get<physics::Shape>(built).author_offset;
    return body;
}

ShownShape hulls(const std::vector<std::vector<Vec3>>& of_points) {
    std::vector<physics::BodyDef> bodies;
    for (const std::vector<Vec3>& points : of_points) {
        ShownShape failed;
        std::optional<physics::BodyDef> body = hull_body(points, failed.problem);
        if (!body) {
            return failed;
        }
        bodies.push_back(std::move(*body));
    }
    return shown(bodies);
}

ShownShape surface(MeshData mesh) {
    mesh.two_sided = true; // a picture shows what there is
    physics::BodyDef body;
    body.type = physics::BodyType::fixed;
    body.colour = physics::Colour{176, 168, 152};
    body.shapes = {{physics::Mesh{std::make_shared<const MeshData>(std::move(mesh))}, {}}};
    return shown({body});
}

} // namespace

// The thread hands over one after the other, raises `done` and touches nothing after that.
struct MeshPictures::Making {
    std::atomic<bool> broken_off{false}, done{false};
    std::atomic<double> share{0.0};
    std::mutex mutex;
    std::vector<std::pair<ImportShape, ShownShape>> found; // under the mutex
    std::thread thread;

    Making(std::shared_ptr<const MeshData> of, MeshImportSettings settings) {
        thread = std::thread([this, of = std::move(of), settings] {
            make(imported(*of, settings));
            done = true;
        });
    }
    ~Making() {
        broken_off = true;
        thread.join();
    }
    void make(const MeshData& mesh) {
        give(ImportShape::hull, [&] { return hulls({mesh.vertices}); });
        if (mesh.triangles.empty()) {
            return;
        }
        give(ImportShape::fixed, [&] { return surface(mesh); });
        give(ImportShape::decomposed, [&] { return decomposed(mesh); });
    }
    template <class Make>
    void give(ImportShape shape, Make&& make) {
        if (broken_off) {
            return;
        }
        ShownShape made;
        try {
            made = make();
        } catch (const core::BreakableExecutor::BrokenOff&) {
            return;
        } catch (const std::exception& error) {
            made.problem = error.what();
        }
        const std::lock_guard lock(mutex);
        found.emplace_back(shape, std::move(made));
    }
    ShownShape decomposed(const MeshData& mesh) {
        if (mesh.triangles.size() > core::max_decomposed_triangles) {
            return {nullptr, "Found when you choose it", 0};
        }
        const auto workers = core::make_worker_pool(0);
        core::BreakableExecutor executor(workers.get());
        const core::BreakableExecutor::BreakOff break_off(executor, broken_off);
        const auto answer =
            core::kept_decomposition(mesh, {}, core::cache_folder(), executor, [this](double now) { share = now; });
        if (const auto* error = std::get_if<physics::MeshError>(&answer)) {
            return {nullptr, error->reason, 0};
        }
        return hulls(std::get<physics::Decomposition>(answer).hulls);
    }
};

MeshPictures::MeshPictures() = default;
MeshPictures::~MeshPictures() = default;

void MeshPictures::show(const std::shared_ptr<const MeshData>& mesh, const MeshImportSettings& settings) {
    if (mesh_ == mesh && unit_ == settings.unit && y_up_ == settings.y_up) {
        return;
    }
    hide();
    mesh_ = mesh;
    unit_ = settings.unit;
    y_up_ = settings.y_up;
    making_ = std::make_unique<Making>(mesh, settings);
}

void MeshPictures::hide() {
    mesh_.reset();
    for (Picture& picture : pictures_) {
        picture = {};
    }
    if (making_) { // a step of its work that cannot be broken off is not waited for
        making_->broken_off = true;
        ending_.push_back(std::move(making_));
    }
    std::erase_if(ending_, [](const auto& making) { return making->done.load(); });
}

double MeshPictures::progress() const {
    return making_ ? making_->share.load() : 0.0;
}

void MeshPictures::work(render::Renderer& renderer, MeshRegistry& meshes) {
    if (!making_) {
        return;
    }
    std::pair<ImportShape, ShownShape> next;
    {
        const std::lock_guard lock(making_->mutex);
        if (making_->found.empty()) {
            return;
        }
        next = std::move(making_->found.front());
        making_->found.erase(making_->found.begin());
    }
    Picture& picture = pictures_[static_cast<std::size_t>(next.first)];
    const std::shared_ptr<const physics::FrameState> frame = next.second.frame;
    if (!frame) {
        picture = {Status::failed, {}, next.second.problem, 0};
        return;
    }
    ViewOptions options;
    options.seconds = -1.0f;
    options.grid = false;
    physics::Aabb bounds;
    for (std::size_t i = 0; i < frame->bodies.size(); ++i) {
        bounds = physics::united(bounds, body_bounds(*frame->models[i], frame->bodies[i].pose));
    }
    render::Camera camera;
    camera.eye = {3.0f, -5.0f, 3.5f};
    camera.target = {0.0f, 0.0f, 0.0f};
    const glm::vec2 window(static_cast<float>(width), static_cast<float>(height));
    camera = framed(camera, bounds, window, {0.0f, 0.0f, window.x, window.y});
    camera.eye = camera.target + 0.75f * (camera.eye - camera.target);
    view_.build(list_, *frame, *frame, camera, meshes, options);
    picture = {Status::ready,
               render::PictureTexture(renderer.draw_to_image(list_, {width, height, 0.5f})),
               {},
               next.second.parts};
    next.second.frame.reset();
    meshes.collect();
}

} // namespace cairn::ui
