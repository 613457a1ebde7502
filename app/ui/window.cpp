#include "app/ui/window.h"

#include "app/core/base/error.h"
#include "app/core/report/report.h"
#include "app/core/scene/scene_sources.h"
#include "app/core/workers/worker_pool.h"
#include "app/ui/actions.h"
#include "app/ui/app.h"
#include "app/ui/browser/thumbnails.h"
#include "app/ui/mesh_registry.h"
#include "app/ui/mouse_tool.h"
#include "app/ui/panels/panels.h"
#include "app/ui/paths.h"
#include "app/ui/picking.h"
#include "app/ui/settings/settings_file.h"
#include "app/ui/state_report.h"
#include "app/ui/window_events.h"

#include <algorithm>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <imgui_internal.h>
#include <thread>
#include <utility>

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

std::string glfw_reason() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

class GlfwWindow {
  public:
    GlfwWindow(int width, int height, const std::string& title) {
        if (glfwInit() != GLFW_TRUE) {
            throw core::MachineError("no window can be opened: " + glfw_reason() +
                                     "; `cairn render` draws a picture without a display");
        }
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 4);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 1);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
        glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);
        // The renderer smooths edges and keeps depth in targets of its own.
        glfwWindowHint(GLFW_SAMPLES, 0);
        handle_ = glfwCreateWindow(width, height, title.c_str(), nullptr, nullptr);
        if (handle_ == nullptr) {
            const std::string reason = glfw_reason();
            glfwTerminate();
            throw core::MachineError("no window with OpenGL 4.1 can be opened: " + reason);
        }
        glfwSetWindowSizeLimits(handle_, 320, 240, GLFW_DONT_CARE, GLFW_DONT_CARE);
        glfwMakeContextCurrent(handle_);
        glfwSwapInterval(1);
    }
    ~GlfwWindow() {
        glfwDestroyWindow(handle_);
        glfwTerminate();
    }
    GlfwWindow(const GlfwWindow&) = delete;
    GlfwWindow& operator=(const GlfwWindow&) = delete;

    GLFWwindow* get() const { return handle_; }

    bool minimised() const {
        int width = 0, height = 0;
        glfwGetFramebufferSize(handle_, &width, &height);
        return width <= 0 || height <= 0 || glfwGetWindowAttrib(handle_, GLFW_ICONIFIED) == GLFW_TRUE;
    }

    WindowMetrics metrics() const {
        WindowMetrics m;
        // Both sizes of one moment: where somebody drags at the window, it may change between two questions.
        int width = 0, height = 0;
        for (int tries = 0; tries == 0 || (tries < 5 && (width != m.width || height != m.height)); ++tries) {
            glfwGetWindowSize(handle_, &m.width, &m.height);
            glfwGetFramebufferSize(handle_, &m.framebuffer_width, &m.framebuffer_height);
            glfwGetWindowSize(handle_, &width, &height);
        }
        float x = 1.0f, y = 1.0f;
        glfwGetWindowContentScale(handle_, &x, &y);
        // Some systems count windows in points already (then the framebuffer is larger), others in pixels.
        m.scale = std::max(x, y) / m.framebuffer_ratio();
        if (const char* set = std::getenv("CAIRN_UI_SCALE")) {
            char* end = nullptr;
            const float wanted = std::strtof(set, &end);
            if (end != set && std::isfinite(wanted)) {
                m.scale = wanted;
            }
        }
        m.scale = std::clamp(m.scale, 0.5f, 4.0f);
        return m;
    }

  private:
    GLFWwindow* handle_ = nullptr;
};

// ImGui with its two backends.
class PanelSystem {
  public:
    PanelSystem(GLFWwindow* window, bool remember_layout) {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        if (remember_layout) {
            std::error_code error;
            std::filesystem::create_directories(state_folder(), error);
            if (!error) {
                ini_ = (state_folder() / "imgui.ini").string();
                io.IniFilename = ini_.c_str();
            }
        }
        io.ConfigDragClickToInputText = true;
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ImGui_ImplOpenGL3_Init("#version 410");
    }
    ~PanelSystem() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui_ImplGlfw_Shutdown();
        ImGui::DestroyContext();
    }
    PanelSystem(const PanelSystem&) = delete;
    PanelSystem& operator=(const PanelSystem&) = delete;

    // Is there a panel, list or tooltip window at this place, by the last frame's layout?
    static bool covers(const glm::vec2& at) {
        const ImGuiContext& g = *ImGui::GetCurrentContext();
        if (g.OpenPopupStack.Size > 0) {
            return true; // a click outside only closes the list
        }
        return std::any_of(g.Windows.begin(), g.Windows.end(), [&](const ImGuiWindow* window) {
            return window->WasActive && !window->Hidden && (window->Flags & ImGuiWindowFlags_NoMouseInputs) == 0 &&
                   (window->Flags & ImGuiWindowFlags_Tooltip) == 0 && window->ParentWindow == nullptr &&
                   std::string_view(window->Name) != "Debug##Default" &&
                   window->OuterRectClipped.Contains(ImVec2(at.x, at.y));
        });
    }

  private:
    std::string ini_;
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
        : file_(options.file.empty() ? default_scene() : options.file),
          capture_(core::looks_like_capture(file_)),
          pool_(core::make_worker_pool(options.threads)),
          simulation_(capture_ ? core::read_capture(file_).header.scene : core::read_scene(file_, files_), pool_.get(),
                      options.frames ? core::Simulation::Place::caller : core::Simulation::Place::own_thread),
          app_(options, simulation_),
          settings_(SettingsFile::usual_path(options.frames.has_value())),
          had_settings_(settings_.read(app_)),
          window_(first_given(options.width, app_.remembered.width, 1280),
                  first_given(options.height, app_.remembered.height, 720), "Cairn"),
          events_(window_.get()),
          panels_(window_.get(), !options.frames),
          renderer_(make_renderer(options)),
          meshes_(*renderer_) {
        app_.file = file_;
        app_.opened.look_at(file_, files_);
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
        if (capture_) {
            start_replay(app_, file_, options.at);
            if (!simulation_.replay()) {
                throw core::InputError(app_.log.all().back().text);
            }
        }
        remember_file(app_.remembered, file_);
        apply_metrics();
    }

    int run() {
        const auto start = Clock::now();
        auto last = start;
        while (!done()) {
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
                app_.drawer.history.follow(app_.frame(), app_.world_number);
                report_if_due(frame_start);
                continue;
            }
            glfwPollEvents();
            frame(seconds);
            remember();
            report_if_due(frame_start);
            limit(frame_start);
        }
        mouse_.cancel(app_);
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

    bool done() const {
        return app_.quit || glfwWindowShouldClose(window_.get()) == GLFW_TRUE ||
               (app_.options.frames && app_.figures.frames >= static_cast<std::uint64_t>(*app_.options.frames));
    }

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
                ImGui_ImplOpenGL3_DestroyFontsTexture();
                ImGui_ImplOpenGL3_CreateFontsTexture();
            }
        }
    }

    void remember() {
        app_.remembered.width = app_.window.width;
        app_.remembered.height = app_.window.height;
        settings_.follow(app_);
    }

    void handle(const WindowEvent& event) {
        if (const auto* key = std::get_if<KeyEvent>(&event)) {
            const bool player = app_.tools.player.active();
            const auto action = action_of_key(key->key, key->modifiers, key->repeated, player);
            // These open and close over whatever has the keyboard, and function keys write no text.
            const bool over_text = key->key >= GLFW_KEY_F1 && key->key <= GLFW_KEY_F25;
            const bool always = action == Action::palette || action == Action::browser || over_text;
            if (!always && (palette_key(app_, key->key) || browser_key(app_, key->key) ||
                            (!ImGui::GetIO().WantTextInput && tour_key(app_, key->key)))) {
                return;
            }
            if (action && (always || !ImGui::GetIO().WantTextInput)) {
                perform(app_, *action);
            }
        } else if (const auto* button = std::get_if<ButtonEvent>(&event)) {
            app_.tools.shift = button->shift;
            app_.tools.control = button->control;
            if (!button->pressed) {
                mouse_.release(app_, button->button, button->at);
            } else if (!PanelSystem::covers(button->at)) {
                mouse_.press(app_, button->button, button->at);
            }
        } else if (const auto* move = std::get_if<MoveEvent>(&event)) {
            app_.cursor = move->at;
            mouse_.move(app_, move->at);
        } else if (const auto* scroll = std::get_if<ScrollEvent>(&event)) {
            if (!PanelSystem::covers(scroll->at)) {
                mouse_.scroll(app_, scroll->steps, scroll->at);
            }
        } else if (const auto* drop = std::get_if<DropEvent>(&event)) {
            app_.cursor = drop->at;
            drop_file(app_, drop->path);
        }
    }

    bool is_down(int key) const { return glfwGetKey(window_.get(), key) == GLFW_PRESS; }

    // What acts while a key is held: the camera's flight and the player.
    void follow_held_keys(float seconds) {
        ToolBox& tools = app_.tools;
        tools.shift = is_down(GLFW_KEY_LEFT_SHIFT) || is_down(GLFW_KEY_RIGHT_SHIFT);
        tools.control = is_down(GLFW_KEY_LEFT_CONTROL) || is_down(GLFW_KEY_RIGHT_CONTROL) ||
                        is_down(GLFW_KEY_LEFT_SUPER) || is_down(GLFW_KEY_RIGHT_SUPER);
        tools.player.keys = glm::vec3(0.0f);
        if (ImGui::GetIO().WantTextInput || tools.control) {
            return; // Ctrl and a letter is a command
        }
        const bool player = tools.player.active();
        const auto down = [&](Action action) {
            for (const KeyBinding& binding : key_bindings()) {
                if (binding.action == action && is_down(binding.key) &&
                    action_of_key(binding.key, binding.modifiers, false, player) == action) {
                    return 1.0f;
                }
            }
            return 0.0f;
        };
        if (player) {
            tools.player.keys =
                along_world_axes(app_.camera.camera(), down(Action::player_right) - down(Action::player_left),
                                 down(Action::player_forward) - down(Action::player_back),
                                 down(Action::player_up) - down(Action::player_down));
        }
        FlyInput input;
        input.forward = down(Action::fly_forward) - down(Action::fly_back);
        input.right = down(Action::fly_right) - down(Action::fly_left);
        input.up = down(Action::fly_up) - down(Action::fly_down);
        input.fast = tools.shift;
        app_.camera.fly(input, seconds);
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
        events_.take(happened_);
        for (const WindowEvent& event : happened_) {
            handle(event);
        }
        app_.cursor_inside = events_.cursor_inside();
        app_.cursor_over_ui = PanelSystem::covers(app_.cursor);
        follow_held_keys(short_seconds);
        app_.camera.advance(short_seconds);
        mouse_.update(app_);
        lap.end(app_.figures.input_ms);
        advance(seconds);
        follow_simulation(app_);
        follow_open_file(app_);
        follow_timeline(app_, seconds);
        app_.ghosts.follow(app_);
        app_.drawer.history.follow(app_.frame(), app_.world_number);
        if (!app_.options.frames) {
            hear();
        }
        lap.end(app_.figures.update_ms);

        app_.widgets.begin_frame();
        draw_labels(app_);
        draw_tool_overlay(app_);
        draw_panels(app_);
        ImGui::Render();
        lap.end(app_.figures.panels_ms);
        draw_world(short_seconds);
        ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());

        ++app_.figures.frames;
        take_screenshots();
        glfwSwapBuffers(window_.get());
        make_film();
        if (app_.browser.open) {
            thumbnails_.work(*renderer_, meshes_);
        }
        app_.figures.frame_seconds = seconds;
        if (app_.figures.frames > 1) {
            app_.figures.frame_ms.add(static_cast<float>(seconds * 1e3));
        }
        if (shown_scene_ != simulation_.scene().name) {
            shown_scene_ = simulation_.scene().name;
            glfwSetWindowTitle(window_.get(), shown_scene_.empty() ? "Cairn" : (shown_scene_ + " – Cairn").c_str());
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
        renderer_->draw(app_.draw_list, {app_.window.framebuffer_width, app_.window.framebuffer_height,
                                         app_.window.scale * app_.window.framebuffer_ratio()});
        app_.render_stats = renderer_->stats();
        app_.figures.cull_ms.add(static_cast<float>(1e3 * app_.render_stats.cull_seconds));
        app_.figures.fill_ms.add(static_cast<float>(1e3 * app_.render_stats.fill_seconds));
        if (app_.view.models_changed()) {
            meshes_.collect();
        }
    }

    // A part of the window as a picture.
    void save_part(const Rectangle& part, const std::filesystem::path& path) {
        const float ratio = app_.window.framebuffer_ratio();
        const render::Image whole =
            render::read_framebuffer(app_.window.framebuffer_width, app_.window.framebuffer_height);
        const auto pixel = [&](float at, int most) { return std::clamp(static_cast<int>(at * ratio), 0, most); };
        const int left = pixel(part.x, whole.width), right = pixel(part.x + part.width, whole.width);
        const int top = pixel(part.y, whole.height), bottom = pixel(part.y + part.height, whole.height);
        render::Image image;
        image.width = right - left;
        image.height = bottom - top;
        for (int y = top; y < bottom; ++y) {
            const auto row = whole.pixels.begin() + 4 * (static_cast<std::ptrdiff_t>(y) * whole.width + left);
            image.pixels.insert(image.pixels.end(), row, row + 4 * static_cast<std::ptrdiff_t>(image.width));
        }
        try {
            render::write_png(path, image);
            app_.log.info("Saved " + path.string());
        } catch (const std::exception& error) {
            app_.log.error(error.what());
        }
    }

    void take_screenshots() {
        const bool last =
            app_.options.frames && app_.figures.frames >= static_cast<std::uint64_t>(*app_.options.frames);
        const auto save = [&](const std::filesystem::path& path) {
            render::write_png(path,
                              render::read_framebuffer(app_.window.framebuffer_width, app_.window.framebuffer_height));
        };
        if (app_.drawer.picture_of) {
            save_part(*std::exchange(app_.drawer.picture_of, std::nullopt),
                      std::exchange(app_.drawer.picture_path, {}));
        }
        if (!app_.screenshot_request.empty()) {
            const std::filesystem::path path = std::exchange(app_.screenshot_request, {});
            try {
                save(path);
                app_.log.info("Saved " + path.string());
            } catch (const std::exception& error) {
                app_.log.error(error.what());
            }
        }
        if (!app_.options.screenshot.empty() && (last || (!app_.options.frames && done()))) {
            try {
                save(app_.options.screenshot);
            } catch (const render::RenderError& error) {
                throw core::InputError(error.what());
            }
        }
    }

    // The film of the last seconds: begun when asked for, then a little in every frame.
    void make_film() {
        FilmState& state = app_.film;
        state.cameras.note(app_.frame().step, app_.camera.camera());
        const bool wanted = std::exchange(state.wanted, false), given_up = std::exchange(state.given_up, false);
        try {
            if (film_ && given_up) {
                film_.reset();
                app_.log.info("The film was given up");
            } else if (wanted && !film_) {
                begin_film();
            } else if (film_) {
                film_->advance(0.012); // s: the window stays in motion
                state.progress = film_->progress();
                if (film_->done()) {
                    ++state.made;
                    state.last_path = film_->path().string();
                    app_.log.info("Saved " + state.last_path + " (" + std::to_string(film_->pictures()) + " pictures)");
                    film_.reset();
                }
            }
        } catch (const std::exception& error) {
            film_.reset();
            app_.log.error(std::string("No film: ") + error.what());
        }
        state.running = film_ != nullptr;
    }

    void begin_film() {
        FilmSettings settings = app_.film.settings;
        if (settings.kind != FilmKind::pictures && !ffmpeg_is_there()) {
            settings.kind = FilmKind::pictures;
            app_.log.warning("There is no ffmpeg here: the film becomes a folder of pictures");
        }
        const std::uint64_t end = app_.frame().step;
        const auto wanted = static_cast<std::uint64_t>(
            std::lround(static_cast<double>(settings.seconds) * static_cast<double>(app_.frame().settings.hz)));
        const std::uint64_t steps = std::min(wanted, end);
        if (steps == 0) {
            app_.log.info("Nothing has happened yet that could be filmed");
            return;
        }
        const FilmSize& size = film_sizes()[static_cast<std::size_t>(settings.size)];
        FilmLook look;
        look.view = app_.view_options;
        look.renderer.textures = core::data_folder() / "assets" / "textures";
        look.renderer.msaa_samples = app_.draw.msaa;
        look.renderer.shadow_map_size = app_.draw.shadow_map;
        look.renderer.shadow_cascades = app_.draw.shadow_cascades;
        look.renderer.ambient_occlusion = app_.draw.occlusion;
        film_ =
            std::make_unique<Film>(simulation_.stretch(end - steps, end), end - steps, settings,
                                   size.width > 0 ? size.width : app_.window.framebuffer_width,
                                   size.height > 0 ? size.height : app_.window.framebuffer_height, app_.film.cameras,
                                   std::move(look), user_folder("films") / dated_name(app_.simulation.scene().name));
    }

    void report_if_due(Clock::time_point now) {
        if (app_.options.stats.empty() || app_.options.frames || seconds_between(reported_at_, now) < 0.1) {
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
        double hz = 60.0;
        if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
            if (const GLFWvidmode* mode = glfwGetVideoMode(monitor); mode != nullptr && mode->refreshRate >= 30) {
                hz = mode->refreshRate;
            }
        }
        const auto budget =
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(1.0 / (hz * 1.03)));
        std::this_thread::sleep_until(frame_start + budget);
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
    WindowEvents events_;
    std::vector<WindowEvent> happened_; // in this frame
    PanelSystem panels_;
    std::unique_ptr<render::Renderer> renderer_;
    MeshRegistry meshes_;
    Thumbnails thumbnails_{cache_folder() / "thumbnails"};
    MouseTool mouse_;
    std::unique_ptr<Film> film_;
    DrawSettings drawn_with_ = never_drawn();
    std::string shown_scene_ = "\n"; // differs from every title
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
