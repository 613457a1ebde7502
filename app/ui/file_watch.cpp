#include "app/ui/file_watch.h"

#include "app/core/capture/capture.h"
#include "app/core/scene/mesh_points.h"
#include "app/core/scene/scene_sources.h"
#include "app/ui/actions.h"
#include "app/ui/app.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace cairn::ui {

namespace {

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

void read_again(App& app, const std::filesystem::path& changed) {
    const std::string name = changed.filename().string();
    if (app.simulation.recording() && !app.capture.always) {
        app.log.warning(name + " has changed; it is not reloaded during a recording");
        return;
    }
    if (has_unsaved_work(app)) {
        app.document.on_disk_too = app.document.on_disk_too || changed == app.document.file;
        app.log.warning(name + " has changed; it is not reloaded over unsaved changes (" + key_of(Action::reload) +
                        " does)");
        return;
    }
    std::vector<Known> known;
    for (const std::size_t place : selected_places(app)) {
        known.push_back({place, app.frame().models[place]->def.name});
    }
    std::vector<std::filesystem::path> files;
    bool read = false;
    try {
        app.simulation.load(core::read_scene(app.document.file, files));
        read = true;
    } catch (const std::exception& error) {
        app.log.error(error.what());
    }
    if (!read) {
        app.document.watched.look_at(app.document.file, files); // which may be others than before
        return;
    }
    forget_bodies(app);
    note_opened(app, std::filesystem::path(app.document.file), files);
    record_if_wished(app);
    select_bodies(app, same_bodies(app.frame(), known));
    app.scenes.listed = false;
    app.log.info(name + " has changed: reloaded");
}

std::string extension_of(const std::filesystem::path& path) {
    std::string text = path.extension().string();
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

void drop_mesh(App& app, const std::filesystem::path& path) {
    physics::BodyDef body;
    try {
        physics::ShapeDef def;
        def.geometry = physics::PointSet{std::make_shared<const std::vector<physics::Vec3>>(core::read_points(path))};
        auto shape = physics::build_shape(def.geometry);
        const auto* good = std::get_if<physics::Shape>(&shape);
        const auto under = point_under_cursor(app);
        const glm::vec3 at = under.value_or(app.camera.camera().target);
        // The world refuses what is no shape, and says why.
        body.pose.position = at + glm::vec3(0.0f, 0.0f, good != nullptr ? 1.02f * good->bounding_radius : 0.0f);
        body.shapes = {std::move(def)};
    } catch (const std::exception& error) {
        app.log.error(error.what());
        return;
    }
    body.name = path.stem().string();
    body.density = app.spawn.density;
    body.material.restitution = app.spawn.restitution;
    body.material.friction = app.spawn.friction;
    app.submit(physics::CreateBody{std::move(body)}, "Drop " + path.filename().string());
}

} // namespace

std::optional<FileWatch::Stamp> FileWatch::stamp_of(const std::filesystem::path& path) {
    std::error_code error;
    Stamp stamp;
    stamp.time = std::filesystem::last_write_time(path, error);
    if (error) {
        return std::nullopt;
    }
    stamp.size = std::filesystem::file_size(path, error);
    return error ? std::nullopt : std::optional(stamp);
}

void FileWatch::look_at(const std::filesystem::path& path) {
    path_ = path;
    known_ = seen_ = stamp_of(path);
}

bool FileWatch::changed() {
    const std::optional<Stamp> now = stamp_of(path_);
    if (!now || now == known_) {
        seen_ = now;
        return false;
    }
    if (now != seen_) {
        seen_ = now;
        return false;
    }
    known_ = now;
    return true;
}

void OpenFile::look_at(const std::filesystem::path& file, const std::vector<std::filesystem::path>& files) {
    path = file;
    watches.assign(files.size(), {});
    for (std::size_t i = 0; i < files.size(); ++i) {
        watches[i].look_at(files[i]);
    }
}

void OpenFile::forget_change() {
    for (FileWatch& watch : watches) {
        watch.look_at(std::filesystem::path(watch.path()));
    }
}

void follow_open_file(App& app) {
    OpenFile& open = app.document.watched;
    if (app.log.time() < open.looked_at + look_every) {
        return;
    }
    open.looked_at = app.log.time();
    if (app.document.file.empty() || app.simulation.replaying() || open.path != app.document.file) {
        return;
    }
    const auto changed =
        std::find_if(open.watches.begin(), open.watches.end(), [](FileWatch& watch) { return watch.changed(); });
    if (changed != open.watches.end()) {
        const std::filesystem::path file = changed->path();
        read_again(app, file);
    }
}

void drop_file(App& app, const std::filesystem::path& path) {
    const std::string kind = extension_of(path);
    if (kind == ".obj" || kind == ".xyz") {
        if (app.can_edit()) {
            drop_mesh(app, path);
        }
    } else if (kind == ".json" || kind == ".jsonl" || core::looks_like_capture(path)) {
        open_safely(app, path);
    } else {
        app.log.error(path.filename().string() +
                      ": drop a scene (.json), a capture (.cairn), a mesh (.obj, .xyz) or questions (.jsonl)");
    }
}

} // namespace cairn::ui
