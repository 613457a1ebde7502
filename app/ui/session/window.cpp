#include "app/ui/session/window.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/base/files/user_folders.h"
#include "app/core/report/report.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/browser/scene_browser.h"
#include "app/ui/browser/thumbnails.h"
#include "app/ui/context/context.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_maker.h"
#include "app/ui/lab/lab.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/opening/mesh_pictures.h"
#include "app/ui/opening/opening.h"
#include "app/ui/opening/scene_loading.h"
#include "app/ui/panels/panels.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/report/state_report.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/session/follow_simulation.h"
#include "app/ui/session/picture/progress_picture.h"
#include "app/ui/session/picture/world_picture.h"
#include "app/ui/session/registrations.h"
#include "app/ui/session/screenshots.h"
#include "app/ui/settings/settings_file.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/bar/tool_bar.h"
#include "app/ui/view/labels/labels.h"
#include "app/ui/window/glfw_window.h"
#include "app/ui/window/panel_system.h"
#include "app/ui/window/shown_panels.h"
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
          capture_(core::is_meant_as_capture(file_)),
          pool_(core::make_worker_pool(options.threads)),
          loading_(capture_ ? nullptr : std::make_unique<SceneLoading>(file_)),
          simulation_(first_scene(), pool_.get(),
                      options.frames ? core::Simulation::Place::caller : core::Simulation::Place::own_thread),
          ctx_(options, simulation_),
          settings_(SettingsFile::usual_path(options.frames.has_value())),
          had_settings_(settings_.read(ctx_)),
          window_(first_given(options.width, ctx_.get<Remembered>().width, 1280),
                  first_given(options.height, ctx_.get<Remembered>().height, 720), "Cairn"),
          input_(window_.get()),
          panels_(window_.get(), !options.frames),
          world_(options) {
        ctx_.get<LoadingPicture>().show = [this](const std::string& what, double share) {
            return progress_picture_.show(what, share);
        };
        if (loading_ && !finish_loading()) {
            given_up_ = true;
            return;
        }
        note_opened(ctx_, file_, files_);
        ctx_.get<SceneBrowser>().thumbnails = &thumbnails_;
        ctx_.get<MeshImport>().pictures = &mesh_pictures_;
        Drawing& drawing = ctx_.get<Drawing>();
        drawing.max_msaa = world_.renderer().max_msaa_samples();
        drawing.software_driver = world_.renderer().software_driver();
        if (options.quality) {
            set_quality(drawing.settings, *options.quality);
        } else if (drawing.software_driver && !had_settings_) {
            set_quality(drawing.settings, Quality::low);
        }
        drawing.settings.msaa =
            std::clamp(options.msaa.value_or(drawing.settings.msaa), 1, std::max(drawing.max_msaa, 1));
        drawing.settings.resolution = options.resolution.value_or(drawing.settings.resolution);
        open_as_shown(ctx_);
        if (capture_) {
            start_replay(ctx_, file_, options.at);
            require(simulation_.replay().has_value());
        }
        require(!looks_like_questions(options.file) || open_questions(ctx_, options.file));
        remember_file(ctx_.get<Remembered>(), file_);
        apply_metrics();
        if (options.capture.empty()) {
            record_if_wanted(ctx_);
        } else {
            require(record_to(ctx_, options.capture));
        }
    }

    int run() {
        if (given_up_) {
            return 0;
        }
        const auto start = Clock::now();
        auto last = start;
        while (!done()) {
            if (window_.closed()) {
                window_.keep_open();
                quit_safely(ctx_);
            }
            const auto frame_start = Clock::now();
            const double seconds = seconds_between(last, frame_start);
            last = frame_start;
            ctx_.log.set_time(seconds_between(start, frame_start));

            ctx_.window.minimised = window_.minimised();
            if (ctx_.window.minimised && !ctx_.options.frames) {
                glfwWaitEventsTimeout(1.0 / 60.0);
                advance(seconds); // time goes on, only nothing is drawn
                follow_simulation(ctx_);
                follow_timeline(ctx_, seconds);
                follow_plots(ctx_);
                report_if_due(frame_start);
                continue;
            }
            glfwPollEvents();
            frame(seconds);
            remember();
            report_if_due(frame_start);
            limit(frame_start);
        }
        input_.cancel(ctx_);
        stop_recording(ctx_);
        settings_.write(ctx_);
        if (!ctx_.options.stats.empty()) {
            core::write_text_file(ctx_.options.stats, state_report(ctx_, gl_report()));
        }
        const bool gl_failed = ctx_.options.frames && render::gl_error_count() > 0;
        for (const std::string& message : render::gl_messages()) {
            std::fprintf(stderr, "GL: %s\n", message.c_str());
        }
        return gl_failed ? 1 : 0;
    }

  private:
    // What was asked for on the command line; the log says why it was not done.
    void require(bool done) const {
        if (!done) {
            throw core::InputError(ctx_.log.all().back().text);
        }
    }

    // A file that cannot be read is reported before a window opens; one that takes its time is waited for in it.
    core::Scene first_scene() {
        if (capture_) {
            return core::read_capture(file_).header.scene;
        }
        if (!loading_->wait(shown_after)) {
            return {};
        }
        core::Scene scene = loading_->take(files_);
        loading_.reset();
        return scene;
    }

    // Whether the person has waited for it.
    bool finish_loading() {
        bool waited = true;
        const auto show = [&](const std::string& what, double share) {
            waited = waited && progress_picture_.show(what, share);
            return waited;
        };
        try {
            simulation_.load(take_patiently(*loading_, files_, show));
        } catch (const core::InputError&) {
            if (waited) {
                throw;
            }
            return false;
        }
        loading_.reset();
        ctx_.world_replaced();
        return true;
    }

    static GlReport gl_report() { return {render::gl_error_count(), render::gl_messages()}; }

    bool last_of_frames() const {
        return ctx_.options.frames &&
               ctx_.get<FrameMetrics>().frames >= static_cast<std::uint64_t>(*ctx_.options.frames);
    }

    bool done() const { return ctx_.quit || last_of_frames(); }

    void apply_metrics() {
        const WindowMetrics before = ctx_.window;
        ctx_.window = window_.metrics();
        ctx_.window.scale =
            std::clamp(0.01f * static_cast<float>(ctx_.get<Layout>().text_size) * ctx_.window.scale, 0.5f, 4.0f);
        const bool first = ctx_.widgets.fonts.text == nullptr;
        if (first || before.scale != ctx_.window.scale ||
            before.framebuffer_ratio() != ctx_.window.framebuffer_ratio()) {
            ctx_.widgets.scale = ctx_.window.scale;
            ctx_.widgets.fonts = load_fonts(ctx_.window.scale, ctx_.window.framebuffer_ratio(), ctx_.log);
            apply_theme(ctx_.window.scale);
            if (!first) { // the first frame makes it, along with all the rest
                PanelSystem::replace_fonts();
            }
        }
    }

    void remember() {
        ctx_.get<Remembered>().width = ctx_.window.width;
        ctx_.get<Remembered>().height = ctx_.window.height;
        settings_.follow(ctx_);
    }

    // What the world has become since the last frame. In a run of so many frames, one step for each.
    void advance(double seconds) {
        if (ctx_.options.frames && !simulation_.paused) {
            simulation_.step_now();
        } else {
            simulation_.update(ctx_.options.frames ? 0.0 : seconds);
        }
    }

    void frame(double seconds) {
        FrameMetrics& metrics = ctx_.get<FrameMetrics>();
        apply_metrics();
        const auto short_seconds = static_cast<float>(std::min(seconds, 0.1));

        ImGui_ImplOpenGL3_NewFrame();
        ImGui_ImplGlfw_NewFrame();
        input_.hold_short_keys();
        Lap lap;
        ImGui::NewFrame();
        input_.take_events(ctx_);
        input_.follow_held(ctx_, short_seconds);
        ctx_.camera.advance(short_seconds);
        input_.follow_cursor(ctx_);
        lap.end(metrics.input_ms);
        advance(seconds);
        follow_simulation(ctx_);
        follow_open_file(ctx_);
        follow_document(ctx_);
        follow_timeline(ctx_, seconds);
        ctx_.get<Ghosts>().follow(ctx_);
        follow_with_camera(ctx_);
        follow_camera_path(ctx_);
        follow_lab(ctx_);
        follow_plots(ctx_);
        if (!ctx_.options.frames) {
            ctx_.get<Sounds>().update(ctx_);
        }
        lap.end(metrics.update_ms);

        // Before the panels show them: a view that is made anew in another size leaves its old texture.
        lab_views_.draw(ctx_);
        ctx_.widgets.begin_frame();
        draw_labels(ctx_.get<Drawing>().list.labels.all(), labels_, ctx_.camera.camera(), ctx_.window_size(),
                    *ctx_.widgets.fonts.text, ctx_.window.scale);
        draw_tool_overlay(ctx_);
        draw_panels(ctx_);
        ImGui::Render();
        lap.end(metrics.panels_ms);
        world_.list(ctx_, lab_views_, short_seconds);
        ++metrics.frames;
        show();
        if (ctx_.view.models_changed()) {
            world_.meshes().collect();
        }
        film_maker_.follow(ctx_);
        if (ctx_.get<SceneBrowser>().open) {
            thumbnails_.work(world_.renderer(), world_.meshes());
        }
        mesh_pictures_.work(world_.renderer(), world_.meshes());
        metrics.frame_seconds = seconds;
        if (metrics.frames > 1) {
            metrics.frame_ms.add(static_cast<float>(seconds * 1e3));
        }
        const bool unsaved = has_unsaved_work(ctx_);
        if (shown_title_ != ctx_.get<Document>().title || shown_unsaved_ != unsaved) {
            shown_title_ = ctx_.get<Document>().title;
            shown_unsaved_ = unsaved;
            glfwSetWindowTitle(window_.get(), ((unsaved ? "● " : "") + shown_title_ + " – Cairn").c_str());
        }
    }

    // Draws the frame and shows it, if it differs from what the window shows: one that stands still costs next to
    // nothing.
    void show() {
        const render::Viewport viewport{ctx_.window.framebuffer_width, ctx_.window.framebuffer_height,
                                        ctx_.window.scale * ctx_.window.framebuffer_ratio()};
        const bool last = ctx_.options.frames ? last_of_frames() : done();
        panels_due_ = shown_panels_.change_to(*ImGui::GetDrawData()) || panels_due_;
        const bool exposed = input_.take_exposed();
        if (!(panels_due_ && panels_in_time()) && !exposed && !ctx_.options.frames && !screenshot_due(ctx_, last) &&
            pictures_made_ == render::pictures_made() && world_.renderer().shows(ctx_.get<Drawing>().list, viewport)) {
            return;
        }
        panels_due_ = false;
        shown_at_ = Clock::now();
        world_.draw(ctx_, viewport);
        take_world_screenshot(ctx_);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
        take_screenshots(ctx_, last);
        glfwSwapBuffers(window_.get());
        ++ctx_.get<FrameMetrics>().shown;
        pictures_made_ = render::pictures_made();
    }

    // Without a graphics card, panels take most of a frame's time. Beside a world that stands still, what changes by
    // itself (the clock, the timeline) is shown twenty times a second; what follows an input, at once.
    bool panels_in_time() const {
        return !ctx_.get<Drawing>().software_driver || input_.had_events() ||
               seconds_between(shown_at_, Clock::now()) >= 0.05;
    }

    // Ten times a second, and at once where the last report is gone: who waits for the effect of an input removes it,
    // and knows that the next one is of a frame that ended later.
    void report_if_due(Clock::time_point now) {
        if (ctx_.options.stats.empty() || ctx_.options.frames) {
            return;
        }
        std::error_code unknown; // then nothing is missing, and the time decides
        if (seconds_between(reported_at_, now) < 0.1 &&
            (std::filesystem::exists(ctx_.options.stats, unknown) || unknown)) {
            return;
        }
        reported_at_ = now;
        core::replace_file(ctx_.options.stats, state_report(ctx_, gl_report()), false); // it is read at once or never
    }

    // Some drivers and virtual displays do not wait for the screen. A little faster than the screen, so that where the
    // driver does wait, this never adds to it.
    void limit(Clock::time_point frame_start) const {
        if (ctx_.options.frames) {
            return;
        }
        const std::chrono::duration<double> budget(1.0 / (screen_hz() * 1.03));
        std::this_thread::sleep_until(frame_start + std::chrono::duration_cast<Clock::duration>(budget));
    }

    std::filesystem::path file_;
    std::vector<std::filesystem::path> files_; // of which the first scene is made
    bool capture_;
    std::unique_ptr<physics::Executor> pool_;
    std::unique_ptr<SceneLoading> loading_; // of the first scene, while it is read
    core::Simulation simulation_;
    WindowContext ctx_;
    SettingsFile settings_;
    bool had_settings_;
    GlfwWindow window_;
    WindowInput input_; // before the panels
    PanelSystem panels_;
    WorldPicture world_;
    ProgressPicture progress_picture_{window_.get(), window_.metrics().scale* window_.metrics().framebuffer_ratio()};
    bool given_up_ = false; // the first scene
    Thumbnails thumbnails_{core::cache_folder() / "thumbnails"};
    MeshPictures mesh_pictures_;
    FilmMaker film_maker_;
    LabViews lab_views_;
    LabelLayout labels_;
    ShownPanels shown_panels_;
    bool panels_due_ = false;         // they have changed since
    Clock::time_point shown_at_{};    // the last frame that the window shows
    std::uint64_t pictures_made_ = 0; // when it was shown
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
