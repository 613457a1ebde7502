#include "app/ui/document/document.h"

#include "app/core/base/files/text_file.h"
#include "app/core/base/joined_words.h"
#include "app/core/expect/live_expectations.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/rewrite/scene_rewrite.h"
#include "app/ui/context/attempt.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/input/actions.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/tour/tour.h"

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

bool same_file(const fs::path& a, const fs::path& b) {
    return !a.empty() && !b.empty() && whole_path(a) == whole_path(b);
}

// Whether saving goes there without asking.
bool has_own_file(const Context& ctx) {
    const Document& document = ctx.get<Document>();
    return !document.file.empty() && !core::looks_like_capture(document.file) && !core::is_gltf_name(document.file) &&
           !is_built_in(document.file);
}

// The world as it is now, with what only the scene knows.
core::Scene scene_now(const Context& ctx, const std::string& name) {
    const render::Camera& camera = ctx.camera.camera();
    core::Scene scene = core::scene_from(ctx.frame(), name, {camera.eye, camera.target});
    scene.description = ctx.simulation.scene().description;
    core::carry_expectations(ctx.simulation.expected(), ctx.frame(), scene);
    scene.show = show_now(ctx);
    return scene;
}

// For each body of the world its place in the file.
std::vector<std::optional<std::size_t>> places_in_file(const Context& ctx) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> place;
    const Document& document = ctx.get<Document>();
    for (std::size_t i = 0; i < document.in_file.size(); ++i) {
        place[{document.in_file[i].index, document.in_file[i].generation}] = i;
    }
    std::vector<std::optional<std::size_t>> from;
    for (const physics::BodyState& body : ctx.frame().bodies) {
        const auto found = place.find({body.id.index, body.id.generation});
        from.push_back(found == place.end() ? std::nullopt : std::optional(found->second));
    }
    return from;
}

core::RewrittenScene text_for(const Context& ctx, const core::Scene& scene, const fs::path& path) {
    const auto from = places_in_file(ctx);
    if (same_file(path, ctx.get<Document>().file) && !ctx.get<Document>().on_disk_too) {
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

// Returns why it could not be written, if it could not.
std::optional<std::string> write_to(Context& ctx, const fs::path& path) {
    Document& document = ctx.get<Document>();
    const std::string name = same_file(path, document.file) ? document.name : path.stem().string();
    core::RewrittenScene written;
    auto problem = problem_of([&] {
        make_parent(path);
        written = text_for(ctx, scene_now(ctx, name), path);
        core::replace_file(path, written.text);
    });
    if (problem) {
        return problem;
    }
    std::vector<physics::BodyId> in_file;
    for (const std::size_t i : written.order) {
        in_file.push_back(ctx.frame().bodies[i].id);
    }
    document.in_file = std::move(in_file);
    document.name = name;
    document.saved = ctx.simulation.edit_version();
    document.saved_path = ctx.get<SceneShown>().path_edits;
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
    remember_file(ctx.get<Remembered>(), path);
    ctx.get<SceneList>().listed = false;
    ctx.log.info("Saved " + path.string());
    if (!written.lost.empty()) {
        ctx.log.warning("No longer in " + path.filename().string() + ": " + core::joined_words(written.lost));
    }
    return std::nullopt;
}

void write_and_go_on(Context& ctx, const fs::path& path, const std::function<void(Context&)>& then) {
    if (const auto problem = write_to(ctx, path)) {
        ctx.log.error(*problem);
    } else if (then) {
        then(ctx);
    }
}

// What the file dialog has been given; where that cannot be written it asks again, with what was typed.
void write_as(Context& ctx, const fs::path& path, const std::function<void(Context&)>& then) {
    if (auto problem = write_to(ctx, path)) {
        ctx.get<Dialogs>().file.ask_again(std::move(*problem));
    } else if (then) {
        then(ctx);
    }
}

} // namespace

std::vector<FileDialog::Place> file_places(bool saving) {
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

std::uint64_t work_version(const Context& ctx) {
    return ctx.simulation.edit_version() + (ctx.get<SceneShown>().path_edits << 40u);
}

core::SceneShow show_now(const Context& ctx) {
    core::SceneShow show = ctx.simulation.scene().show;
    show.path = ctx.get<SceneShown>().path;
    if (!show.path.empty()) {
        show.follow.clear(); // a file has one of them
    }
    return show;
}

bool has_unsaved_edits(const Context& ctx) {
    return !ctx.simulation.replaying() && ctx.simulation.edit_version() != ctx.get<Document>().saved;
}

bool has_unsaved_work(const Context& ctx) {
    return has_unsaved_edits(ctx) ||
           (!ctx.simulation.replaying() && ctx.get<SceneShown>().path_edits != ctx.get<Document>().saved_path);
}

void note_opened(Context& ctx, const fs::path& file, const std::vector<fs::path>& files) {
    Document& document = ctx.get<Document>();
    document.file = file;
    document.name = ctx.simulation.scene().name;
    document.title = title_of(document);
    document.watched.look_at(file, files);
    document.saved = ctx.simulation.edit_version();
    document.saved_path = ctx.get<SceneShown>().path_edits;
    document.was_saved = document.on_disk_too = false;
    document.in_file.clear();
    for (const physics::BodyState& body : ctx.frame().bodies) {
        document.in_file.push_back(body.id);
    }
    document.autosave.forget();
}

void before_loss(Context& ctx, const std::string& what, std::function<void(Context&)> then) {
    if (!has_unsaved_work(ctx) || ctx.options.frames) {
        then(ctx);
        return;
    }
    ask(ctx, {.title = "Save the changes to " + ctx.get<Document>().title + "?",
              .text = what + " loses what has been built since it was last saved.",
              .choices = {{"save", "Save", [then](Context& a) { save(a, then); }},
                          {"discard", "Don't save", then},
                          {"cancel", "Cancel", {}}}});
}

void quit_safely(Context& ctx) {
    before_loss(ctx, "Quitting", [](Context& a) {
        a.get<Document>().autosave.forget(); // the person does not want it
        a.quit = true;
    });
}

void save(Context& ctx, std::function<void(Context&)> then) {
    if (ctx.simulation.replaying()) {
        ctx.log.info("A replay is a capture already: stop it to save the world as a scene");
        return;
    }
    Document& document = ctx.get<Document>();
    if (!has_own_file(ctx)) {
        save_as(ctx, std::move(then));
    } else if (document.on_disk_too) {
        const fs::path path = document.file;
        ask(ctx, {.title = path.filename().string() + " has changed on disk",
                  .text = "Somebody else has changed it since it was read. Saving replaces that.",
                  .choices = {{"as", "Save as…", [then](Context& a) { save_as(a, then); }},
                              {"replace", "Replace", [path, then](Context& a) { write_and_go_on(a, path, then); }},
                              {"cancel", "Cancel", {}}}});
    } else if (std::error_code error; !has_unsaved_work(ctx) && !then && fs::exists(document.file, error)) {
        ctx.log.info("Nothing was built since it was saved; " + ctx.key_of("save_as") +
                     " saves the world as it is now under another name");
    } else {
        write_and_go_on(ctx, document.file, then);
    }
}

void save_as(Context& ctx, std::function<void(Context&)> then) {
    FileDialog::Request request;
    request.saving = true;
    request.title = "Save the scene as";
    request.folder = has_own_file(ctx) ? whole_path(ctx.get<Document>().file).parent_path() : user_folder("scenes");
    request.name = file_stem(ctx.get<Document>().title) + ".json";
    request.endings = {".json"};
    request.places = file_places(true);
    request.then = [then = std::move(then)](Context& a, const fs::path& path) {
        std::error_code error;
        if (!fs::exists(path, error)) {
            write_as(a, path, then);
            return;
        }
        ask(a, {.title = "Replace " + path.filename().string() + "?",
                .text = "There is a file of this name in " + path.parent_path().string() + ".",
                .choices = {{"replace", "Replace", [path, then](Context& b) { write_as(b, path, then); }},
                            {"as", "Another name", [](Context& b) { b.get<Dialogs>().file.ask_again({}); }},
                            {"cancel", "Cancel", {}}},
                .chosen = 1});
    };
    ctx.get<Dialogs>().file.open(std::move(request));
}

} // namespace cairn::ui
