#include "app/ui/tools/gizmo/gizmo_tools.h"

#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/context/selection.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/number_format.h"
#include "app/ui/tools/gizmo/gizmo.h"
#include "app/ui/tools/sketch.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/world/body_def.h"

#include <cmath>
#include <cstdint>
#include <string>

namespace cairn::ui {

using gizmo::Handle;

namespace {

constexpr float handle_units = 88.0f; // window units at scale 1
constexpr float handle_click = 3.0f;  // window units at scale 1; a press that moves no farther moves nothing

const std::array<glm::vec3, 3> axis_colours = {glm::vec3(0.75f, 0.09f, 0.07f), glm::vec3(0.16f, 0.5f, 0.06f),
                                               glm::vec3(0.06f, 0.22f, 0.8f)};

// Moves and turns the selected bodies by handles. While they are held they are kinematic, so that nothing pushes them
// out of the hand; afterwards they are again what they were.
class GizmoTool : public Tool {
  public:
    enum class Mode { move, turn };
    explicit GizmoTool(Mode mode)
        : Tool(mode == Mode::move
                   ? ToolInfo{"move", "Move", "Drag an arrow, a square or the body itself. Ctrl snaps.",
                              "Move the selection", "B",
                              [](const IconPen& pen) { // a cross of arrows
                                  pen.line(-0.9f, 0, 0.9f, 0);
                                  pen.line(0, -0.9f, 0, 0.9f);
                                  for (const auto& [x, y] :
                                       {std::pair{1.0f, 0.0f}, {-1.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, -1.0f}}) {
                                      pen.head(1.25f * x, 1.25f * y, x, y);
                                  }
                              }}
                   : ToolInfo{"turn", "Rotate", "Drag a ring. Ctrl snaps.", "Rotate the selection", "U",
                              [](const IconPen& pen) { // a ring with a head
                                  pen.arc(0, 0, 0.95f, -0.4f, 4.6f);
                                  pen.head(0.55f, -0.95f, 0.9f, 0.2f);
                                  pen.draw->AddCircleFilled(pen.centre, 0.2f * pen.r, pen.ink, 10);
                              }}),
          mode_(mode) {}

    void press(Context& ctx, const glm::vec2& at) override {
        pressed_at_ = at;
        const physics::Ray ray = cursor_ray(ctx.camera.camera(), at, ctx.window_size());
        if (const auto frame = frame_of(ctx)) {
            if (const Handle handle = handle_at(ctx, *frame, at); handle != Handle::none) {
                centre_ = frame->centre;
                in_plane_ = false;
                const physics::Vec3 axis = gizmo::axis_vector(handle);
                std::optional<float> start = 0.0f;
                if (mode_ == Mode::turn) {
                    start = gizmo::angle_about(ray, centre_, axis);
                } else if (!gizmo::is_plane(handle)) {
                    start = gizmo::along_axis(ray, centre_, axis);
                } else if (const auto grip = meet_plane(ray, centre_, axis)) {
                    grip_ = *grip;
                }
                if (start) {
                    start_ = last_ = *start;
                    take(ctx, handle);
                }
                return;
            }
        }
        const auto hit = ctx.pick(ray);
        if (ctx.get<ToolBox>().shift) {
            if (hit) {
                toggle_selected(ctx, hit->body);
            }
            return;
        }
        if (!hit || !is_selected(ctx, hit->body)) {
            select(ctx, hit ? hit->body : physics::BodyId{});
        }
        const auto slot = hit ? find_body(ctx.frame(), hit->body) : std::nullopt;
        // The ground moves by its handles alone: a click beside a body must not carry it off.
        if (mode_ == Mode::move && slot && ctx.frame().bodies[*slot].type != physics::BodyType::fixed) {
            if (const auto frame = frame_of(ctx)) {
                centre_ = frame->centre;
                grip_ = hit->hit.point;
                in_plane_ = true;
                take(ctx, Handle::plane_z);
            }
        }
    }

    void move(Context& ctx, const glm::vec2& at) override {
        const bool clicks = gesture_ == 0 && glm::length(at - pressed_at_) <= handle_click * ctx.window.scale;
        if (held_in(ctx) && !clicks) {
            drag(ctx, cursor_ray(ctx.camera.camera(), at, ctx.window_size()));
        }
    }

    void release(Context& ctx, const glm::vec2& at) override {
        move(ctx, at);
        let_go(ctx);
    }

    void update(Context& ctx) override {
        if (!held_.empty() && world_ != ctx.world_number) {
            drop();
        }
        std::erase_if(held_, [&](const Held& held) { return !find_body(ctx.frame(), held.body); });
        if (held_in(ctx) && gesture_ != 0) { // Ctrl, or a flight of the camera, changes what the same cursor means
            drag(ctx, ctx.cursor_ray());
        }
        hovered_ = Handle::none;
        const auto frame = frame_of(ctx);
        if (frame && held_.empty() && ctx.cursor_in_view()) {
            hovered_ = handle_at(ctx, *frame, ctx.cursor);
        }
    }

    void draw(const Context& ctx, render::DrawList& list, MeshSource&) override {
        const auto frame = frame_of(ctx);
        if (!frame) {
            return;
        }
        const float unit = frame->reach / handle_units; // m for a window unit at scale 1
        const Handle lit = handle_ != Handle::none && !in_plane_ ? handle_ : hovered_;
        const auto colour_of = [&](Handle handle, float alpha) {
            const auto axis = static_cast<std::size_t>(gizmo::axis_of(handle));
            return glm::vec4(handle == lit ? colours::accent() : axis_colours[axis], alpha);
        };
        const glm::vec3 to_eye = towards_eye(list.camera, frame->centre);
        for (int i = 0; i < 3; ++i) {
            const auto handle = static_cast<Handle>(static_cast<int>(Handle::x) + i);
            const glm::vec3 axis = gizmo::axis_vector(handle);
            glm::vec3 u(0.0f), v(0.0f);
            u[(i + 1) % 3] = v[(i + 2) % 3] = frame->reach;
            const glm::vec4 colour = colour_of(handle, 1.0f);
            if (mode_ == Mode::turn) {
                constexpr int segments = 64;
                glm::vec3 last = frame->centre + u;
                for (int k = 1; k <= segments; ++k) {
                    const float angle = 6.28318531f * static_cast<float>(k) / segments;
                    const glm::vec3 offset = std::cos(angle) * u + std::sin(angle) * v;
                    const glm::vec3 next = frame->centre + offset;
                    const bool behind = glm::dot(offset, to_eye) < -0.1f * frame->reach;
                    sketch::thick_line(list, last, next, glm::vec4(glm::vec3(colour), behind ? 0.25f : 1.0f), unit,
                                       behind ? 1 : 3);
                    last = next;
                }
                continue;
            }
            const glm::vec3 tip = frame->centre + frame->reach * axis;
            sketch::thick_line(list, frame->centre + 0.08f * frame->reach * axis, tip - 0.15f * frame->reach * axis,
                               colour, unit);
            sketch::arrow_head(list, tip, axis, 0.2f * frame->reach, colour);
            const auto square = static_cast<Handle>(static_cast<int>(Handle::plane_x) + i);
            if (std::abs(to_eye[i]) < 0.15f) {
                continue; // seen from the edge
            }
            const glm::vec4 ink = colour_of(square, 1.0f);
            const float a = gizmo::square_from, b = gizmo::square_to;
            const std::array<glm::vec3, 4> corners = {frame->centre + a * u + a * v, frame->centre + b * u + a * v,
                                                      frame->centre + b * u + b * v, frame->centre + a * u + b * v};
            for (std::size_t k = 0; k < 4; ++k) {
                list.lines.push_back({corners[k], corners[(k + 1) % 4], ink, true});
            }
            for (int k = 1; k < 8; ++k) { // a light filling
                const float share = static_cast<float>(k) / 8.0f;
                list.lines.push_back({glm::mix(corners[0], corners[1], share), glm::mix(corners[3], corners[2], share),
                                      glm::vec4(glm::vec3(ink), 0.35f), true});
            }
        }
    }

    void write(const Context& ctx, ToolOverlay& overlay) const override {
        if (!held_in(ctx) || gesture_ == 0) {
            return;
        }
        const glm::vec3 at = centre_ + offset_;
        if (mode_ == Mode::turn) {
            overlay.write(at, "%s %+.1f°", gizmo::name_of(handle_), static_cast<double>(angle_ * degrees_per_radian));
        } else if (gizmo::is_plane(handle_)) {
            const int axis = gizmo::axis_of(handle_), u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
            overlay.write(at, "%c %+.2f m  %c %+.2f m", "XYZ"[u], static_cast<double>(offset_[u]), "XYZ"[v],
                          static_cast<double>(offset_[v]));
        } else {
            const int axis = gizmo::axis_of(handle_);
            overlay.write(at, "%s %+.2f m", gizmo::name_of(handle_), static_cast<double>(offset_[axis]));
        }
    }

    void settings(Context& ctx) override {
        if (mode_ == Mode::move) {
            ctx.widgets.number("tool.move_step", "Snap to", move_step_,
                               {"m", 0.01f, 100.0f, 0.01f, "%.2f", "Hold Ctrl to move in steps of this size."}, 0.5f);
        } else {
            ctx.widgets.number("tool.turn_step", "Snap to", turn_step_,
                               {"°", 1.0f, 90.0f, 0.25f, "%.0f", "Hold Ctrl to rotate in steps of this size."}, 15.0f);
        }
        if (ctx.selection.empty()) {
            ctx.widgets.muted("Click a body to show its handles.");
        }
    }

    void remember(SettingsArchive& a) override {
        if (mode_ == Mode::move) {
            a.value("snap", move_step_, 0.01f, 100.0f);
        } else {
            a.value("snap", turn_step_, 1.0f, 90.0f);
        }
    }

    bool cancel(Context& ctx) override {
        const bool busy = held_in(ctx);
        if (busy && gesture_ != 0) {
            ctx.simulation.give_up(gesture_);
        }
        drop();
        return busy;
    }

  private:
    struct Held {
        physics::BodyId body;
        physics::BodyType type = physics::BodyType::dynamic;
        physics::Transform pose;
        physics::Vec3 linear_velocity{0.0f}, angular_velocity{0.0f};
    };

    // nullopt with nothing selected
    std::optional<gizmo::Frame> frame_of(const Context& ctx) const {
        gizmo::Frame frame;
        if (held_in(ctx)) {
            frame.centre = centre_ + offset_;
        } else {
            int count = 0;
            for (const physics::BodyId body : ctx.selection) {
                if (const auto pose = ctx.view.drawn_pose(body)) {
                    frame.centre += pose->position;
                    ++count;
                }
            }
            if (count == 0) {
                return std::nullopt;
            }
            frame.centre /= static_cast<float>(count);
        }
        const render::Camera& camera = ctx.camera.camera();
        if (!window_position(camera, frame.centre, ctx.window_size())) {
            return std::nullopt; // behind the eye
        }
        frame.reach = reach_on_screen(camera, frame.centre, ctx.window_size(), handle_units * ctx.window.scale);
        return frame;
    }

    Handle handle_at(const Context& ctx, const gizmo::Frame& frame, const glm::vec2& at) const {
        const auto find = mode_ == Mode::move ? gizmo::move_handle_at : gizmo::turn_handle_at;
        return find(frame, ctx.camera.camera(), at, ctx.window_size(), ctx.window.scale);
    }

    void take(Context& ctx, Handle handle) {
        if (!ctx.can_edit()) {
            return;
        }
        handle_ = handle;
        offset_ = physics::Vec3(0.0f);
        angle_ = 0.0f;
        held_.clear();
        const physics::FrameState& frame = ctx.frame();
        for (const std::size_t place : selected_places(ctx)) {
            const physics::BodyState& body = frame.bodies[place];
            held_.push_back({body.id, body.type, body.pose, body.linear_velocity, body.angular_velocity});
        }
        world_ = ctx.world_number;
        gesture_ = 0; // nothing is changed by a click
    }

    void drag(Context& ctx, const physics::Ray& ray) {
        const physics::Vec3 axis = gizmo::axis_vector(handle_);
        const bool snaps = ctx.get<ToolBox>().control;
        if (mode_ == Mode::turn) {
            const auto angle = gizmo::angle_about(ray, centre_, axis);
            if (!angle) {
                return;
            }
            last_ = gizmo::unwound(*angle, last_);
            const float turned = gizmo::snapped(last_ - start_, snaps ? turn_step_ / degrees_per_radian : 0.0f);
            if (turned != angle_) {
                put(ctx, physics::Vec3(0.0f), turned);
            }
            return;
        }
        physics::Vec3 offset(0.0f);
        if (gizmo::is_plane(handle_)) {
            const auto at = meet_plane(ray, grip_, axis);
            if (!at || glm::length(*at - ctx.camera.camera().eye) > 1000.0f) {
                return; // at the horizon
            }
            offset = *at - grip_;
        } else if (const auto along = gizmo::along_axis(ray, centre_, axis)) {
            offset = (*along - start_) * axis;
        } else {
            return;
        }
        for (int i = 0; i < 3; ++i) {
            offset[i] = gizmo::snapped(offset[i], snaps ? move_step_ : 0.0f);
        }
        if (offset != offset_) {
            put(ctx, offset, 0.0f);
        }
    }

    void put(Context& ctx, const physics::Vec3& offset, float angle) {
        const bool first = gesture_ == 0;
        if (first) {
            gesture_ = ctx.new_gesture();
            const std::string verb = mode_ == Mode::move ? "Move " : "Rotate ";
            what_ =
                verb + (held_.size() > 1 ? std::to_string(held_.size()) + " bodies" : name_of(ctx, held_.front().body));
        }
        offset_ = offset;
        angle_ = angle;
        const physics::Quat turn = glm::angleAxis(angle, gizmo::axis_vector(handle_));
        const GestureScope scope(ctx, gesture_);
        for (const Held& held : held_) {
            if (first && held.type == physics::BodyType::dynamic) {
                physics::SetBody hold;
                hold.body = held.body;
                hold.type = physics::BodyType::kinematic;
                hold.linear_velocity = hold.angular_velocity = physics::Vec3(0.0f);
                ctx.submit(hold, what_);
            }
            physics::SetBody set;
            set.body = held.body;
            if (mode_ == Mode::move) {
                set.position = held.pose.position + offset;
            } else {
                set.position = centre_ + physics::rotate(turn, held.pose.position - centre_);
                set.orientation = physics::normalized(turn * held.pose.orientation);
            }
            ctx.submit(set, what_);
        }
    }

    void let_go(Context& ctx) {
        if (held_in(ctx) && gesture_ != 0) {
            const GestureScope scope(ctx, gesture_);
            for (const Held& held : held_) {
                if (held.type != physics::BodyType::dynamic) {
                    continue;
                }
                physics::SetBody set;
                set.body = held.body;
                set.type = held.type;
                // In a world that stands still a body is arranged, with the motion that it will have; in one that runs
                // it is put down.
                const bool keeps = ctx.simulation.paused;
                set.linear_velocity = keeps ? held.linear_velocity : physics::Vec3(0.0f);
                set.angular_velocity = keeps ? held.angular_velocity : physics::Vec3(0.0f);
                ctx.submit(set, what_);
            }
        }
        drop();
    }

    void drop() {
        held_.clear();
        handle_ = Handle::none;
        gesture_ = 0;
        offset_ = physics::Vec3(0.0f);
    }

    bool held_in(const Context& ctx) const { return !held_.empty() && world_ == ctx.world_number; }

    Mode mode_;
    float move_step_ = 0.5f, turn_step_ = 15.0f; // m and degrees, of snapping

    gizmo::Handle hovered_ = gizmo::Handle::none;
    // While something is held.
    glm::vec2 pressed_at_{0.0f};
    gizmo::Handle handle_ = gizmo::Handle::none;
    bool in_plane_ = false; // the body itself is dragged, in a level plane
    std::vector<Held> held_;
    std::uint64_t world_ = 0, gesture_ = 0;
    std::string what_;
    physics::Vec3 centre_{0.0f};       // where the handles were
    physics::Vec3 grip_{0.0f};         // of a plane: where the drag began
    float start_ = 0.0f, last_ = 0.0f; // m or rad, along or about the axis
    physics::Vec3 offset_{0.0f};       // m, so far
    float angle_ = 0.0f;               // rad, so far
};

} // namespace

std::unique_ptr<Tool> make_move_tool() {
    return std::make_unique<GizmoTool>(GizmoTool::Mode::move);
}

std::unique_ptr<Tool> make_turn_tool() {
    return std::make_unique<GizmoTool>(GizmoTool::Mode::turn);
}

} // namespace cairn::ui
