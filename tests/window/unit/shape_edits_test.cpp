#include "app/ui/panels/body/shape_edits.h"
#include "physics/world/world.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

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

TEST(ShapeEdits, HullsAndMeshesAreScaledAlongEachAxis) {
    Geometry hull = PointSet{
        std::make_shared<const std::vector<Vec3>>(std::vector<Vec3>{{0, 0, 0}, {2, 0, 0}, {0, 1, 0}, {0, 0, -4}})};
    const Geometry before = hull;
    ASSERT_TRUE(scale(hull, Vec3(2, 1, 4), Vec3(4, 1, 1)));
    EXPECT_EQ(*std::get<PointSet>(hull).points, (std::vector<Vec3>{{0, 0, 0}, {4, 0, 0}, {0, 1, 0}, {0, 0, -1}}));
    EXPECT_EQ(std::get<PointSet>(before).points->at(1), Vec3(2, 0, 0)) << "shared points are those of others, too";
    MeshData data{{{0, 0, 0}, {1, 0, 0}, {0, 3, 0}}, {{0, 1, 2}}, true};
    data.materials = {"ice", "wood"};
    data.triangle_materials = {1};
    Geometry mesh = Mesh{std::make_shared<const MeshData>(data)};
    ASSERT_TRUE(scale(mesh, Vec3(1, 3, 0), Vec3(0.5f, 6, 0.1f))); // it is flat, and stays so
    data.vertices = {{0, 0, 0}, {0.5f, 0, 0}, {0, 6, 0}};
    EXPECT_EQ(*std::get<Mesh>(mesh).data, data);
    Geometry box = Box{Vec3(1)};
    EXPECT_FALSE(scale(box, Vec3(2), Vec3(3)));
}

TEST(ShapeEdits, OnlyWhatHasChangedIsTaken) {
    const ShapeDef before{Box{Vec3(1, 2, 3)}, {Vec3(1, 0, 0), identity_orientation}, false, {0.5f, {}, {}}};
    const ShapeDef other{Box{Vec3(4, 5, 6)}, {Vec3(2, 0, 7), identity_orientation}, true, {{}, 0.25f, {}}};
    EXPECT_EQ(with_change(other, before, before), other);
    ShapeDef after = before;
    std::get<Box>(after.geometry).half_extents.y = 9;
    after.pose.position.x = 3;
    after.material.rolling_resistance = 0.1f;
    after.material.colour = Colour{1, 2, 3};
    ShapeDef expected = other;
    std::get<Box>(expected.geometry).half_extents.y = 9;
    expected.pose.position.x = 3;
    expected.material = {{}, 0.25f, 0.1f, Colour{1, 2, 3}};
    EXPECT_EQ(with_change(other, before, after), expected);
    // Of another kind there is no such size.
    const ShapeDef ball{Sphere{1.0f}, {}};
    EXPECT_EQ(with_change(ball, before, after).geometry, ball.geometry);
    EXPECT_EQ(with_change(ball, before, after).pose.position.x, 3.0f);
    const ShapeDef tube{Capsule{1.0f, 2.0f}, {}}, wide{Capsule{3.0f, 2.0f}, {}}, third{Capsule{5.0f, 6.0f}, {}};
    EXPECT_EQ(with_change(third, tube, wide).geometry, Geometry(Capsule{3.0f, 6.0f}));
}

} // namespace
} // namespace cairn::ui
