#include "physics/query/mesh/mesh_touches.h"

#include "physics/query/distance/fast_pairs.h"
#include "physics/query/manifold.h"
#include "physics/query/manifold/patch/contact_points.h"
#include "physics/query/mesh/faces_ahead.h"
#include "physics/query/mesh/mesh_triangle.h"
#include "physics/query/mesh/shape_over_mesh.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cairn::physics {
namespace {

// Along the face's normal, to within a milliradian.
constexpr double level_cosine = 1.0 - 5e-7;

class TouchFinder {
  public:
    TouchFinder(ShapeOverMesh& over, double speculative, bool joined, FacesAhead& ahead, MeshTouches& found)
        : over_(over),
          mesh_(over.mesh),
          shape_(over.shape),
          frame_(over.frame),
          core_(over.core),
          slack_(over.slack),
          speculative_(speculative),
          joined_(joined),
          ahead_(ahead),
          found_(found) {
        found_.touches.clear();
        found_.points.clear();
        found_.centre = frame_.position;
        found_.slack = slack_;
    }

    // What touches lies within the distance that is asked for, with what clipping forgives and what lies behind a face.
    // Where nothing does, it looks further, so that what is apart stays unasked for some steps.
    void look() {
        const double near = speculative_ + 4.0 * slack_ + double(mesh_.skin);
        const double far = speculative_ + 0.25 * double(shape_.bounding_radius);
        if (near < far) {
            look_within(near);
        }
        if (found_.touches.empty()) {
            found_.points.clear();
            look_within(far);
        }
        const double rounding = 4e-7 * (double(shape_.bounding_radius) + double(mesh_bounds_size()));
        found_.apart = static_cast<float>(std::max((apart_ - rounding) * (1.0 - 1e-6), 0.0));
    }

  private:
    float mesh_bounds_size() const {
        const Vec3 most = glm::max(glm::abs(mesh_.bounds.lower), glm::abs(mesh_.bounds.upper));
        return std::max({most.x, most.y, most.z});
    }

    void look_within(double distance) {
        ahead_.faces.clear();
        apart_ = distance;
        const auto reach = static_cast<float>(distance + 2e-6 * double(mesh_bounds_size()));
        mesh_.query(grown(bounds(shape_, over_.local), reach), [&](std::uint32_t triangle) {
            const std::array<DVec3, 3> corners = mesh_.corners(triangle);
            box_gap_ = gap_to_box(corners);
            if (box_gap_ <= double(reach)) {
                look_at(triangle, corners);
            }
        });
    }

    // The greatest distance, m, between the triangle and the shape's bounds in its own axes along any of these;
    // negative where they overlap along all. A turned shape fills them better than its bounds in the frame of the mesh.
    double gap_to_box(const std::array<DVec3, 3>& corners) const {
        double gap = -1.0;
        for (int axis = 0; axis < 3; ++axis) {
            const DVec3& along = frame_.rotation[axis];
            const double centre = glm::dot(along, frame_.position);
            const double a = glm::dot(along, corners[0]) - centre, b = glm::dot(along, corners[1]) - centre,
                         c = glm::dot(along, corners[2]) - centre;
            gap = std::max({gap, double(shape_.local_bounds.lower[axis]) - std::max({a, b, c}),
                            std::min({a, b, c}) - double(shape_.local_bounds.upper[axis])});
        }
        return gap;
    }

    void look_at(std::uint32_t triangle, const std::array<DVec3, 3>& corners) {
        FacingTriangle face;
        const TriangleSide side = over_.facing_side(corners, face);
        if (side == TriangleSide::none) {
            return;
        }
        const bool behind = side == TriangleSide::back;
        const DVec3& n = face.normal;
        const DVec3 lowest = over_.lowest_over(n);
        const double separation = over_.separation(face, lowest);
        if (separation <= ahead_.travel) {
            ahead_.faces.push_back({triangle, separation, n, lowest});
        }
        if (separation > speculative_) {
            apart_ = std::min(apart_, separation);
            return;
        }
        MeshTouch touch = over_.touch_of(triangle, n, found_.points.size());
        std::array<DVec3, 3> outward; // across the edges, of their lengths
        bool stands_on_it = true;
        for (std::size_t k = 0; k < 3; ++k) {
            outward[k] = glm::cross(face.corner[k == 2 ? 0 : k + 1] - face.corner[k], n);
            stands_on_it = stands_on_it && !(glm::dot(outward[k], lowest - face.corner[k]) > 0.0);
        }
        if (!joined_) {
            meet_edges(triangle, behind, face, outward, touch);
            return;
        }
        // Deeper than the skin, an edge or a corner may part the two sooner than the face does.
        const double shallow = double(mesh_.skin);
        double deepest = -shallow;
        if (separation < -shallow || (!stands_on_it && is_ridged(mesh_, triangle, corners, behind))) {
            switch (meet_edges(triangle, behind, face, outward, touch)) {
            case Meeting::settled:
                return;
            case Meeting::face:
                deepest = -1e30;
                break;
            case Meeting::elsewhere: // What lies over the face does meet it, if not so deep that it came from there.
                deepest = -2.0 * shallow - 0.1 * double(shape_.inner_radius);
                break;
            }
        }
        if (!stands_on_it && lies_beside(face, outward)) {
            return;
        }
        const Patch over = over_.patch_of(triangle, face, behind);
        add_face_points(over, lowest, stands_on_it, deepest, touch);
        keep(touch);
    }

    // Whether all that could lie over the triangle is beyond one of its sides, by more than clipping forgives and
    // rounds: most triangles of a plane that are asked about are not below the shape, but beside it.
    bool lies_beside(const FacingTriangle& face, const std::array<DVec3, 3>& outward) {
        const Patch& patch = over_.facing_patch(face.normal);
        const double forgiven = slack_ + 1e-6 * double(shape_.bounding_radius);
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3& out = outward[k];
            const double least = forgiven * (std::abs(out.x) + std::abs(out.y) + std::abs(out.z)); // or more
            bool beyond = true;
            for (int i = 0; i < patch.count && beyond; ++i) {
                beyond = glm::dot(out, patch.vertices[i].position - face.corner[k]) > least;
            }
            if (beyond) {
                return true;
            }
        }
        return false;
    }

    // The part of the shape that faces the triangle, as far as it lies over it.
    void add_face_points(const Patch& over, const DVec3& lowest, bool stands_on_it, double deepest, MeshTouch& touch) {
        const DVec3& n = over.normal;
        const Patch& patch = over_.facing_patch(over.normal);
        const double offset = glm::dot(n, over.vertices[0].position);
        double least = speculative_;
        const auto put = [&](const DVec3& at, std::uint32_t feature) {
            const DVec3 on_shape = at - n * core_.radius;
            const double separation = glm::dot(n, on_shape) - offset;
            if (separation <= speculative_ && separation >= deepest) {
                least = std::min(least, separation);
                found_.points.push_back({on_shape - n * separation, on_shape, separation, feature});
            }
        };
        const ClippedPatch clipped = clip(over, patch, true, slack_);
        for (int i = 0; i < clipped.count; ++i) {
            put(clipped.points[i].position, clipped.points[i].feature);
        }
        // Polygons inscribed in round caps miss the point of a rim that lies deepest.
        const double separation = glm::dot(n, lowest) - core_.radius - offset;
        if (stands_on_it && separation < least - 0.01 * slack_) {
            put(lowest, feature_id(PointFeature::witness, 0));
        }
        touch.count = found_.points.size() - touch.first;
    }

    // The greatest distance, m, of the shape beyond any of the planes through the triangle's edges, square to it;
    // negative where it is beyond none.
    double gap_to_sides(const FacingTriangle& face, const std::array<DVec3, 3>& outward) {
        double gap = -1.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 out = glm::normalize(outward[k]);
            const DVec3 nearest = frame_.rotation * core_support(shape_, apply_inverse_rotation(frame_.rotation, -out));
            gap = std::max(gap, glm::dot(out, nearest - face.corner[k]) - core_.radius);
        }
        return gap;
    }

    enum class Meeting : std::uint8_t {
        settled,   // there are points of an edge or a corner, or the two are apart
        face,      // it is the face that is met
        elsewhere, // the direction is none that the surface has there
    };

    // The contact of the two as convex shapes.
    Meeting meet_edges(std::uint32_t triangle, bool behind, const FacingTriangle& face,
                       const std::array<DVec3, 3>& outward, MeshTouch& touch) {
        if (const double gap = std::max(box_gap_, gap_to_sides(face, outward)); gap > speculative_) {
            apart_ = std::min(apart_, gap);
            return Meeting::settled;
        }
        if (joined_) {
            const std::optional<Meeting> known = shape_.kind == ShapeKind::sphere
                                                     ? meet_ball(triangle, behind, face, touch)
                                                     : pass_under(triangle, behind, face);
            if (known) {
                return *known;
            }
        }
        Vec3 centre;
        const Shape& prism = triangle_shape(mesh_, triangle, behind, centre);
        const Manifold m =
            collide(prism, {centre, identity_orientation}, shape_, over_.local, static_cast<float>(speculative_));
        if (m.count == 0) {
            apart_ = std::min(apart_, std::max(double(m.apart), speculative_));
            return Meeting::settled;
        }
        const ManifoldPoint* deepest = &m.points[0];
        for (int i = 1; i < m.count; ++i) {
            const ManifoldPoint& point = m.points[static_cast<std::size_t>(i)];
            deepest = point.separation < deepest->separation ? &point : deepest;
        }
        const DVec3 n(m.normal);
        const TriangleMesh::Feature feature = mesh_.feature_at(triangle, DVec3(deepest->point_a));
        if (joined_) {
            const double cosine = glm::dot(n, face.normal);
            if (cosine >= level_cosine) {
                return Meeting::face;
            }
            if (is_elsewhere(triangle, feature, n, cosine)) {
                return Meeting::elsewhere;
            }
        }
        touch.normal = n;
        for (int i = 0; i < m.count; ++i) {
            const ManifoldPoint& point = m.points[static_cast<std::size_t>(i)];
            found_.points.push_back({DVec3(point.point_a) - frame_.position, DVec3(point.point_b) - frame_.position,
                                     double(point.separation), renamed(point.feature, triangle, behind, feature)});
        }
        touch.count = static_cast<std::size_t>(m.count);
        keep(touch);
        return Meeting::settled;
    }

    // Whether the surface does not admit the direction `n`, whose cosine with the face's normal is given.
    bool is_elsewhere(std::uint32_t triangle, const TriangleMesh::Feature& feature, const DVec3& n,
                      double cosine) const {
        return cosine < -1e-3 || feature.kind == TriangleMesh::Feature::Kind::face ||
               !mesh_.admits(triangle, feature, n);
    }

    // meet_edges() for a ball whose centre is in front of the triangle: the point of the triangle closest to the centre
    // is the contact.
    std::optional<Meeting> meet_ball(std::uint32_t triangle, bool behind, const FacingTriangle& face,
                                     MeshTouch& touch) {
        const ClosestOnSimplex nearest = closest_on_simplex(face.corner);
        const double distance = std::sqrt(nearest.distance_squared);
        const double meets = meeting_ratio * double(shape_.bounding_radius);
        if (!(glm::dot(face.normal, face.corner[0]) < 0.0) || !(distance > meets)) {
            return std::nullopt;
        }
        const double separation = distance - core_.radius;
        if (separation > speculative_) {
            apart_ = std::min(apart_, separation);
            return Meeting::settled;
        }
        const DVec3 n = nearest.point / -distance;
        const double cosine = glm::dot(n, face.normal);
        if (cosine >= level_cosine) {
            return Meeting::face;
        }
        const TriangleMesh::Feature feature = mesh_.feature_at(triangle, frame_.position + nearest.point);
        if (is_elsewhere(triangle, feature, n, cosine)) {
            return Meeting::elsewhere;
        }
        touch.normal = n;
        found_.points.push_back({nearest.point, n * -core_.radius, separation,
                                 renamed(feature_id(PointFeature::witness, 0), triangle, behind, feature)});
        touch.count = 1;
        keep(touch);
        return Meeting::settled;
    }

    // meet_edges() for a triangle that lies wholly under a face of the shape and outside it: the closest point is the
    // corner nearest to the face, and the direction is the normal of the face. Most triangles under a plate on rough
    // ground are like this, and few of their corners admit that direction.
    std::optional<Meeting> pass_under(std::uint32_t triangle, bool behind, const FacingTriangle& face) {
        if (!is_polytope(shape_)) {
            return std::nullopt;
        }
        const Patch& patch = over_.facing_patch(face.normal);
        if (!patch.face) {
            return std::nullopt;
        }
        std::size_t nearest = 0;
        std::array<double, 3> below; // NOLINT: filled here
        for (std::size_t k = 0; k < 3; ++k) {
            below[k] = glm::dot(patch.normal, face.corner[k] - patch.vertices[0].position);
            nearest = below[k] < below[nearest] ? k : nearest;
        }
        if (!(below[nearest] > 0.0)) {
            return std::nullopt;
        }
        for (int i = 0; i < patch.count; ++i) {
            const DVec3& from = patch.vertices[i].position;
            const DVec3 out = glm::cross(patch.vertices[i + 1 < patch.count ? i + 1 : 0].position - from, patch.normal);
            for (const DVec3& corner : face.corner) {
                if (glm::dot(out, corner - from) > 0.0) {
                    return std::nullopt;
                }
            }
        }
        const DVec3 n = -patch.normal;
        const double cosine = glm::dot(n, face.normal);
        const int k = static_cast<int>(nearest);
        const TriangleMesh::Feature corner{TriangleMesh::Feature::Kind::corner, behind ? (3 - k) % 3 : k};
        if (below[nearest] <= speculative_ && cosine < level_cosine && is_elsewhere(triangle, corner, n, cosine)) {
            return Meeting::elsewhere;
        }
        return std::nullopt;
    }

    // The prism's features by the names that they have in the mesh.
    std::uint32_t renamed(std::uint32_t name, std::uint32_t triangle, bool behind,
                          const TriangleMesh::Feature& touched) const {
        using Kind = TriangleMesh::Feature::Kind;
        const auto kind = static_cast<PointFeature>(name >> 30);
        const std::uint32_t first = name >> 15 & 0x7fffu, second = name & 0x7fffu;
        switch (kind) {
        case PointFeature::vertex_b:
            return name;
        case PointFeature::vertex_a: {
            const int k = static_cast<int>(first % 3);
            return feature_id(kind, mesh_.name_of(triangle, {Kind::corner, behind ? (3 - k) % 3 : k}));
        }
        case PointFeature::edges: {
            if (first >= 6) { // straight down from a corner
                const int k = static_cast<int>(first % 3);
                return feature_id(kind, mesh_.name_of(triangle, {Kind::corner, behind ? (3 - k) % 3 : k}), second);
            }
            constexpr std::array<int, 6> from_corner{0, 1, 2, 0, 1, 2}; // of the edges 01 12 02 34 45 35
            const int k = from_corner[first];
            return feature_id(kind, mesh_.name_of(triangle, {Kind::edge, behind ? 2 - k : k}), second);
        }
        case PointFeature::witness:
            break;
        }
        return feature_id(PointFeature::witness, mesh_.name_of(triangle, touched));
    }

    void keep(MeshTouch& touch) {
        if (touch.count == 0) {
            return;
        }
        touch.deepest = found_.points[touch.first].separation;
        for (std::size_t i = touch.first; i < touch.first + touch.count; ++i) {
            touch.deepest = std::min(touch.deepest, found_.points[i].separation);
        }
        found_.touches.push_back(touch);
    }

    ShapeOverMesh& over_;
    const TriangleMesh& mesh_;
    const Shape& shape_;
    const Frame& frame_; // of the shape, in that of the mesh
    const Core& core_;
    const double slack_;
    double speculative_;
    bool joined_;
    double apart_ = 0.0;
    double box_gap_ = 0.0; // m, of the triangle that is looked at: see gap_to_box()
    FacesAhead& ahead_;
    MeshTouches& found_;
};

} // namespace

MeshTouches& find_mesh_touches(const TriangleMesh& mesh, const Shape& shape, const Transform& mesh_pose,
                               const Transform& shape_pose, double speculative_distance, bool joined,
                               std::span<const std::uint16_t> alike, const ShapeMotion& motion) {
    thread_local MeshTouches found; // these two are kept for their memory
    thread_local FacesAhead ahead;
    ShapeOverMesh over(mesh, shape, mesh_pose, shape_pose, alike);
    ahead.begin(over, mesh_pose, motion);
    TouchFinder(over, speculative_distance, joined, ahead, found).look();
    if (!found.touches.empty()) {
        ahead.find(over, speculative_distance, found);
    }
    return found;
}

} // namespace cairn::physics
