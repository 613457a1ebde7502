#include "tests/physics/query/oracle.h"

#include "tests/long_run.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace cairn::physics::oracle {
namespace {

DVec3 turned(const Quat& q, const DVec3& v) {
    const double w = double(q.w), x = double(q.x), y = double(q.y), z = double(q.z);
    const double n = std::sqrt(w * w + x * x + y * y + z * z);
    const glm::dquat unit(w / n, x / n, y / n, z / n);
    return unit * v;
}

DVec3 turned_back(const Quat& q, const DVec3& v) {
    return turned(Quat(q.w, -q.x, -q.y, -q.z), v);
}

DVec3 placed(const Transform& pose, const DVec3& p) {
    return DVec3(pose.position) + turned(pose.orientation, p);
}

DVec3 newell(const Solid& s, const std::vector<int>& face) {
    DVec3 n(0.0);
    const DVec3 origin = s.vertices[face[0]];
    for (std::size_t i = 0; i < face.size(); ++i) {
        n += glm::cross(s.vertices[face[i]] - origin, s.vertices[face[(i + 1) % face.size()]] - origin);
    }
    return glm::normalize(n);
}

void add_edges_of_faces(Solid& s) {
    for (const auto& f : s.faces) {
        for (std::size_t i = 0; i < f.size(); ++i) {
            const int a = f[i];
            const int b = f[(i + 1) % f.size()];
            if (a < b) {
                s.edges.push_back({a, b});
            }
        }
    }
}

double segment_distance(const DVec3& p0, const DVec3& p1, const DVec3& q0, const DVec3& q1) {
    const auto point = [](const DVec3& x, const DVec3& a, const DVec3& b) {
        const DVec3 d = b - a;
        const double l = glm::dot(d, d);
        const double t = l > 0.0 ? std::clamp(glm::dot(x - a, d) / l, 0.0, 1.0) : 0.0;
        return glm::length(x - a - d * t);
    };
    double best = std::min({point(p0, q0, q1), point(p1, q0, q1), point(q0, p0, p1), point(q1, p0, p1)});
    const DVec3 u = p1 - p0, v = q1 - q0, n = glm::cross(u, v);
    const double n2 = glm::dot(n, n);
    if (n2 > 1e-20 * glm::dot(u, u) * glm::dot(v, v)) {
        const DVec3 w = q0 - p0;
        const double s = glm::dot(glm::cross(w, v), n) / n2;
        const double t = glm::dot(glm::cross(w, u), n) / n2;
        if (s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0) {
            best = std::min(best, std::abs(glm::dot(w, n)) / std::sqrt(n2));
        }
    }
    return best;
}

void vertices_against_faces(const Solid& a, const Solid& b, double& best) {
    for (const auto& f : b.faces) {
        const DVec3 n = newell(b, f);
        for (const DVec3& p : a.vertices) {
            const double height = glm::dot(n, p - b.vertices[f[0]]);
            if (height < 0.0 || height >= best) {
                continue;
            }
            bool over = true;
            for (std::size_t i = 0; i < f.size() && over; ++i) {
                const DVec3& from = b.vertices[f[i]];
                over = glm::dot(glm::cross(n, b.vertices[f[(i + 1) % f.size()]] - from), p - from) >= 0.0;
            }
            if (over) {
                best = height;
            }
        }
    }
}

// Greatest separation of the slabs along n and -n. Most axes are hopeless, which a few vertices show: every vertex can
// only shrink the separation.
void try_axis(const Solid& a, const Solid& b, const DVec3& n, double& best) {
    double min_a = 1e300, max_a = -1e300, min_b = 1e300, max_b = -1e300;
    const std::size_t most = std::max(a.vertices.size(), b.vertices.size());
    for (std::size_t i = 0; i < most; ++i) {
        if (i < a.vertices.size()) {
            const double x = glm::dot(a.vertices[i], n);
            min_a = std::min(min_a, x);
            max_a = std::max(max_a, x);
        }
        if (i < b.vertices.size()) {
            const double x = glm::dot(b.vertices[i], n);
            min_b = std::min(min_b, x);
            max_b = std::max(max_b, x);
        }
        if (min_b - max_a <= best && min_a - max_b <= best) {
            return;
        }
    }
    best = std::max({best, min_b - max_a, min_a - max_b});
}

} // namespace

Solid solid(const Shape& shape, const Transform& pose) {
    Solid s;
    const DVec3 h(shape.half_extents);
    switch (shape.kind) {
    case ShapeKind::sphere:
        s.vertices = {DVec3(0.0)};
        s.radius = double(shape.radius);
        break;
    case ShapeKind::capsule:
        s.vertices = {DVec3(0, 0, -h.z), DVec3(0, 0, h.z)};
        s.edges = {{0, 1}};
        s.radius = double(shape.radius);
        break;
    case ShapeKind::box:
        for (int i = 0; i < 8; ++i) {
            s.vertices.push_back(h * DVec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        }
        s.faces = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
        break;
    case ShapeKind::cylinder:
    case ShapeKind::cone:
        throw std::logic_error("a round shape has no features to go through");
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull:
        for (const Vec3& v : shape.hull->vertices) {
            s.vertices.push_back(DVec3(v));
        }
        for (std::size_t f = 0; f < shape.hull->faces.size(); ++f) {
            const auto face = shape.hull->face(f);
            s.faces.emplace_back(face.begin(), face.end());
        }
        break;
    }
    add_edges_of_faces(s);
    for (DVec3& v : s.vertices) {
        v = placed(pose, v);
    }
    return s;
}

Answer signed_distance(const Solid& a, const Solid& b) {
    Answer out;
    double slab = -1e300;
    for (const auto& f : a.faces) {
        try_axis(a, b, newell(a, f), slab);
    }
    for (const auto& f : b.faces) {
        try_axis(a, b, newell(b, f), slab);
    }
    for (const auto& e : a.edges) {
        const DVec3 u = a.vertices[e[1]] - a.vertices[e[0]];
        for (const auto& g : b.edges) {
            const DVec3 v = b.vertices[g[1]] - b.vertices[g[0]];
            const DVec3 n = glm::cross(u, v);
            const double n2 = glm::dot(n, n);
            // Nearly parallel edges give no direction that a face does not give as well.
            if (n2 > 1e-18 * glm::dot(u, u) * glm::dot(v, v)) {
                try_axis(a, b, n / std::sqrt(n2), slab);
            }
        }
    }
    const bool solid_pair = !a.faces.empty() || !b.faces.empty();
    if (slab <= 0.0 && solid_pair) {
        out.overlapping = true;
        out.distance = slab - a.radius - b.radius;
        return out;
    }
    double best = 1e300;
    vertices_against_faces(a, b, best);
    vertices_against_faces(b, a, best);
    const auto edges = [](const Solid& s) {
        std::vector<std::array<int, 2>> e = s.edges;
        if (e.empty()) {
            e.push_back({0, 0});
        }
        return e;
    };
    for (const auto& e : edges(a)) {
        for (const auto& g : edges(b)) {
            best = std::min(best,
                            segment_distance(a.vertices[e[0]], a.vertices[e[1]], b.vertices[g[0]], b.vertices[g[1]]));
        }
    }
    out.distance = best - a.radius - b.radius;
    out.overlapping = out.distance < 0.0;
    return out;
}

double extent(const Shape& shape, const Transform& pose, const DVec3& direction) {
    const DVec3 d = turned_back(pose.orientation, direction);
    const double base = glm::dot(DVec3(pose.position), direction);
    const DVec3 h(shape.half_extents);
    const double r = double(shape.radius);
    const double radial = std::hypot(d.x, d.y);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return base + r * glm::length(d);
    case ShapeKind::capsule:
        return base + r * glm::length(d) + h.z * std::abs(d.z);
    case ShapeKind::box:
        return base + h.x * std::abs(d.x) + h.y * std::abs(d.y) + h.z * std::abs(d.z);
    case ShapeKind::cylinder:
        return base + r * radial + h.z * std::abs(d.z);
    case ShapeKind::cone:
        return base + std::max(1.5 * h.z * d.z, r * radial - 0.5 * h.z * d.z);
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        double best = -1e300;
        for (const Vec3& v : shape.hull->vertices) {
            best = std::max(best, glm::dot(DVec3(v), d));
        }
        return base + best;
    }
    }
    return base;
}

DVec3 farthest(const Shape& s, const Quat& orientation, const DVec3& world) {
    const DVec3 d = turned_back(orientation, world);
    const DVec3 h(s.half_extents);
    const double r = double(s.radius);
    const double radial = std::hypot(d.x, d.y);
    const DVec3 rim = radial > 0.0 ? DVec3(d.x, d.y, 0.0) * (r / radial) : DVec3(0.0);
    DVec3 p(0.0);
    switch (s.kind) {
    case ShapeKind::sphere:
        p = glm::normalize(d) * r;
        break;
    case ShapeKind::capsule:
        p = glm::normalize(d) * r + DVec3(0.0, 0.0, d.z < 0.0 ? -h.z : h.z);
        break;
    case ShapeKind::box:
        p = DVec3(d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z);
        break;
    case ShapeKind::cylinder:
        p = rim + DVec3(0.0, 0.0, d.z < 0.0 ? -h.z : h.z);
        break;
    case ShapeKind::cone:
        p = 1.5 * h.z * d.z > r * radial - 0.5 * h.z * d.z ? DVec3(0.0, 0.0, 1.5 * h.z)
                                                           : rim - DVec3(0.0, 0.0, 0.5 * h.z);
        break;
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        double best = -1e300;
        for (const Vec3& v : s.hull->vertices) {
            const double x = glm::dot(DVec3(v), d);
            if (x > best) {
                best = x;
                p = DVec3(v);
            }
        }
        break;
    }
    }
    return turned(orientation, p);
}

double outside(const Shape& shape, const Transform& pose, const DVec3& point) {
    const DVec3 p = turned_back(pose.orientation, point - DVec3(pose.position));
    const DVec3 h(shape.half_extents);
    const double r = double(shape.radius);
    const double radial = std::hypot(p.x, p.y);
    switch (shape.kind) {
    case ShapeKind::sphere:
        return glm::length(p) - r;
    case ShapeKind::capsule:
        return glm::length(p - DVec3(0.0, 0.0, std::clamp(p.z, -h.z, h.z))) - r;
    case ShapeKind::box:
        return std::max({std::abs(p.x) - h.x, std::abs(p.y) - h.y, std::abs(p.z) - h.z});
    case ShapeKind::cylinder:
        return std::max(radial - r, std::abs(p.z) - h.z);
    case ShapeKind::cone: {
        const double height = 2.0 * h.z;
        const double slant = std::hypot(height, r);
        return std::max(-p.z - 0.5 * h.z, (height * radial + r * (p.z - 1.5 * h.z)) / slant);
    }
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        double most = -1e300;
        for (const Plane& plane : shape.hull->planes) {
            most = std::max(most, glm::dot(DVec3(plane.normal), p) - double(plane.offset));
        }
        return most;
    }
    }
    return 0.0;
}

double separation_along(const Shape& a, const Transform& pose_a, const Shape& b, const Transform& pose_b,
                        const DVec3& n) {
    return -extent(b, pose_b, -n) - extent(a, pose_a, n);
}

double Random::log_between(double low, double high) {
    return low * std::pow(high / low, unit());
}

// Drawn one by one: compilers evaluate arguments in different orders, and would draw different samples from one seed.
DVec3 Random::vector(double low, double high) {
    DVec3 v;
    v.z = between(low, high);
    v.y = between(low, high);
    v.x = between(low, high);
    return v;
}

DVec3 Random::direction() {
    for (;;) {
        const DVec3 v = vector(-1, 1);
        const double l = glm::length(v);
        if (l > 0.01 && l <= 1.0) {
            return v / l;
        }
    }
}

Quat Random::orientation() {
    for (;;) {
        const double w = between(-1, 1);
        const glm::dvec4 v(vector(-1, 1), w);
        const double l = glm::length(v);
        if (l > 0.01 && l <= 1.0) {
            return normalized(Quat(float(v.w / l), float(v.x / l), float(v.y / l), float(v.z / l)));
        }
    }
}

Shape make(const Geometry& geometry) {
    auto built = build_shape(geometry);
    if (auto* error = std::get_if<ShapeError>(&built)) {
        throw std::runtime_error(error->reason);
    }
    return std::get<Shape>(std::move(built));
}

int count(int sample, int long_factor) {
    return long_run() ? sample * long_factor : sample;
}

} // namespace cairn::physics::oracle
