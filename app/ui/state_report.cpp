#include "app/ui/state_report.h"

#include "app/core/report/json.h"
#include "app/core/scene/scene_keys.h"
#include "app/ui/browser/thumbnails.h"
#include "app/ui/picking.h"
#include "physics/world/parameters.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace cairn::ui {

namespace {

using core::Json;
using core::json_of;

constexpr std::size_t reported_bodies = 48;

Json json_of(physics::BodyId id) {
    return id ? Json{{"index", id.index}, {"generation", id.generation}} : Json(nullptr);
}

Json value_of(bool value) {
    return value;
}
Json value_of(int value) {
    return value;
}
Json value_of(float value) {
    return json_of(value);
}
Json value_of(const physics::Vec3& value) {
    return json_of(value);
}

const char* word(Severity severity) {
    switch (severity) {
    case Severity::info:
        return "info";
    case Severity::warning:
        return "warning";
    case Severity::error:
        return "error";
    }
    return "";
}

std::string hex(std::uint64_t value) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

const char* quality_word(const App& app) {
    const auto quality = quality_of(app.draw, app.max_msaa);
    return quality ? qualities()[static_cast<std::size_t>(*quality)].name : "custom";
}

bool under_panel(const App& app, const glm::vec2& at) {
    for (const char* column : {"column.left", "column.right", "column.tools", "help", "palette", "browser", "drawer",
                               "tour", "lab", "question", "files"}) {
        if (const Rectangle* place = app.widgets.place(column)) {
            const Rectangle& r = *place;
            if (at.x >= r.x && at.x < r.x + r.width && at.y >= r.y && at.y < r.y + r.height) {
                return true;
            }
        }
    }
    return false;
}

// The dynamic bodies that came last are the ones that a test has just made: they come first.
Json bodies_on_screen(const App& app) {
    Json out = Json::array();
    const physics::FrameState& frame = app.frame();
    for (std::size_t i = frame.bodies.size(); i-- > 0 && out.size() < reported_bodies;) {
        const physics::BodyState& body = frame.bodies[i];
        const auto pose = app.view.drawn_pose(body.id);
        if (body.type == physics::BodyType::fixed || !pose) {
            continue;
        }
        const glm::vec2 size = app.window_size();
        const auto at = window_position(app.camera.camera(), pose->position, size);
        Json entry{{"index", body.id.index},
                   {"generation", body.id.generation},
                   {"name", frame.models[i]->def.name},
                   {"type", body.type == physics::BodyType::dynamic ? "dynamic" : "kinematic"},
                   {"position", json_of(body.pose.position)},
                   {"orientation",
                    {json_of(body.pose.orientation.w), json_of(body.pose.orientation.x),
                     json_of(body.pose.orientation.y), json_of(body.pose.orientation.z)}},
                   {"linear_velocity", json_of(body.linear_velocity)},
                   {"sleeping", body.sleeping},
                   {"at", nullptr},
                   {"pickable", false}};
        if (at) {
            entry["at"] = {json_of(at->x), json_of(at->y)};
            const bool inside = at->x >= 0.0f && at->y >= 0.0f && at->x < size.x && at->y < size.y;
            if (inside && !under_panel(app, *at)) {
                const auto hit = app.pick(cursor_ray(app.camera.camera(), *at, size));
                entry["pickable"] = hit && hit->body == body.id;
            }
        }
        out.push_back(std::move(entry));
    }
    return out;
}

Json replay_json(const core::Runner::ReplayState& replay) {
    Json out{{"path", replay.path.string()}, {"step", replay.step},         {"steps", replay.steps},
             {"compared", replay.compared},  {"finished", replay.finished}, {"divergence", nullptr}};
    if (replay.divergence) {
        out["divergence"] = {{"step", replay.divergence->step}, {"what", replay.divergence->what}};
    }
    return out;
}

} // namespace

std::string state_report(const App& app, const GlReport& gl) {
    const physics::FrameState& frame = app.frame();
    const physics::Settings& s = frame.settings;
    Json out;
    out["frames"] = app.figures.frames;
    out["step"] = frame.step;
    out["time"] = frame.time;
    out["hash"] = hex(frame.hash);
    out["paused"] = app.simulation.stands_still();
    out["time_scale"] = app.simulation.time_scale;
    out["scene"] = {
        {"name", app.document.title}, {"file", app.document.file.string()}, {"unsaved", has_unsaved_work(app)}};
    out["question"] = app.document.question.title;
    out["bodies"] = frame.bodies.size();
    out["awake"] = frame.stats.awake;
    out["contacts"] = frame.stats.contacts;
    out["max_penetration"] = json_of(frame.stats.max_penetration);
    out["kinetic_energy"] = frame.stats.kinetic_energy;
    out["undo"] = app.simulation.undo_what();
    out["redo"] = app.simulation.redo_what();
    out["selected"] = json_of(app.selected);
    out["expectations"] = Json::array();
    const core::ExpectationsShown& expected = app.simulation.expected();
    for (std::size_t i = 0; i < expected.expectations.size(); ++i) {
        static constexpr const char* words[] = {"open", "met", "failed"};
        const core::ExpectationOutcome& outcome = expected.outcomes[i];
        out["expectations"].push_back({{"what", core::description(expected.expectations[i])},
                                       {"status", words[static_cast<std::size_t>(outcome.status)]},
                                       {"missed", outcome.missed},
                                       {"step", outcome.step},
                                       {"found", outcome.found}});
    }
    out["zones"] = Json::array();
    for (const core::Zone& zone : expected.zones) {
        out["zones"].push_back({{"name", zone.name}, {"position", json_of(zone.pose.position)}});
    }
    out["selection"] = Json::array();
    for (const physics::BodyId body : app.selection) {
        out["selection"].push_back(body.index);
    }
    out["body"] = nullptr; // what the Body panel shows
    if (const auto place = find_body(frame, app.selected)) {
        const physics::BodyModel& model = *frame.models[*place];
        out["body"] = {{"name", model.def.name},
                       {"mass", json_of(model.mass)},
                       {"friction", json_of(model.def.material.friction)},
                       {"restitution", json_of(model.def.material.restitution)}};
    }
    out["joint_count"] = frame.joints.size();
    out["joints"] = Json::array(); // of the selected body
    for (const physics::JointState& joint : frame.joints) {
        if (joint.def->body_a == app.selected || joint.def->body_b == app.selected) {
            out["joints"].push_back({{"kind", core::joint_kinds[static_cast<std::size_t>(joint.def->kind)]},
                                     {"position", json_of(joint.position)},
                                     {"motor", joint.def->motor.has_value()},
                                     {"limits", joint.def->limits.has_value()},
                                     {"open", joint.id == app.open_joint},
                                     {"upper", json_of(joint.def->limits ? joint.def->limits->upper : 0.0f)},
                                     {"lower", json_of(joint.def->limits ? joint.def->limits->lower : 0.0f)},
                                     {"breaks", joint.def->break_force.has_value()}});
        }
    }
    out["hovered"] = json_of(app.hovered);
    out["tool"] = {{"active", app.tools.active_info().id},
                   {"labels", Json::array()},
                   {"grips", Json::array()}, // window units
                   {"framing", app.tools.overlay.frame.has_value()}};
    for (const glm::vec3& grip : app.tools.overlay.grips) {
        if (const auto at = window_position(app.camera.camera(), grip, app.window_size())) {
            out["tool"]["grips"].push_back({at->x, at->y});
        }
    }
    for (const ToolLabel& label : app.tools.overlay.labels) {
        out["tool"]["labels"].push_back(label.text.data());
    }
    out["player"] = app.tools.player.drives()   ? Json("driver")
                    : app.tools.player.active() ? Json(player_shapes()[app.tools.player.shape()].name)
                                                : Json(nullptr);
    out["gravity"] = json_of(s.gravity);
    for (const physics::Parameter& p : physics::parameters) {
        std::visit([&](auto member) { out["settings"][std::string(p.key)] = value_of(s.*member); }, p.member);
    }
    out["grab"] = {{"active", frame.grab.active},
                   {"body", json_of(frame.grab.body)},
                   {"point", json_of(frame.grab.point)},
                   {"target", json_of(frame.grab.target)}};
    const render::Camera& camera = app.camera.camera();
    out["camera"] = {{"eye", json_of(camera.eye)}, {"target", json_of(camera.target)}};
    out["sound"] = {{"on", app.sounds.settings.on},
                    {"volume", json_of(app.sounds.settings.volume)},
                    {"works", app.sounds.works()},
                    {"trouble", app.sounds.trouble()},
                    {"strikes", app.sounds.strikes()},
                    {"played", app.sounds.played()},
                    {"loudest", json_of(app.sounds.loudest())}};
    out["film"] = {{"running", app.film.running},
                   {"progress", json_of(app.film.progress)},
                   {"made", app.film.made},
                   {"path", app.film.last_path}};
    out["known_steps"] = app.simulation.known_steps();
    out["seeking"] = app.simulation.seeking();
    Json marks = Json::object();
    app.timeline.marks.visit(app.simulation.lines(), app.simulation.current_line(), [&](const core::Mark& mark) {
        Json& steps = marks[name_of(mark.kind)];
        if (steps.size() < reported_bodies) {
            steps.push_back(mark.step);
        }
    });
    out["timeline"] = {{"playing", app.timeline.playing}, {"rate", json_of(app.timeline.rate)}, {"marks", marks}};
    out["ghosts"] = app.ghosts.line
                        ? Json{{"line", *app.ghosts.line}, {"step", app.ghosts.step()}, {"bodies", app.ghosts.bodies()}}
                        : Json(nullptr);
    out["lines"] = app.simulation.lines().size();
    Json names = Json::array();
    for (std::size_t i = 0; i < app.simulation.lines().size(); ++i) {
        names.push_back(name_of_line(app, i));
    }
    out["line_names"] = names;
    const auto& what_if = app.simulation.what_if();
    out["what_if"] =
        what_if ? Json{{"line", what_if->line}, {"from", what_if->from}, {"end", what_if->end}} : Json(nullptr);
    out["line"] = app.simulation.current_line();
    out["recording"] = nullptr;
    if (app.simulation.recording()) {
        out["recording"] = {{"path", app.simulation.recording_path().string()},
                            {"steps", app.simulation.recorded_steps()}};
    }
    const auto replay = app.simulation.replay();
    out["replay"] = replay ? replay_json(*replay) : Json(nullptr);
    out["last_replay"] = app.capture.last_replay ? replay_json(*app.capture.last_replay) : Json(nullptr);

    Json layers;
    for (const DebugLayer& layer : debug_layers()) {
        layers[layer.name] = app.view_options.layers.*(layer.shown);
    }
    out["view"] = {{"panels", app.show_ui},
                   {"help", app.show_help},
                   {"placing", app.tools.once()},
                   {"palette", app.palette.open},
                   {"browser", app.browser.open},
                   {"tour", app.tour.shown ? Json(app.tour.step) : Json(nullptr)},
                   {"grid", app.view_options.grid},
                   {"textures", app.view_options.textures},
                   {"touching", app.view_options.colours == ColourMode::touching},
                   {"colours", info_of(app.view_options.colours).name},
                   {"msaa", app.draw.msaa},
                   {"shadow_map", app.draw.shadow_map},
                   {"shadow_cascades", app.draw.shadow_cascades},
                   {"quality", quality_word(app)},
                   {"occlusion", app.draw.occlusion},
                   {"layers", layers}};
    out["lab"] = nullptr;
    if (app.lab.open) {
        const LabState& lab = app.lab;
        Json runs = Json::array();
        for (std::size_t i = 0; i < lab.runs.size(); ++i) {
            const core::lab::LabStep& step = *lab.step_of(i);
            runs.push_back({{"algorithm", lab.runs[i].algorithm},
                            {"steps", lab.runs[i].steps.size()},
                            {"sentence", step.sentence},
                            {"status", step.status},
                            {"answer", lab.runs[i].answer},
                            {"failed", lab.runs[i].failed}});
        }
        out["lab"] = {{"a", lab.has_pair ? Json(lab.pair.name_a) : Json(nullptr)},
                      {"b", lab.has_pair ? Json(lab.pair.name_b) : Json(nullptr)},
                      {"choice", lab.chosen().name},
                      {"question", lab.question + 1},
                      {"step", lab.step + 1},
                      {"steps", lab.step_count()},
                      {"version", lab.version},
                      {"playing", lab.playing},
                      {"measured", lab.comparison ? Json(lab.comparison->rows().size()) : Json(nullptr)},
                      {"measuring", lab.measuring},
                      {"verdict", lab.verdict},
                      {"trouble", lab.trouble},
                      {"runs", runs}};
    }
    if (app.palette.open && app.palette.chosen < app.palette.found.size()) {
        out["palette"] = {{"chosen", app.palette.entries[app.palette.found[app.palette.chosen]].title},
                          {"found", app.palette.found.size()}};
    }
    if (app.browser.open && app.browser.chosen < app.browser.found.size()) {
        out["browser"] = {{"chosen", app.browser.items[app.browser.found[app.browser.chosen]].title},
                          {"found", app.browser.found.size()}};
    }
    const PlotHistory& history = app.drawer.history;
    out["plots"] = {{"shown", app.drawer.open && app.drawer.page == Drawer::Page::plots},
                    {"samples", history.size()},
                    {"course", app.drawer.course.size()},
                    {"other", app.drawer.other.size()}};
    if (const StepFigures* last = history.last(app.simulation.lines(), app.simulation.current_line())) {
        out["plots"]["momentum"] = json_of(last->of(Figure::momentum));
        out["plots"]["drift"] = json_of(last->of(Figure::drift));
        out["plots"]["energy"] = json_of(last->of(Figure::energy));
    }
    for (std::size_t i = 0; i < plot_count; ++i) {
        if (const auto count = plot_crossings(app, i)) {
            out["plots"]["crossings"][plot_id(i)] = *count;
        }
    }
    out["log"] = {{"shown", app.drawer.open && app.drawer.page == Drawer::Page::log},
                  {"lines", app.drawer.shown.size()}};
    out["pointed_contact"] = app.contacts_panel.pointed ? json_of(app.contacts_panel.other) : Json(nullptr);
    out["window"] = {{"width", app.window.width},
                     {"height", app.window.height},
                     {"framebuffer_width", app.window.framebuffer_width},
                     {"framebuffer_height", app.window.framebuffer_height},
                     {"scale", app.window.scale},
                     {"minimised", app.window.minimised}};
    out["mouse"] = {{"at", {json_of(app.cursor.x), json_of(app.cursor.y)}},
                    {"inside", app.cursor_inside},
                    {"over_ui", app.cursor_over_ui}};
    out["thumbnails_drawn"] = app.browser.thumbnails != nullptr ? app.browser.thumbnails->drawn() : 0;
    out["software_driver"] = app.software_driver;
    out["gl_errors"] = gl.errors;
    out["gl_messages"] = gl.messages;
    out["draw_calls"] = app.render_stats.draw_calls;
    out["drawn"] = {{"lines", app.draw_list.lines.size()},
                    {"points", app.draw_list.points.size()},
                    {"labels", app.draw_list.labels.size()}};
    out["instances"] = app.render_stats.instances;
    out["culled"] = app.render_stats.culled;
    out["render_cpu_ms"] = app.render_stats.cpu_seconds * 1e3;
    out["frame_ms"] = app.figures.frame_ms.mean();
    out["step_ms"] = app.figures.step_ms.mean();
    const FrameFigures& f = app.figures;
    out["main_thread_ms"] = {{"input", f.input_ms.median()},   {"update", f.update_ms.median()},
                             {"panels", f.panels_ms.median()}, {"draw_list", f.draw_list_ms.median()},
                             {"cull", f.cull_ms.median()},     {"fill", f.fill_ms.median()}};
    out["publish_ms"] = 1e3 * app.simulation.publish_seconds();
    out["interpolation"] = app.simulation.interpolation();
    out["pace"] = f.pace;
    out["dropped_seconds"] = app.simulation.dropped_seconds();

    Json messages = Json::array();
    for (const Message& message : app.log.all()) {
        messages.push_back({{"severity", word(message.severity)}, {"text", message.text}, {"times", message.times}});
    }
    out["messages"] = std::move(messages);
    Json widgets = Json::object();
    app.widgets.visit_marks([&](const std::string& name, const Rectangle& r) {
        widgets[name] = {json_of(r.x), json_of(r.y), json_of(r.width), json_of(r.height)};
    });
    out["widgets"] = std::move(widgets);
    out["tight"] = app.widgets.tight();
    out["tip"] = app.widgets.shown_tip();
    out["on_screen"] = bodies_on_screen(app);
    return core::text_of(out, 1);
}

std::string write_report(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::path temporary = path;
    temporary += ".part";
    {
        std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
        file << text;
        file.flush();
        if (!file) {
            return temporary.string() + ": cannot write this file";
        }
    }
    std::error_code error;
    std::filesystem::rename(temporary, path, error);
    return error ? path.string() + ": cannot replace this file: " + error.message() : std::string();
}

} // namespace cairn::ui
