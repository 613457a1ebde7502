#include "app/ui/session/registrations.h"

#include "app/ui/browser/scene_browser.h"
#include "app/ui/context/selection.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/expectations/expectations.h"
#include "app/ui/film/film_state.h"
#include "app/ui/keys/key_editor.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/opening/scene_loading.h"
#include "app/ui/palette/command_palette.h"
#include "app/ui/panels/body/body_panel.h"
#include "app/ui/panels/body/contacts_panel.h"
#include "app/ui/panels/motion/motion_panel.h"
#include "app/ui/panels/outliner/outliner.h"
#include "app/ui/panels/panels.h"
#include "app/ui/plots/drawer.h"
#include "app/ui/plots/motion/motion_table.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/frame_metrics.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/panel_list.h"
#include "app/ui/screen/pointing/pointing.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/screen/scene/scene_shown.h"
#include "app/ui/session/screenshots.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/text/paths.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/playback.h"
#include "app/ui/tools/bar/tool_bar.h"
#include "app/ui/tools/build/build_tools.h"
#include "app/ui/tools/build/copies.h"
#include "app/ui/tools/build/extrude/extrude_tool.h"
#include "app/ui/tools/gizmo/gizmo_tools.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/push/push_tools.h"
#include "app/ui/tools/select/select_tools.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tour/tour.h"

namespace cairn::ui {

namespace {

// In the order in which the settings file names them.
void add_parts(Parts& parts) {
    parts.add<Remembered>();
    parts.add<Layout>();
    parts.add<Drawing>();
    parts.add<FilmState>();
    parts.add<Drawer>();
    parts.add<CaptureState>();
    parts.add<TimelineState>();
    parts.add<Sounds>();
    parts.add<Spawning>();
    parts.add<BroughtBack>();
    parts.add<Prototypes>(user_folder("prototypes"));
    parts.add<ToolBox>();
    parts.add<Player>();
    parts.add<GamepadSettings>();
    parts.add<CommandPalette>();
    parts.add<ContactsPanel>();
    parts.add<Copies>();
    parts.add<Crosshair>();
    parts.add<Dialogs>();
    parts.add<Document>();
    parts.add<ExpectationSettings>();
    parts.add<FrameMetrics>();
    parts.add<Ghosts>();
    parts.add<HiddenBodies>();
    parts.add<KeyEditor>();
    parts.add<LabState>();
    parts.add<LoadingPicture>();
    parts.add<MeshImport>();
    parts.add<MotionTable>();
    parts.add<PaintTarget>();
    parts.add<PanelList>();
    parts.add<Rereading>();
    parts.add<SceneBrowser>();
    parts.add<SceneList>();
    parts.add<SceneShown>();
    parts.add<Screenshots>();
    parts.add<Tour>();
}

// In the order of the bar.
void add_tools(ToolBox& tools, Player& player) {
    for (const auto& make : {make_select_tool, make_move_tool, make_turn_tool, make_throw_tool, make_wand_tool,
                             make_blast_tool, make_place_tool, make_extrude_tool, make_measure_tool, make_join_tool,
                             make_terrain_tool, make_paint_tool, make_remove_tool}) {
        tools.add(make());
    }
    tools.also_remember("player", [&player](SettingsArchive& archive) { player.remember_here(archive); });
}

// From the top down.
void add_panels(PanelList& panels) {
    constexpr auto open = [](const Context&) { return true; };
    constexpr auto folded = [](const Context&) { return false; };
    panels.left = {
        {transport_panel},
        {tool_settings},
        {scenes_panel, "scenes", "Scenes", folded, "open load file recent demo example samples"},
        {spawn_panel, "spawn", "Spawn", open,
         "create add new body shape size density friction elasticity bounce count prototype prefab template"},
        {WorldPanel(), "world", "World", open,
         "gravity earth moon mars time step rate substeps solver settings parameters physics"}};
    panels.right = {
        {performance_panel},
        {Outliner(), "outliner", "Bodies and joints", folded, "list tree outliner hierarchy hide search objects"},
        {BodyPanel(), "body", "Body", open,
         "inspector properties position rotation velocity mass inertia friction elasticity restitution bounce drag "
         "damping material type static kinematic dynamic pin group mask collision filter layer lock axes impulse "
         "colour name align"},
        {ShapesPanel(), "shapes", "Shapes", folded, "size radius collider compound sensor trigger scale mesh material",
         [](const Context& ctx) { return find_body(ctx.frame(), ctx.selected).has_value(); }},
        {joints_panel, "joints", "Joints", open,
         "constraint hinge motor limit spring anchor axis break weld slider rope",
         [](const Context& ctx) {
             return ctx.selected && std::ranges::any_of(ctx.frame().joints, [&](const physics::JointState& joint) {
                        return joint.def->body_a == ctx.selected || joint.def->body_b == ctx.selected;
                    });
         }},
        {MotionPanel(), "motion", "Motion", folded,
         "graph plot chart speed velocity height trajectory csv export trace table",
         [](const Context& ctx) { return !ctx.selection.empty(); }},
        {contacts_panel, "contacts", "Contacts", folded, "touching collisions manifold impulse normal penetration"},
        {edits_panel, "edits", "Undo steps", folded, "history list undo redo"},
        {expectations_panel, "expectations", "Expectations",
         [](const Context& ctx) { return !ctx.simulation.expected().expectations.empty(); },
         "assert check test verify"},
        {capture_panel, "capture", "Capture", folded, "record replay save verify determinism"},
        {film_panel, "film", "Film", folded, "video movie gif mp4 export animation render seconds"},
        {layers_panel, "layers", "Layers", open,
         "view debug draw quality shadows resolution antialiasing msaa graphics text size font colours colour blind "
         "grid textures gamepad performance"},
        {sound_panel, "sound", "Sound", folded, "volume audio mute"},
        {stats_panel, "stats", "Stats", open,
         "statistics fps performance profiler timing step energy bodies contacts memory"}};
}

} // namespace

WindowContext::WindowContext(const WindowOptions& window_options, core::Simulation& the_simulation,
                             const std::function<void(Context&)>& more)
    : Context(window_options, the_simulation) {
    add_parts(parts);
    add_tools(get<ToolBox>(), get<Player>());
    add_panels(get<PanelList>());
    if (more) {
        more(*this);
    }
    add_actions(*this); // of the tools too
}

} // namespace cairn::ui
