// The same commands give the same bits: two worlds, and a third that goes on from a snapshot of the first.
#include "physics/world/world.h"

#include <cstdint>
#include <cstdio>

using namespace cairn::physics;

namespace {

void build(World& world) {
    BodyDef floor;
    floor.type = BodyType::fixed;
    floor.shapes.push_back({Box{Vec3(20, 20, 1)}, {}});
    floor.pose.position = Vec3(0, 0, -1);
    world.apply(CreateBody{floor});
    for (int i = 0; i < 60; ++i) {
        BodyDef body;
        const Vec3 half(0.3f);
        body.shapes.push_back({i % 2 == 0 ? Geometry(Box{half}) : Geometry(Sphere{0.3f}), {}});
        body.pose.position = Vec3(0.1f * static_cast<float>(i % 5), 0.1f * static_cast<float>(i % 3),
                                  1.0f + 0.7f * static_cast<float>(i));
        world.apply(CreateBody{body});
    }
}

} // namespace

int main() {
    World one, other, third;
    build(one);
    build(other);
    for (int step = 1; step <= 300; ++step) {
        one.step();
        other.step();
        if (one.hash() != other.hash()) {
            std::printf("the worlds differ from step %d on\n", step);
            return 1;
        }
        if (step == 150) {
            third.restore(*one.snapshot());
        } else if (step > 150) {
            third.step();
        }
    }
    if (third.hash() != one.hash()) {
        std::printf("the snapshot went on differently\n");
        return 1;
    }
    std::printf("hash %016llx\n", static_cast<unsigned long long>(one.hash()));
    return 0;
}
