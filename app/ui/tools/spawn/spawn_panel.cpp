#include "app/ui/input/actions.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool_box.h"

namespace cairn::ui {

void spawn_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    if (!w.section("spawn", "Spawn", true)) {
        return;
    }
    SpawnSettings& s = ctx.get<Spawning>().settings;
    const SpawnSettings standard;

    const std::vector<const char*>& names = spawn_shape_names();
    int shape = static_cast<int>(s.shape);
    if (w.choice("spawn.shape", "Shape", shape, names.data(), static_cast<int>(names.size()),
                 "Shape of the new bodies.")) {
        s.shape = static_cast<SpawnShape>(shape);
    }
    const FrameText size_help =
        joined("Size of the body: ", spawn_shapes()[static_cast<std::size_t>(s.shape)].description, ".");
    w.number("spawn.size", "Size", s.size, {"m", 0.05f, 20.0f, 0.01f, "%.2f", size_help.c_str()}, standard.size);
    w.number("spawn.density", "Density", s.density,
             {"kg/m³", 1.0f, 20000.0f, 10.0f, "%.0f", "Mass per volume. Water has 1000, oak 700, steel 7850.", true},
             standard.density);
    w.number("spawn.restitution", "Elasticity", s.restitution,
             {"", 0.0f, 1.0f, 0.005f, "%.2f", "Share of the impact speed that comes back: 0 clay, 1 perfect bounce."},
             standard.restitution);
    w.number("spawn.friction", "Friction", s.friction,
             {"", 0.0f, 2.0f, 0.005f, "%.2f", "Coulomb coefficient: 0 ice, 0.5 wood, 1 rubber."}, standard.friction);
    w.vector("spawn.velocity", "Velocity", s.velocity,
             {"m/s", -300.0f, 300.0f, 0.1f, "%.1f", "Velocity at the start: east, north, up."});
    w.whole("spawn.count", "Count", s.count,
            {"", 1.0f, 1000.0f, 0.1f, "%d", "Number of bodies per spawn, stacked in layers."}, standard.count);

    int where = s.at_cursor ? 1 : 0;
    const char* places[] = {"From above", "At the cursor"};
    if (w.choice("spawn.where", "Place", where, places, 2,
                 "From above: over the point the camera looks at. At the cursor: at your next click.")) {
        s.at_cursor = where == 1;
        if (ctx.get<ToolBox>().once()) {
            ctx.get<ToolBox>().put_away(ctx);
        }
    }
    if (!s.at_cursor) {
        w.number("spawn.height", "Height", s.height,
                 {"m", 0.0f, 200.0f, 0.05f, "%.1f", "Height above the point the camera looks at."}, standard.height);
    }
    w.toggle("spawn.tumbled", "Random orientation", s.tumbled, "Gives every body a random orientation.");

    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    const char* title = ctx.get<ToolBox>().once() ? "Click the place" : s.at_cursor ? "Place" : "Spawn";
    const FrameText help =
        joined("Creates the bodies. ", ctx.key_of("spawn"), " creates them at the cursor at any time.");
    if (w.button("spawn.button", title, help.c_str(), half, !ctx.simulation.replay())) {
        spawn_from_panel(ctx);
    }
    ImGui::SameLine();
    const FrameText throw_help = joined("Throws a ball from the camera (", ctx.key_of("throw_ball"),
                                        "), with the density, elasticity and friction above.");
    if (w.button("spawn.throw", "Throw a ball", throw_help.c_str(), half, !ctx.simulation.replay())) {
        throw_ball(ctx);
    }
    w.number("spawn.throw_speed", "Throw speed", s.throw_speed,
             {"m/s", 0.5f, 300.0f, 0.2f, "%.1f", "Speed of the thrown ball."}, standard.throw_speed);
}

} // namespace cairn::ui
