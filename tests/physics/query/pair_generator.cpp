#include "tests/physics/query/pair_generator.h"

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <stdexcept>

namespace cairn::physics::oracle {
namespace {

constexpr double least_side = 1.0001e-4; // m: half a side, radius or height that shapes may have
constexpr double smallest = 1e-3;        // m, of what is generated
constexpr double largest = 100.0;

template <typename T, std::size_t N>
T any(const std::array<T, N>& choices, Random& random) {
    return choices[std::size_t(random.below(int(N)))];
}

// Each coordinate -1, 0 or 1, drawn one by one (see Random::vector).
DVec3 lattice_point(Random& random) {
    DVec3 p;
    p.z = random.below(3) - 1;
    p.y = random.below(3) - 1;
    p.x = random.below(3) - 1;
    return p;
}

// Lengths in x and y (together for solids of revolution) and in z for a form, the longest about 1.
DVec3 proportions(Form form, bool revolved, Random& random) {
    const double thin = random.log_between(0.005, 0.05);
    DVec3 f = random.vector(0.3, 1.0);
    if (form == Form::needle) {
        f = DVec3(thin, thin * random.between(0.5, 1.0), 1.0);
    } else if (form == Form::plate) {
        f = DVec3(1.0, random.between(0.3, 1.0), thin);
    }
    if (revolved) {
        f.y = f.x;
    } else if (random.below(2) == 0) { // needles and plates along any axis
        const int turns = random.below(3);
        for (int i = 0; i < turns; ++i) {
            f = DVec3(f.z, f.x, f.y);
        }
    }
    return f;
}

Shape random_shape(Kind kind, Form form, double size, Random& random) {
    const bool revolved = kind == Kind::capsule || kind == Kind::cylinder || kind == Kind::cone;
    const DVec3 h = glm::max(proportions(form, revolved, random) * size, DVec3(least_side));
    switch (kind) {
    case Kind::sphere:
        return make(Sphere{float(size)});
    case Kind::box:
        return make(Box{Vec3(h)});
    case Kind::capsule:
        return make(Capsule{float(h.x), float(h.z)});
    case Kind::cylinder:
        return make(Cylinder{float(h.x), float(h.z)});
    case Kind::cone:
        return make(Cone{float(h.x), float(h.z)});
    case Kind::diamond:
        return make(Diamond{float(size)});
    case Kind::hull:
        break;
    }
    for (;;) {
        auto points = std::make_shared<std::vector<Vec3>>();
        const int n = 4 + random.below(random.below(6) == 0 ? 60 : 12);
        // Points on a ball give many faces, points of a small lattice give parallel faces and edges.
        const bool lattice = random.below(4) == 0;
        for (int i = 0; i < n; ++i) {
            DVec3 p = random.direction();
            if (lattice) {
                p = lattice_point(random);
            }
            points->push_back(Vec3(p * h));
        }
        auto built = build_shape(PointSet{points});
        if (auto* shape = std::get_if<Shape>(&built)) { // a few points may be too flat to be accepted
            return *shape;
        }
    }
}

DVec3 turned_by(const Quat& q, const DVec3& v) {
    return glm::normalize(glm::dquat(double(q.w), double(q.x), double(q.y), double(q.z))) * v;
}

Quat narrowed(const glm::dquat& q) {
    const glm::dquat u = glm::normalize(q);
    return Quat(float(u.w), float(u.x), float(u.y), float(u.z));
}

// Turns the unit vector `from` to `to`.
glm::dquat turn_between(const DVec3& from, const DVec3& to) {
    const double c = glm::dot(from, to);
    if (c < -0.999999) {
        const DVec3 axis = std::abs(from.x) < 0.7 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
        return glm::angleAxis(3.14159265358979323846, glm::normalize(glm::cross(from, axis)));
    }
    const DVec3 axis = glm::cross(from, to);
    return glm::normalize(glm::dquat(1.0 + c, axis.x, axis.y, axis.z));
}

DVec3 perpendicular(const DVec3& n, Random& random) {
    for (;;) {
        const DVec3 d = random.direction();
        const DVec3 p = d - n * glm::dot(n, d);
        if (glm::length(p) > 0.1) {
            return glm::normalize(p);
        }
    }
}

DVec3 hull_vertex(const Shape& s, std::size_t i) {
    return DVec3(s.hull->vertices[i]);
}

// The outward normal of some face; of round parts that of a generating line; of a sphere any.
DVec3 face_normal(const Shape& s, Random& random) {
    const double sign = random.below(2) ? 1.0 : -1.0;
    const double angle = random.between(0.0, 6.28318530717958648);
    const DVec3 radial(std::cos(angle), std::sin(angle), 0.0);
    switch (s.kind) {
    case ShapeKind::sphere:
        return random.direction();
    case ShapeKind::capsule:
        return radial;
    case ShapeKind::box: {
        DVec3 n(0.0);
        n[random.below(3)] = sign;
        return n;
    }
    case ShapeKind::cylinder:
        return random.below(2) ? DVec3(0.0, 0.0, sign) : radial;
    case ShapeKind::cone: {
        if (random.below(2)) {
            return DVec3(0.0, 0.0, -1.0);
        }
        const double height = 2.0 * double(s.half_extents.z);
        return glm::normalize(radial * height + DVec3(0.0, 0.0, double(s.radius)));
    }
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        // From the vertices: the stored normal is rounded.
        const auto f = s.hull->face(std::size_t(random.below(int(s.hull->faces.size()))));
        DVec3 n(0.0);
        for (std::size_t i = 1; i + 1 < f.size(); ++i) {
            n += glm::cross(hull_vertex(s, f[i]) - hull_vertex(s, f[0]),
                            hull_vertex(s, f[i + 1]) - hull_vertex(s, f[0]));
        }
        return glm::normalize(n);
    }
    }
    return DVec3(0.0, 0.0, 1.0);
}

// The direction of some edge and a direction that is normal to it and points out of the shape there. The generating
// lines of round shapes and tangents of their rims count as edges.
void edge_direction(const Shape& s, Random& random, DVec3& along, DVec3& out) {
    const double angle = random.between(0.0, 6.28318530717958648);
    const DVec3 radial(std::cos(angle), std::sin(angle), 0.0);
    const DVec3 tangent(-std::sin(angle), std::cos(angle), 0.0);
    const double tilt = random.between(0.05, 0.95);
    switch (s.kind) {
    case ShapeKind::sphere:
        out = random.direction();
        along = perpendicular(out, random);
        return;
    case ShapeKind::capsule:
        out = radial;
        along = DVec3(0.0, 0.0, 1.0);
        return;
    case ShapeKind::cylinder:
        if (random.below(2)) {
            out = radial;
            along = DVec3(0.0, 0.0, 1.0);
        } else {
            out = glm::normalize(radial * tilt + DVec3(0.0, 0.0, random.below(2) ? 1.0 - tilt : tilt - 1.0));
            along = tangent;
        }
        return;
    case ShapeKind::cone: {
        const double height = 2.0 * double(s.half_extents.z);
        const DVec3 side = glm::normalize(radial * height + DVec3(0.0, 0.0, double(s.radius)));
        if (random.below(2)) {
            out = side;
            along = glm::cross(side, tangent);
        } else {
            out = glm::normalize(side * tilt + DVec3(0.0, 0.0, tilt - 1.0));
            along = tangent;
        }
        return;
    }
    case ShapeKind::box: {
        const int axis = random.below(3);
        along = DVec3(0.0);
        along[axis] = 1.0;
        out = DVec3(0.0);
        out[(axis + 1) % 3] = random.below(2) ? tilt : -tilt;
        out[(axis + 2) % 3] = random.below(2) ? 1.0 - tilt : tilt - 1.0;
        out = glm::normalize(out);
        return;
    }
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull: {
        const ConvexHull::Edge& e = s.hull->edges[std::size_t(random.below(int(s.hull->edges.size())))];
        along = glm::normalize(hull_vertex(s, e.vertex_b) - hull_vertex(s, e.vertex_a));
        const DVec3 n =
            DVec3(s.hull->planes[e.face_a].normal) * tilt + DVec3(s.hull->planes[e.face_b].normal) * (1.0 - tilt);
        out = glm::normalize(n - along * glm::dot(n, along));
        return;
    }
    }
}

// Some point of the part of the surface that is farthest along n: of a corner, an edge or a face.
DVec3 point_facing(const Shape& s, const Quat& orientation, const DVec3& n, Random& random) {
    DVec3 sum(0.0);
    double total = 0.0;
    for (int i = 0; i < 4; ++i) {
        const double weight = random.unit() * random.unit();
        sum += farthest(s, orientation, glm::normalize(n + 1e-6 * random.direction())) * weight;
        total += weight;
    }
    const DVec3 p = sum / total;
    // Exactly as far as the farthest point, in case the perturbed directions cut a corner.
    return p + n * glm::dot(n, farthest(s, orientation, n) - p);
}

Quat aligned_orientation(Random& random) {
    constexpr float h = 0.70710678f;
    const std::array<Quat, 6> choices{Quat(1, 0, 0, 0), Quat(h, h, 0, 0), Quat(h, 0, h, 0),
                                      Quat(h, 0, 0, h), Quat(0, 1, 0, 0), Quat(0.5f, 0.5f, 0.5f, 0.5f)};
    return any(choices, random);
}

// Orients both shapes and gives the direction from A to B along which they are to meet.
DVec3 orient(Pair& c, Random& random) {
    c.pose_a.orientation = random.orientation();
    c.pose_b.orientation = random.orientation();
    const Quat& qa = c.pose_a.orientation;
    const Quat& qb = c.pose_b.orientation;
    DVec3 along_a, out_a, along_b, out_b;
    switch (c.setting) {
    case Setting::free:
        break;
    case Setting::onto_face:
        return random.below(2) ? turned_by(qa, face_normal(c.a, random)) : -turned_by(qb, face_normal(c.b, random));
    case Setting::edges_crossing: {
        edge_direction(c.a, random, along_a, out_a);
        edge_direction(c.b, random, along_b, out_b);
        // B's edge outwards against A's, turned about that direction as far as it is.
        const DVec3 out = turned_by(qa, out_a);
        const glm::dquat q(double(qb.w), double(qb.x), double(qb.y), double(qb.z));
        c.pose_b.orientation = narrowed(turn_between(turned_by(qb, out_b), -out) * glm::normalize(q));
        const DVec3 n = glm::cross(turned_by(qa, along_a), turned_by(c.pose_b.orientation, along_b));
        if (glm::length(n) > 1e-3) {
            return glm::normalize(glm::dot(n, out) < 0.0 ? -n : n);
        }
        return out;
    }
    case Setting::faces_parallel: {
        if (random.below(3) == 0) {
            c.pose_b.orientation = qa; // parallel without any rounding
            return turned_by(qa, face_normal(c.a, random));
        }
        const DVec3 n = turned_by(qa, face_normal(c.a, random));
        const glm::dquat q(double(qb.w), double(qb.x), double(qb.y), double(qb.z));
        c.pose_b.orientation = narrowed(turn_between(turned_by(qb, face_normal(c.b, random)), -n) * glm::normalize(q));
        return n;
    }
    case Setting::edges_parallel: {
        edge_direction(c.a, random, along_a, out_a);
        edge_direction(c.b, random, along_b, out_b);
        const DVec3 out = turned_by(qa, out_a);
        glm::dquat q = glm::normalize(glm::dquat(double(qb.w), double(qb.x), double(qb.y), double(qb.z)));
        q = turn_between(q * out_b, -out) * q;
        // About `out` until the edges are parallel.
        const DVec3 e = turned_by(qa, along_a);
        const DVec3 f = q * along_b;
        q = glm::angleAxis(std::atan2(glm::dot(glm::cross(f, e), out), glm::dot(f, e)), out) * q;
        c.pose_b.orientation = narrowed(q);
        return out;
    }
    case Setting::aligned: {
        c.pose_a.orientation = aligned_orientation(random);
        c.pose_b.orientation = aligned_orientation(random);
        const DVec3 n = lattice_point(random);
        return glm::length(n) > 0.0 ? glm::normalize(n) : DVec3(0.0, 0.0, 1.0);
    }
    }
    return random.direction();
}

} // namespace

const char* name(Kind kind) {
    constexpr std::array names{"sphere", "box", "capsule", "cylinder", "cone", "hull", "diamond"};
    return names[std::size_t(kind)];
}
const char* name(Setting setting) {
    constexpr std::array names{"free", "onto_face", "edges_crossing", "faces_parallel", "edges_parallel", "aligned"};
    return names[std::size_t(setting)];
}
const char* name(Placing placing) {
    constexpr std::array names{"far", "near", "touching", "shallow", "deep", "contained", "coincident"};
    return names[std::size_t(placing)];
}
const char* name(Form form) {
    constexpr std::array names{"plain", "needle", "plate"};
    return names[std::size_t(form)];
}
const char* name(Ratio ratio) {
    constexpr std::array names{"similar", "tens", "hundreds"};
    return names[std::size_t(ratio)];
}

Pair random_pair(Kind a, Kind b, Random& random) {
    Pair c;
    c.kind_a = a;
    c.kind_b = b;
    const auto form = [&](Kind kind) {
        const bool fixed = kind == Kind::sphere || kind == Kind::diamond;
        return fixed || random.below(2) == 0 ? Form::plain : any(all_forms, random);
    };
    c.form_a = form(a);
    c.form_b = form(b);
    c.ratio = any(all_ratios, random);
    c.setting = any(all_settings, random);
    c.placing = any(all_placings, random);
    double ratio = random.log_between(1.0, 3.0);
    if (c.ratio == Ratio::tens) {
        ratio = random.log_between(3.0, 50.0);
    } else if (c.ratio == Ratio::hundreds) {
        ratio = random.log_between(50.0, 1000.0);
    }
    double size_a = random.log_between(smallest * ratio, largest);
    double size_b = size_a / ratio;
    if (random.below(2) == 0) {
        std::swap(size_a, size_b);
    }
    c.a = random_shape(a, c.form_a, size_a, random);
    c.b = random_shape(b, c.form_b, size_b, random);
    c.size = double(c.a.bounding_radius) + double(c.b.bounding_radius);
    c.small = std::min(double(c.a.bounding_radius), double(c.b.bounding_radius));
    const DVec3 n = orient(c, random);
    if (c.setting != Setting::aligned || random.below(2) == 0) {
        const double distance = random.between(0.0, 10.0) * c.size;
        c.pose_a.position = Vec3(random.direction() * distance);
    }

    double gap = 0.0;
    switch (c.placing) {
    case Placing::far:
        gap = random.log_between(0.1, 20.0) * c.size;
        break;
    case Placing::near:
        gap = random.log_between(1e-5, 0.1) * c.small;
        break;
    case Placing::touching:
        gap = random.below(2) ? 0.0 : random.between(-1e-6, 1e-6) * c.size;
        break;
    case Placing::shallow:
        // Not through to the other side of a thin plate.
        gap = -std::min({random.log_between(1e-5, 0.02) * c.small, double(c.a.inner_radius), double(c.b.inner_radius)});
        break;
    case Placing::deep:
        gap = -random.between(0.05, 1.0) * c.small;
        break;
    case Placing::contained: {
        const double room = std::max(double(c.a.inner_radius), double(c.b.inner_radius));
        const double distance = random.between(0.0, room);
        c.pose_b.position = Vec3(DVec3(c.pose_a.position) + random.direction() * distance);
        return c;
    }
    case Placing::coincident:
        c.pose_b.position = c.pose_a.position;
        return c;
    }
    // The farthest points of both along n and -n are put on one line along n, so the gap between them is the distance
    // of the shapes and, inside, an upper bound of the depth. The positions are then rounded to floats.
    const DVec3 on_a = point_facing(c.a, c.pose_a.orientation, n, random);
    const DVec3 on_b = point_facing(c.b, c.pose_b.orientation, -n, random);
    c.pose_b.position = Vec3(DVec3(c.pose_a.position) + on_a + n * gap - on_b);
    return c;
}

namespace {

std::string print(const char* format, ...) __attribute__((format(printf, 1, 2)));
std::string print(const char* format, ...) {
    std::array<char, 512> text{};
    std::va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(text.data(), text.size(), format, arguments);
    va_end(arguments);
    return text.data();
}

std::string describe(Kind kind, const Shape& s) {
    const auto g = [](float x) { return print("%.9g", double(x)); };
    const auto real = [](float x) { return double(x); };
    switch (s.kind) {
    case ShapeKind::sphere:
        return print("Sphere{%.9g}", real(s.radius));
    case ShapeKind::box:
        return print("Box{{%.9g, %.9g, %.9g}}", real(s.half_extents.x), real(s.half_extents.y), real(s.half_extents.z));
    case ShapeKind::capsule:
        return print("Capsule{%.9g, %.9g}", real(s.radius), real(s.half_extents.z));
    case ShapeKind::cylinder:
        return print("Cylinder{%.9g, %.9g}", real(s.radius), real(s.half_extents.z));
    case ShapeKind::cone:
        return print("Cone{%.9g, %.9g}", real(s.radius), 2.0 * real(s.half_extents.z));
    case ShapeKind::mesh:
        throw std::logic_error("a mesh is not convex");
    case ShapeKind::hull:
        break;
    }
    // The vertices with their centroid at the origin; building them again moves them by rounding only.
    std::string text = kind == Kind::diamond ? "diamond{" : "hull{";
    for (const Vec3& v : s.hull->vertices) {
        text += "{" + g(v.x) + ", " + g(v.y) + ", " + g(v.z) + "}, ";
    }
    return text + "}";
}

std::string describe(const Transform& t) {
    return print("{{%.9g, %.9g, %.9g}, Quat(%.9g, %.9g, %.9g, %.9g)}", double(t.position.x), double(t.position.y),
                 double(t.position.z), double(t.orientation.w), double(t.orientation.x), double(t.orientation.y),
                 double(t.orientation.z));
}

} // namespace

std::string describe(const Pair& c) {
    return print("%s-%s %s %s/%s %s %s size %.6g ", name(c.kind_a), name(c.kind_b), name(c.ratio), name(c.form_a),
                 name(c.form_b), name(c.setting), name(c.placing), c.size) +
           describe(c.kind_a, c.a) + " at " + describe(c.pose_a) + " " + describe(c.kind_b, c.b) + " at " +
           describe(c.pose_b);
}

} // namespace cairn::physics::oracle
