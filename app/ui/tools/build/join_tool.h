// Joins two bodies, or a body and the world, by two clicks; or hangs a rope from point to point.
#pragma once

#include "app/ui/tools/tool.h"
#include "physics/world/frame_state.h"
#include "physics/world/joint_def.h"

#include <cstdint>
#include <optional>

namespace cairn::ui {

// Links of a rope from `from` to `to`, m, each between two points of the result, hanging down by so much that the way
// along them is longer than the straight one by the share `slack`. At least two points.
std::vector<glm::vec3> rope_points(const glm::vec3& from, const glm::vec3& to, float link, float slack);

class JoinTool : public Tool {
  public:
    JoinTool();
    void press(Context& ctx, const glm::vec2& at) override;
    void move(Context& ctx, const glm::vec2& at) override;
    void release(Context& ctx, const glm::vec2& at) override;
    void update(Context& ctx) override;
    void draw(const Context& ctx, render::DrawList& list, MeshSource& meshes) override;
    void write(const Context& ctx, ToolOverlay& overlay) const override;
    void settings(Context& ctx) override;
    void remember(SettingsArchive& archive) override;
    bool cancel(Context& ctx) override;

  private:
    enum Choice { ball, hinge, slider, weld, rod, universal, gear, six_dof, rope };
    static constexpr int choices = 9;
    struct End {
        physics::BodyId body;          // none: the world
        physics::Vec3 local{0.0f};     // of the point, in the body's frame
        physics::Vec3 local_normal{0}; // of its surface there, the same
        glm::vec3 now{0.0f};           // m, world
        glm::vec3 normal{0.0f};        // unit, world
    };
    // Where the limits of the open joint lie: on an arc about its axis, or on the line along it.
    struct Scale {
        physics::JointState joint;
        bool turns = false;
        glm::vec3 origin{0.0f}, axis{0.0f}, x{0.0f}, y{0.0f}; // m, unit vectors; an angle goes from x to y
        glm::vec3 at(float position) const;
    };
    std::optional<Scale> scale_of(const Context& ctx) const;
    void open_near(Context& ctx, const glm::vec2& at);
    bool take_limit(Context& ctx, const glm::vec2& at);
    std::optional<End> end_under_cursor(const Context& ctx) const;
    bool has_axis() const;
    glm::vec3 axis(const End& end) const;
    void join(Context& ctx, End a, End b);
    void hang_rope(Context& ctx, const End& a, const End& b);

    int choice_ = hinge, axis_ = 0; // 0: the surface's normal, 1 to 3: X, Y, Z
    float link_ = 0.3f, radius_ = 0.04f, slack_ = 0.05f;
    float ratio_ = 1.0f;
    std::optional<End> first_, next_;
    std::uint64_t world_ = 0;
    std::optional<physics::JointDef> made_; // opened in the panel as soon as the world has it
    enum class Held { none, lower, upper } held_ = Held::none;
    std::uint64_t gesture_ = 0;
};

} // namespace cairn::ui
