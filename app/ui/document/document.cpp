#include "app/ui/document/document.h"

#include "app/core/base/text_file.h"
#include "app/core/expect/live_expectations.h"
#include "app/core/scene/scene_rewrite.h"
#include "app/ui/actions.h"
#include "app/ui/actions/attempt.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <system_error>
#include <utility>

namespace cairn::ui {

namespace {

namespace fs = std::filesystem;

bool is_built_in(const fs::path& file) {
    std::error_code error;
    const fs::path folder = fs::weakly_canonical(core::data_folder() / "scenes", error);
    const fs::path at = fs::weakly_canonical(file, error).parent_path();
    return std::mismatch(folder.begin(), folder.end(), at.begin(), at.end()).first == folder.end();
}

std::string title_of(const Document& document) {
    return !document.name.empty()  ? document.name
           : document.file.empty() ? std::string("New scene")
                                   : document.file.stem().string();
}

fs::path whole(const fs::path& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    return (error ? path : absolute).lexically_normal();
}
bool same_file(const fs::path& a, const fs::path& b) {
    return !a.empty() && !b.empty() && whole(a) == whole(b);
}

// Whether saving goes there without asking.
bool has_own_file(const App& app) {
    return !app.document.file.empty() && !core::looks_like_capture(app.document.file) &&
           !is_built_in(app.document.file);
}

// The world as it is now, with what only the scene knows.
core::Scene scene_now(const App& app, const std::string& name) {
    const render::Camera& camera = app.camera.camera();
    core::Scene scene = core::scene_from(app.frame(), name, {camera.eye, camera.target});
    scene.description = app.simulation.scene().description;
    core::carry_expectations(app.simulation.expected(), app.frame(), scene);
    return scene;
}

// For each body of the world its place in the file.
std::vector<std::optional<std::size_t>> places_in_file(const App& app) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> place;
    for (std::size_t i = 0; i < app.document.in_file.size(); ++i) {
        place[{app.document.in_file[i].index, app.document.in_file[i].generation}] = i;
    }
    std::vector<std::optional<std::size_t>> from;
    for (const physics::BodyState& body : app.frame().bodies) {
        const auto found = place.find({body.id.index, body.id.generation});
        from.push_back(found == place.end() ? std::nullopt : std::optional(found->second));
    }
    return from;
}

core::RewrittenScene text_for(const App& app, const core::Scene& scene, const fs::path& path) {
    const auto from = places_in_file(app);
    if (same_file(path, app.document.file) && !app.document.on_disk_too) {
        std::string old;
        try {
            old = core::read_whole_file(path);
            return core::rewrite_scene(scene, from, old, path.string(), path.parent_path());
        } catch (const core::InputError&) {
            // Gone, or no scene any more: it is written anew.
        }
    }
    return core::fresh_scene_text(scene, from);
}

bool write_to(App& app, const fs::path& path) {
    Document& document = app.document;
    const std::string name = same_file(path, document.file) ? document.name : path.stem().string();
    core::RewrittenScene written;
    const bool done = make_parent(app, path) && attempt(app, [&] {
                          written = text_for(app, scene_now(app, name), path);
                          core::replace_file(path, written.text);
                      });
    if (!done) {
        return false;
    }
    std::vector<physics::BodyId> in_file;
    for (const std::size_t i : written.order) {
        in_file.push_back(app.frame().bodies[i].id);
    }
    document.in_file = std::move(in_file);
    document.name = name;
    document.saved = app.simulation.edit_version();
    document.was_saved = true;
    document.on_disk_too = false;
    std::vector<fs::path> files{path};
    if (same_file(path, document.file)) {
        for (const FileWatch& watch : document.watched.watches) {
            if (!same_file(watch.path(), path)) {
                files.push_back(watch.path());
            }
        }
    }
    document.file = path;
    document.title = title_of(document);
    document.watched.look_at(path, files);
    document.autosave.forget();
    remember_file(app.remembered, path);
    app.scenes.listed = false;
    app.log.info("Saved " + path.string());
    std::string lost;
    for (const std::string& what : written.lost) {
        lost += (lost.empty() ? "" : ", ") + what;
    }
    if (!lost.empty()) {
        app.log.warning("No longer in " + path.filename().string() + ": " + lost);
    }
    return true;
}

void write_and_go_on(App& app, const fs::path& path, const std::function<void(App&)>& then) {
    if (write_to(app, path) && then) {
        then(app);
    }
}

std::vector<FileDialog::Place> places_for(bool saving) {
    std::vector<FileDialog::Place> places{{"own", "My scenes", user_folder("scenes")}};
    if (!saving) {
        places.push_back({"built_in", "Built-in scenes", core::data_folder() / "scenes"});
        places.push_back({"captures", "Captures", user_folder("captures")});
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        places.push_back({"home", "Home", home});
    }
    std::error_code error;
    places.push_back({"here", "Started from", fs::current_path(error)});
    return places;
}

void make_new(App& app) {
    core::Scene scene;
    scene.camera = {{0.0f, -14.0f, 6.0f}, {0.0f, 0.0f, 1.0f}};
    physics::BodyDef ground;
    ground.name = "ground";
    ground.type = physics::BodyType::fixed;
    ground.shapes = {{physics::Box{{50.0f, 50.0f, 0.5f}}, {}}};
    ground.pose.position.z = -0.5f;
    scene.bodies.push_back(std::move(ground));
    if (attempt(app, [&] { app.simulation.load(scene); })) {
        app.capture.last_replay.reset();
        forget_bodies(app);
        note_opened(app, {}, {});
        set_camera_of_scene(app);
        app.log.info("New scene: " + key_of(Action::spawn) + " spawns at the cursor, " + key_of(Action::tool_place) +
                     " inserts bodies");
    }
}

void recover(App& app, const Autosave::Found& found) {
    const bool loaded = attempt(app, [&] { app.simulation.load(core::read_scene(found.file)); });
    if (!loaded) {
        return;
    }
    app.capture.last_replay.reset();
    forget_bodies(app);
    note_opened(app, found.of, found.of.empty() ? std::vector<fs::path>{} : std::vector{found.of});
    app.document.in_file.clear();
    app.document.saved = ~std::uint64_t(0); // no version: this is in no file
    set_camera_of_scene(app);
    app.simulation.paused = true;
    std::error_code ignored;
    app.document.autosave.write(app.simulation.edit_version(), app.log.time(), found.of,
                                [scene = app.simulation.scene()] { return scene; });
    fs::remove(found.file, ignored); // what was just written takes its place
    app.log.info("Recovered; save it to keep it (" + key_of(Action::save) + ")");
}

void ask_about_lost_work(App& app) {
    const Autosave::Found found = app.document.lost.front();
    app.document.lost.erase(app.document.lost.begin());
    const std::string name = found.of.empty() ? std::string("a new scene") : found.of.filename().string();
    Question question;
    question.title = "Recover unsaved work?";
    question.text = "Cairn ended before the changes to " + name + " were saved.";
    question.choices = {{"recover", "Recover", [found](App& a) { recover(a, found); }},
                        {"discard", "Discard",
                         [found](App&) {
                             std::error_code ignored;
                             fs::remove(found.file, ignored);
                         }},
                        {"later", "Ask again next time", {}}};
    ask(app, std::move(question));
}

} // namespace

bool has_unsaved_work(const App& app) {
    return !app.simulation.replaying() && app.simulation.edit_version() != app.document.saved;
}

void note_opened(App& app, const fs::path& file, const std::vector<fs::path>& files) {
    Document& document = app.document;
    document.file = file;
    document.name = app.simulation.scene().name;
    document.title = title_of(document);
    document.watched.look_at(file, files);
    document.saved = app.simulation.edit_version();
    document.was_saved = document.on_disk_too = false;
    document.in_file.clear();
    for (const physics::BodyState& body : app.frame().bodies) {
        document.in_file.push_back(body.id);
    }
    document.autosave.forget();
}

void before_loss(App& app, const std::string& what, std::function<void(App&)> then) {
    if (!has_unsaved_work(app) || app.options.frames) {
        then(app);
        return;
    }
    Question question;
    question.title = "Save the changes to " + app.document.title + "?";
    question.text = what + " loses what has been built since it was last saved.";
    question.choices = {
        {"save", "Save", [then](App& a) { save(a, then); }}, {"discard", "Don't save", then}, {"cancel", "Cancel", {}}};
    ask(app, std::move(question));
}

void new_scene(App& app) {
    before_loss(app, "A new scene", make_new);
}

void choose_and_open(App& app) {
    FileDialog::Request request;
    request.title = "Open a scene or a capture";
    request.folder = app.document.file.empty() ? user_folder("scenes") : whole(app.document.file).parent_path();
    request.endings = {".json", ".cairn", ".jsonl"};
    request.places = places_for(false);
    request.recent = app.remembered.recent;
    request.then = open_safely;
    app.document.dialog.open(std::move(request));
}

void open_safely(App& app, const fs::path& path) {
    before_loss(app, "Opening another scene", [path](App& a) { open_file(a, path); });
}

void restart_safely(App& app) {
    before_loss(app, "Restarting", restart);
}

void reload_safely(App& app) {
    before_loss(app, "Reloading", reload);
}

void quit_safely(App& app) {
    before_loss(app, "Quitting", [](App& a) {
        a.document.autosave.forget(); // the person does not want it
        a.quit = true;
    });
}

void save(App& app, std::function<void(App&)> then) {
    if (app.simulation.replaying()) {
        app.log.info("A replay is a capture already: stop it to save the world as a scene");
        return;
    }
    if (!has_own_file(app)) {
        save_as(app, std::move(then));
    } else if (app.document.on_disk_too) {
        const fs::path path = app.document.file;
        Question question;
        question.title = path.filename().string() + " has changed on disk";
        question.text = "Somebody else has changed it since it was read. Saving replaces that.";
        question.choices = {{"as", "Save as…", [then](App& a) { save_as(a, then); }},
                            {"replace", "Replace", [path, then](App& a) { write_and_go_on(a, path, then); }},
                            {"cancel", "Cancel", {}}};
        ask(app, std::move(question));
    } else if (!has_unsaved_work(app) && !then) {
        app.log.info("Nothing was built since it was saved; " + key_of(Action::save_as) +
                     " saves the world as it is now under another name");
    } else {
        write_and_go_on(app, app.document.file, then);
    }
}

void save_as(App& app, std::function<void(App&)> then) {
    FileDialog::Request request;
    request.saving = true;
    request.title = "Save the scene as";
    request.folder = has_own_file(app) ? whole(app.document.file).parent_path() : user_folder("scenes");
    request.name = file_stem(app.document.title) + ".json";
    request.endings = {".json"};
    request.places = places_for(true);
    request.then = [then = std::move(then)](App& a, const fs::path& path) {
        std::error_code error;
        if (!fs::exists(path, error)) {
            write_and_go_on(a, path, then);
            return;
        }
        Question question;
        question.title = "Replace " + path.filename().string() + "?";
        question.text = "There is a file of this name in " + path.parent_path().string() + ".";
        question.choices = {{"replace", "Replace", [path, then](App& b) { write_and_go_on(b, path, then); }},
                            {"as", "Another name", [then](App& b) { save_as(b, then); }},
                            {"cancel", "Cancel", {}}};
        question.chosen = 1;
        ask(a, std::move(question));
    };
    app.document.dialog.open(std::move(request));
}

void follow_document(App& app) {
    Document& document = app.document;
    if (app.options.frames) {
        return;
    }
    if (app.figures.frames == 1) {
        document.lost = document.autosave.left_behind();
    }
    if (!document.lost.empty() && !document.modal() && !app.tour.shown && !has_unsaved_work(app)) {
        ask_about_lost_work(app);
    }
    if (const auto problem = document.autosave.take_problem()) {
        app.log.warning("The unsaved work could not be kept: " + *problem);
    }
    if (!has_unsaved_work(app)) {
        document.autosave.forget();
    } else if (document.autosave.due(app.simulation.edit_version(), app.log.time())) {
        const render::Camera& camera = app.camera.camera();
        core::Scene known;
        known.description = app.simulation.scene().description;
        known.zones = app.simulation.scene().zones;
        known.expectations = app.simulation.scene().expectations;
        document.autosave.write(app.simulation.edit_version(), app.log.time(), document.file,
                                [frame = app.simulation.share_current(), name = document.name, known,
                                 look = core::SceneCamera{camera.eye, camera.target}] {
                                    core::Scene scene = core::scene_from(*frame, name, look);
                                    scene.description = known.description;
                                    scene.zones = known.zones;
                                    scene.expectations = known.expectations;
                                    return scene;
                                });
    }
}

void draw_document(App& app) {
    if (const auto path = app.document.dialog.draw(app.widgets, app.window_size())) {
        const auto then = app.document.dialog.request().then;
        then(app, *path);
    }
    draw_question(app);
}

bool document_key(App& app, int key) {
    return question_key(app, key) || app.document.dialog.key(key);
}

} // namespace cairn::ui
