#include "app/ui/report/state_report.h"

#include "app/core/look/colour_text.h"
#include "app/core/report/formats/json.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/ui/browser/scene_browser.h"
#include "app/ui/browser/thumbnails.h"
#include "app/ui/camera/picking.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/film/film_state.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/panels/body/contacts_panel.h"
#include "app/ui/panels/body/shape_edits.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdio>

namespace cairn::ui {

namespace {

using core::Json;
using core::json_of;

constexpr std::size_t reported_bodies = 48;

Json json_of(physics::BodyId id) {
    return id ? Json{{"index", id.index}, {"generation", id.generation}} : Json(nullptr);
}

Json json_of(const std::optional<physics::Colour>& colour) { // null: automatic
    return colour ? Json(core::colour_text(*colour)) : Json();
}

Json json_of(std::integral auto value) {
    return value;
}

std::string hex(std::uint64_t value) {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

const char* quality_word(const Context& ctx) {
    const auto quality = quality_of(ctx.get<Drawing>().settings, ctx.get<Drawing>().max_msaa);
    return quality ? qualities()[static_cast<std::size_t>(*quality)].name : "custom";
}

bool under_panel(const Context& ctx, const glm::vec2& at) {
    for (const char* column : {"column.left", "column.right", "column.tools", "help", "palette", "browser", "drawer",
                               "tour", "lab", "question", "files", "keys"}) {
        if (const Rectangle* place = ctx.widgets.place(column)) {
            const Rectangle& r = *place;
            if (at.x >= r.x && at.x < r.x + r.width && at.y >= r.y && at.y < r.y + r.height) {
                return true;
            }
        }
    }
    return false;
}

// The dynamic bodies that came last are the ones that a test has just made: they come first.
Json bodies_on_screen(const Context& ctx) {
    Json out = Json::array();
    const physics::FrameState& frame = ctx.frame();
    for (std::size_t i = frame.bodies.size(); i-- > 0 && out.size() < reported_bodies;) {
        const physics::BodyState& body = frame.bodies[i];
        const auto pose = ctx.view.drawn_pose(body.id);
        if (body.type == physics::BodyType::fixed || !pose) {
            continue;
        }
        const glm::vec2 size = ctx.window_size();
        const auto at = window_position(ctx.camera.camera(), pose->position, size);
        Json entry{{"index", body.id.index},
                   {"generation", body.id.generation},
                   {"name", frame.models[i]->def.name},
                   {"colour", json_of(frame.models[i]->def.colour)},
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
            if (inside && !under_panel(ctx, *at)) {
                const auto hit = ctx.pick(cursor_ray(ctx.camera.camera(), *at, size));
                entry["pickable"] = hit && hit->body == body.id;
            }
        }
        out.push_back(std::move(entry));
    }
    return out;
}

// Of a mesh: its names, and what is in force.
Json materials_json(const physics::ShapeDef& shape, const physics::Material& of_body) {
    Json out = Json::array();
    const auto* mesh = std::get_if<physics::Mesh>(&shape.geometry);
    for (std::size_t i = 0; mesh != nullptr && i < mesh->data->materials.size(); ++i) {
        const physics::ShapeMaterial own =
            i < shape.mesh_materials.size() ? shape.mesh_materials[i] : physics::ShapeMaterial();
        const physics::Material material = own.over(shape.material.over(of_body));
        out.push_back({{"name", mesh->data->materials[i]},
                       {"friction", json_of(material.friction)},
                       {"restitution", json_of(material.restitution)},
                       {"rolling_resistance", json_of(material.rolling_resistance)},
                       {"colour", json_of(own.colour)},
                       {"triangles", std::ranges::count(mesh->data->triangle_materials, i)}});
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

std::string state_report(const Context& ctx, const GlReport& gl) {
    const physics::FrameState& frame = ctx.frame();
    const physics::Settings& s = frame.settings;
    Json out;
    out["frames"] = ctx.get<FrameMetrics>().frames;
    out["shown_frames"] = ctx.get<FrameMetrics>().shown;
    out["pictures"] = ctx.get<FrameMetrics>().pictures;
    out["step"] = frame.step;
    out["time"] = frame.time;
    out["hash"] = hex(frame.hash);
    out["paused"] = ctx.simulation.stands_still();
    out["time_scale"] = ctx.simulation.time_scale;
    out["scene"] = {{"name", ctx.get<Document>().title},
                    {"file", ctx.get<Document>().file.string()},
                    {"unsaved", has_unsaved_work(ctx)}};
    const MeshImport& mesh = ctx.get<MeshImport>();
    out["mesh_size"] = mesh.is_open() ? mesh.size_text() : "";
    out["question"] = ctx.get<Dialogs>().question.title;
    out["bodies"] = frame.bodies.size();
    out["awake"] = frame.stats.awake;
    out["contacts"] = frame.stats.contacts;
    out["max_penetration"] = json_of(frame.stats.max_penetration);
    out["kinetic_energy"] = frame.stats.kinetic_energy;
    out["undo"] = ctx.simulation.undo_what();
    out["redo"] = ctx.simulation.redo_what();
    out["selected"] = json_of(ctx.selected);
    out["expectations"] = Json::array();
    const core::ExpectationsShown& expected = ctx.simulation.expected();
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
    for (const physics::BodyId body : ctx.selection) {
        out["selection"].push_back(body.index);
    }
    out["body"] = nullptr; // what the Body panel shows
    if (const auto place = find_body(frame, ctx.selected)) {
        const physics::BodyModel& model = *frame.models[*place];
        out["body"] = {{"name", model.def.name},
                       {"colour", json_of(model.def.colour)},
                       {"mass", json_of(model.mass)},
                       {"friction", json_of(model.def.material.friction)},
                       {"restitution", json_of(model.def.material.restitution)},
                       {"shapes", Json::array()}};
        for (std::size_t i = 0; i < model.def.shapes.size(); ++i) {
            const physics::ShapeDef& shape = model.def.shapes[i];
            const physics::Aabb& bounds = model.parts[i].shape->local_bounds;
            out["body"]["shapes"].push_back(
                {{"what", std::string(shape_text(shape.geometry))},
                 {"sensor", shape.sensor},
                 {"friction", shape.material.friction ? json_of(*shape.material.friction) : Json()},
                 {"position", json_of(shape.pose.position)},
                 {"extent", json_of(bounds.upper - bounds.lower)},
                 {"materials", materials_json(shape, model.def.material)}});
        }
    }
    out["joint_count"] = frame.joints.size();
    out["joints"] = Json::array(); // of the selected body
    for (const physics::JointState& joint : frame.joints) {
        if (joint.def->body_a == ctx.selected || joint.def->body_b == ctx.selected) {
            out["joints"].push_back({{"kind", core::joint_kinds[static_cast<std::size_t>(joint.def->kind)]},
                                     {"position", json_of(joint.position)},
                                     {"motor", joint.def->motor.has_value()},
                                     {"limits", joint.def->limits.has_value()},
                                     {"open", joint.id == ctx.open_joint},
                                     {"upper", json_of(joint.def->limits ? joint.def->limits->upper : 0.0f)},
                                     {"lower", json_of(joint.def->limits ? joint.def->limits->lower : 0.0f)},
                                     {"breaks", joint.def->break_force.has_value()}});
        }
    }
    out["hovered"] = json_of(ctx.hovered);
    const ToolBox& tools = ctx.get<ToolBox>();
    out["tool"] = {{"active", tools.tool().info().id},
                   {"labels", Json::array()},
                   {"grips", Json::array()}, // window units
                   {"framing", tools.overlay.frame.has_value()}};
    for (const glm::vec3& grip : tools.overlay.grips) {
        if (const auto at = window_position(ctx.camera.camera(), grip, ctx.window_size())) {
            out["tool"]["grips"].push_back({at->x, at->y});
        }
    }
    for (const ToolLabel& label : tools.overlay.labels) {
        out["tool"]["labels"].push_back(label.text.data());
    }
    const Player& player = ctx.get<Player>();
    out["player"] = player.drives()   ? Json("driver")
                    : player.active() ? Json(player_shapes()[player.shape()].name)
                                      : Json(nullptr);
    out["gravity"] = json_of(s.gravity);
    for (const physics::Parameter& p : physics::parameters) {
        std::visit([&](auto member) { out["settings"][std::string(p.key)] = json_of(s.*member); }, p.member);
    }
    out["grab"] = {{"active", frame.grab.active},
                   {"body", json_of(frame.grab.body)},
                   {"point", json_of(frame.grab.point)},
                   {"target", json_of(frame.grab.target)}};
    const render::Camera& camera = ctx.camera.camera();
    out["camera"] = {{"eye", json_of(camera.eye)},
                     {"target", json_of(camera.target)},
                     {"orthographic", camera.orthographic},
                     {"on_path", ctx.camera.on_path},
                     {"path", ctx.get<SceneShown>().path.size()}};
    const Sounds& sounds = ctx.get<Sounds>();
    out["sound"] = {{"on", sounds.settings.on},
                    {"volume", json_of(sounds.settings.volume)},
                    {"works", sounds.works()},
                    {"trouble", sounds.trouble()},
                    {"strikes", sounds.strikes()},
                    {"played", sounds.played()},
                    {"loudest", json_of(sounds.loudest())}};
    const FilmState& film = ctx.get<FilmState>();
    out["film"] = {
        {"running", film.running}, {"progress", json_of(film.progress)}, {"made", film.made}, {"path", film.last_path}};
    out["known_steps"] = ctx.simulation.known_steps();
    out["seeking"] = ctx.simulation.seeking();
    Json marks = Json::object();
    const TimelineState& timeline = ctx.get<TimelineState>();
    timeline.marks.visit(ctx.simulation.branches(), ctx.simulation.current_branch(), [&](const core::Mark& mark) {
        Json& steps = marks[name_of(mark.kind)];
        if (steps.size() < reported_bodies) {
            steps.push_back(mark.step);
        }
    });
    out["timeline"] = {{"playing", timeline.playing}, {"rate", json_of(timeline.rate)}, {"marks", marks}};
    const Ghosts& ghosts = ctx.get<Ghosts>();
    out["ghosts"] = ghosts.branch ? Json{{"line", *ghosts.branch}, {"step", ghosts.step()}, {"bodies", ghosts.bodies()}}
                                  : Json(nullptr);
    out["lines"] = ctx.simulation.branches().size();
    Json names = Json::array();
    for (std::size_t i = 0; i < ctx.simulation.branches().size(); ++i) {
        names.push_back(name_of_branch(ctx, i));
    }
    out["line_names"] = names;
    const auto& what_if = ctx.simulation.what_if();
    out["what_if"] =
        what_if ? Json{{"line", what_if->branch}, {"from", what_if->from}, {"end", what_if->end}} : Json(nullptr);
    out["line"] = ctx.simulation.current_branch();
    out["recording"] = nullptr;
    if (ctx.simulation.recording()) {
        out["recording"] = {{"path", ctx.simulation.recording_path().string()},
                            {"steps", ctx.simulation.recorded_steps()}};
    }
    const auto replay = ctx.simulation.replay();
    out["replay"] = replay ? replay_json(*replay) : Json(nullptr);
    out["last_replay"] =
        ctx.get<CaptureState>().last_replay ? replay_json(*ctx.get<CaptureState>().last_replay) : Json(nullptr);

    Json layers;
    for (const DebugLayer& layer : debug_layers()) {
        layers[layer.name] = ctx.view_options.layers[layer];
    }
    const Layout& layout = ctx.get<Layout>();
    const Drawing& drawing = ctx.get<Drawing>();
    const SceneBrowser& browser = ctx.get<SceneBrowser>();
    const CommandPalette& palette = ctx.get<CommandPalette>();
    out["view"] = {{"panels", layout.show_ui},
                   {"help", layout.show_help},
                   {"keyboard", static_cast<int>(layout.keyboard)}, // 0 the world, 1 left, 2 right column
                   {"placing", tools.once()},
                   {"palette", palette.open},
                   {"browser", browser.open},
                   {"tour", ctx.get<Tour>().shown ? Json(ctx.get<Tour>().step) : Json(nullptr)},
                   {"grid", ctx.view_options.grid},
                   {"textures", ctx.view_options.textures},
                   {"touching", ctx.view_options.colours == ColourMode::touching},
                   {"colours", info_of(ctx.view_options.colours).name},
                   {"msaa", drawing.settings.msaa},
                   {"resolution", drawing.settings.resolution},
                   {"shadow_map", drawing.settings.shadow_map},
                   {"shadow_cascades", drawing.settings.shadow_cascades},
                   {"quality", quality_word(ctx)},
                   {"occlusion", drawing.settings.occlusion},
                   {"layers", layers}};
    out["lab"] = nullptr;
    if (ctx.get<LabState>().open) {
        const LabState& lab = ctx.get<LabState>();
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
    if (palette.open && palette.chosen < palette.found.size()) {
        out["palette"] = {{"chosen", palette.entries[palette.found[palette.chosen]].title},
                          {"found", palette.found.size()}};
    }
    if (browser.open && browser.chosen < browser.found.size()) {
        out["browser"] = {{"chosen", browser.items[browser.found[browser.chosen]].title},
                          {"found", browser.found.size()}};
    }
    const Drawer& drawer = ctx.get<Drawer>();
    const PlotHistory& history = drawer.history;
    out["plots"] = {{"shown", drawer.open && drawer.page == Drawer::Page::plots},
                    {"samples", history.size()},
                    {"course", drawer.samples.size()},
                    {"other", drawer.other.size()}};
    if (const StepMetrics* last = history.last(ctx.simulation.branches(), ctx.simulation.current_branch())) {
        out["plots"]["momentum"] = json_of(last->of(Metric::momentum));
        out["plots"]["drift"] = json_of(last->of(Metric::drift));
        out["plots"]["energy"] = json_of(last->of(Metric::energy));
    }
    for (std::size_t i = 0; i < plot_count; ++i) {
        if (const auto count = plot_crossings(ctx, i)) {
            out["plots"]["crossings"][plot_id(i)] = *count;
        }
    }
    out["log"] = {{"shown", drawer.open && drawer.page == Drawer::Page::log}, {"lines", drawer.shown.size()}};
    out["pointed_contact"] = ctx.get<ContactsPanel>().pointed ? json_of(ctx.get<ContactsPanel>().other) : Json(nullptr);
    out["window"] = {{"width", ctx.window.width},
                     {"height", ctx.window.height},
                     {"framebuffer_width", ctx.window.framebuffer_width},
                     {"framebuffer_height", ctx.window.framebuffer_height},
                     {"scale", ctx.window.scale},
                     {"minimised", ctx.window.minimised}};
    out["mouse"] = {{"at", {json_of(ctx.cursor.x), json_of(ctx.cursor.y)}},
                    {"inside", ctx.cursor_inside},
                    {"crosshair", ctx.get<Crosshair>().shown},
                    {"pressed", ctx.get<Crosshair>().pressed},
                    {"over_ui", ctx.cursor_over_ui}};
    out["thumbnails_drawn"] = browser.thumbnails != nullptr ? browser.thumbnails->drawn() : 0;
    out["software_driver"] = drawing.software_driver;
    out["gl_errors"] = gl.errors;
    out["gl_messages"] = gl.messages;
    out["draw_calls"] = drawing.stats.draw_calls;
    out["drawn"] = {{"lines", drawing.list.lines.size()},
                    {"points", drawing.list.points.size()},
                    {"labels", drawing.list.labels.size()}};
    out["instances"] = drawing.stats.instances;
    out["culled"] = drawing.stats.culled;
    out["render_cpu_ms"] = drawing.stats.cpu_seconds * 1e3;
    out["frame_ms"] = ctx.get<FrameMetrics>().frame_ms.mean();
    out["step_ms"] = ctx.get<FrameMetrics>().step_ms.mean();
    const FrameMetrics& f = ctx.get<FrameMetrics>();
    out["main_thread_ms"] = {{"input", f.input_ms.median()},   {"update", f.update_ms.median()},
                             {"panels", f.panels_ms.median()}, {"draw_list", f.draw_list_ms.median()},
                             {"cull", f.cull_ms.median()},     {"fill", f.fill_ms.median()}};
    out["publish_ms"] = 1e3 * ctx.simulation.publish_seconds();
    out["interpolation"] = ctx.simulation.interpolation();
    out["pace"] = f.pace;
    out["dropped_seconds"] = ctx.simulation.dropped_seconds();

    Json messages = Json::array();
    for (const Message& message : ctx.log.all()) {
        messages.push_back({{"severity", severity_names[static_cast<std::size_t>(message.severity)]},
                            {"text", message.text},
                            {"times", message.times}});
    }
    out["messages"] = std::move(messages);
    Json widgets = Json::object();
    ctx.widgets.visit_marks([&](const std::string& name, const Rectangle& r) {
        widgets[name] = {json_of(r.x), json_of(r.y), json_of(r.width), json_of(r.height)};
    });
    out["widgets"] = std::move(widgets);
    out["tight"] = ctx.widgets.tight();
    out["tip"] = ctx.widgets.shown_tip();
    out["on_screen"] = bodies_on_screen(ctx);
    return core::text_of(out, 1);
}

} // namespace cairn::ui
