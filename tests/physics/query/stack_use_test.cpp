// What queries take of a thread's stack.
#include "physics/query/distance.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <variant>
#include <vector>

using namespace cairn::physics;

namespace {

struct Asked {
    Shape a, b;
    Transform at;
    DistanceResult result;
};

void* ask(void* argument) {
    Asked& asked = *static_cast<Asked*>(argument);
    asked.result = gjk_epa_distance(asked.a, {}, asked.b, asked.at);
    return nullptr;
}

void* ask_nothing(void*) {
    return nullptr;
}

// Bytes that a thread wrote of a stack of its own.
std::size_t stack_use(void* (*work)(void*), void* argument) {
    constexpr std::size_t size = std::size_t{1} << 20, page = 4096;
    std::vector<unsigned char> room(size + page, 0xa5);
    void* start = room.data();
    std::size_t left = room.size();
    std::align(page, size, start, left);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    EXPECT_EQ(pthread_attr_setstack(&attributes, start, size), 0);
    pthread_t thread{};
    EXPECT_EQ(pthread_create(&thread, &attributes, work, argument), 0);
    EXPECT_EQ(pthread_join(thread, nullptr), 0);
    pthread_attr_destroy(&attributes);
    const auto* bytes = static_cast<const unsigned char*>(start);
    const auto* touched = std::find_if(bytes, bytes + size, [](unsigned char byte) { return byte != 0xa5; });
    return static_cast<std::size_t>(bytes + size - touched);
}

} // namespace

// Two cylinders in each other along their axes are as deep all round a circle: that takes the large polytope.
TEST(StackUse, OfTheLargestPolytopeIsLittle) {
    const Shape cylinder = std::get<Shape>(build_shape(Cylinder{0.5f, 4.0f}));
    Asked asked{cylinder, cylinder, {Vec3(0, 0, 0.01f), identity_orientation}, {}};
    // A thread's own start takes some as well: under ThreadSanitizer most of a megabyte.
    const std::size_t used = stack_use(ask, &asked) - stack_use(ask_nothing, nullptr);
    EXPECT_EQ(asked.result.status, QueryStatus::overlapping);
    EXPECT_GT(asked.result.epa_iterations, 128) << "the small one was enough, so this shows nothing";
    EXPECT_LT(used, 100000u);
}
