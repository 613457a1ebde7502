#include "physics/query/mesh/mesh_manifold.h"

#include "physics/query/manifold/patch/contact_points.h"
#include "physics/query/manifold/patch/four_points.h"
#include "physics/query/mesh/mesh_touches.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace cairn::physics {
namespace {

// Faces that look the same way to within 3 degrees are one.
constexpr double same_way = 0.9986;
// Where there are more than can be told apart, the rest joins the nearest within 45 degrees.
constexpr double similar = 0.7;

// Of the surface: triangles that look the same way and are of one material.
struct MeshFace {
    DVec3 normal{0.0};
    std::uint16_t material = 0;
    bool ahead = false;
    std::vector<MeshTouchPoint> points;
};

// Triangles side by side name the same point; and two names may be of one place.
void add_to(MeshFace& face, const MeshTouchPoint& point, const Shape& shape, double slack) {
    for (MeshTouchPoint& known : face.points) {
        const DVec3 d = known.on_shape - point.on_shape;
        if (known.feature == point.feature || glm::dot(d, d) <= slack * slack || shape.kind == ShapeKind::sphere) {
            if (point.separation < known.separation) {
                known = point;
            }
            return;
        }
    }
    face.points.push_back(point);
}

void write_manifold(Manifold& out, const MeshFace& face, const Shape& shape, const DVec3& centre, const Frame& world,
                    KeptFeatures kept) {
    const DVec3& n = face.normal;
    const DVec3 aside = std::abs(n.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
    const DVec3 u = glm::normalize(glm::cross(n, aside));
    const DVec3 v = glm::cross(n, u);
    thread_local std::vector<PointInPlane> in_plane; // kept for its memory
    in_plane.clear();
    for (const MeshTouchPoint& point : face.points) {
        in_plane.push_back({glm::dot(u, point.on_shape), glm::dot(v, point.on_shape), point.separation, point.feature});
    }
    std::array<int, 4> chosen{};
    out.count = choose_four(in_plane.data(), static_cast<int>(in_plane.size()),
                            depth_band * double(shape.bounding_radius), 1.0, kept, chosen, true);
    out.normal = Vec3(world.rotation * n);
    const auto placed = [&](const DVec3& p) { return Vec3(apply(world, centre + p)); };
    for (std::size_t i = 0; i < static_cast<std::size_t>(out.count); ++i) {
        const MeshTouchPoint& point = face.points[static_cast<std::size_t>(chosen[i])];
        out.points[i] = {placed(point.on_mesh), placed(point.on_shape), static_cast<float>(point.separation),
                         point.feature};
    }
}

} // namespace

MeshManifolds collide_mesh(const Shape& mesh, const Transform& mesh_pose, const Shape& shape,
                           const Transform& shape_pose, float speculative_distance, KeptFeatures kept, bool joined,
                           std::span<const std::uint16_t> alike, const ShapeMotion& motion) {
    MeshTouches& found = find_mesh_touches(*mesh.mesh, shape, mesh_pose, shape_pose, double(speculative_distance),
                                           joined, alike, motion);
    MeshManifolds out;
    if (found.touches.empty()) {
        out.apart = found.apart;
        return out;
    }
    // What bears it comes first, then what it is going to lie on, and then what it is only near to.
    const auto rank = [slack = found.slack](const MeshTouch& touch) {
        return touch.ahead ? 1 : (touch.deepest <= slack ? 0 : 2);
    };
    std::sort(found.touches.begin(), found.touches.end(), [&](const MeshTouch& a, const MeshTouch& b) {
        return rank(a) != rank(b)       ? rank(a) < rank(b)
               : a.deepest != b.deepest ? a.deepest < b.deepest
                                        : a.triangle < b.triangle;
    });
    thread_local std::array<MeshFace, MeshManifolds::most> faces; // kept for their memory
    std::size_t count = 0;
    for (const MeshTouch& touch : found.touches) {
        std::size_t best = count;
        double nearest = -1.0;
        const auto look = [&](bool same_material) {
            for (std::size_t i = 0; i < count; ++i) {
                if (faces[i].ahead != touch.ahead || (same_material && faces[i].material != touch.material)) {
                    continue;
                }
                if (const double cosine = glm::dot(faces[i].normal, touch.normal); cosine > nearest) {
                    nearest = cosine;
                    best = i;
                }
            }
        };
        look(true);
        if (nearest < same_way && count < faces.size()) {
            best = count++;
            faces[best].normal = touch.normal;
            faces[best].material = touch.material;
            faces[best].ahead = touch.ahead;
            faces[best].points.clear();
        } else if (nearest < same_way) {
            look(false);
            if (nearest < similar) {
                continue; // four that matter more look elsewhere
            }
        }
        for (std::size_t i = touch.first; i < touch.first + touch.count; ++i) {
            add_to(faces[best], found.points[i], shape, found.slack);
        }
    }
    const Frame world = frame_of(mesh_pose);
    out.count = static_cast<int>(count);
    for (std::size_t i = 0; i < count; ++i) {
        write_manifold(out.items[i], faces[i], shape, found.centre, world, kept);
        out.material[i] = faces[i].material;
    }
    return out;
}

} // namespace cairn::physics
