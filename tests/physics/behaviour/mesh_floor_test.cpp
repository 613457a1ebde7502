// Towers on surfaces of triangles: they stand as on a box, wherever the corners of the triangles are, with sleeping
// off.
#include "tests/physics/behaviour/structures.h"
#include "tests/physics/world/mesh_builder.h"
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace cairn::physics::testing {
namespace {

HeightField level_field(int cells, float cell) {
    auto data = std::make_shared<HeightData>();
    data->columns = data->rows = static_cast<std::uint32_t>(cells + 1);
    data->spacing = cell;
    data->heights = Heights(std::vector<float>(data->columns * data->rows, 0.0f));
    return {std::move(data)};
}

// m, the greatest drift of the tower at any time.
float drift_on(Geometry floor, const Vec3& floor_at, int boxes) {
    World world(without_sleep());
    BodyDef ground = make_static(std::move(floor), floor_at);
    ground.material.friction = 0.6f;
    add(world, ground);
    const std::vector<BodyDef> placed = tower(boxes);
    std::vector<BodyId> ids;
    for (const BodyDef& def : placed) {
        ids.push_back(add(world, def));
    }
    float most = 0.0f;
    for (int step = 0; step < 600; ++step) {
        world.step();
        most = std::max(most, stand_of(world, ids, placed).drift);
    }
    return most;
}

} // namespace

TEST(MeshFloor, TowersStandOnLevelHeightFieldsAndMeshes) {
    for (const Vec3& at : {Vec3(0.0f), Vec3(0.3f, 0.21f, 0), Vec3(0.5f, 0, 0)}) {
        const std::string where = std::to_string(at.x);
        EXPECT_LT(drift_on(level_field(20, 1.0f), at, 10), 1e-5f) << "metre cells, " << where;
        EXPECT_LT(drift_on(level_field(40, 0.3f), at, 10), 1e-5f) << "small cells, " << where;
        EXPECT_LT(drift_on(make_plane(20, 0.7f), at, 20), 1e-5f) << "irregular triangles, " << where;
    }
}

} // namespace cairn::physics::testing
