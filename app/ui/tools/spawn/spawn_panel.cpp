#include "app/ui/input/actions.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/widgets/colour/colour_row.h"
#include "app/ui/widgets/palette.h"

#include <algorithm>

namespace cairn::ui {

bool shape_row(Context& ctx, const char* id, const char* help) {
    SpawnSettings& s = ctx.get<Spawning>().settings;
    Prototypes& prototypes = ctx.get<Prototypes>();
    FrameList<const char*> names;
    for (const char* name : spawn_shape_names()) {
        names.push_back(name);
    }
    int chosen = static_cast<int>(s.shape);
    for (const std::string& name : prototypes.names()) {
        if (name == s.prototype) {
            chosen = static_cast<int>(names.size());
        }
        names.push_back(name.c_str());
    }
    if (!prototypes.has(s.prototype)) { // its file is gone
        s.prototype.clear();
    }
    if (ctx.widgets.choice(id, "Shape", chosen, names.data(), static_cast<int>(names.size()), help)) {
        const std::size_t shapes = spawn_shapes().size();
        const auto place = static_cast<std::size_t>(chosen);
        if (place < shapes) {
            s.shape = spawn_shapes()[place].shape;
            s.sizes = spawn_extents(s.shape, s.size);
        }
        s.prototype = place < shapes ? std::string() : prototypes.names()[place - shapes];
    }
    return !s.prototype.empty();
}

void spawn_size_rows(Widgets& w, SpawnSettings& s, const char* id) {
    const SpawnShapeInfo& info = spawn_shapes()[static_cast<std::size_t>(s.shape)];
    const auto& names = info.sizes;
    const SpawnSettings standard;
    const bool several = names[1] != nullptr || names[2] != nullptr;
    if (!several || !s.by_axis) {
        const FrameText help = joined("Size of the body: ", info.description, ".");
        if (w.number(joined(id, "size").c_str(), "Size", s.size, {"m", 0.05f, 20.0f, 0.01f, "%.2f", help.c_str()},
                     standard.size) ||
            !s.by_axis) {
            s.sizes = spawn_extents(s.shape, s.size);
        }
    } else {
        static constexpr const char* marks[] = {"size_x", "size_y", "size_z"};
        for (int axis = 0; axis < 3; ++axis) {
            if (names[axis] == nullptr) {
                s.sizes[axis] = s.sizes.x;
            } else {
                w.number(joined(id, marks[axis]).c_str(), names[axis], s.sizes[axis],
                         {"m", 0.02f, 20.0f, 0.01f, "%.3g", "Extent of the body in this direction."});
            }
        }
    }
    if (s.shape == SpawnShape::capsule) { // at the shortest a ball
        s.sizes.z = std::max(s.sizes.z, s.sizes.x);
    }
    if (several) {
        w.toggle(joined(id, "by_axis").c_str(), "Sizes by axis", s.by_axis,
                 "A size for each direction instead of one for the whole.");
    }
}

namespace {

void own_rows(Widgets& w, SpawnSettings& s) {
    const SpawnSettings standard;
    w.number("spawn.density", "Density", s.density,
             {"kg/m³", 1.0f, 20000.0f, 10.0f, "%.0f", "Mass per volume. Water has 1000, oak 700, steel 7850.", true},
             standard.density);
    w.number("spawn.restitution", "Elasticity", s.restitution,
             {"", 0.0f, 1.0f, 0.005f, "%.2f", "Share of the impact speed that comes back: 0 clay, 1 perfect bounce."},
             standard.restitution);
    w.number("spawn.friction", "Friction", s.friction,
             {"", 0.0f, 2.0f, 0.005f, "%.2f", "Coulomb coefficient: 0 ice, 0.5 wood, 1 rubber."}, standard.friction);
    static ColourRow colour_row; // what its picker shows while it is open
    colour_row(w, "spawn.colour", s.colour, s.colour ? core::body_colour(*s.colour, 1.0f) : colours::neutral());
    w.vector("spawn.velocity", "Velocity", s.velocity,
             {"m/s", -300.0f, 300.0f, 0.1f, "%.1f", "Velocity at the start."});
}

} // namespace

void spawn_panel(Context& ctx) {
    Widgets& w = ctx.widgets;
    SpawnSettings& s = ctx.get<Spawning>().settings;
    const SpawnSettings standard;

    const bool kept = shape_row(ctx, "spawn.shape", "Shape of the new bodies, or what was kept.");
    if (!kept) {
        spawn_size_rows(w, s, "spawn.");
        own_rows(w, s);
    }
    w.whole("spawn.count", "Count", s.count, {"", 1.0f, 1000.0f, 0.1f, "%d", "Number per spawn, stacked in layers."},
            standard.count);
    int where = s.at_cursor ? 1 : 0;
    const char* places[] = {"From above", "At the cursor"};
    ToolBox& tools = ctx.get<ToolBox>();
    if (w.choice("spawn.where", "Place", where, places, 2,
                 "From above: over the point the camera looks at. At the cursor: at your next click.")) {
        s.at_cursor = where == 1;
        if (tools.once()) {
            tools.put_away(ctx);
        }
    }
    if (!s.at_cursor) {
        w.number("spawn.height", "Height", s.height,
                 {"m", 0.0f, 200.0f, 0.05f, "%.1f", "Height above the point the camera looks at."}, standard.height);
    }
    if (!kept) {
        w.toggle("spawn.tumbled", "Random orientation", s.tumbled, "Gives every body a random orientation.");
    }

    const float half = 0.5f * (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x);
    const char* title = tools.once() ? "Click the place" : s.at_cursor ? "Place" : "Spawn";
    const FrameText help =
        joined("Creates the bodies. ", ctx.key_of("spawn"), " creates them at the cursor at any time.");
    if (w.button("spawn.button", title, help.c_str(), half, !ctx.simulation.replay())) {
        spawn_from_panel(ctx);
    }
    ImGui::SameLine();
    const FrameText throw_help = joined("Throws a ball from the camera (", ctx.key_of("throw_ball"),
                                        "), with the density, elasticity, friction and colour above.");
    if (w.button("spawn.throw", "Throw a ball", throw_help.c_str(), half, !ctx.simulation.replay())) {
        throw_ball(ctx);
    }
    prototype_rows(ctx);
    w.number("spawn.throw_speed", "Throw speed", s.throw_speed,
             {"m/s", 0.5f, 300.0f, 0.2f, "%.1f", "Speed of the thrown ball."}, standard.throw_speed);
}

} // namespace cairn::ui
