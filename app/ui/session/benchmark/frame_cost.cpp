#include "app/ui/session/benchmark/frame_cost.h"

#include "app/ui/context/context.h"
#include "app/ui/panels/panels.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/session/follow_simulation.h"
#include "app/ui/session/registrations.h"
#include "physics/geometry/shape.h"
#include "render/instance_batch.h"

#include <algorithm>
#include <chrono>
#include <imgui.h>
#include <map>
#include <thread>

namespace cairn::ui {

namespace {

using Clock = std::chrono::steady_clock;

// Stands for the graphics card: knows how large meshes are, which is all that culling asks.
class BoundsOfMeshes final : public MeshSource {
  public:
    BoundsOfMeshes() {
        for (const render::MeshShape& shape :
             {render::make_box(), render::make_sphere(), render::make_cylinder(), render::make_cone()}) {
            all_.push_back({render::bounds_of(shape.levels.front()), static_cast<std::uint32_t>(shape.levels.size())});
        }
    }
    render::MeshId mesh(const std::shared_ptr<const physics::Shape>& hull) override {
        const auto [entry, fresh] = known_.emplace(hull, static_cast<render::MeshId>(all_.size()));
        if (fresh) {
            const physics::ShapeMesh shape = physics::tessellate(*hull);
            all_.push_back({render::bounds_of({shape.positions, shape.normals, shape.triangles}), 1});
        }
        return entry->second;
    }
    const std::vector<render::BatchMesh>& all() const { return all_; }

  private:
    std::map<std::shared_ptr<const physics::Shape>, render::MeshId> known_;
    std::vector<render::BatchMesh> all_;
};

struct PanelContext {
    PanelContext() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
    }
    ~PanelContext() { ImGui::DestroyContext(); }
    PanelContext(const PanelContext&) = delete;
    PanelContext& operator=(const PanelContext&) = delete;
};

FrameCost::Part part_of(std::string name, std::vector<double> milliseconds) {
    FrameCost::Part part{std::move(name), 0.0, 0.0};
    if (!milliseconds.empty()) {
        std::ranges::sort(milliseconds);
        part.median_ms = milliseconds[milliseconds.size() / 2];
        part.p99_ms = milliseconds[std::min(milliseconds.size() - 1, milliseconds.size() * 99 / 100)];
    }
    return part;
}

// Goes on for one step and waits for it, without keeping the processor from those who take it.
void let_step(core::Simulation& simulation) {
    simulation.request_step();
    const std::uint64_t wanted = simulation.current().step + 1;
    while (simulation.published_step() < wanted) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
}

} // namespace

FrameCost measure_frames(const core::Scene& scene, physics::Executor& workers, const FrameCostOptions& options,
                         const std::function<void(double)>& progress) {
    core::Simulation simulation(scene, &workers, core::Simulation::Place::own_thread);
    simulation.paused = true;
    WindowContext ctx(WindowOptions{}, simulation);
    ctx.window.width = ctx.window.framebuffer_width = options.width;
    ctx.window.height = ctx.window.framebuffer_height = options.height;
    ctx.cursor = 0.5f * ctx.window_size();
    ctx.cursor_inside = true;

    const PanelContext context;
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(options.width), static_cast<float>(options.height));
    ctx.widgets.fonts = load_fonts(1.0f, 1.0f, ctx.log);
    apply_theme(1.0f);
    unsigned char* texels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsRGBA32(&texels, &width, &height); // what a driver would be given

    BoundsOfMeshes meshes;
    render::InstanceBatch batch;
    std::vector<render::InstanceRecord> records;

    constexpr std::size_t part_count = 6;
    const char* const names[part_count] = {"take the newest state", "panels",        "pick", "draw list",
                                           "cull and sort",         "fill instances"};
    std::vector<double> times[part_count], totals, publishing, stepping;
    for (int frame = 0; frame < options.warm_up + options.frames; ++frame) {
        let_step(simulation);
        Clock::time_point last = Clock::now();
        double spent[part_count] = {}, total = 0.0;
        std::size_t part = 0;
        const auto lap = [&] {
            const Clock::time_point now = Clock::now();
            spent[part] = std::chrono::duration<double, std::milli>(now - last).count();
            total += spent[part++];
            last = now;
        };

        simulation.update(0.0);
        follow_simulation(ctx);
        lap();

        io.DeltaTime = 1.0f / 60.0f;
        ImGui::NewFrame();
        ctx.widgets.begin_frame();
        draw_panels(ctx);
        ImGui::Render();
        lap();

        const auto hit = ctx.pick(ctx.cursor_ray());
        ctx.hovered = hit ? hit->body : physics::BodyId{};
        lap();

        if (frame == 0) {
            frame_all(ctx);
            ctx.camera.advance(10.0f);
        }
        ViewOptions& view = ctx.view_options;
        view.hovered = ctx.hovered;
        view.seconds = 1.0f / 60.0f;
        view.interpolation = 0.5f; // as in motion
        ctx.view.build(ctx.get<Drawing>().list, simulation.previous(), simulation.current(), ctx.camera.camera(),
                       meshes, view);
        lap();

        const render::Camera& camera = ctx.camera.camera();
        const render::View seen =
            render::view_of(camera, static_cast<float>(options.width) / static_cast<float>(options.height));
        const render::ShadowCascades shadow = render::shadow_cascades_of(ctx.get<Drawing>().list.light, camera.eye,
                                                                         ctx.get<Drawing>().settings.shadow_map,
                                                                         ctx.get<Drawing>().settings.shadow_cascades);
        batch.build(ctx.get<Drawing>().list, meshes.all(), seen, &shadow,
                    static_cast<float>(options.height) / camera.vertical_fov);
        lap();

        if (records.size() < batch.size()) {
            records.resize(batch.size() + batch.size() / 2);
        }
        batch.write(ctx.get<Drawing>().list, records.data());
        lap();

        if (frame >= options.warm_up) {
            for (std::size_t i = 0; i < part_count; ++i) {
                times[i].push_back(spent[i]);
            }
            totals.push_back(total);
            publishing.push_back(1e3 * simulation.publish_seconds());
            stepping.push_back(1e3 * simulation.current().stats.times.total());
        }
        progress(static_cast<double>(frame + 1) / static_cast<double>(options.warm_up + options.frames));
    }

    FrameCost cost;
    for (std::size_t i = 0; i < part_count; ++i) {
        cost.parts.push_back(part_of(names[i], std::move(times[i])));
    }
    cost.total = part_of("main thread", std::move(totals));
    cost.publish = part_of("publish", std::move(publishing));
    cost.step = part_of("step", std::move(stepping));
    cost.bodies = simulation.current().bodies.size();
    cost.awake = simulation.current().stats.awake;
    cost.drawn = static_cast<std::size_t>(batch.drawn());
    cost.culled = static_cast<std::size_t>(batch.culled());
    return cost;
}

} // namespace cairn::ui
