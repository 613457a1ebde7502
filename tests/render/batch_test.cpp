// Sorting instances into runs: plain computation.
#include "render/creases.h"
#include "render/instance_batch.h"

#include "tests/render/studio_scene.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

namespace cairn::render::tests {

namespace {

std::vector<BatchMesh> built_in_meshes() {
    std::vector<BatchMesh> meshes;
    for (const MeshShape& shape : {make_box(), make_sphere(), make_cylinder(), make_cone()}) {
        meshes.push_back({bounds_of(shape.levels.front()), static_cast<std::uint32_t>(shape.levels.size())});
    }
    return meshes;
}

// Bodies all round the camera, so that every class of the sort occurs.
DrawList mixed(int count) {
    DrawList list;
    list.camera.eye = {0.0f, -5.0f, 3.0f};
    list.camera.target = {0.0f, 0.0f, 1.0f};
    list.light.shadow_radius = 14.0f;
    list.instances.push_back(floor_slab());
    for (int i = 0; i < count; ++i) {
        const auto spread = [i](int step) { return static_cast<float>((i * step) % 101) / 101.0f - 0.5f; };
        Instance instance = body(static_cast<MeshId>(i % 4),
                                 {60.0f * spread(37), 60.0f * spread(71), 6.0f * spread(13)}, glm::vec3(0.4f), i);
        instance.colour.a = i % 7 == 0 ? 0.5f : 1.0f;
        instance.flags = (i % 11 == 0 ? instance_selected : 0u) | (i % 13 == 0 ? instance_no_shadow : 0u);
        instance.texture = static_cast<std::uint32_t>(i); // tells the records apart below
        list.instances.push_back(instance);
    }
    return list;
}

} // namespace

TEST(InstanceBatchTest, OrthographicLevelsDoNotDependOnDepthAndGlassIsSorted) {
    DrawList list;
    list.camera.eye = {0.0f, -10.0f, 0.0f};
    list.camera.target = {0.0f, 0.0f, 0.0f};
    list.camera.orthographic = true;
    for (const float y : {-30.0f, 300.0f, 5.0f}) {
        for (const float alpha : {1.0f, 0.5f}) {
            Instance ball = body(unit_sphere, {0.0f, y, 0.0f}, glm::vec3(1.0f), 0);
            ball.colour.a = alpha;
            ball.texture = static_cast<std::uint32_t>(list.instances.size());
            list.instances.push_back(ball);
        }
    }
    const View view = view_of(list.camera, 1.5f);
    InstanceBatch batch;
    batch.build(list, built_in_meshes(), view, nullptr, 100.0f / view.height_at_one);
    std::vector<InstanceRecord> records(batch.size());
    batch.write(list, records.data());
    std::set<std::uint32_t> levels;
    std::uint32_t seen = 0;
    for (const InstanceRun& run : batch.opaque()) {
        levels.insert(run.level);
        seen += run.count;
    }
    EXPECT_EQ(seen, 3u);
    EXPECT_EQ(levels.size(), 1u);
    std::vector<float> order;
    for (const InstanceRun& run : batch.blended()) {
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
            order.push_back(records[i].scale_texture.w);
        }
    }
    EXPECT_EQ(order, (std::vector<float>{3, 5, 1})) << "the farthest first";
}

TEST(InstanceBatchTest, EveryInstanceLandsInTheRunsItBelongsTo) {
    const DrawList list = mixed(500);
    const auto meshes = built_in_meshes();
    const View view = view_of(list.camera, 1.5f);
    const ShadowCascades shadow = shadow_cascades_of(list.light, list.camera.eye, 1024, 3);
    InstanceBatch batch;
    batch.build(list, meshes, view, &shadow, 500.0f);
    std::vector<InstanceRecord> records(batch.size());
    batch.write(list, records.data());

    std::vector<int> opaque(list.instances.size()), blended(opaque), marked(opaque);
    std::array<std::vector<int>, 3> casts{opaque, opaque, opaque};
    const std::vector<int>& cast = casts[1];
    const auto count = [&](std::span<const InstanceRun> runs, std::vector<int>& times) {
        for (const InstanceRun& run : runs) {
            for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
                const auto instance = static_cast<std::size_t>(records[i].scale_texture.w) + 1;
                EXPECT_EQ(list.instances[instance].mesh, run.mesh);
                ++times[instance];
            }
        }
    };
    count(batch.opaque(), opaque);
    for (int map = 0; map < 3; ++map) {
        count(batch.shadow_casters(map), casts[static_cast<std::size_t>(map)]);
    }
    count(batch.blended(), blended);
    count(batch.marked(), marked);
    ASSERT_EQ(batch.ground().size(), 1u);
    int seen_casters = 0, unseen_casters = 0, seen_without_shadow = 0, unseen = 0, coarse_only = 0, not_cast = 0;
    for (std::size_t i = 1; i < list.instances.size(); ++i) {
        const Instance& instance = list.instances[i];
        // A sphere that holds every mesh at this scale. Where it is in sight and the batch disagrees, the batch has the
        // smaller bound; what is well inside must be there.
        const bool well_inside = view.frustum.may_see(instance.position, -0.8f);
        const bool well_outside = !view.frustum.may_see(instance.position, 0.8f);
        const bool see_through = instance.colour.a < 1.0f;
        if (well_inside) {
            EXPECT_EQ(opaque[i], see_through ? 0 : 1);
            EXPECT_EQ(blended[i], see_through ? 1 : 0);
            EXPECT_EQ(marked[i], (instance.flags & instance_selected) != 0 ? 1 : 0);
            ++(cast[i] != 0 ? seen_casters : seen_without_shadow);
        } else if (well_outside) {
            EXPECT_EQ(opaque[i] + blended[i] + marked[i], 0);
            ++(cast[i] != 0 ? unseen_casters : unseen);
        }
        for (std::size_t map = 0; map < 3; ++map) {
            const ShadowBox& box = shadow.boxes[map];
            if (see_through || (instance.flags & instance_no_shadow) != 0 || !box.may_cast(instance.position, 0.8f)) {
                EXPECT_EQ(casts[map][i], 0);
                ++(map == 0 && cast[i] != 0 ? coarse_only : not_cast);
            } else if (box.may_cast(instance.position, 0.0f)) {
                EXPECT_EQ(casts[map][i], 1);
            }
        }
    }
    for (const int outcomes : {seen_casters, unseen_casters, seen_without_shadow, unseen, coarse_only, not_cast}) {
        EXPECT_GE(outcomes, 5) << "the list must hold every case";
    }
}

TEST(InstanceBatchTest, BlendedRunsComeFarthestFirst) {
    DrawList list = mixed(500);
    const View view = view_of(list.camera, 1.5f);
    InstanceBatch batch;
    batch.build(list, built_in_meshes(), view, nullptr, 500.0f);
    std::vector<InstanceRecord> records(batch.size());
    batch.write(list, records.data());
    float last = 1e9f;
    int count = 0;
    for (const InstanceRun& run : batch.blended()) {
        for (std::uint32_t i = run.first; i < run.first + run.count; ++i, ++count) {
            const float distance = (view.clip_from_world * glm::vec4(glm::vec3(records[i].position_extrude), 1.0f)).w;
            EXPECT_LE(distance, last + 0.5f); // the cone's bounds are not centred on its position
            last = distance;
        }
    }
    EXPECT_GT(count, 10);
    EXPECT_TRUE(batch.shadow_casters(0).empty()) << "no shadow box, no casters";
}

TEST(InstanceBatchTest, ASettledFrameKeepsItsMemory) {
    const DrawList list = mixed(2000);
    const auto meshes = built_in_meshes();
    const View view = view_of(list.camera, 1.5f);
    const ShadowCascades shadow = shadow_cascades_of(list.light, list.camera.eye, 1024, 3);
    InstanceBatch batch;
    EXPECT_EQ(batch.memory(), 0u);
    batch.build(list, meshes, view, &shadow, 500.0f);
    const std::size_t memory = batch.memory();
    EXPECT_GT(memory, 2000 * sizeof(std::uint32_t));
    batch.build(mixed(1500), meshes, view, &shadow, 500.0f);
    batch.build(list, meshes, view, nullptr, 500.0f);
    EXPECT_EQ(batch.memory(), memory);
}

TEST(InstanceBatchTest, UnknownMeshIsNamed) {
    DrawList list;
    list.instances.push_back(body(unit_box, {}, glm::vec3(1.0f), 0));
    list.instances.push_back(body(17, {}, glm::vec3(1.0f), 0));
    InstanceBatch batch;
    try {
        batch.build(list, built_in_meshes(), view_of(list.camera, 1.0f), nullptr, 500.0f);
        FAIL() << "an unknown mesh went through";
    } catch (const RenderError& error) {
        EXPECT_STREQ(error.what(), "instance 1 names mesh 17, which is not there");
    }
}

TEST(MeshShapeTest, TrianglesFaceOutwardsAndPointsLieOnTheSurface) {
    for (const MeshShape& shape : {make_box(), make_sphere(), make_cylinder(), make_cone()}) {
        for (const Mesh& mesh : shape.levels) {
            for (std::size_t i = 0; i < mesh.triangles.size(); i += 3) {
                const glm::vec3 a = mesh.positions[mesh.triangles[i]];
                const glm::vec3 b = mesh.positions[mesh.triangles[i + 1]];
                const glm::vec3 c = mesh.positions[mesh.triangles[i + 2]];
                const glm::vec3 across = glm::cross(b - a, c - a);
                EXPECT_GE(glm::dot(across, a + b + c), 0.0f) << "the origin is inside every mesh";
                EXPECT_GE(glm::dot(across, mesh.normals[mesh.triangles[i]]), 0.0f);
            }
            for (const glm::vec3& normal : mesh.normals) {
                EXPECT_NEAR(glm::length(normal), 1.0f, 1e-5f);
            }
        }
    }
    for (const Mesh& mesh : make_sphere().levels) {
        for (const glm::vec3& position : mesh.positions) {
            EXPECT_NEAR(glm::length(position), 1.0f, 1e-5f);
        }
    }
    const MeshBounds cone = bounds_of(make_cone().levels.front());
    EXPECT_FLOAT_EQ(cone.centre.z, 0.5f);
    EXPECT_FLOAT_EQ(cone.half_extents.z, 1.0f);
}

TEST(CreaseTest, EdgesAreWhereTheSurfaceBends) {
    const auto sharp = [](const Mesh& mesh) {
        int count = 0;
        for (const glm::vec3& strengths : crease_strengths(mesh)) {
            for (int i = 0; i < 3; ++i) {
                EXPECT_TRUE(strengths[i] == 0.0f || strengths[i] == 1.0f) << strengths[i];
                count += strengths[i] > 0.0f ? 1 : 0;
            }
        }
        return count;
    };
    EXPECT_EQ(sharp(make_box().levels.front()), 2 * 12) << "twelve edges, each of two triangles, and no diagonal";
    EXPECT_EQ(sharp(make_sphere().levels.front()), 0);
    const Mesh cylinder = make_cylinder().levels.front(), cone = make_cone().levels.front();
    std::set<std::pair<float, float>> rim;
    for (const glm::vec3& position : cone.positions) {
        if (position.x * position.x + position.y * position.y > 0.5f) {
            rim.emplace(position.x, position.y);
        }
    }
    EXPECT_EQ(sharp(cone), static_cast<int>(2 * rim.size())) << "the rim of the base, and nothing at the tip";
    EXPECT_GT(sharp(cylinder), 2 * 2 * 8);
    EXPECT_EQ(sharp(cylinder) % 4, 0);
    // Two triangles that meet at ten degrees: seen, but faintly. Where a surface ends, it has an edge.
    Mesh roof;
    const float tilt = std::tan(0.5f * 0.1745f);
    roof.positions = {{0, 0, 0}, {0, 1, 0}, {-1, 0, -tilt}, {0, 0, 0}, {0, 1, 0}, {1, 0, -tilt}};
    const glm::vec3 left = glm::normalize(glm::vec3(-tilt, 0, 1)), right = glm::normalize(glm::vec3(tilt, 0, 1));
    roof.normals = {left, left, left, right, right, right};
    roof.triangles = {0, 1, 2, 3, 5, 4};
    const std::vector<glm::vec3> strengths = crease_strengths(roof);
    EXPECT_GT(strengths[0].z, 0.0f);
    EXPECT_LT(strengths[0].z, 0.3f);
    EXPECT_EQ(strengths[1].x + strengths[1].y + strengths[1].z, 2.0f + strengths[0].z);
}

} // namespace cairn::render::tests
