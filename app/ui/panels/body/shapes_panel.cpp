// The shapes of the selected body: what each is, and all that can be changed of it.
#include "app/core/look/body_colours.h"
#include "app/core/scene/worlds/frame_bodies.h"
#include "app/ui/context/selection.h"
#include "app/ui/panels/body/body_panel.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/panels/body/shape_edits.h"
#include "app/ui/tools/build/build_tools.h"
#include "app/ui/tools/tool_box.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <imgui.h>
#include <string>

namespace cairn::ui {

namespace {

constexpr float least_shape_size = 1e-4f, greatest_shape_size = 1e4f; // m, as build_shape takes them

bool shape_size_row(Widgets& w, const char* id, const char* label, const char* help, float& value) {
    return w.number(
        id, label, value,
        {"m", least_shape_size, greatest_shape_size, std::max(0.005f * value, 1e-5f), "%.3f", help, false, "", true});
}

// How far a hull or a mesh reaches along its axes.
bool extent_row(Widgets& w, physics::Geometry& geometry, const physics::Shape& built) {
    const physics::Vec3 before = built.local_bounds.upper - built.local_bounds.lower;
    glm::vec3 after = before;
    const float largest = std::max({before.x, before.y, before.z});
    const float least = std::min({least_shape_size, before.x, before.y, before.z}); // meshes may be flat
    if (!w.vector("shape.extent", "Size", after,
                  {"m", least, 2.0f * greatest_shape_size, std::max(0.005f * largest, 1e-5f),
                   largest < 0.02f ? "%.5f" : "%.3f",
                   "From end to end along the axes of the shape, which is scaled about its origin."})) {
        return false;
    }
    return scale(geometry, before, glm::max(after, glm::vec3(least_shape_size)));
}

// The fields of each kind.
struct ShapeSizeRows {
    Widgets& w;
    physics::Geometry& geometry;
    const physics::Shape& built;
    bool operator()(physics::Sphere& s) const {
        return shape_size_row(w, "shape.radius", "Radius", "Of the ball.", s.radius);
    }
    bool operator()(physics::Box& b) const {
        const float largest = std::max({b.half_extents.x, b.half_extents.y, b.half_extents.z});
        return w.vector("shape.half", "Half size", b.half_extents,
                        {"m", least_shape_size, greatest_shape_size, std::max(0.005f * largest, 1e-5f),
                         largest < 0.02f ? "%.5f" : "%.3f", "From the middle to a face, along the axes of the shape."});
    }
    bool operator()(physics::Capsule& c) const {
        const bool radius =
            shape_size_row(w, "shape.radius", "Radius", "Of the round ends and of the middle.", c.radius);
        return shape_size_row(w, "shape.half_height", "Half height", "Of the middle, without the round ends, along Z.",
                              c.half_height) ||
               radius;
    }
    bool operator()(physics::Cylinder& c) const {
        const bool radius = shape_size_row(w, "shape.radius", "Radius", "About Z.", c.radius);
        return shape_size_row(w, "shape.half_height", "Half height", "From the middle to an end, along Z.",
                              c.half_height) ||
               radius;
    }
    bool operator()(physics::Cone& c) const {
        const bool radius = shape_size_row(w, "shape.radius", "Radius", "Of the base.", c.radius);
        return shape_size_row(w, "shape.height", "Height", "From the base to the tip, along Z.", c.height) || radius;
    }
    bool operator()(physics::Diamond& d) const {
        return shape_size_row(w, "shape.scale", "Scale", "Half of its width.", d.scale);
    }
    bool operator()(physics::PointSet&) const { return extent_row(w, geometry, built); }
    bool operator()(physics::Mesh&) const { return extent_row(w, geometry, built); }
    bool operator()(physics::HeightField&) const { return false; }
};

bool has_several_materials(const physics::ShapeDef& shape) {
    const auto* mesh = std::get_if<physics::Mesh>(&shape.geometry);
    return mesh != nullptr && !mesh->data->materials.empty();
}

bool is_surface_alone(const physics::Geometry& geometry) {
    return std::holds_alternative<physics::Mesh>(geometry) || std::holds_alternative<physics::HeightField>(geometry);
}

// All but what it is made of.
bool shape_rows(Widgets& w, TurnRow& turn, bool same, const physics::Shape& built, physics::ShapeDef& shape) {
    bool any = std::visit(ShapeSizeRows{w, shape.geometry, built}, shape.geometry);
    glm::vec3 position = shape.pose.position;
    if (w.vector("shape.position", "Position", position,
                 {"m", -1e4f, 1e4f, 0.01f, "%.3f", "Of the shape's origin in the body's own axes."})) {
        shape.pose.position = position;
        any = true;
    }
    any |=
        turn(w, "shape.orientation", "Angles in the body about x, y and z, in degrees.", shape.pose.orientation, same);
    if (!is_surface_alone(shape.geometry)) {
        any |= w.toggle("shape.sensor", "Sensor", shape.sensor,
                        "Collides with nothing and has no mass; says what overlaps it.");
    }
    return any;
}

void add_shape_button(Context& ctx, const physics::BodyModel& model, physics::BodyId body, const std::string& name) {
    Widgets& w = ctx.widgets;
    if (w.button("shape.add", "Add a shape", "Puts one more shape on top of the body, which it then belongs to.",
                 -1.0f)) {
        ImGui::OpenPopup("shape.add.kinds");
    }
    if (ImGui::BeginPopup("shape.add.kinds")) {
        for (std::size_t kind = 0; kind < new_shape_names.size(); ++kind) {
            if (ImGui::Selectable(new_shape_names[kind])) {
                ctx.submit(physics::AddShape{body, new_shape(model, kind), {}}, "Add a shape to " + name);
            }
            w.mark(joined("shape.add.", new_shape_names[kind]));
        }
        ImGui::EndPopup();
    }
}

// All shapes of the body, larger or smaller alike.
void size_of_all_row(Context& ctx, const physics::BodyModel& model, physics::BodyId body, const std::string& name) {
    const std::vector<physics::ShapeDef>& shapes = model.def.shapes;
    if (std::ranges::any_of(shapes, [](const physics::ShapeDef& shape) {
            return std::holds_alternative<physics::HeightField>(shape.geometry);
        })) {
        return; // whose size stays
    }
    const physics::Aabb bounds = bounds_of_shapes(model);
    const physics::Vec3 extent = bounds.upper - bounds.lower;
    const float before = std::max({extent.x, extent.y, extent.z});
    float after = before;
    if (!shape_size_row(ctx.widgets, "shape.all", "Whole size",
                        "Greatest extent of the body along its axes. All of its shapes are scaled alike, with their "
                        "places, about the body's origin.",
                        after) ||
        after == before) {
        return;
    }
    std::vector<core::ReplaceShape> changes;
    for (const physics::ShapeDef& shape : shapes) {
        physics::ShapeDef scaled_one = scaled(shape, after / before);
        if (const auto error = physics::check_geometry(scaled_one.geometry)) { // then none of them
            ctx.widgets.reject(std::string(joined("Whole size of ", name, ": ", error->reason)));
            return;
        }
        changes.push_back({body, static_cast<std::uint32_t>(changes.size()), std::move(scaled_one)});
    }
    ctx.submit(std::move(changes), "Scale " + name);
}

} // namespace

// A click in the view opens the material that it hits.
bool ShapesPanel::material_rows(Context& ctx, const physics::BodyModel& model, std::size_t slot, std::size_t place,
                                physics::ShapeDef& shape) {
    Widgets& w = ctx.widgets;
    const glm::vec3 shown = shown_colour(model, ctx.frame().bodies[slot]);
    bool changed = colour_(w, "shape.colour", shape.material.colour,
                           shape.material.colour ? core::body_colour(*shape.material.colour, 1.0f) : shown);
    changed |= own_material_rows(w, "shape", "body", model.def.material, shape.material);
    std::optional<std::uint32_t> pointed;
    const bool over_view = ctx.cursor_in_view();
    if (over_view && has_several_materials(shape)) {
        const auto hit = ctx.pick(ctx.cursor_ray());
        if (hit && hit->body == body_ && hit->shape == place) {
            pointed = physics::touched_material(model, *hit).place;
        }
    }
    const auto at = static_cast<std::uint32_t>(place);
    const PaintTarget& target = ctx.get<PaintTarget>();
    const bool painting = is_painting(ctx);
    const bool with_this = painting && target.body == body_ && target.place == at;
    if (pointed && !painting && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
        mesh_materials_.open(*pointed);
    }
    MeshMaterialEdit edit;
    const MeshMaterialRows::View view{shown, pointed,
                                      with_this ? std::optional<std::uint32_t>(target.material) : std::nullopt,
                                      ctx.selection.size() == 1};
    changed |= mesh_materials_(w, shape, model.def.material, view, edit);
    if (edit.set) {
        edit.set->body = body_;
        edit.set->shape = at;
        ctx.submit(std::move(*edit.set), edit.what + core::body_name(model.def, body_));
    }
    if (edit.paint && with_this && target.material == *edit.paint) {
        ctx.get<ToolBox>().put_away(ctx);
    } else if (edit.paint) {
        paint_with(ctx, {body_, at, *edit.paint});
        mesh_materials_.open(*edit.paint);
    }
    return changed;
}

// To all selected bodies that have a shape of this kind at this place: what has changed of that of the body shown.
void ShapesPanel::submit(Context& ctx, std::uint32_t place, const physics::ShapeDef& before,
                         const physics::ShapeDef& after) {
    const physics::FrameState& frame = ctx.frame();
    const bool several = ctx.selection.size() > 1;
    const GestureScope scope(ctx, several && ctx.gesture == 0 ? ctx.new_gesture() : ctx.gesture);
    for (const std::size_t slot : selected_places(ctx)) {
        const physics::BodyId body = frame.bodies[slot].id;
        const std::vector<physics::ShapeDef>& shapes = frame.models[slot]->def.shapes;
        if (place >= shapes.size() || shapes[place].geometry.index() != before.geometry.index()) {
            continue;
        }
        physics::ShapeDef own = with_change(shapes[place], before, after);
        const std::string whose =
            several ? std::to_string(ctx.selection.size()) + " bodies" : core::body_name(frame.models[slot]->def, body);
        const bool made_otherwise =
            own.material != shapes[place].material || own.mesh_materials != shapes[place].mesh_materials;
        if (made_otherwise) {
            ctx.submit(physics::SetShapeMaterial{body, place, own.material, std::move(own.mesh_materials)},
                       "Change the material of " + whose);
        } else if (!(own == shapes[place])) {
            ctx.submit(std::vector<core::ReplaceShape>{{body, place, std::move(own)}}, "Change a shape of " + whose);
        }
    }
}

void ShapesPanel::operator()(Context& ctx) {
    Widgets& w = ctx.widgets;
    const auto slot = find_body(ctx.frame(), ctx.selected);
    const physics::BodyModel& model = *ctx.frame().models[*slot];
    const std::vector<physics::ShapeDef>& shapes = model.def.shapes;
    const physics::BodyId body = ctx.selected;
    const std::string name = core::body_name(model.def, body);
    const bool same_body = body_ == body;
    if (!same_body) {
        body_ = body;
        open_ = shapes.size() == 1 ? std::optional<std::size_t>(0) : std::nullopt;
    }
    const bool same = same_body && shown_ == open_;
    shown_ = open_;
    const bool several = ctx.selection.size() > 1;
    if (several) {
        w.muted(
            joined("Those of '", name, "'; a change applies to every selected body with a shape of the kind there."));
    }
    ImGui::BeginDisabled(ctx.simulation.replay().has_value());
    if (!several && shapes.size() > 1) {
        size_of_all_row(ctx, model, body, name);
    }
    for (std::size_t place = 0; place < shapes.size(); ++place) {
        ImGui::PushID(static_cast<int>(place));
        bool open = open_ == place;
        const FrameText what = joined(shape_text(shapes[place].geometry), shapes[place].sensor ? ", sensor" : "");
        if (w.toggle(formatted("shape.%zu", place).c_str(), what.c_str(), open,
                     "Shows the shape's size, place and material, and lets them be changed.")) {
            open_ = open ? std::optional(place) : std::nullopt;
        }
        if (open) {
            ImGui::Indent();
            const auto at = static_cast<std::uint32_t>(place);
            ctx.open_shape = physics::WorldShape{body, at};
            physics::ShapeDef change = shapes[place];
            if (shape_rows(w, turn_, same, *model.parts[place].shape, change)) {
                submit(ctx, at, shapes[place], change);
            }
            change = shapes[place];
            if (material_rows(ctx, model, *slot, place, change)) {
                submit(ctx, at, shapes[place], change);
            }
            if (!several &&
                w.button("shape.remove", "Remove the shape",
                         shapes.size() > 1 ? "The body keeps its other shapes."
                                           : "A body has at least one shape: add another before, or delete the body.",
                         -1.0f, shapes.size() > 1)) {
                ctx.submit(physics::RemoveShape{body, static_cast<std::uint32_t>(place)}, "Remove a shape of " + name);
                open_.reset();
            }
            ImGui::Unindent();
        }
        ImGui::PopID();
    }
    if (!several) {
        add_shape_button(ctx, model, body, name);
    }
    ImGui::EndDisabled();
}

} // namespace cairn::ui
