#include "app/ui/opening/opening.h"

#include "app/core/scene/scene.h"
#include "app/ui/opening/drop.h"
#include "app/ui/opening/scene_loading.h"

#include "app/core/scene/shapes/mesh_points.h"
#include "app/ui/context/attempt.h"
#include "app/ui/context/selection.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/lab/lab.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/tour/tour.h"

#include <algorithm>
#include <utility>

namespace cairn::ui {

namespace {

namespace fs = std::filesystem;

constexpr double look_every = 0.25; // s

struct Known { // of a selected body
    std::size_t place;
    std::string name;
};

// The bodies of the new world that the old ones stand for: by their place if the name there is the same, else by the
// name if only one has it.
std::vector<physics::BodyId> same_bodies(const physics::FrameState& frame, const std::vector<Known>& known) {
    std::vector<physics::BodyId> bodies;
    for (const Known& k : known) {
        if (k.place < frame.bodies.size() && frame.models[k.place]->def.name == k.name) {
            bodies.push_back(frame.bodies[k.place].id);
            continue;
        }
        std::optional<std::size_t> only;
        int count = 0;
        for (std::size_t i = 0; i < frame.bodies.size() && !k.name.empty(); ++i) {
            if (frame.models[i]->def.name == k.name) {
                only = i;
                ++count;
            }
        }
        if (count == 1) {
            bodies.push_back(frame.bodies[*only].id);
        }
    }
    return bodies;
}

// Whether what has changed on disk may take the place of the world; says so if not.
bool may_read_again(Context& ctx, const fs::path& changed) {
    const std::string name = changed.filename().string();
    if (ctx.simulation.recording() && !ctx.get<CaptureState>().always) {
        ctx.log.warning(name + " has changed; it is not reloaded during a recording");
        return false;
    }
    Document& document = ctx.get<Document>();
    if (has_unsaved_work(ctx)) {
        document.on_disk_too = document.on_disk_too || changed == document.file;
        ctx.log.warning(name + " has changed; it is not reloaded over unsaved changes (" + ctx.key_of("reload") +
                        " does)");
        return false;
    }
    return true;
}

fs::file_time_type time_of(const fs::path& path) {
    std::error_code error;
    return fs::last_write_time(path, error);
}

void begin_rereading(Context& ctx, const fs::path& changed) {
    Rereading& rereading = ctx.get<Rereading>();
    rereading.loading.reset(); // of what has changed once more
    rereading.changed = changed;
    rereading.time = time_of(changed);
    rereading.loading = std::make_unique<SceneLoading>(ctx.get<Document>().file);
}

// What was read in the background becomes the world.
void take_reread(Context& ctx) {
    Rereading& rereading = ctx.get<Rereading>();
    const std::unique_ptr<SceneLoading> loading = std::exchange(rereading.loading, nullptr);
    const fs::path changed = rereading.changed;
    if (time_of(changed) != rereading.time) { // while it was read
        begin_rereading(ctx, changed);
        return;
    }
    if (!may_read_again(ctx, changed)) { // something was built in the meantime
        return;
    }
    std::vector<Known> known;
    for (const std::size_t place : selected_places(ctx)) {
        known.push_back({place, ctx.frame().models[place]->def.name});
    }
    std::vector<fs::path> files;
    bool read = false;
    try {
        ctx.simulation.load(loading->take(files));
        read = true;
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
    }
    Document& document = ctx.get<Document>();
    if (!read) {
        document.watched.look_at(document.file, files); // which may be others than before
        return;
    }
    ctx.world_replaced();
    note_opened(ctx, fs::path(document.file), files);
    record_if_wanted(ctx);
    select_bodies(ctx, same_bodies(ctx.frame(), known));
    ctx.get<SceneList>().listed = false;
    ctx.log.info(changed.filename().string() + " has changed: reloaded");
}

void make_new(Context& ctx) {
    core::Scene scene;
    scene.camera = {{0.0f, -14.0f, 6.0f}, {0.0f, 0.0f, 1.0f}};
    physics::BodyDef ground;
    ground.name = "ground";
    ground.type = physics::BodyType::fixed;
    ground.shapes = {{physics::Box{{50.0f, 50.0f, 0.5f}}, {}}};
    ground.pose.position.z = -0.5f;
    scene.bodies.push_back(std::move(ground));
    if (attempt(ctx, [&] { ctx.simulation.load(scene); })) {
        ctx.world_replaced();
        note_opened(ctx, {}, {});
        open_as_shown(ctx);
        ctx.log.info("New scene: " + ctx.key_of("spawn") + " spawns at the cursor, " + ctx.key_of("tool_place") +
                     " inserts bodies");
    }
}

void recover(Context& ctx, const Autosave::Found& found) {
    const bool loaded = attempt(ctx, [&] { ctx.simulation.load(core::read_scene(found.file)); });
    if (!loaded) {
        return;
    }
    ctx.world_replaced();
    note_opened(ctx, found.of, found.of.empty() ? std::vector<fs::path>{} : std::vector{found.of});
    Document& document = ctx.get<Document>();
    document.in_file.clear();
    document.saved = ~std::uint64_t(0); // no version: this is in no file
    set_camera_of_scene(ctx);
    ctx.simulation.paused = true;
    std::error_code ignored;
    document.autosave.write(work_version(ctx), ctx.log.time(), found.of,
                            [scene = ctx.simulation.scene()] { return scene; });
    fs::remove(found.file, ignored); // what was just written takes its place
    ctx.log.info("Recovered; save it to keep it (" + ctx.key_of("save") + ")");
}

void ask_about_lost_work(Context& ctx) {
    Document& document = ctx.get<Document>();
    const Autosave::Found found = document.lost.front();
    document.lost.erase(document.lost.begin());
    const std::string name = found.of.empty() ? std::string("a new scene") : found.of.filename().string();
    ask(ctx, {.title = "Recover unsaved work?",
              .text = "Cairn ended before the changes to " + name + " were saved.",
              .choices = {{"recover", "Recover", [found](Context& a) { recover(a, found); }},
                          {"discard", "Discard",
                           [found](Context&) {
                               std::error_code ignored;
                               fs::remove(found.file, ignored);
                           }},
                          {"later", "Ask again next time", {}}}});
}

} // namespace

bool open_file(Context& ctx, const std::filesystem::path& path) {
    if (looks_like_questions(path)) {
        return open_questions(ctx, path);
    }
    if (core::is_meant_as_capture(path)) {
        start_replay(ctx, path);
        return ctx.simulation.replay().has_value();
    }
    std::vector<std::filesystem::path> files;
    const bool loaded = attempt(ctx, [&] {
        SceneLoading loading(path);
        ctx.simulation.load(take_patiently(loading, files, ctx.get<LoadingPicture>().show));
    });
    if (loaded) {
        ctx.world_replaced();
        note_opened(ctx, path, files);
        open_as_shown(ctx);
        remember_file(ctx.get<Remembered>(), path);
        record_if_wanted(ctx);
    }
    return loaded;
}

void reload(Context& ctx) {
    Document& document = ctx.get<Document>();
    if (document.file.empty()) {
        restart(ctx);
        return;
    }
    const render::Camera camera = ctx.camera.camera();
    const bool on_path = ctx.camera.on_path;
    if (open_file(ctx, std::filesystem::path(document.file))) {
        ctx.camera.set(camera); // reading again after an edit: stay where one looks
        ctx.camera.fit = CameraControl::Fit::no;
        ctx.camera.on_path = on_path;
        ctx.log.info("Read " + document.file.filename().string() + " again");
    }
}

void restart(Context& ctx) {
    std::vector<std::filesystem::path> files;
    Document& document = ctx.get<Document>();
    const auto begin = [&] {
        if (document.was_saved) {
            SceneLoading loading(document.file);
            ctx.simulation.load(take_patiently(loading, files, ctx.get<LoadingPicture>().show));
        } else {
            ctx.simulation.restart();
        }
    };
    const bool followed = static_cast<bool>(ctx.camera.followed);
    // What one watches stays selected; a file that was saved counts its bodies anew.
    std::vector<physics::BodyId> selection = document.was_saved ? std::vector<physics::BodyId>() : ctx.selection;
    std::stable_partition(selection.begin(), selection.end(),
                          [&](physics::BodyId body) { return !(body == ctx.selected); });
    if (attempt(ctx, begin)) {
        ctx.world_replaced(WorldChange::restarted);
        select_bodies(ctx, std::move(selection)); // without those that are not there any more, from the next frame on
        if (followed && ctx.get<SceneShown>().follow) { // it has gone back, too
            set_camera_of_scene(ctx);
            ctx.camera.followed = ctx.get<SceneShown>().follow;
        }
        if (document.was_saved) {
            note_opened(ctx, std::filesystem::path(document.file), files);
        } else {
            document.saved = ctx.simulation.edit_version();
        }
        record_if_wanted(ctx);
    }
}

void new_scene(Context& ctx) {
    before_loss(ctx, "A new scene", make_new);
}

void choose_and_open(Context& ctx) {
    FileDialog::Request request;
    request.title = "Open a scene, a capture or a mesh";
    request.folder =
        ctx.get<Document>().file.empty() ? user_folder("scenes") : whole_path(ctx.get<Document>().file).parent_path();
    request.endings = {".json", ".cairn", ".jsonl", ".obj", ".stl", ".ply", ".glb", ".gltf", ".xyz"};
    request.places = file_places(false);
    request.recent = ctx.get<Remembered>().recent;
    request.then = [](Context& a, const fs::path& path) {
        const bool shape = core::is_mesh_name(path) || path.extension() == ".xyz";
        (shape ? drop_file : open_safely)(a, path); // a shape comes to the cursor
    };
    ctx.get<Dialogs>().file.open(std::move(request));
}

void open_safely(Context& ctx, const fs::path& path) {
    before_loss(ctx, "Opening another scene", [path](Context& a) { open_file(a, path); });
}

void restart_safely(Context& ctx) {
    if (has_unsaved_edits(ctx)) {
        before_loss(ctx, "Restarting", restart);
    } else {
        restart(ctx); // which keeps the camera path
    }
}

void reload_safely(Context& ctx) {
    before_loss(ctx, "Reloading", reload);
}

void follow_open_file(Context& ctx) {
    Document& document = ctx.get<Document>();
    OpenFile& open = document.watched;
    Rereading& rereading = ctx.get<Rereading>();
    if (rereading.loading != nullptr && ctx.simulation.replaying()) {
        rereading.loading.reset();
    }
    if (rereading.loading != nullptr && rereading.loading->wait(std::chrono::milliseconds(0))) {
        take_reread(ctx);
    }
    if (ctx.log.time() < open.looked_at + look_every) {
        return;
    }
    open.looked_at = ctx.log.time();
    if (document.file.empty() || ctx.simulation.replaying() || open.path != document.file) {
        return;
    }
    const auto changed = std::ranges::find_if(open.watches, [](FileWatch& watch) { return watch.changed(); });
    if (changed != open.watches.end() && may_read_again(ctx, changed->path())) {
        begin_rereading(ctx, fs::path(changed->path()));
    }
}

void follow_document(Context& ctx) {
    Document& document = ctx.get<Document>();
    if (ctx.options.frames || ctx.quit) { // what a person has just discarded is not written again
        return;
    }
    if (ctx.get<FrameMetrics>().frames == 1) {
        document.lost = document.autosave.left_behind();
    }
    if (!document.lost.empty() && !ctx.get<Dialogs>().modal() && !ctx.get<Tour>().shown && !has_unsaved_work(ctx)) {
        ask_about_lost_work(ctx);
    }
    if (const auto problem = document.autosave.take_problem()) {
        ctx.log.warning("The unsaved work could not be kept: " + *problem);
    }
    if (!has_unsaved_work(ctx)) {
        document.autosave.forget();
    } else if (document.autosave.due(work_version(ctx), ctx.log.time())) {
        const render::Camera& camera = ctx.camera.camera();
        core::Scene known;
        known.description = ctx.simulation.scene().description;
        known.zones = ctx.simulation.scene().zones;
        known.expectations = ctx.simulation.scene().expectations;
        known.show = show_now(ctx);
        document.autosave.write(work_version(ctx), ctx.log.time(), document.file,
                                [frame = ctx.simulation.share_current(), name = document.name, known,
                                 look = core::SceneCamera{camera.eye, camera.target}] {
                                    core::Scene scene = core::scene_from(*frame, name, look);
                                    scene.description = known.description;
                                    scene.zones = known.zones;
                                    scene.expectations = known.expectations;
                                    scene.show = known.show;
                                    keep_known(scene.show, scene.bodies);
                                    return scene;
                                });
    }
}

} // namespace cairn::ui
