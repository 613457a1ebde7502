// A ball falls onto a floor and stays on it.
#include "physics/world/world.h"

#include <cmath>
#include <cstdio>

int main() {
    using namespace cairn::physics;
    World world;
    BodyDef floor;
    floor.type = BodyType::fixed;
    floor.shapes.push_back({Box{Vec3(10, 10, 1)}, {}});
    floor.pose.position = Vec3(0, 0, -1);
    BodyDef ball;
    ball.shapes.push_back({Sphere{0.5f}, {}});
    ball.pose.position = Vec3(0, 0, 2);
    if (!world.apply(CreateBody{floor}).ok() || !world.apply(CreateBody{ball}).ok()) {
        return 1;
    }
    for (int i = 0; i < 240; ++i) {
        world.step();
    }
    FrameState frame;
    world.publish(frame);
    const float height = frame.bodies.back().pose.position.z;
    std::printf("%.3f m, hash %016llx\n", static_cast<double>(height), static_cast<unsigned long long>(world.hash()));
    return std::fabs(height - 0.5f) < 0.01f ? 0 : 1;
}
