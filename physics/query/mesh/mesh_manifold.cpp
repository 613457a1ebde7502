#include "physics/query/mesh/mesh_manifold.h"

#include "physics/query/manifold/patch/contact_points.h"
#include "physics/query/manifold/patch/four_points.h"
#include "physics/query/mesh/mesh_triangle.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace cairn::physics {
namespace {

// Faces that look the same way to within 3 degrees are one.
constexpr double same_way = 0.9986;
// Where there are more than can be told apart, the rest joins the nearest within 45 degrees.
constexpr double similar = 0.7;
// Along the face's normal, to within a milliradian.
constexpr double level_cosine = 1.0 - 5e-7;

struct TouchPoint {
    DVec3 on_mesh{0.0}, on_shape{0.0}; // frame of the mesh, relative to the shape's centre
    double separation = 0.0;
    std::uint32_t feature = 0;
};

// What one triangle has come to.
struct Touch {
    DVec3 normal{0.0};
    std::uint32_t triangle = 0;
    std::uint16_t material = 0;
    double deepest = 0.0;
    std::size_t first = 0, count = 0; // of the points
};

class Collector {
  public:
    Collector(const TriangleMesh& mesh, const Shape& shape, const Transform& mesh_pose, const Transform& shape_pose,
              double speculative, bool joined, std::span<const std::uint16_t> alike)
        : mesh_(mesh),
          shape_(shape),
          local_(relative(mesh_pose, shape_pose)),
          frame_(relative_frame(frame_of(mesh_pose), frame_of(shape_pose))),
          core_(core_of(shape)),
          speculative_(speculative),
          slack_(preference_of_size * double(shape.bounding_radius)),
          joined_(joined),
          alike_(alike) {
        touches_.clear();
        points_.clear();
    }

    // What touches lies within the distance that is asked for, with what clipping forgives and what lies behind a face.
    // Where nothing does, it looks further, so that what is apart stays unasked for some steps.
    void look() {
        const double near = speculative_ + 4.0 * slack_ + double(mesh_.skin);
        const double far = speculative_ + 0.25 * double(shape_.bounding_radius);
        if (near < far) {
            look_within(near);
        }
        if (touches_.empty()) {
            points_.clear();
            look_within(far);
        }
    }

    MeshManifolds answer(const Transform& mesh_pose, KeptFeatures kept) {
        MeshManifolds out;
        if (touches_.empty()) {
            out.apart = static_cast<float>(std::max(
                (apart_ - 4e-7 * (double(shape_.bounding_radius) + double(mesh_bounds_size()))) * (1.0 - 1e-6), 0.0));
            return out;
        }
        std::sort(touches_.begin(), touches_.end(), [](const Touch& a, const Touch& b) {
            return a.deepest != b.deepest ? a.deepest < b.deepest : a.triangle < b.triangle;
        });
        std::array<Group, MeshManifolds::most>& groups = groups_;
        std::size_t count = 0;
        for (const Touch& touch : touches_) {
            std::size_t best = count;
            double nearest = -1.0;
            const auto look = [&](bool same_material) {
                for (std::size_t i = 0; i < count; ++i) {
                    if (same_material && groups[i].material != touch.material) {
                        continue;
                    }
                    if (const double cosine = glm::dot(groups[i].normal, touch.normal); cosine > nearest) {
                        nearest = cosine;
                        best = i;
                    }
                }
            };
            look(true);
            if (nearest < same_way && count < groups.size()) {
                best = count++;
                groups[best].normal = touch.normal;
                groups[best].material = touch.material;
                groups[best].points.clear();
            } else if (nearest < same_way) {
                look(false);
                if (nearest < similar) {
                    continue; // four deeper ones look elsewhere
                }
            }
            for (std::size_t i = touch.first; i < touch.first + touch.count; ++i) {
                add(groups[best], points_[i]);
            }
        }
        const Frame world = frame_of(mesh_pose);
        out.count = static_cast<int>(count);
        for (std::size_t i = 0; i < count; ++i) {
            fill(out.items[i], groups[i], world, kept);
            out.material[i] = groups[i].material;
        }
        return out;
    }

  private:
    struct Group {
        DVec3 normal{0.0};
        std::uint16_t material = 0;
        std::vector<TouchPoint> points;
    };

    float mesh_bounds_size() const {
        const Vec3 most = glm::max(glm::abs(mesh_.bounds.lower), glm::abs(mesh_.bounds.upper));
        return std::max({most.x, most.y, most.z});
    }

    void look_within(double distance) {
        apart_ = distance;
        const auto reach = static_cast<float>(distance + 2e-6 * double(mesh_bounds_size()));
        mesh_.query(grown(bounds(shape_, local_), reach), [&](std::uint32_t triangle) {
            const std::array<DVec3, 3> corners = mesh_.corners(triangle);
            box_gap_ = gap_to_box(corners);
            if (box_gap_ <= double(reach)) {
                look_at(triangle, corners);
            }
        });
    }

    // How far the triangle is from the shape's own bounds along one of their axes, at most; negative: along none. A
    // turned shape fills its bounds in the frame of the mesh less than these.
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

    // The point of the shape that lies lowest over faces with this normal. Triangles of a plane have the same one.
    const DVec3& look_along(const DVec3& n) {
        if (n != along_) {
            along_ = n;
            lowest_ = frame_.rotation * core_support(shape_, apply_inverse_rotation(frame_.rotation, -n));
            patch_known_ = false;
        }
        return lowest_;
    }

    void look_at(std::uint32_t triangle, const std::array<DVec3, 3>& corners) {
        const DVec3 normal = TriangleMesh::normal_of(corners);
        const TriangleSide side = side_of(mesh_, corners, normal, frame_.position);
        if (side == TriangleSide::none) {
            return;
        }
        const bool behind = side == TriangleSide::back;
        FacingTriangle face = facing(corners, normal, behind);
        for (DVec3& corner : face.corner) {
            corner -= frame_.position;
        }
        const DVec3& n = face.normal;
        const DVec3 lowest = look_along(n);
        const double separation = glm::dot(n, lowest - face.corner[0]) - core_.radius;
        if (separation > speculative_) {
            apart_ = std::min(apart_, separation);
            return;
        }
        Touch touch;
        touch.normal = n;
        touch.triangle = triangle;
        touch.material = alike_.empty() ? std::uint16_t{0} : alike_[mesh_.materials[triangle]];
        touch.first = points_.size();
        std::array<DVec3, 3> outward; // across the edges, of their lengths
        bool stands_on_it = true;
        for (std::size_t k = 0; k < 3; ++k) {
            outward[k] = glm::cross(face.corner[k == 2 ? 0 : k + 1] - face.corner[k], n);
            stands_on_it = stands_on_it && !(glm::dot(outward[k], lowest - face.corner[k]) > 0.0);
        }
        if (!joined_) {
            meet_edges(triangle, behind, face, touch);
            return;
        }
        // Deeper than the skin, an edge or a corner may part the two sooner than the face does.
        const double shallow = double(mesh_.skin);
        double deepest = -shallow;
        if (separation < -shallow || (!stands_on_it && is_ridged(mesh_, triangle, corners, behind))) {
            switch (meet_edges(triangle, behind, face, touch)) {
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
        Patch over; // the face
        for (std::size_t k = 0; k < 3; ++k) {
            const int corner = behind ? (3 - static_cast<int>(k)) % 3 : static_cast<int>(k);
            using Kind = TriangleMesh::Feature::Kind;
            over.add({face.corner[k], mesh_.name_of(triangle, {Kind::corner, corner}),
                      mesh_.name_of(triangle, {Kind::edge, face.edge[k]})});
        }
        over.normal = n;
        over.face = true;
        add_face_points(over, lowest, stands_on_it, deepest, touch);
        keep(touch);
    }

    // Of the shape: what faces the normal that was looked along last.
    const Patch& facing_patch() {
        if (!patch_known_) {
            facing_patch_ = contact_patch(shape_, apply_inverse_rotation(frame_.rotation, -along_));
            Frame turned = frame_;
            turned.position = DVec3(0.0);
            transform(facing_patch_, turned);
            patch_known_ = true;
        }
        return facing_patch_;
    }

    // Whether all that could lie over the triangle is beyond one of its sides, by more than clipping forgives and
    // rounds: most triangles of a plane that are asked about are not below the shape, but beside it.
    bool lies_beside(const FacingTriangle& face, const std::array<DVec3, 3>& outward) {
        const Patch& patch = facing_patch();
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
    void add_face_points(const Patch& over, const DVec3& lowest, bool stands_on_it, double deepest, Touch& touch) {
        const DVec3& n = over.normal;
        const Patch& patch = facing_patch();
        const double offset = glm::dot(n, over.vertices[0].position);
        double least = speculative_;
        const auto put = [&](const DVec3& at, std::uint32_t feature) {
            const DVec3 on_shape = at - n * core_.radius;
            const double separation = glm::dot(n, on_shape) - offset;
            if (separation <= speculative_ && separation >= deepest) {
                least = std::min(least, separation);
                points_.push_back({on_shape - n * separation, on_shape, separation, feature});
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
        touch.count = points_.size() - touch.first;
    }

    // How far the shape is beyond one of the triangle's sides, at most.
    double gap_to_sides(const FacingTriangle& face) {
        double gap = -1.0;
        for (std::size_t k = 0; k < 3; ++k) {
            const DVec3 out = glm::normalize(glm::cross(face.corner[k == 2 ? 0 : k + 1] - face.corner[k], face.normal));
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
    Meeting meet_edges(std::uint32_t triangle, bool behind, const FacingTriangle& face, Touch& touch) {
        if (const double gap = std::max(box_gap_, gap_to_sides(face)); gap > speculative_) {
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
            collide(prism, {centre, identity_orientation}, shape_, local_, static_cast<float>(speculative_));
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
            points_.push_back({DVec3(point.point_a) - frame_.position, DVec3(point.point_b) - frame_.position,
                               double(point.separation), renamed(point.feature, triangle, behind, feature)});
        }
        touch.count = static_cast<std::size_t>(m.count);
        keep(touch);
        return Meeting::settled;
    }

    // Whether the surface has no such direction there.
    bool is_elsewhere(std::uint32_t triangle, const TriangleMesh::Feature& feature, const DVec3& n,
                      double cosine) const {
        return cosine < -1e-3 || feature.kind == TriangleMesh::Feature::Kind::face ||
               !mesh_.admits(triangle, feature, n);
    }

    // meet_edges() of a ball whose centre is before the triangle: the nearest place to that is all.
    std::optional<Meeting> meet_ball(std::uint32_t triangle, bool behind, const FacingTriangle& face, Touch& touch) {
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
        points_.push_back({nearest.point, n * -core_.radius, separation,
                           renamed(feature_id(PointFeature::witness, 0), triangle, behind, feature)});
        touch.count = 1;
        keep(touch);
        return Meeting::settled;
    }

    // meet_edges() of a triangle that lies wholly under a face of the shape, and outside: the corner that is nearest to
    // the face is the nearest place, along the normal of that. Most triangles under a plate on rough ground are of
    // this kind, and the surface has that direction at few.
    std::optional<Meeting> pass_under(std::uint32_t triangle, bool behind, const FacingTriangle& face) {
        if (!is_polytope(shape_)) {
            return std::nullopt;
        }
        const Patch& patch = facing_patch();
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

    void keep(Touch& touch) {
        if (touch.count == 0) {
            return;
        }
        touch.deepest = points_[touch.first].separation;
        for (std::size_t i = touch.first; i < touch.first + touch.count; ++i) {
            touch.deepest = std::min(touch.deepest, points_[i].separation);
        }
        touches_.push_back(touch);
    }

    // Triangles side by side name the same point; and two names may be of one place.
    void add(Group& group, const TouchPoint& point) const {
        for (TouchPoint& known : group.points) {
            const DVec3 d = known.on_shape - point.on_shape;
            if (known.feature == point.feature || glm::dot(d, d) <= slack_ * slack_ ||
                shape_.kind == ShapeKind::sphere) {
                if (point.separation < known.separation) {
                    known = point;
                }
                return;
            }
        }
        group.points.push_back(point);
    }

    void fill(Manifold& out, const Group& group, const Frame& world, KeptFeatures kept) const {
        const DVec3& n = group.normal;
        const DVec3 aside = std::abs(n.x) < 0.6 ? DVec3(1, 0, 0) : DVec3(0, 1, 0);
        const DVec3 u = glm::normalize(glm::cross(n, aside));
        const DVec3 v = glm::cross(n, u);
        std::vector<PointInPlane>& in_plane = in_plane_;
        in_plane.clear();
        for (const TouchPoint& point : group.points) {
            in_plane.push_back(
                {glm::dot(u, point.on_shape), glm::dot(v, point.on_shape), point.separation, point.feature});
        }
        std::array<int, 4> chosen{};
        out.count = choose_four(in_plane.data(), static_cast<int>(in_plane.size()),
                                depth_band * double(shape_.bounding_radius), 1.0, kept, chosen);
        out.normal = Vec3(world.rotation * n);
        const auto placed = [&](const DVec3& p) { return Vec3(apply(world, frame_.position + p)); };
        for (std::size_t i = 0; i < static_cast<std::size_t>(out.count); ++i) {
            const TouchPoint& point = group.points[static_cast<std::size_t>(chosen[i])];
            out.points[i] = {placed(point.on_mesh), placed(point.on_shape), static_cast<float>(point.separation),
                             point.feature};
        }
    }

    const TriangleMesh& mesh_;
    const Shape& shape_;
    Transform local_; // the shape in the frame of the mesh
    Frame frame_;     // the same to more digits
    Core core_;
    double speculative_;
    double slack_; // m, lengths below it do not matter to the contact
    bool joined_;
    std::span<const std::uint16_t> alike_;
    double apart_ = 0.0;
    double box_gap_ = 0.0;           // m, of the triangle that is looked at: see gap_to_box()
    DVec3 along_{0.0}, lowest_{0.0}; // see look_along()
    Patch facing_patch_;             // of the shape, towards faces with that normal
    bool patch_known_ = false;
    // Kept for their memory.
    static thread_local std::vector<Touch> touches_;
    static thread_local std::vector<TouchPoint> points_;
    static thread_local std::array<Group, MeshManifolds::most> groups_;
    static thread_local std::vector<PointInPlane> in_plane_;
};

thread_local std::vector<Touch> Collector::touches_;
thread_local std::vector<TouchPoint> Collector::points_;
thread_local std::array<Collector::Group, MeshManifolds::most> Collector::groups_;
thread_local std::vector<PointInPlane> Collector::in_plane_;

} // namespace

MeshManifolds collide_mesh(const Shape& mesh, const Transform& mesh_pose, const Shape& shape,
                           const Transform& shape_pose, float speculative_distance, KeptFeatures kept, bool joined,
                           std::span<const std::uint16_t> alike) {
    Collector collector(*mesh.mesh, shape, mesh_pose, shape_pose, double(speculative_distance), joined, alike);
    collector.look();
    return collector.answer(mesh_pose, kept);
}

} // namespace cairn::physics
