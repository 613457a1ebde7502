// A small world as it is drawn, without a window.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/view/scene_view.h"
#include "physics/world/world.h"

#include <gtest/gtest.h>
#include <memory>
#include <set>

namespace cairn::ui::stage {

using physics::Vec3;

class CountingMeshes final : public MeshSource {
  public:
    render::MeshId mesh(const std::shared_ptr<const physics::Shape>& hull) override {
        asked.insert(hull.get());
        return 100;
    }
    void of_materials(const std::shared_ptr<const physics::Shape>&,
                      std::vector<std::pair<render::MeshId, std::uint16_t>>& out) override {
        out.insert(out.end(), {{200, 0}, {201, 1}, {203, 3}}); // of the third there is no triangle
    }
    std::set<const physics::Shape*> asked;
};

inline physics::BodyDef body(physics::Geometry geometry, const Vec3& position,
                             physics::BodyType type = physics::BodyType::dynamic) {
    physics::BodyDef def;
    def.type = type;
    def.pose.position = position;
    def.shapes = {{std::move(geometry), {}}};
    return def;
}

// Ground, one wall at x = 10, and one body of each kind.
struct Stage {
    physics::World world;
    physics::FrameState frame;
    CountingMeshes meshes;
    render::DrawList list;
    SceneView view;
    ViewOptions options;
    render::Camera camera;

    Stage() {
        add(body(physics::Box{{10, 10, 0.5f}}, {0, 0, -0.5f}, physics::BodyType::fixed));
        add(body(physics::Box{{0.5f, 10, 2}}, {10.5f, 0, 2}, physics::BodyType::fixed));
        add(body(physics::Sphere{0.5f}, {0, 0, 3}));
        add(body(physics::Capsule{0.3f, 0.7f}, {2, 0, 3}));
        add(body(physics::Diamond{1.0f}, {-3, 0, 3}));
        options.seconds = -1.0f;
        publish();
    }
    void add(physics::BodyDef def) {
        const auto result = world.apply(physics::CreateBody{std::move(def)});
        ASSERT_TRUE(result.ok()) << result.error;
    }
    void publish() { world.publish(frame); }
    void build() { view.build(list, frame, frame, camera, meshes, options); }
};

} // namespace cairn::ui::stage
