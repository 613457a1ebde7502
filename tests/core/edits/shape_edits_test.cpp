// Colours, materials and shapes of bodies, taken back.
#include "tests/core/edits/edit_bench.h"

#include <gtest/gtest.h>

namespace cairn::core {
namespace {

using namespace physics;
using namespace testing;

TEST(EditHistory, ColoursAreTakenBackAndLiveThroughADeletion) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.colour = Colour{1, 2, 3};
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::uint64_t built = bench.history.version();
    const std::size_t bytes = bench.history.bytes();
    std::size_t bytes_of_one = 0;
    for (std::uint8_t red = 10; red < 20; ++red) { // as while a picker is dragged
        bench.edit(SetColour{body, Colour{red, 0, 0}}, {"", 7});
        bytes_of_one = red == 10 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_GT(bytes_of_one, bytes);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Colour ball");
    EXPECT_NE(bench.history.version(), built) << "there is something to save";
    const auto colour = [&] {
        FrameState frame;
        bench.world.publish(frame);
        return frame.models.at(0)->def.colour;
    };
    bench.undo();
    EXPECT_EQ(colour(), (Colour{1, 2, 3}));
    bench.redo();
    EXPECT_EQ(colour(), (Colour{19, 0, 0}));
    bench.edit(SetColour{body, {}});
    EXPECT_EQ(colour(), std::nullopt);
    bench.undo();
    bench.edit(DestroyBody{body});
    bench.undo(); // another handle
    EXPECT_EQ(colour(), (Colour{19, 0, 0}));
    bench.undo();
    EXPECT_EQ(colour(), (Colour{1, 2, 3}));
}

TEST(EditHistory, MaterialsOfShapesAreTakenBack) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, false, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const std::uint64_t built = bench.history.version();
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        bench.edit(SetShapeMaterial{body, 1, {0.1f * static_cast<float>(i), {}, {}}, {}}, {"", 7});
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_NE(bench.history.version(), built) << "there is something to save";
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Change the material of ball");
    EXPECT_EQ(bench.world.model(body)->def.shapes[1].material.friction, 0.5f);
    EXPECT_EQ(bench.world.model(body)->def.shapes[0].material.friction, std::nullopt);
    // Another shape in the same gesture is not the same.
    bench.edit(SetShapeMaterial{body, 0, {{}, {}, {}, Colour{1, 2, 3}}, {}}, {"", 7});
    const std::shared_ptr<const BodyModel> after = bench.world.model(body);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), after);
    bench.edit(DestroyBody{body});
    bench.undo(); // another handle
    bench.undo();
    FrameState frame;
    bench.world.publish(frame);
    EXPECT_EQ(frame.models.at(0), before);
}

TEST(EditHistory, ShapesComeAndGo) {
    Bench bench;
    const BodyId body = bench.edit(CreateBody{named_ball({0, 0, 5})}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const ShapeDef shape{Box{Vec3(0.5f)}, {Vec3(2, 0, 0), identity_orientation}, true, {0.25f, {}, {}}};
    bench.edit(AddShape{body, shape, 0u});
    const std::shared_ptr<const BodyModel> both = bench.world.model(body);
    ASSERT_EQ(both->def.shapes.size(), 2u);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Add a shape to " + before->def.name);
    bench.edit(RemoveShape{body, 0});
    EXPECT_EQ(bench.world.model(body), before);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), both);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), both);
    bench.edit(AddShape{body, shape, {}});
    bench.undo();
    EXPECT_EQ(bench.world.model(body), both);
}

TEST(EditHistory, AShapeIsReplacedAsOneEdit) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, false, {}});
    def.shapes.push_back({Capsule{0.2f, 0.3f}, {Vec3(0, 1, 0), identity_orientation}, false, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const std::size_t bytes = bench.history.bytes();
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        std::vector<Command> applied;
        const ShapeDef wider{Box{Vec3(0.3f + 0.1f * static_cast<float>(i))}, def.shapes[1].pose, false, {0.9f, {}, {}}};
        EXPECT_TRUE(bench.history.apply(bench.world, ReplaceShape{body, 1, wider}, {"", 7}, applied).ok());
        ASSERT_EQ(applied.size(), 2u);
        EXPECT_EQ(applied[0], Command(AddShape{body, wider, 1u}));
        EXPECT_EQ(applied[1], Command(RemoveShape{body, 2}));
        EXPECT_EQ(bench.world.model(body)->def.shapes[1], wider);
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    EXPECT_GT(bytes_of_one, bytes);
    const std::shared_ptr<const BodyModel> after = bench.world.model(body);
    EXPECT_GT(after->mass, before->mass);
    EXPECT_EQ(after->def.shapes[2], def.shapes[2]);
    EXPECT_EQ(bench.history.names(1).undo.at(0), "Change a shape of ball");
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    EXPECT_EQ(bench.world.model(body), after);
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    // Another place in the same gesture is not the same shape; both in turn, as while the whole body is scaled, are.
    const auto balls = [&](float radius) {
        for (const std::uint32_t place : {0u, 2u}) {
            std::vector<Command> applied;
            const ReplaceShape change{body, place, {Sphere{radius}, {}}};
            EXPECT_TRUE(bench.history.apply(bench.world, change, {"", 8}, applied).ok());
        }
    };
    balls(0.1f);
    bytes_of_one = bench.history.bytes();
    balls(0.2f);
    balls(0.3f);
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    bench.undo();
    EXPECT_EQ(bench.world.model(body), before);
    bench.redo();
    for (const std::size_t place : {0u, 2u}) {
        EXPECT_EQ(bench.world.model(body)->def.shapes[place].geometry, Geometry(Sphere{0.3f}));
    }
}

TEST(EditHistory, ShapesOfSeveralBodiesAreReplacedAsOneEdit) {
    Bench bench;
    std::vector<BodyId> bodies;
    std::vector<std::shared_ptr<const BodyModel>> before;
    for (int i = 0; i < 3; ++i) {
        bodies.push_back(bench.edit(CreateBody{named_ball({3.0f * static_cast<float>(i), 0, 5})}).created);
        before.push_back(bench.world.model(bodies.back()));
    }
    std::size_t bytes_of_one = 0;
    for (int i = 1; i <= 5; ++i) { // as while a field is dragged
        for (const BodyId body : bodies) {
            std::vector<Command> applied;
            const ShapeDef ball{Sphere{0.1f * static_cast<float>(i)}, {}};
            EXPECT_TRUE(bench.history.apply(bench.world, ReplaceShape{body, 0, ball}, {"Change", 7}, applied).ok());
        }
        bytes_of_one = i == 1 ? bench.history.bytes() : bytes_of_one;
    }
    EXPECT_EQ(bench.history.bytes(), bytes_of_one) << "a drag grows the history";
    bench.undo();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        EXPECT_EQ(bench.world.model(bodies[i]), before[i]);
    }
    bench.redo();
    for (const BodyId body : bodies) {
        EXPECT_EQ(bench.world.model(body)->def.shapes[0].geometry, Geometry(Sphere{0.5f}));
    }
}

TEST(EditHistory, AShapeThatIsRejectedLeavesTheOldOne) {
    Bench bench;
    BodyDef def = named_ball({0, 0, 5});
    def.shapes.push_back({Box{Vec3(0.3f)}, {Vec3(1, 0, 0), identity_orientation}, true, {}});
    const BodyId body = bench.edit(CreateBody{def}).created;
    const std::shared_ptr<const BodyModel> before = bench.world.model(body);
    const auto error_of = [&](const ReplaceShape& change, std::size_t commands) {
        std::vector<Command> applied;
        const CommandResult result = bench.history.apply(bench.world, change, {}, applied);
        EXPECT_EQ(applied.size(), commands);
        EXPECT_EQ(bench.world.model(body), before) << result.error;
        EXPECT_EQ(bench.history.names(1).undo.at(0), "Create ball") << result.error;
        return result.error;
    };
    EXPECT_NE(error_of({body, 0, {Sphere{-1.0f}, {}}}, 0).find("shape 0: the radius"), std::string::npos);
    EXPECT_NE(error_of({body, 2, {Sphere{1.0f}, {}}}, 0).find("no shape 2"), std::string::npos);
    EXPECT_NE(error_of({{9, 9}, 0, {Sphere{1.0f}, {}}}, 0), "");
    // Only without the old one it is wrong: nothing solid is left.
    EXPECT_NE(error_of({body, 0, {Sphere{0.4f}, {}, true, {}}}, 2).find("state its mass"), std::string::npos);
}

} // namespace
} // namespace cairn::core
