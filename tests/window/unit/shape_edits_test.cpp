#include "app/ui/panels/body/shape_edits.h"
#include "physics/world/world.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>

namespace cairn::ui {
namespace {

using namespace physics;

TEST(ShapeEdits, NewShapesStandOnTopOfTheBody) {
    // Nothing about it is centred: the frame of its shapes, its centre of mass and its place in the world differ.
    BodyDef def;
    def.type = BodyType::kinematic;
    def.pose.position = Vec3(4, 5, 6);
    def.shapes = {{Diamond{1.0f}, {Vec3(10, 0, 2), identity_orientation}},
                  {Box{Vec3(0.25f, 0.5f, 0.75f)}, {Vec3(11, 1, 3), identity_orientation}}};
    World world;
    const BodyId body = world.apply(CreateBody{def}).created;
    ASSERT_TRUE(body);
    for (std::size_t kind = 0; kind < new_shape_names.size(); ++kind) {
        const ShapeDef shape = new_shape(*world.model(body), kind);
        const CommandResult result = world.apply(AddShape{body, shape, {}});
        ASSERT_TRUE(result.ok()) << new_shape_names[kind] << ": " << result.error;
        const std::shared_ptr<const BodyModel> model = world.model(body);
        float top_of_others = -1e9f;
        for (std::size_t i = 0; i < 2; ++i) {
            top_of_others = std::max(top_of_others, bounds(*model->parts[i].shape, model->parts[i].pose).upper.z);
        }
        const Aabb bounds_of_new = bounds(*model->parts[2].shape, model->parts[2].pose);
        EXPECT_NEAR(bounds_of_new.lower.z, top_of_others, 1e-4f) << new_shape_names[kind];
        EXPECT_NEAR(bounds_of_new.upper.z - bounds_of_new.lower.z, kind == 5 ? 0.7f : 1.0f, 1e-4f);
        EXPECT_NEAR(shape.pose.position.x, 10.125f, 1e-4f);
        ASSERT_TRUE(world.apply(RemoveShape{body, 2}).ok());
    }
    EXPECT_NE(std::string(shape_text(def.shapes[0].geometry)), std::string(shape_text(def.shapes[1].geometry)));
}

TEST(ShapeEdits, NewShapesFitTheBody) {
    BodyDef def;
    def.shapes = {{Sphere{0.01f}, {}}};
    World world;
    const BodyId body = world.apply(CreateBody{def}).created;
    const ShapeDef box = new_shape(*world.model(body), 0);
    EXPECT_NEAR(std::get<Box>(box.geometry).half_extents.x, 0.005f, 1e-6f);
    EXPECT_NEAR(box.pose.position.z, 0.015f, 1e-6f);
    EXPECT_EQ(std::string(shape_text(box.geometry)), "box 0.01 × 0.01 × 0.01 m");
}

} // namespace
} // namespace cairn::ui
