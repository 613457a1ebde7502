#include "tests/physics/geometry/generators.h"

#include <cmath>

namespace cairn::physics::geometry_testing {

namespace {

constexpr float pi_float = 3.14159265f;

template <typename Make>
NamedPoints make(const char* name, int count, Make&& point) {
    NamedPoints set{name, {}};
    for (int i = 0; i < count; ++i) {
        set.points.push_back(point(i));
    }
    return set;
}

Vec3 on_circle(float turns, float radius, float z) {
    return {radius * std::cos(2 * pi_float * turns), radius * std::sin(2 * pi_float * turns), z};
}

std::vector<Vec3> cube_grid(int side) {
    std::vector<Vec3> points;
    for (int x = 0; x < side; ++x) {
        for (int y = 0; y < side; ++y) {
            for (int z = 0; z < side; ++z) {
                points.push_back(Vec3(x, y, z) * (2.0f / static_cast<float>(side - 1)) - Vec3(1.0f));
            }
        }
    }
    return points;
}

} // namespace

std::vector<NamedPoints> point_families(std::uint64_t seed) {
    Random random(seed);
    std::vector<NamedPoints> sets;
    sets.push_back({"tetrahedron", {Vec3(0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}});
    sets.push_back(make("few in a ball", 12, [&](int) { return random.in_ball(); }));
    sets.push_back(make("ball", 2000, [&](int) { return random.in_ball(); }));
    sets.push_back(make("sphere", 600, [&](int) { return random.direction(); }));
    sets.push_back(make("box volume", 500, [&](int) { return random.in_cube() * Vec3(1.0f, 0.5f, 0.25f); }));
    sets.push_back({"cube", cube_grid(2)});
    sets.push_back({"cube grid", cube_grid(7)});
    sets.push_back(make("duplicates", 400, [&](int) { return Vec3(cube_grid(2)[random.below(8)]); }));
    sets.push_back(
        make("near duplicates", 400, [&](int) { return cube_grid(2)[random.below(8)] + 2e-7f * random.in_cube(); }));
    sets.push_back(make("needle", 300, [&](int) { return random.in_cube() * Vec3(1.0f, 1e-3f, 1e-3f); }));
    sets.push_back(make("hair", 300, [&](int) { return random.in_cube() * Vec3(1.0f, 1e-4f, 1e-4f); }));
    sets.push_back(make("plate", 300, [&](int) { return random.in_cube() * Vec3(1.0f, 1.0f, 1e-3f); }));
    sets.push_back(make("foil", 300, [&](int) { return random.in_cube() * Vec3(1.0f, 1.0f, 1e-4f); }));
    sets.push_back(make("blade", 300, [&](int) { return random.in_cube() * Vec3(1.0f, 3e-2f, 1e-3f); }));
    sets.push_back(make("shallow bowl", 500, [&](int) {
        const Vec3 p = random.in_ball();
        return Vec3(p.x, p.y, 1e-3f * (p.x * p.x + p.y * p.y));
    }));
    sets.push_back(make("dome on a box", 500, [&](int i) {
        const Vec3 p = random.in_cube();
        return Vec3(p.x, p.y, i % 2 == 0 ? -1.0f : 1.0f - 1e-5f * (p.x * p.x + p.y * p.y));
    }));
    sets.push_back(make("rough slab", 500, [&](int i) {
        const Vec3 p = random.in_cube();
        return Vec3(p.x, p.y, (i % 2 == 0 ? -0.5f : 0.5f) + 1e-6f * p.z);
    }));
    sets.push_back(make("prism", 200, [](int i) {
        return on_circle(static_cast<float>(i / 2) / 100.0f, 1.0f, i % 2 == 0 ? -0.5f : 0.5f);
    }));
    sets.push_back(make("cone", 65, [](int i) {
        return i == 64 ? Vec3(0, 0, 1) : on_circle(static_cast<float>(i) / 64.0f, 0.5f, 0.0f);
    }));
    sets.push_back(make("spindle", 66, [](int i) {
        return i >= 64 ? Vec3(0, 0, i == 64 ? 1 : -1) : on_circle(static_cast<float>(i) / 64.0f, 0.01f, 0.0f);
    }));
    sets.push_back(make("globe", 24 * 11 + 2, [](int i) {
        if (i >= 24 * 11) {
            return Vec3(0, 0, i == 24 * 11 ? 1 : -1);
        }
        const float polar = pi_float * static_cast<float>(i / 24 + 1) / 12.0f;
        return on_circle(static_cast<float>(i % 24) / 24.0f, std::sin(polar), std::cos(polar));
    }));
    sets.push_back(make("wedge", 500, [&](int) {
        const Vec3 p = 0.5f * (random.in_cube() + Vec3(1.0f));
        return Vec3(p.x, p.y, 0.02f * p.z * p.x);
    }));
    // A box whose corners are cut by bevels of very different sizes, down to the tolerance itself.
    sets.push_back(make("bevels", 24, [](int i) {
        const float sizes[8] = {3e-1f, 1e-1f, 1e-2f, 1e-3f, 1e-4f, 1e-5f, 3e-6f, 1e-6f};
        Vec3 p(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
        const int axis = i / 8;
        p[axis] *= 1.0f - sizes[i % 8];
        return p;
    }));
    // Tight clusters at the corners of a cube: short edges beside long ones.
    sets.push_back(make("clusters", 800, [&](int i) {
        return cube_grid(2)[static_cast<std::size_t>(i % 8)] + 1e-3f * random.direction();
    }));
    sets.push_back(make("tight clusters", 800, [&](int i) {
        return cube_grid(2)[static_cast<std::size_t>(i % 8)] + 2e-5f * random.direction();
    }));
    sets.push_back(make("points on edges and faces", 600, [&](int i) {
        Vec3 p = random.in_cube();
        p[i % 3] = i % 2 == 0 ? 1.0f : -1.0f;
        if (i % 4 == 0) {
            p[(i + 1) % 3] = 1.0f;
        }
        if (i < 8) {
            p = cube_grid(2)[static_cast<std::size_t>(i)];
        }
        return p;
    }));
    return sets;
}

std::vector<NamedPoints> adversarial_sets(std::uint64_t seed) {
    Random random(seed);
    std::vector<NamedPoints> sets;
    const auto share = [](int i, int count) { return static_cast<float>(i) / static_cast<float>(count); };
    // All on two circles: parallel (a cylinder's rims, square to the axes and turned), and crossing.
    sets.push_back(make("rims", 600, [&](int i) { return on_circle(share(i / 2, 300), 1.0f, i % 2 == 0 ? 0 : 1); }));
    // So fine that corners of the rims are left out as flat.
    NamedPoints fine =
        make("turned fine rims", 4400, [&](int i) { return on_circle(share(i / 2, 2200), 1.0f, i % 2 == 0 ? 0 : 1); });
    fine.points = placed(fine.points, 1.0f, random.rotation(), random.in_cube());
    sets.push_back(std::move(fine));
    sets.push_back(make("crossing circles", 800, [&](int i) {
        const Vec3 p = on_circle(share(i / 2, 400), 1.0f, 0.0f);
        return i % 2 == 0 ? p : Vec3(p.x, 0, p.y);
    }));
    sets.push_back(make("bicone", 600, [&](int i) {
        return i < 2 ? Vec3(0, 0, i == 0 ? 1 : -1) : on_circle(share(i, 598), 1.0f, 0.0f);
    }));
    sets.push_back(make("paraboloid", 600, [&](int) {
        const Vec3 p = random.in_cube();
        return Vec3(p.x, p.y, p.x * p.x + p.y * p.y);
    }));
    sets.push_back(make("two parabolas", 800, [&](int i) {
        const float x = 2.0f * share(i / 2, 399) - 1.0f;
        return Vec3(x, x * x, i % 2 == 0 ? 0 : 1);
    }));
    // Every point is a vertex, and every pair of neighbours an edge to both ends: no polytope of so few points has more
    // faces.
    sets.push_back(make("moment curve", 500, [&](int i) {
        const float t = 2.0f * share(i, 499) - 1.0f;
        return Vec3(t, t * t, t * t * t);
    }));
    for (const float noise : {1e-7f, 1e-6f, 1e-5f}) {
        NamedPoints slab = make("noisy slab", 1000, [&](int i) {
            const Vec3 p = random.in_cube();
            return Vec3(p.x, p.y, (i % 2 == 0 ? 0.0f : 1.0f) + noise * p.z);
        });
        sets.push_back(std::move(slab));
    }
    sets.push_back(
        make("noisy sphere", 600, [&](int) { return (1.0f + random.uniform(-1e-7f, 1e-7f)) * random.direction(); }));
    sets.push_back(make("sliver", 1500, [&](int) { return random.in_ball() * Vec3(1.0f, 1e-3f, 1e-4f); }));
    sets.push_back(make("lens", 600, [&](int) { return random.direction() * Vec3(1.0f, 1.0f, 1e-3f); }));
    sets.push_back(make("crossing lines", 1000, [&](int i) {
        const float t = 2.0f * share(i / 2, 499) - 1.0f;
        return i % 2 == 0 ? Vec3(t, 0, 0) : Vec3(0, t, 1);
    }));
    NamedPoints lattice{"turned grid", cube_grid(11)};
    lattice.points = placed(lattice.points, 1.0f, random.rotation(), random.in_cube());
    sets.push_back(std::move(lattice));
    return sets;
}

} // namespace cairn::physics::geometry_testing
