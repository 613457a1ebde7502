#include "tests/physics/geometry/decomposition/concave_shapes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <numbers>
#include <span>

namespace cairn::physics::test {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

using Index = std::uint32_t;

void add_quad(TriangleSoup& mesh, Index a, Index b, Index c, Index d) {
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
}

// A closed profile (radius, height), counter-clockwise, turned about Z. A radius of zero is a point of the axis.
TriangleSoup revolved(std::span<const glm::vec2> profile, int sides) {
    TriangleSoup mesh;
    std::vector<std::vector<Index>> rings;
    for (const glm::vec2& p : profile) {
        std::vector<Index> ring;
        for (int s = 0; s < sides; ++s) {
            if (p.x > 0.0f || s == 0) {
                const float angle = 2.0f * pi * static_cast<float>(s) / static_cast<float>(sides);
                mesh.points.emplace_back(p.x * std::cos(angle), p.x * std::sin(angle), p.y);
            }
            ring.push_back(static_cast<Index>(mesh.points.size() - 1));
        }
        rings.push_back(ring);
    }
    for (std::size_t i = 0; i < rings.size(); ++i) {
        const auto &a = rings[i], &b = rings[(i + 1) % rings.size()];
        for (std::size_t s = 0; s < a.size(); ++s) {
            const std::size_t t = (s + 1) % a.size();
            if (a[s] != a[t]) {
                mesh.triangles.push_back({a[s], a[t], b[t]});
            }
            if (b[s] != b[t]) {
                mesh.triangles.push_back({a[s], b[t], b[s]});
            }
        }
    }
    return mesh;
}

// A tube around a curve; closed to a ring, or with flat ends.
TriangleSoup tube(const std::function<Vec3(float)>& curve, float radius, int segments, int sides, bool ring) {
    TriangleSoup mesh;
    Vec3 side(0.0f, 0.0f, 1.0f);
    for (int i = 0; i < segments + (ring ? 0 : 1); ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(segments), h = 1e-3f;
        const Vec3 middle = curve(t), ahead = glm::normalize(curve(t + h) - curve(t - h));
        // The normal that turns least from one section to the next would twist along a ring; one towards a fixed
        // direction does not.
        const Vec3 u = glm::normalize(glm::cross(ahead, side)), v = glm::cross(u, ahead);
        for (int s = 0; s < sides; ++s) {
            const float angle = 2.0f * pi * static_cast<float>(s) / static_cast<float>(sides);
            mesh.points.push_back(middle + radius * (std::cos(angle) * u + std::sin(angle) * v));
        }
    }
    const auto at = [&](int i, int s) {
        return static_cast<Index>((i % (ring ? segments : segments + 1)) * sides + s % sides);
    };
    for (int i = 0; i < segments; ++i) {
        for (int s = 0; s < sides; ++s) {
            add_quad(mesh, at(i, s), at(i + 1, s), at(i + 1, s + 1), at(i, s + 1));
        }
    }
    for (int s = 1; s + 1 < sides && !ring; ++s) {
        mesh.triangles.push_back({at(0, 0), at(0, s), at(0, s + 1)});
        mesh.triangles.push_back({at(segments, 0), at(segments, s + 1), at(segments, s)});
    }
    return mesh;
}

// An outline around the origin, as seen from it, and a round hole or none, between z = 0 and `height`.
TriangleSoup star_shaped(const std::function<float(float)>& radius, int sides, float hole, float height) {
    TriangleSoup mesh;
    for (int s = 0; s < sides; ++s) {
        const float angle = 2.0f * pi * static_cast<float>(s) / static_cast<float>(sides);
        for (const float r : {radius(angle), hole}) {
            for (const float z : {0.0f, height}) {
                mesh.points.emplace_back(r * std::cos(angle), r * std::sin(angle), z);
            }
        }
    }
    const bool solid = hole == 0.0f; // all inner points are then those of the first side
    const auto at = [&](int s, int k) { return static_cast<Index>(solid && k >= 2 ? k : s % sides * 4 + k); };
    for (int s = 0; s < sides; ++s) {
        add_quad(mesh, at(s, 0), at(s + 1, 0), at(s + 1, 1), at(s, 1));
        mesh.triangles.push_back({at(s, 3), at(s, 1), at(s + 1, 1)});
        mesh.triangles.push_back({at(s, 2), at(s + 1, 0), at(s, 0)});
        if (!solid) {
            mesh.triangles.push_back({at(s, 3), at(s + 1, 1), at(s + 1, 3)});
            mesh.triangles.push_back({at(s, 2), at(s + 1, 2), at(s + 1, 0)});
            add_quad(mesh, at(s, 2), at(s, 3), at(s + 1, 3), at(s + 1, 2));
        }
    }
    return mesh;
}

// Cells of a grid of bricks: the faces between one that is filled and one that is not.
TriangleSoup bricks(const std::array<std::vector<float>, 3>& lines, const std::function<bool(int, int, int)>& filled) {
    TriangleSoup mesh;
    std::map<std::array<int, 3>, Index> known;
    const auto point = [&](const std::array<int, 3>& i) {
        const auto [at, fresh] = known.try_emplace(i, static_cast<Index>(mesh.points.size()));
        if (fresh) {
            mesh.points.emplace_back(lines[0][static_cast<std::size_t>(i[0])], lines[1][static_cast<std::size_t>(i[1])],
                                     lines[2][static_cast<std::size_t>(i[2])]);
        }
        return at->second;
    };
    const std::array<int, 3> size{static_cast<int>(lines[0].size()) - 1, static_cast<int>(lines[1].size()) - 1,
                                  static_cast<int>(lines[2].size()) - 1};
    const auto is_filled = [&](const std::array<int, 3>& c) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (c[k] < 0 || c[k] >= size[k]) {
                return false;
            }
        }
        return filled(c[0], c[1], c[2]);
    };
    for (int x = 0; x < size[0]; ++x) {
        for (int y = 0; y < size[1]; ++y) {
            for (int z = 0; z < size[2]; ++z) {
                const std::array<int, 3> cell{x, y, z};
                for (std::size_t k = 0; k < 3 && is_filled(cell); ++k) {
                    const std::size_t u = (k + 1) % 3, v = (k + 2) % 3;
                    for (const int side : {0, 1}) {
                        std::array<int, 3> beyond = cell;
                        beyond[k] += side == 1 ? 1 : -1;
                        if (is_filled(beyond)) {
                            continue;
                        }
                        std::array<int, 3> a = cell;
                        a[k] += side;
                        std::array<int, 3> b = a, c = a, d = a;
                        ++b[u];
                        ++c[u];
                        ++c[v];
                        ++d[v];
                        if (side == 1) {
                            add_quad(mesh, point(a), point(b), point(c), point(d));
                        } else {
                            add_quad(mesh, point(a), point(d), point(c), point(b));
                        }
                    }
                }
            }
        }
    }
    return mesh;
}

// A letter of bricks from rows of text, the topmost first, `thickness` deep.
TriangleSoup letter(const std::vector<std::string>& rows, float thickness) {
    std::array<std::vector<float>, 3> lines;
    for (std::size_t i = 0; i <= rows[0].size(); ++i) {
        lines[0].push_back(static_cast<float>(i));
    }
    lines[1] = {0.0f, thickness};
    for (std::size_t i = 0; i <= rows.size(); ++i) {
        lines[2].push_back(static_cast<float>(i));
    }
    return bricks(lines, [&rows](int x, int, int z) {
        return rows[rows.size() - 1 - static_cast<std::size_t>(z)][static_cast<std::size_t>(x)] == '#';
    });
}

// The surface where a distance function is zero, by tetrahedra: six in each cell of a grid.
TriangleSoup surface(const std::function<float(const Vec3&)>& distance, const Vec3& lower, const Vec3& upper,
                     float cell) {
    TriangleSoup mesh;
    const glm::ivec3 size = glm::ivec3(glm::ceil((upper - lower) / cell)) + 1;
    const auto number = [&size](const glm::ivec3& i) {
        return static_cast<Index>((i.z * size.y + i.y) * size.x + i.x);
    };
    // A grid that no face of the shape lies in.
    const auto position = [&](const glm::ivec3& i) {
        return lower + cell * (Vec3(i) + Vec3(0.0137f, 0.0071f, 0.0113f));
    };
    std::vector<float> values;
    for (int z = 0; z < size.z; ++z) {
        for (int y = 0; y < size.y; ++y) {
            for (int x = 0; x < size.x; ++x) {
                values.push_back(distance(position({x, y, z})));
            }
        }
    }
    std::map<std::array<Index, 2>, Index> known;
    const auto crossing = [&](const glm::ivec3& a, const glm::ivec3& b) {
        const Index i = number(a), j = number(b);
        const bool in_order = i < j;
        const auto [at, fresh] =
            known.try_emplace({std::min(i, j), std::max(i, j)}, static_cast<Index>(mesh.points.size()));
        if (fresh) {
            const glm::ivec3 &p = in_order ? a : b, &q = in_order ? b : a;
            const float u = values[number(p)], v = values[number(q)];
            mesh.points.push_back(position(p) + (position(q) - position(p)) * glm::clamp(u / (u - v), 0.02f, 0.98f));
        }
        return at->second;
    };
    constexpr std::array<std::array<int, 3>, 6> orders{
        {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}}};
    for (int z = 0; z + 1 < size.z; ++z) {
        for (int y = 0; y + 1 < size.y; ++y) {
            for (int x = 0; x + 1 < size.x; ++x) {
                for (const auto& order : orders) { // along the edges from one corner of the cell to the opposite one
                    std::array<glm::ivec3, 4> corner;
                    corner[0] = {x, y, z};
                    for (std::size_t k = 0; k < 3; ++k) {
                        corner[k + 1] = corner[k];
                        ++corner[k + 1][order[k]];
                    }
                    std::vector<glm::ivec3> in, out;
                    for (const glm::ivec3& c : corner) {
                        (values[number(c)] < 0.0f ? in : out).push_back(c);
                    }
                    Vec3 outwards(0.0f);
                    for (const glm::ivec3& i : in) {
                        for (const glm::ivec3& j : out) {
                            outwards += Vec3(j - i);
                        }
                    }
                    const auto add = [&](Index a, Index b, Index c) {
                        const Vec3 &p = mesh.points[a], &q = mesh.points[b], &r = mesh.points[c];
                        const bool turned = glm::dot(glm::cross(q - p, r - p), outwards) < 0.0f;
                        mesh.triangles.push_back(turned ? std::array<Index, 3>{a, c, b}
                                                        : std::array<Index, 3>{a, b, c});
                    };
                    if (in.size() == 1) {
                        add(crossing(in[0], out[0]), crossing(in[0], out[1]), crossing(in[0], out[2]));
                    } else if (in.size() == 3) {
                        add(crossing(in[0], out[0]), crossing(in[2], out[0]), crossing(in[1], out[0]));
                    } else if (in.size() == 2) {
                        const Index a = crossing(in[0], out[0]), b = crossing(in[0], out[1]),
                                    c = crossing(in[1], out[1]), d = crossing(in[1], out[0]);
                        add(a, c, b);
                        add(a, d, c);
                    }
                }
            }
        }
    }
    return mesh;
}

float to_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 u = b - a;
    return glm::length(p - a - glm::clamp(glm::dot(p - a, u) / glm::dot(u, u), 0.0f, 1.0f) * u);
}

float to_box(const Vec3& p, const Vec3& middle, const Vec3& half) {
    const Vec3 d = glm::abs(p - middle) - half;
    return glm::length(glm::max(d, Vec3(0.0f))) + std::min(std::max(d.x, std::max(d.y, d.z)), 0.0f);
}

TriangleSoup hand() {
    return surface(
        [](const Vec3& p) {
            float d = to_box(p, {0.0f, 0.0f, 0.0f}, {0.33f, 0.02f, 0.3f}) - 0.1f;
            for (int i = 0; i < 4; ++i) {
                const float x = -0.33f + 0.22f * static_cast<float>(i), tip = i == 0 || i == 3 ? 0.85f : 1.05f;
                d = std::min(d, to_segment(p, {x, 0.0f, 0.3f}, {1.25f * x, 0.1f, tip}) - 0.085f);
            }
            return std::min(d, to_segment(p, {0.3f, 0.0f, -0.2f}, {0.75f, -0.15f, 0.25f}) - 0.1f);
        },
        {-0.7f, -0.4f, -0.6f}, {1.0f, 0.4f, 1.3f}, 0.065f);
}

TriangleSoup spiral_stairs() {
    return surface(
        [](const Vec3& p) {
            const float r = std::sqrt(p.x * p.x + p.y * p.y);
            float d = std::max(r - 0.15f, std::abs(p.z - 0.8f) - 0.85f);
            for (int i = 0; i < 12; ++i) {
                const float angle = 2.0f * pi * static_cast<float>(i) / 12.0f;
                const Vec3 q(p.x * std::cos(angle) + p.y * std::sin(angle),
                             p.y * std::cos(angle) - p.x * std::sin(angle), p.z);
                d = std::min(d, to_box(q, {0.5f, 0.0f, 0.07f + 0.135f * static_cast<float>(i)}, {0.5f, 0.2f, 0.05f}));
            }
            return d;
        },
        {-1.1f, -1.1f, -0.15f}, {1.1f, 1.1f, 1.75f}, 0.08f);
}

TriangleSoup jack() {
    return surface(
        [](const Vec3& p) {
            float d = 1e9f;
            for (int k = 0; k < 3; ++k) {
                Vec3 end(0.0f);
                end[k] = 1.0f;
                d = std::min(d, to_segment(p, -end, end) - 0.16f);
                d = std::min(d, std::min(glm::length(p - end), glm::length(p + end)) - 0.28f);
            }
            return d;
        },
        Vec3(-1.4f), Vec3(1.4f), 0.11f);
}

TriangleSoup pipe_tee() {
    return surface(
        [](const Vec3& p) {
            const auto pipes = [&p](float radius, float length) {
                const float run = std::max(std::sqrt(p.y * p.y + p.z * p.z) - radius, std::abs(p.x) - length);
                const float branch =
                    std::max(std::sqrt(p.x * p.x + p.y * p.y) - radius, std::abs(p.z - 0.5f * length) - 0.5f * length);
                return std::min(run, branch);
            };
            return std::max(pipes(0.4f, 1.0f), -pipes(0.26f, 1.1f));
        },
        {-1.15f, -0.55f, -0.55f}, {1.15f, 0.55f, 1.15f}, 0.08f);
}

TriangleSoup sheet() {
    TriangleSoup mesh;
    constexpr int cells = 24;
    for (int y = 0; y <= cells; ++y) {
        for (int x = 0; x <= cells; ++x) {
            const float u = 2.0f * static_cast<float>(x) / cells - 1.0f,
                        v = 2.0f * static_cast<float>(y) / cells - 1.0f;
            mesh.points.emplace_back(u, v, 0.4f * (u * u - v * v));
        }
    }
    for (int y = 0; y < cells; ++y) {
        for (int x = 0; x < cells; ++x) {
            const auto a = static_cast<Index>(y * (cells + 1) + x);
            add_quad(mesh, a, a + 1, a + cells + 2, a + cells + 1);
        }
    }
    return mesh;
}

TriangleSoup chair() {
    const std::array<std::vector<float>, 3> lines{std::vector<float>{0.0f, 0.05f, 0.4f, 0.45f},
                                                  std::vector<float>{0.0f, 0.05f, 0.4f, 0.45f},
                                                  std::vector<float>{0.0f, 0.42f, 0.47f, 0.65f, 0.75f, 0.85f, 0.95f}};
    return bricks(lines, [](int x, int y, int z) {
        const bool corner = x != 1 && y != 1;
        return z == 0 ? corner : (z == 1 || (y == 2 && (x != 1 || z == 3 || z == 5)));
    });
}

TriangleSoup table() {
    const std::array<std::vector<float>, 3> lines{std::vector<float>{0.0f, 0.08f, 1.52f, 1.6f},
                                                  std::vector<float>{0.0f, 0.08f, 0.82f, 0.9f},
                                                  std::vector<float>{0.0f, 0.2f, 0.25f, 0.7f, 0.75f}};
    return bricks(lines, [](int x, int y, int z) { return z == 3 || (x != 1 && y != 1) || (z == 1 && y != 1); });
}

} // namespace

void append(TriangleSoup& mesh, const TriangleSoup& other) {
    const auto offset = static_cast<Index>(mesh.points.size());
    mesh.points.insert(mesh.points.end(), other.points.begin(), other.points.end());
    for (const auto& t : other.triangles) {
        mesh.triangles.push_back({t[0] + offset, t[1] + offset, t[2] + offset});
    }
}

TriangleSoup box_mesh(const Vec3& lower, const Vec3& upper) {
    return bricks({std::vector<float>{lower.x, upper.x}, {lower.y, upper.y}, {lower.z, upper.z}},
                  [](int, int, int) { return true; });
}

TriangleSoup torus_mesh(float ring, float tube_radius, int ring_sides, int tube_sides) {
    std::vector<glm::vec2> profile;
    for (int i = 0; i < tube_sides; ++i) {
        const float angle = 2.0f * pi * static_cast<float>(i) / static_cast<float>(tube_sides);
        profile.emplace_back(ring + tube_radius * std::cos(angle), tube_radius * std::sin(angle));
    }
    return revolved(profile, ring_sides);
}

namespace {

std::vector<ConcaveShape> make_shapes() {
    std::vector<ConcaveShape> shapes;
    shapes.push_back({"torus", torus_mesh(1.0f, 0.3f, 48, 20)});
    shapes.push_back({"knot", tube(
                                  [](float t) {
                                      const float a = 2.0f * pi * t;
                                      return Vec3(std::sin(a) + 2.0f * std::sin(2.0f * a),
                                                  std::cos(a) - 2.0f * std::cos(2.0f * a), -std::sin(3.0f * a));
                                  },
                                  0.45f, 160, 14, true)});
    constexpr std::array<glm::vec2, 8> cup{{{0.0f, 0.0f},
                                            {0.35f, 0.0f},
                                            {0.42f, 0.08f},
                                            {0.5f, 1.0f},
                                            {0.44f, 1.0f},
                                            {0.37f, 0.14f},
                                            {0.3f, 0.07f},
                                            {0.0f, 0.07f}}};
    shapes.push_back({"cup", revolved(cup, 32)});
    shapes.push_back({"gear", star_shaped(
                                  [](float angle) {
                                      const float phase = angle / (2.0f * pi) * 16.0f;
                                      const float tooth = phase - std::floor(phase);
                                      return tooth < 0.45f ? 1.0f : 0.8f;
                                  },
                                  160, 0.25f, 0.3f)});
    shapes.push_back({"chair", chair()});
    shapes.push_back({"spiral stairs", spiral_stairs()});
    shapes.push_back({"hand", hand()});
    shapes.push_back({"letter A", letter({".###.", "#...#", "#...#", "#####", "#...#", "#...#", "#...#"}, 1.0f)});
    shapes.push_back({"letter S", letter({".####", "#....", "#....", ".###.", "....#", "....#", "####."}, 1.0f)});
    shapes.push_back({"letter E", letter({"#####", "#....", "#....", "####.", "#....", "#....", "#####"}, 1.0f)});
    std::vector<glm::vec2> bowl;
    for (int i = 0; i <= 12; ++i) {
        const float a = -0.5f * pi + 0.5f * pi * static_cast<float>(i) / 12.0f;
        bowl.emplace_back(i == 0 ? 0.0f : std::cos(a), std::sin(a));
    }
    for (int i = 12; i >= 0; --i) {
        const float a = -0.5f * pi + 0.5f * pi * static_cast<float>(i) / 12.0f;
        bowl.emplace_back(i == 0 ? 0.0f : 0.9f * std::cos(a), 0.9f * std::sin(a));
    }
    shapes.push_back({"bowl", revolved(bowl, 36)});
    constexpr std::array<glm::vec2, 13> bottle{{{0.0f, 0.0f},
                                                {0.38f, 0.0f},
                                                {0.4f, 0.03f},
                                                {0.4f, 0.9f},
                                                {0.33f, 1.05f},
                                                {0.15f, 1.2f},
                                                {0.14f, 1.5f},
                                                {0.09f, 1.5f},
                                                {0.1f, 1.18f},
                                                {0.28f, 1.02f},
                                                {0.35f, 0.88f},
                                                {0.35f, 0.06f},
                                                {0.0f, 0.06f}}};
    shapes.push_back({"bottle", revolved(bottle, 28)});
    shapes.push_back({"spring", tube(
                                    [](float t) {
                                        const float a = 2.0f * pi * 3.5f * t;
                                        return Vec3(0.6f * std::cos(a), 0.6f * std::sin(a), 2.0f * t);
                                    },
                                    0.12f, 140, 10, false)});
    shapes.push_back({"star", star_shaped(
                                  [](float angle) {
                                      const float phase = angle / (2.0f * pi) * 5.0f;
                                      const float from_tip = std::abs(phase - std::floor(phase + 0.5f)) * 2.0f;
                                      return 1.0f - 0.6f * from_tip;
                                  },
                                  10, 0.0f, 0.3f)});
    shapes.push_back({"table", table()});
    shapes.push_back({"pipe tee", pipe_tee()});
    std::vector<glm::vec2> dumbbell{{0.0f, -1.4f}};
    for (int i = 1; i < 16; ++i) {
        const float a = -0.5f * pi + 0.85f * pi * static_cast<float>(i) / 15.0f;
        dumbbell.emplace_back(0.45f * std::cos(a), -0.95f + 0.45f * std::sin(a));
    }
    for (int i = static_cast<int>(dumbbell.size()) - 1; i >= 0; --i) {
        const glm::vec2 p = dumbbell[static_cast<std::size_t>(i)];
        dumbbell.emplace_back(p.x, -p.y);
    }
    shapes.push_back({"dumbbell", revolved(dumbbell, 24)});
    shapes.push_back({"jack", jack()});
    TriangleSoup hollow = box_mesh(Vec3(-1.0f), Vec3(1.0f)), cavity = box_mesh(Vec3(-0.7f), Vec3(0.7f));
    for (auto& t : cavity.triangles) {
        std::swap(t[1], t[2]);
    }
    append(hollow, cavity);
    shapes.push_back({"hollow box", hollow});
    shapes.push_back({"sheet", sheet()});
    return shapes;
}

} // namespace

const std::vector<ConcaveShape>& concave_shapes() {
    static const std::vector<ConcaveShape> shapes = make_shapes();
    return shapes;
}

} // namespace cairn::physics::test
