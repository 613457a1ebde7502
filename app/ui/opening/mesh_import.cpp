#include "app/ui/opening/mesh_import.h"

#include "app/core/base/files/user_folders.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/shapes/decomposed_mesh.h"
#include "app/core/scene/shapes/kept_decomposition.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "app/core/workers/breakable_executor.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/context/context.h"
#include "app/ui/opening/mesh_pictures.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/text/frame_text.h"
#include "app/ui/tools/spawn/spawn.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>

namespace cairn::ui {

using physics::MeshData;
using physics::Vec3;

namespace {

Vec3 turned(const Vec3& p, bool y_up) {
    return y_up ? Vec3(p.x, -p.z, p.y) : p;
}

// For each vertex the first one, in some order, in the same place.
std::vector<std::uint32_t> places_of(const std::vector<Vec3>& vertices) {
    std::vector<std::uint32_t> order(vertices.size()), places(vertices.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        order[i] = i;
    }
    const auto key = [&](std::uint32_t i) { return std::tuple(vertices[i].x, vertices[i].y, vertices[i].z); };
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool same = i > 0 && key(order[i]) == key(order[i - 1]);
        places[order[i]] = same ? places[order[i - 1]] : order[i];
    }
    return places;
}

} // namespace

bool is_closed(const MeshData& mesh) {
    const std::vector<std::uint32_t> places = places_of(mesh.vertices);
    std::vector<std::pair<std::uint64_t, int>> edges; // its lower and its upper end, and which way it runs
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint64_t a = places[triangle[k]], b = places[triangle[(k + 1) % 3]];
            edges.emplace_back(std::min(a, b) << 32 | std::max(a, b), a < b ? 1 : (a > b ? -1 : 0));
        }
    }
    std::ranges::sort(edges);
    for (std::size_t i = 0; i < edges.size();) {
        int sum = 0;
        const std::uint64_t edge = edges[i].first;
        for (; i < edges.size() && edges[i].first == edge; ++i) {
            sum += edges[i].second;
        }
        if (sum != 0) {
            return false;
        }
    }
    return !mesh.triangles.empty();
}

MeshData imported(const MeshData& mesh, const MeshImportSettings& settings) {
    MeshData out = mesh;
    const float metres = length_units.at(settings.unit).metres;
    physics::Aabb bounds;
    for (Vec3& p : out.vertices) {
        p = turned(p, settings.y_up) * metres;
        bounds = physics::united(bounds, {p, p});
    }
    const Vec3 middle = 0.5f * (bounds.lower + bounds.upper);
    for (Vec3& p : out.vertices) {
        p -= Vec3(middle.x, middle.y, bounds.lower.z);
    }
    return out;
}

// The thread makes the answer, raises `done` and touches nothing after that.
struct MeshImport::Work {
    std::atomic<bool> broken_off{false}, done{false};
    std::atomic<double> share{0.0};
    std::optional<std::variant<physics::Decomposition, physics::MeshError>> answer;
    std::string problem;
    std::thread thread;

    explicit Work(MeshData mesh) {
        thread = std::thread([this, mesh = std::move(mesh)] {
            try {
                const auto workers = core::make_worker_pool(0);
                core::BreakableExecutor executor(workers.get());
                const core::BreakableExecutor::BreakOff break_off(executor, broken_off);
                answer = core::kept_decomposition(mesh, {}, core::cache_folder(), executor,
                                                  [this](double now) { share = now; });
            } catch (const core::BreakableExecutor::BrokenOff&) {
                // as was wanted
            } catch (const std::exception& error) {
                problem = error.what();
            }
            done = true;
        });
    }
    ~Work() {
        broken_off = true;
        thread.join();
    }
};

MeshImport::MeshImport() = default;
MeshImport::~MeshImport() = default;

void MeshImport::open(Context& ctx, const std::filesystem::path& path) {
    waiting_.push_back({path, point_under_cursor(ctx).value_or(ctx.camera.camera().target)});
    read_next(ctx);
}

void MeshImport::read_next(Context& ctx) {
    while (!is_open() && !waiting_.empty()) {
        const Waiting next = waiting_.front();
        waiting_.pop_front();
        try {
            auto mesh = std::make_shared<const MeshData>(core::read_mesh(next.path, true));
            closed_ = is_closed(*mesh);
            physics::Aabb bounds;
            for (const Vec3& p : mesh->vertices) {
                bounds = physics::united(bounds, {p, p});
            }
            lower_ = bounds.lower;
            upper_ = bounds.upper;
            mesh_ = std::move(mesh);
        } catch (const std::exception& error) {
            ctx.log.error(error.what());
            continue;
        }
        name_ = next.path.filename().string();
        states_unit_ = core::is_gltf_name(next.path);
        body_name_ = next.path.stem().string();
        at_ = next.at;
        if (!has_faces()) {
            settings.shape = ImportShape::hull;
        }
    }
}

std::string MeshImport::counts() const {
    const auto counted = [](std::size_t count, const char* one, const char* several) {
        return std::to_string(count) + (count == 1 ? one : several);
    };
    return counted(triangles(), " triangle, ", " triangles, ") + counted(vertices(), " vertex, ", " vertices, ") +
           (!has_faces() ? "no faces"
            : closed()   ? "closed"
                         : "open");
}

Vec3 MeshImport::size() const {
    return glm::abs(turned(upper_ - lower_, chosen().y_up)) * length_units.at(chosen().unit).metres;
}

std::string MeshImport::size_text() const {
    const Vec3 m = size();
    const FrameText text =
        formatted("%.3g × %.3g × %.3g m", static_cast<double>(m.x), static_cast<double>(m.y), static_cast<double>(m.z));
    return std::string(joined(text, states_unit() ? "" : chosen().y_up ? ", the file's Y up" : ", the file's Z up"));
}

void MeshImport::submit(Context& ctx, physics::BodyDef body) {
    const SpawnSettings& usual = ctx.get<Spawning>().settings;
    body.name = body_name_;
    body.material.restitution = usual.restitution;
    body.material.friction = usual.friction;
    ctx.submit(physics::CreateBody{std::move(body)}, "Drop " + name_);
    close(ctx);
}

void MeshImport::accept(Context& ctx) {
    if (!is_open() || working() || !ctx.can_edit()) {
        return;
    }
    MeshData mesh = imported(*mesh_, chosen());
    if (settings.shape == ImportShape::decomposed) {
        work_ = std::make_unique<Work>(std::move(mesh));
        return;
    }
    physics::BodyDef body;
    physics::ShapeDef shape;
    body.pose.position = at_;
    if (settings.shape == ImportShape::fixed) {
        body.type = physics::BodyType::fixed;
        shape.geometry = physics::Mesh{std::make_shared<const MeshData>(std::move(mesh))};
    } else {
        shape.geometry = physics::PointSet{std::make_shared<const std::vector<Vec3>>(std::move(mesh.vertices))};
        const auto built = physics::build_shape(shape.geometry);
        if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
            ctx.log.error(name_ + ": " + error->reason);
            return;
        }
        body.pose.position.z += 1.02f * std::get<physics::Shape>(built).bounding_radius;
        body.density = ctx.get<Spawning>().settings.density;
    }
    body.shapes = {std::move(shape)};
    submit(ctx, std::move(body));
}

double MeshImport::progress() const {
    return work_ == nullptr ? 0.0 : work_->share.load();
}

void MeshImport::cancel(Context& ctx) {
    if (work_ != nullptr) {
        work_->broken_off = true;
    } else {
        close(ctx);
    }
}

void MeshImport::follow(Context& ctx) {
    if (pictures != nullptr) {
        if (is_open() && !working()) {
            pictures->show(mesh_, chosen());
        } else {
            pictures->hide();
        }
    }
    if (work_ == nullptr || !work_->done) {
        return;
    }
    const std::unique_ptr<Work> work = std::exchange(work_, nullptr);
    if (work->broken_off) {
        return; // asks again
    }
    const physics::MeshError* error = work->answer ? std::get_if<physics::MeshError>(&*work->answer) : nullptr;
    if (error != nullptr || !work->answer) {
        ctx.log.error(name_ + ": " + (error != nullptr ? error->reason : work->problem));
        return;
    }
    if (!ctx.can_edit()) { // a replay has begun in the meantime
        return;
    }
    physics::BodyDef body =
        core::body_of(std::get<physics::Decomposition>(*work->answer), ctx.get<Spawning>().settings.density);
    body.pose.position += at_ + Vec3(0.0f, 0.0f, 0.02f * size().z);
    submit(ctx, std::move(body));
}

void MeshImport::close(Context& ctx) {
    mesh_.reset();
    read_next(ctx);
}

void MeshImport::world_replaced(Context&, WorldChange) {
    if (work_ != nullptr) {
        work_->broken_off = true;
    }
}

} // namespace cairn::ui
