#include "app/ui/tools/build/build_tools.h"

#include "app/core/base/error.h"
#include "app/core/scene/worlds/excerpt.h"
#include "app/core/scene/worlds/frame_bodies.h"
#include "app/ui/camera/picking.h"
#include "app/ui/context/context.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/build/room.h"
#include "app/ui/tools/spawn/bodies.h"
#include "app/ui/tools/spawn/prototypes.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool.h"
#include "app/ui/tools/tool_box.h"
#include "app/ui/tools/tool_icon.h"
#include "app/ui/widgets/palette.h"
#include "physics/geometry/aabb.h"
#include "physics/world/store/body_kind.h"

#include <algorithm>
#include <memory>
#include <string>

namespace cairn::ui {

using physics::Vec3;

namespace {
constexpr float gap = 0.002f; // m, to what it stands on: it settles, and is not pushed out

// Inserts what the Spawn panel describes where one clicks, or all along a stroke. A ghost shows where it would stand,
// and whether there is room.
class PlaceTool : public Tool {
  public:
    PlaceTool()
        : Tool({"place", "Insert bodies",
                "Click to insert the body set in the Spawn panel, drag for a row. Red: no room.", "Insert bodies", "I",
                [](const IconPen& pen) { // a plus in a box
                    pen.draw->AddRect(pen.at(-1, -1), pen.at(1, 1), pen.ink, 1.5f, 0, pen.stroke);
                    pen.line(-0.5f, 0, 0.5f, 0);
                    pen.line(0, -0.5f, 0, 0.5f);
                }}) {}

    bool points_at_bodies() const override { return false; }
    void press(Context& ctx, const glm::vec2&) override {
        if (!ctx.can_edit()) {
            return;
        }
        make_ghosts(ctx);
        find_place(ctx);
        if (!problem_.empty()) {
            ctx.log.error("Cannot be inserted: " + problem_);
            return;
        }
        if (!place_) {
            return;
        }
        placed_.clear();
        find_room(ctx);
        ToolBox& tools = ctx.get<ToolBox>();
        if (!room_ && !tools.shift) {
            ctx.log.info("No room here" +
                         (in_the_way_.empty() ? std::string() : ": " + in_the_way_ + " is in the way") +
                         "; Shift-click inserts anyway");
            return;
        }
        gesture_ = ctx.new_gesture();
        world_ = ctx.world_number;
        insert(ctx);
        painting_ = !tools.once();
        tools.after_use(ctx);
    }

    void release(Context&, const glm::vec2&) override {
        painting_ = false;
        placed_.clear();
    }

    void update(Context& ctx) override {
        painting_ = painting_ && world_ == ctx.world_number;
        make_ghosts(ctx);
        find_place(ctx);
        if (!place_) {
            return;
        }
        find_room(ctx);
        if (painting_ && room_) {
            insert(ctx);
            make_ghosts(ctx);
            room_ = false; // where it has just been put
        }
    }

    void draw(const Context&, render::DrawList& list, MeshSource& meshes) override {
        if (!place_) {
            return;
        }
        const glm::vec4 colour = room_ ? glm::vec4(colours::accent(), 0.45f) : glm::vec4(0.8f, 0.06f, 0.04f, 0.5f);
        for (const Ghost& ghost : ghosts_) {
            SceneView::add_model(list, *ghost.kind, ghost.at(*place_), colour, meshes);
        }
    }

    void write(const Context&, ToolOverlay& overlay) const override {
        if (place_ && !room_ && !painting_) {
            overlay.write(*place_, "No room%s%.40s", in_the_way_.empty() ? "" : ": ", in_the_way_.c_str());
        }
    }

    void settings(Context& ctx) override {
        Widgets& w = ctx.widgets;
        if (!shape_row(ctx, "tool.place_shape", "What to insert.")) {
            spawn_size_rows(w, ctx.get<Spawning>().settings, "tool.place_");
        }
        w.muted("See the Spawn panel for more.");
    }

    bool cancel(Context&) override {
        const bool was = painting_;
        painting_ = false;
        placed_.clear();
        return was;
    }

  private:
    struct Ghost {
        physics::BodyDef body; // about the origin
        std::shared_ptr<const physics::BodyKind> kind;
        physics::Transform at(const Vec3& place) const { return {body.pose.position + place, body.pose.orientation}; }
    };
    void make_ghosts(Context& ctx) {
        const SpawnSettings& settings = ctx.get<Spawning>().settings;
        Prototypes& prototypes = ctx.get<Prototypes>();
        if (made_with_ == settings && made_at_ == prototypes.revision()) {
            return;
        }
        made_with_ = settings;
        made_at_ = prototypes.revision();
        ghosts_.clear();
        joints_.clear();
        problem_.clear();
        std::vector<physics::BodyDef> bodies;
        if (settings.prototype.empty()) {
            bodies = spawn_bodies(settings, Vec3(0.0f));
        } else {
            try {
                core::Scene group = heap_of(*prototypes.get(settings.prototype), settings.count);
                bodies = std::move(group.bodies);
                joints_ = std::move(group.joints);
            } catch (const core::InputError& error) {
                problem_ = error.what();
            }
        }
        for (physics::BodyDef& body : bodies) {
            const auto kind = ctx.get<ToolBox>().kinds.get(body);
            if (const auto* why = std::get_if<std::string>(&kind)) {
                problem_ = *why;
                ghosts_.clear();
                return;
            }
            ghosts_.push_back({std::move(body), std::get<std::shared_ptr<const physics::BodyKind>>(kind)});
        }
        single_ = ghosts_.size() == 1 && joints_.empty();
        if (single_) { // stands on what is clicked; heaps are stacked upwards
            ghosts_.front().body.pose.position = Vec3(0.0f);
        }
    }

    void find_place(const Context& ctx) {
        place_.reset();
        if (!ctx.cursor_in_view() || ghosts_.empty()) {
            return;
        }
        Vec3 point(0.0f), normal(0, 0, 1);
        const physics::Ray ray = ctx.cursor_ray();
        if (painting_) { // along the surface where the stroke began, not over what it has made
            const auto on_plane = meet_plane(ray, plane_point_, plane_normal_);
            if (!on_plane || glm::length(*on_plane - ctx.camera.camera().eye) > 200.0f) {
                return;
            }
            point = *on_plane;
            normal = plane_normal_;
        } else if (const auto hit = ctx.pick(ray)) {
            point = hit->hit.point;
            normal = hit->hit.normal;
            plane_point_ = point;
            plane_normal_ = normal;
        } else if (const auto ground = point_under_cursor(ctx)) {
            plane_point_ = point = *ground;
            plane_normal_ = normal;
        } else {
            return;
        }
        float room = gap;
        if (single_) {
            room += extent_along(*ghosts_.front().kind, ghosts_.front().body.pose.orientation, -normal);
        }
        place_ = point + room * normal;
        if (single_ && !painting_ && normal.z < 0.9f) { // beside a wall it stands on the floor, not in it
            physics::Ray down;
            down.origin = *place_;
            const Ghost& ghost = ghosts_.front();
            down.max_distance = gap + extent_along(*ghost.kind, ghost.body.pose.orientation, Vec3(0, 0, -1));
            if (const auto floor = ctx.view.pick(ctx.frame(), down)) {
                place_->z += down.max_distance - floor->hit.distance;
            }
        }
        stand_on_meshes(ctx, single_ ? normal : Vec3(0, 0, 1));
    }

    // All of it together, as far as the body that has to go farthest.
    void stand_on_meshes(const Context& ctx, const Vec3& direction) {
        float rise = 0.0f;
        for (const Ghost& ghost : ghosts_) {
            const physics::Transform pose = ghost.at(*place_);
            const float most = 2.0f * core::reach_of(*ghost.kind);
            rise = std::max(rise, rise_from_meshes(ctx.frame(), *ghost.kind, pose, direction, most).value_or(0.0f));
        }
        *place_ += rise * direction;
    }

    void find_room(const Context& ctx) {
        room_ = true;
        in_the_way_.clear();
        physics::Aabb all;
        for (const Ghost& ghost : ghosts_) {
            all = physics::united(all, body_bounds(*ghost.kind, ghost.at(*place_)));
        }
        find_near(ctx.frame(), all, near_);
        for (const Ghost& ghost : ghosts_) {
            const physics::Transform pose = ghost.at(*place_);
            const physics::Aabb box = body_bounds(*ghost.kind, pose);
            const bool over_stroke =
                std::ranges::any_of(placed_, [&](const physics::Aabb& other) { return physics::overlaps(box, other); });
            const auto other = over_stroke ? std::nullopt : in_the_way(ctx.frame(), near_, *ghost.kind, pose);
            if (over_stroke || other) {
                room_ = false;
                in_the_way_ = other ? ctx.frame().models[*other]->def.name : std::string();
                return;
            }
        }
    }

    void insert(Context& ctx) {
        const SpawnSettings& settings = ctx.get<Spawning>().settings;
        const std::string what =
            "Insert " + (!settings.prototype.empty() ? several_of(settings.prototype, settings.count)
                         : single_                   ? ghosts_.front().body.name
                                                     : std::to_string(ghosts_.size()) + " bodies");
        const GestureScope scope(ctx, gesture_);
        core::Scene group;
        group.joints = joints_;
        for (const Ghost& ghost : ghosts_) {
            group.bodies.push_back(ghost.body);
        }
        core::move_by(group, *place_);
        for (std::size_t i = 0; i < ghosts_.size(); ++i) {
            placed_.push_back(body_bounds(*ghosts_[i].kind, group.bodies[i].pose));
        }
        ctx.submit(core::CreateBodies{std::move(group.bodies), std::move(group.joints), {}}, what);
        ctx.get<Spawning>().settings.seed += static_cast<std::uint32_t>(settings.count);
    }

    std::optional<SpawnSettings> made_with_;
    std::uint64_t made_at_ = 0; // of the prototypes
    std::vector<Ghost> ghosts_;
    std::vector<physics::JointDef> joints_; // between them, by their order
    bool single_ = false;                   // one body, which stands on what is clicked
    std::string problem_;                   // the world would reject the body
    std::optional<physics::Vec3> place_;    // m, of the ghosts' origin
    bool room_ = false;
    std::string in_the_way_;
    std::vector<std::size_t> near_; // slots of what might be

    // While painting.
    bool painting_ = false;
    std::uint64_t gesture_ = 0, world_ = 0;
    physics::Vec3 plane_point_{0.0f}, plane_normal_{0.0f};
    std::vector<physics::Aabb> placed_; // in this stroke: the world may not show them yet
};

} // namespace

std::unique_ptr<Tool> make_place_tool() {
    return std::make_unique<PlaceTool>();
}

} // namespace cairn::ui
