#include "tests/physics/query/direction_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace cairn::physics::oracle {
namespace {

constexpr int most_cells = 4'000'000;

glm::dmat3 rotation(const Quat& q) {
    const double w = double(q.w), x = double(q.x), y = double(q.y), z = double(q.z);
    const double n = std::sqrt(w * w + x * x + y * y + z * z);
    return glm::mat3_cast(glm::dquat(w / n, x / n, y / n, z / n));
}

// A shape without its round margin: a sphere is a point and a capsule a segment, both grown by a radius.
class Core {
  public:
    Core(const Shape& shape, const Transform& pose)
        : kind_(shape.kind),
          turn_(rotation(pose.orientation)),
          back_(glm::transpose(turn_)),
          half_(shape.half_extents),
          radius_(double(shape.radius)) {
        if (kind_ == ShapeKind::hull) {
            vertices_.assign(shape.hull->vertices.begin(), shape.hull->vertices.end());
        }
    }

    double margin() const { return kind_ == ShapeKind::sphere || kind_ == ShapeKind::capsule ? radius_ : 0.0; }

    // Farthest point along d, in world axes relative to the position.
    DVec3 support(const DVec3& world) const {
        const DVec3 d = back_ * world;
        const auto signed_as = [](double h, double x) { return x < 0.0 ? -h : h; };
        DVec3 p(0.0);
        switch (kind_) {
        case ShapeKind::sphere:
            break;
        case ShapeKind::capsule:
            p.z = signed_as(half_.z, d.z);
            break;
        case ShapeKind::box:
            p = DVec3(signed_as(half_.x, d.x), signed_as(half_.y, d.y), signed_as(half_.z, d.z));
            break;
        case ShapeKind::cylinder:
        case ShapeKind::cone: {
            const double radial = std::hypot(d.x, d.y);
            const DVec3 rim = radial > 0.0 ? DVec3(radius_ * d.x / radial, radius_ * d.y / radial, 0.0) : DVec3(0.0);
            if (kind_ == ShapeKind::cylinder) {
                p = rim + DVec3(0.0, 0.0, signed_as(half_.z, d.z));
            } else if (1.5 * half_.z * d.z > radius_ * radial - 0.5 * half_.z * d.z) {
                p = DVec3(0.0, 0.0, 1.5 * half_.z);
            } else {
                p = rim - DVec3(0.0, 0.0, 0.5 * half_.z);
            }
            break;
        }
        case ShapeKind::mesh:
            throw std::logic_error("a mesh is not convex");
        case ShapeKind::hull: {
            double best = -std::numeric_limits<double>::max();
            for (const DVec3& v : vertices_) {
                const double height = v.x * d.x + v.y * d.y + v.z * d.z;
                if (height > best) {
                    best = height;
                    p = v;
                }
            }
            break;
        }
        }
        return turn_ * p;
    }

  private:
    ShapeKind kind_;
    glm::dmat3 turn_, back_;
    DVec3 half_;
    double radius_;
    std::vector<DVec3> vertices_;
};

// A triangle of directions with the points of A - B farthest along its corners.
struct Cell {
    std::array<DVec3, 3> n;
    std::array<DVec3, 3> p;
    double bound = 0.0; // on h over the whole triangle
};

// The point q of the triangle p for which the least of n[i] . q is greatest: a matrix game of 3 x 3, whose solution has
// as many points in use as corners that are equally good for it. Any q would give a valid bound, this gives the best.
DVec3 best_point(const Cell& c, double& value) {
    std::array<std::array<double, 3>, 3> m{}; // m[point][corner]
    for (int j = 0; j < 3; ++j) {
        for (int i = 0; i < 3; ++i) {
            m[j][i] = glm::dot(c.p[j], c.n[i]);
        }
    }
    value = -std::numeric_limits<double>::max();
    DVec3 q = c.p[0];
    const auto consider = [&](double u, double v, double w) {
        double least = std::numeric_limits<double>::max();
        for (int i = 0; i < 3; ++i) {
            least = std::min(least, u * m[0][i] + v * m[1][i] + w * m[2][i]);
        }
        if (least > value) {
            value = least;
            q = c.p[0] * u + c.p[1] * v + c.p[2] * w;
        }
    };
    consider(1, 0, 0);
    consider(0, 1, 0);
    consider(0, 0, 1);
    for (int j = 0; j < 3; ++j) {
        const int k = (j + 1) % 3;
        for (int i = 0; i < 3; ++i) {
            const int l = (i + 1) % 3;
            // t m[j] + (1 - t) m[k] equal at corners i and l.
            const double denominator = (m[j][i] - m[k][i]) - (m[j][l] - m[k][l]);
            const double t = (m[k][l] - m[k][i]) / denominator;
            if (t > 0.0 && t < 1.0) {
                std::array<double, 3> weight{};
                weight[j] = t;
                weight[k] = 1.0 - t;
                consider(weight[0], weight[1], weight[2]);
            }
        }
    }
    // Equal at all corners: u m0 + v m1 + w m2 along (1, 1, 1).
    const std::array<DVec3, 3> row{DVec3(m[0][0] - m[0][1], m[1][0] - m[1][1], m[2][0] - m[2][1]),
                                   DVec3(m[0][1] - m[0][2], m[1][1] - m[1][2], m[2][1] - m[2][2])};
    const DVec3 x = glm::cross(row[0], row[1]);
    const double sum = x.x + x.y + x.z;
    if (x.x / sum > 0.0 && x.y / sum > 0.0 && x.z / sum > 0.0) {
        consider(x.x / sum, x.y / sum, x.z / sum);
    }
    return q;
}

class Search {
  public:
    Search(const Core& a, const Core& b, const DVec3& offset, double margin, double relative, double absolute)
        : a_(a), b_(b), offset_(offset), margin_(margin), relative_(relative), absolute_(absolute) {}

    Bounds run() {
        // Turned out of the way of the axes along which shapes are often aligned.
        const glm::dmat3 turn = glm::mat3_cast(glm::normalize(glm::dquat(0.81, 0.23, -0.41, 0.35)));
        const std::array<DVec3, 6> n{turn[0], -turn[0], turn[1], -turn[1], turn[2], -turn[2]};
        std::array<DVec3, 6> p;
        for (int i = 0; i < 6; ++i) {
            p[i] = look(n[i]);
        }
        for (int k = 0; k < 8; ++k) {
            const std::array<int, 3> i{k & 1, 2 + (k >> 1 & 1), 4 + (k >> 2 & 1)};
            push(Cell{{n[i[0]], n[i[1]], n[i[2]]}, {p[i[0]], p[i[1]], p[i[2]]}, -1e300});
        }
        while (!heap_.empty() && looked_ < most_cells &&
               least_ - std::max(heap_.front().bound, -nearest_) > tolerance()) {
            std::pop_heap(heap_.begin(), heap_.end(), later);
            const Cell c = heap_.back();
            heap_.pop_back();
            split(c);
        }
        // The triangles that were dropped are bounded by what the tolerance was then, which is no less than now.
        double bound = least_ - tolerance();
        if (!heap_.empty()) {
            bound = std::min(bound, heap_.front().bound);
        }
        bound = std::max(bound, -nearest_);
        Bounds out;
        out.lower = -least_ - margin_;
        out.upper = std::max(out.lower, -bound - margin_);
        out.direction = best_;
        out.cells = looked_;
        return out;
    }

  private:
    static bool later(const Cell& x, const Cell& y) { return x.bound > y.bound; }
    double tolerance() const { return relative_ * std::abs(least_ + margin_) + absolute_; }

    DVec3 look(const DVec3& n) {
        const DVec3 w = a_.support(n) - b_.support(-n) - offset_;
        const double h = glm::dot(w, n);
        if (h < least_) {
            least_ = h;
            best_ = n;
        }
        return w;
    }

    void push(Cell c) {
        ++looked_;
        double value = 0.0;
        const DVec3 q = best_point(c, value);
        const double length = glm::length(q);
        nearest_ = std::min(nearest_, length);
        // A direction inside the triangle is a combination of its corners, divided by the combination's length, which
        // lies between `low` and 1. So n . q is at least the least corner's where that is positive.
        double bound = value;
        if (value < 0.0) {
            const DVec3 normal = glm::cross(c.n[1] - c.n[0], c.n[2] - c.n[0]);
            const double low = std::abs(glm::dot(normal, c.n[0])) / glm::length(normal);
            bound = std::max(value / low, -length);
        }
        c.bound = std::max(c.bound, bound);
        if (c.bound >= least_ - tolerance()) {
            return;
        }
        // Good guesses of the best direction: the normal of the three points, and from the nearest point to the origin.
        const DVec3 face = glm::cross(c.p[1] - c.p[0], c.p[2] - c.p[0]);
        const double area = glm::length(face);
        if (area > 0.0) {
            look(face * ((glm::dot(face, c.n[0] + c.n[1] + c.n[2]) < 0.0 ? -1.0 : 1.0) / area));
        }
        if (value < 0.0 && length > 0.0) {
            look(q * (-1.0 / length));
        }
        heap_.push_back(c);
        std::push_heap(heap_.begin(), heap_.end(), later);
    }

    void split(const Cell& c) {
        int longest = 0;
        double cosine = 2.0;
        for (int i = 0; i < 3; ++i) {
            const double x = glm::dot(c.n[i], c.n[(i + 1) % 3]);
            if (x < cosine) {
                cosine = x;
                longest = i;
            }
        }
        const int i = longest, j = (i + 1) % 3, k = (i + 2) % 3;
        const DVec3 n = glm::normalize(c.n[i] + c.n[j]);
        const DVec3 p = look(n);
        push(Cell{{c.n[i], n, c.n[k]}, {c.p[i], p, c.p[k]}, c.bound});
        push(Cell{{n, c.n[j], c.n[k]}, {p, c.p[j], c.p[k]}, c.bound});
    }

    const Core& a_;
    const Core& b_;
    DVec3 offset_; // from A's position to B's
    double margin_, relative_, absolute_;
    std::vector<Cell> heap_;                            // the least bound on top
    double least_ = std::numeric_limits<double>::max(); // h of the cores, over the directions looked at
    DVec3 best_{0.0, 0.0, 1.0};
    double nearest_ = std::numeric_limits<double>::max(); // length of the shortest point of A - B met: h >= -nearest
    int looked_ = 0;
};

} // namespace

Bounds bounded_distance(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                        double relative, double absolute) {
    const Core core_a(a, pose_a);
    const Core core_b(b, pose_b);
    return Search(core_a, core_b, DVec3(pose_b.position) - DVec3(pose_a.position), core_a.margin() + core_b.margin(),
                  relative, absolute)
        .run();
}

} // namespace cairn::physics::oracle
