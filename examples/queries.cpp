// Questions to a world and to pairs of shapes: what a ray hits, how far apart two shapes are, where a moving one
// arrives.
#include "physics/query/distance.h"
#include "physics/query/shape_cast.h"
#include "physics/world/world.h"

#include <cmath>
#include <cstdio>

using namespace cairn::physics;

namespace {

BodyId add(World& world, const Geometry& geometry, const Vec3& position) {
    BodyDef def;
    def.type = BodyType::fixed;
    def.shapes.push_back({geometry, {}});
    def.pose.position = position;
    return world.apply(CreateBody{def}).created;
}

bool near(float value, float expected) {
    return std::fabs(value - expected) < 1e-3f;
}

} // namespace

int main() {
    World world;
    const BodyId box = add(world, Box{Vec3(1, 1, 1)}, Vec3(0, 0, 1));
    const BodyId ball = add(world, Sphere{1.0f}, Vec3(5, 0, 1));

    Ray ray;
    ray.origin = Vec3(-10, 0, 1);
    ray.direction = Vec3(1, 0, 0);
    const auto hit = world.ray_cast(ray);
    if (!hit || !(hit->body == box) || !near(hit->hit.distance, 9.0f)) {
        return 1;
    }
    std::printf("the ray hits the box after %.2f m\n", static_cast<double>(hit->hit.distance));

    // Shapes and poses of bodies, for queries of pairs. A model may have several parts.
    const auto box_model = world.model(box), ball_model = world.model(ball);
    const Shape &box_shape = *box_model->parts[0].shape, &ball_shape = *ball_model->parts[0].shape;
    const Transform box_pose = world.state(box)->pose, ball_pose = world.state(ball)->pose;
    const auto apart = signed_distance(box_shape, box_pose, ball_shape, ball_pose);
    if (!near(apart.distance, 3.0f)) {
        return 1;
    }
    std::printf("the ball is %.2f m from the box\n", static_cast<double>(apart.distance));

    const ShapeCast cast = shape_cast(ball_shape, ball_pose, Vec3(-4, 0, 0), box_shape, box_pose);
    if (cast.status != ShapeCastStatus::hit || !near(cast.travelled, 3.0f)) {
        return 1;
    }
    std::printf("moved by 4 m towards it, it arrives after %.2f m\n", static_cast<double>(cast.travelled));
    return 0;
}
