// A ball falls onto a floor and stays on it.
#include "physics/world/world.h"

#include <cmath>
#include <cstdio>

int main() {
    using namespace cairn::physics;
    World world; // Z is up; metres, kilograms, seconds
    BodyDef floor;
    floor.type = BodyType::fixed;
    floor.shapes.push_back({Box{Vec3(10, 10, 1)}, {}}); // half extents
    floor.pose.position = Vec3(0, 0, -1);
    BodyDef ball;
    ball.shapes.push_back({Sphere{0.5f}, {}});
    ball.pose.position = Vec3(0, 0, 2);
    world.apply(CreateBody{floor});
    const CommandResult created = world.apply(CreateBody{ball});
    if (!created.ok()) {
        std::printf("%s\n", created.error.c_str());
        return 1;
    }
    for (int i = 0; i < 240; ++i) { // 4 s
        world.step();
    }
    const float height = world.state(created.created)->pose.position.z;
    std::printf("%.3f m\n", static_cast<double>(height));
    return std::fabs(height - 0.5f) < 0.01f ? 0 : 1;
}
