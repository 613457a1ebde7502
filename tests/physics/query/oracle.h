// An independent answer to distance and depth of polytopes: brute force over all features, in double precision, for
// exactness and not for speed. Shares nothing with the queries but the shapes' own data. direction_search.h has the
// answer for round shapes.
#pragma once

#include "physics/geometry/shape.h"

#include <random>
#include <vector>

namespace cairn::physics::oracle {

using DVec3 = glm::dvec3;

// A convex polytope grown by a radius: points, segments and solids.
struct Solid {
    std::vector<DVec3> vertices;
    std::vector<std::array<int, 2>> edges;
    std::vector<std::vector<int>> faces; // counter-clockwise from outside
    double radius = 0.0;
};

// A sphere, capsule, box or hull at a pose; throws for other shapes, which are no polytopes.
Solid solid(const Shape& shape, const Transform& pose);

struct Answer {
    double distance = 0.0; // signed
    bool overlapping = false;
};

// Outside: the least distance over all pairs of vertices with faces and edges with edges. Inside: the least overlap
// over all face normals of both and all cross products of their edges.
Answer signed_distance(const Solid& a, const Solid& b);

// Farthest point of the true shape along a world direction, relative to its position.
DVec3 farthest(const Shape& shape, const Quat& orientation, const DVec3& direction);

// Farthest extent of the true shape (round ones exactly) along a world direction.
double extent(const Shape& shape, const Transform& pose, const DVec3& direction);

// How far outside (positive) or inside the boundary of the true shape a world point lies, roughly: exact to first order
// near the surface.
double outside(const Shape& shape, const Transform& pose, const DVec3& point);

// Separation of the slabs of both shapes along n (unit, from A to B): a certain lower bound of the signed distance.
double separation_along(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                        const DVec3& n);

// Random inputs that are the same on every standard library.
class Random {
  public:
    explicit Random(std::uint64_t seed) : engine_(seed) {}
    double unit() { return double(engine_() >> 11) * 0x1p-53; }
    double between(double low, double high) { return low + (high - low) * unit(); }
    double log_between(double low, double high); // uniform in the logarithm
    int below(int n) { return int(engine_() % std::uint64_t(n)); }
    DVec3 vector(double low, double high); // every component between them
    DVec3 direction();
    Quat orientation();

  private:
    std::mt19937_64 engine_;
};

Shape make(const Geometry& geometry); // throws where the geometry is refused

inline const Shape unit_box = make(Box{Vec3(1.0f)});
inline const Shape small_ball = make(Sphere{0.5f});

// Times a sample count by what CAIRN_LONG=1 asks for.
int count(int sample, int long_factor = 50);

} // namespace cairn::physics::oracle
