#include "app/ui/window.h"

#include "app/core/base/error.h"
#include "app/core/report/report.h"
#include "app/core/scene/scene_sources.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/browser/thumbnails.h"
#include "app/ui/film/film_maker.h"
#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_views.h"
#include "app/ui/mesh_registry.h"
#include "app/ui/panels/panels.h"
#include "app/ui/paths.h"
#include "app/ui/picking.h"
#include "app/ui/settings/settings_file.h"
#include "app/ui/state_report.h"
#include "app/ui/window/glfw_window.h"
#include "app/ui/window/panel_system.h"
#include "app/ui/window/screenshots.h"
#include "app/ui/window/window_input.h"

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <chrono>
#include <cstdio>
#include <imgui.h>
#include <thread>

namespace cairn::ui {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_between(Clock::time_point a, Clock::time_point b) {
    return std::chrono::duration<double>(b - a).count();
}

// Times one thing after the other.
class Lap {
  public:
    void end(History& of) {
        const Clock::time_point now = Clock::now();
        of.add(static_cast<float>(1e3 * seconds_between(start_, now)));
        start_ = now;
    }

  private:
    Clock::time_point start_ = Clock::now();
};

int first_given(int asked, int remembered, int usual) {
    return asked > 0 ? asked : remembered > 0 ? remembered : usual;
}

std::filesystem::path default_scene() {
    return core::data_folder() / "scenes" / "sandbox.json";
}

// Everything of one window's life. Order of members = order of construction: the window has the GL context that the
// renderer needs.
class Session {
  public:
    explicit Session(const WindowOptions& options)
        : file_(options.file.empty() || looks_like_questions(options.file) ? default_scene() : options.file),
          capture_(core::looks_like_capture(file_)),
          pool_(core::make_worker_pool(options.threads)),
          simulation_(capture_ ? core::read_capture(file_).header.scene : core::read_scene(file_, files_), pool_.get(),
                      options.frames ? core::Simulation::Place::caller : core::Simulation::Place::own_thread),
          app_(options, simulation_),
          settings_(SettingsFile::usual_path(options.frames.has_value())),
          had_settings_(settings_.read(app_)),
          window_(first_given(options.width, app_.remembered.width, 1280),
                  first_given(options.height, app_.remembered.height, 720), "Cairn"),
          input_(window_.get()),
          panels_(window_.get(), !options.frames),
          renderer_(make_renderer(options)),
          meshes_(*renderer_) {
        note_opened(app_, file_, files_);
        app_.browser.thumbnails = &thumbnails_;
        app_.max_msaa = renderer_->max_msaa_samples();
        app_.software_driver = renderer_->software_driver();
        if (options.quality) {
            set_quality(app_.draw, *options.quality);
        } else if (app_.software_driver && !had_settings_) {
            set_quality(app_.draw, Quality::low);
        }
        app_.draw.msaa = std::clamp(options.msaa.value_or(app_.draw.msaa), 1, std::max(app_.max_msaa, 1));
        app_.camera.set(camera_of(simulation_.scene().camera));
        app_.camera.fit = CameraControl::Fit::at_once;
        if (capture_) {
            start_replay(app_, file_, options.at);
            if (!simulation_.replay()) {
                throw core::InputError(app_.log.all().back().text);
            }
        }
        if (looks_like_questions(options.file) && !open_questions(app_, options.file)) {
            throw core::InputError(app_.log.all().back().text);
        }
        remember_file(app_.remembered, file_);
        apply_metrics();
        if (options.capture.empty()) {
            record_if_wished(app_);
        } else if (!record_to(app_, options.capture)) {
            throw core::InputError(app_.log.all().back().text);
        }
    }

    int run() {
        const auto start = Clock::now();
        auto last = start;
        while (!done()) {
            if (window_.closed()) {
                window_.keep_open();
                quit_safely(app_);
            }
            const auto frame_start = Clock::now();
            const double seconds = seconds_between(last, frame_start);
            last = frame_start;
            app_.log.set_time(seconds_between(start, frame_start));

            app_.window.minimised = window_.minimised();
            if (app_.window.minimised && !app_.options.frames) {
                glfwWaitEventsTimeout(1.0 / 60.0);
                advance(seconds); // time goes on, only nothing is drawn
                follow_simulation(app_);
                follow_timeline(app_, seconds);
                follow_plots(app_);
                report_if_due(frame_start);
                continue;
            }
            glfwPollEvents();
            frame(seconds);
            remember();
            report_if_due(frame_start);
            limit(frame_start);
        }
        input_.cancel(app_);
        stop_recording(app_);
        settings_.write(app_);
        if (!app_.options.stats.empty()) {
            core::write_text_file(app_.options.stats, state_report(app_, gl_report()));
        }
        const bool gl_failed = app_.options.frames && render::gl_error_count() > 0;
        for (const std::string& message : render::gl_messages()) {
            std::fprintf(stderr, "GL: %s\n", message.c_str());
        }
        return gl_failed ? 1 : 0;
    }

  private:
    static std::unique_ptr<render::Renderer> make_renderer(const WindowOptions& options) {
        try {
            render::load_gl([](const char* name) { return reinterpret_cast<void*>(glfwGetProcAddress(name)); });
            render::RendererOptions r;
            r.textures = core::data_folder() / "assets" / "textures";
            r.shader_override = options.shader_override;
            r.msaa_samples = options.msaa.value_or(1); // the first frame sets what the panel shows
            return std::make_unique<render::Renderer>(r);
        } catch (const render::RenderError& error) {
            throw core::MachineError(std::string("this machine cannot draw: ") + error.what());
        }
    }

    static GlReport gl_report() { return {render::gl_error_count(), render::gl_messages()}; }

    bool last_of_frames() const {
        return app_.options.frames && app_.figures.frames >= static_cast<std::uint64_t>(*app_.options.frames);
    }

    bool done() const { return app_.quit || last_of_frames(); }

    void apply_metrics() {
        const WindowMetrics before = app_.window;
        app_.window = window_.metrics();
        const bool first = app_.widgets.fonts.text == nullptr;
        if (first || before.scale != app_.window.scale ||
            before.framebuffer_ratio() != app_.window.framebuffer_ratio()) {
            app_.widgets.scale = app_.window.scale;
            app_.widgets.fonts = load_fonts(app_.window.scale, app_.window.framebuffer_ratio(), app_.log);
            apply_theme(app_.window.scale);
            if (!first) { // the first frame makes it, along with all the rest
                PanelSystem::replace_fonts();
            }
        }
    }

    void remember() {
        app_.remembered.width = app_.window.width;
        app_.remembered.height = app_.window.height;
        settings_.follow(app_);
    }

    // What the world has become since the last frame. In a run of so many frames, one step for each.
    void advance(double seconds) {
        if (app_.options.frames && !simulation_.paused) {
            simulation_.step_now();
        } else {
            simulation_.update(app_.options.frames ? 0.0 : seconds);
        }
    }

    void frame(double seconds) {
        apply_metrics();
        const auto short_seconds = static_cast<float>(std::min(seconds, 0.1));

        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        Lap lap;
        ImGui::NewFrame();
        input_.take_events(app_);
        input_.follow_held_keys(app_, short_seconds);
        app_.camera.advance(short_seconds);
        input_.follow_cursor(app_);
        lap.end(app_.figures.input_ms);
        advance(seconds);
        follow_simulation(app_);
        follow_open_file(app_);
        follow_document(app_);
        follow_timeline(app_, seconds);
        app_.ghosts.follow(app_);
        follow_with_camera(app_);
        follow_lab(app_);
        follow_plots(app_);
        if (!app_.options.frames) {
            hear();
        }
        lap.end(app_.figures.update_ms);

        // Before the panels show them: a view that is made anew in another size leaves its old texture.
        lab_views_.draw(app_);
        app_.widgets.begin_frame();
        draw_labels(app_);
        draw_tool_overlay(app_);
        draw_panels(app_);
        ImGui::Render();
        lap.end(app_.figures.panels_ms);
        draw_world(short_seconds);
        take_world_screenshot(app_);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

        ++app_.figures.frames;
        take_screenshots(app_, app_.options.frames ? last_of_frames() : done());
        glfwSwapBuffers(window_.get());
        film_maker_.follow(app_);
        if (app_.browser.open) {
            thumbnails_.work(*renderer_, meshes_);
        }
        app_.figures.frame_seconds = seconds;
        if (app_.figures.frames > 1) {
            app_.figures.frame_ms.add(static_cast<float>(seconds * 1e3));
        }
        const bool unsaved = has_unsaved_work(app_);
        if (shown_title_ != app_.document.title || shown_unsaved_ != unsaved) {
            shown_title_ = app_.document.title;
            shown_unsaved_ = unsaved;
            glfwSetWindowTitle(window_.get(), ((unsaved ? "● " : "") + shown_title_ + " – Cairn").c_str());
        }
    }

    void hear() {
        const render::Camera& camera = app_.camera.camera();
        const CameraAxes axes = axes_of(camera);
        // What one looks at is as loud as it is, however far the camera stands from it.
        app_.sounds.update(simulation_,
                           {camera.eye, axes.forward, axes.up, std::max(glm::length(camera.target - camera.eye), 1.0f)},
                           app_.log.time());
    }

    void draw_world(float seconds) {
        if (app_.draw.msaa != drawn_with_.msaa) {
            renderer_->set_msaa(app_.draw.msaa);
        }
        if (app_.draw.shadow_map != drawn_with_.shadow_map ||
            app_.draw.shadow_cascades != drawn_with_.shadow_cascades) {
            renderer_->set_shadows(app_.draw.shadow_map, app_.draw.shadow_cascades);
        }
        renderer_->set_ambient_occlusion(app_.draw.occlusion);
        drawn_with_ = app_.draw;
        if (const std::string trouble = renderer_->reload_changed_shaders(); !trouble.empty()) {
            app_.log.error(trouble);
        }
        ViewOptions& view = app_.view_options;
        simulation_.watched = details_for(view);
        view.selected = app_.selection;
        view.zones = simulation_.expected().zones;
        view.hovered = app_.hovered;
        view.seconds = seconds;
        const bool whole_steps = simulation_.paused || !app_.draw.interpolate || app_.options.frames.has_value();
        view.interpolation = whole_steps ? 1.0f : static_cast<float>(simulation_.interpolation());
        Lap lap;
        app_.view.build(app_.draw_list, simulation_.previous(), simulation_.current(), app_.camera.camera(), meshes_,
                        view);
        app_.ghosts.draw(app_, app_.draw_list, meshes_);
        app_.tools.draw(app_, app_.draw_list, meshes_);
        lap.end(app_.figures.draw_list_ms);
        mark_pointed_contact(app_, app_.draw_list);
        lab_views_.mark_world(app_, app_.draw_list, *renderer_);
        renderer_->draw(app_.draw_list, {app_.window.framebuffer_width, app_.window.framebuffer_height,
                                         app_.window.scale * app_.window.framebuffer_ratio()});
        app_.render_stats = renderer_->stats();
        app_.figures.cull_ms.add(static_cast<float>(1e3 * app_.render_stats.cull_seconds));
        app_.figures.fill_ms.add(static_cast<float>(1e3 * app_.render_stats.fill_seconds));
        if (app_.view.models_changed()) {
            meshes_.collect();
        }
    }

    // Ten times a second, and at once where the last report is gone: who waits for the effect of an input removes it,
    // and knows that the next one is of a frame that ended later.
    void report_if_due(Clock::time_point now) {
        if (app_.options.stats.empty() || app_.options.frames) {
            return;
        }
        std::error_code unknown; // then nothing is missing, and the time decides
        if (seconds_between(reported_at_, now) < 0.1 &&
            (std::filesystem::exists(app_.options.stats, unknown) || unknown)) {
            return;
        }
        reported_at_ = now;
        const std::string trouble = write_report(app_.options.stats, state_report(app_, gl_report()));
        if (!trouble.empty()) {
            throw core::InputError(trouble);
        }
    }

    // Some drivers and virtual displays do not wait for the screen. A little faster than the screen, so that where the
    // driver does wait, this never adds to it.
    void limit(Clock::time_point frame_start) const {
        if (app_.options.frames) {
            return;
        }
        const std::chrono::duration<double> budget(1.0 / (screen_hz() * 1.03));
        std::this_thread::sleep_until(frame_start + std::chrono::duration_cast<Clock::duration>(budget));
    }

    std::filesystem::path file_;
    std::vector<std::filesystem::path> files_; // of which the first scene is made
    bool capture_;
    std::unique_ptr<physics::Executor> pool_;
    core::Simulation simulation_;
    App app_;
    SettingsFile settings_;
    bool had_settings_;
    GlfwWindow window_;
    WindowInput input_; // before the panels
    PanelSystem panels_;
    std::unique_ptr<render::Renderer> renderer_;
    MeshRegistry meshes_;
    Thumbnails thumbnails_{cache_folder() / "thumbnails"};
    FilmMaker film_maker_;
    LabViews lab_views_;
    DrawSettings drawn_with_ = never_drawn();
    std::string shown_title_;
    bool shown_unsaved_ = false;
    Clock::time_point reported_at_{};
};

} // namespace

int run_window(const WindowOptions& options) {
    if (options.frames && *options.frames < 1) {
        throw core::InputError("--frames " + std::to_string(*options.frames) + ": give 1 frame or more");
    }
    try {
        Session session(options);
        return session.run();
    } catch (const render::RenderError& error) {
        throw core::MachineError(std::string("drawing failed: ") + error.what());
    }
}

} // namespace cairn::ui
