// When the path of a body first meets a mesh.
#include "physics/continuous/swept_path.h"
#include "physics/query/gjk/minkowski.h"
#include "physics/query/impact/swept_axis.h"
#include "physics/query/mesh/mesh_manifold.h"
#include "physics/query/mesh/mesh_triangle.h"

#include <algorithm>
#include <optional>

namespace cairn::physics {

namespace {

// The region in another frame.
Aabb seen_from(const Transform& frame, const Aabb& region) {
    const Mat3 r = rotation_matrix(glm::conjugate(frame.orientation));
    const Vec3 half = 0.5f * (region.upper - region.lower);
    const Vec3 middle = to_local(frame, region.lower + half);
    const Vec3 reach = glm::abs(r[0]) * half.x + glm::abs(r[1]) * half.y + glm::abs(r[2]) * half.z;
    const Vec3 rounding = 1e-6f * (glm::abs(middle) + glm::abs(frame.position) + reach);
    return {middle - reach - rounding, middle + reach + rounding};
}

// m, no coordinate of what lies in the region is greater.
double extent_of(const Aabb& region) {
    const Vec3 most = glm::max(glm::abs(region.lower), glm::abs(region.upper));
    return double(std::max({most.x, most.y, most.z}));
}

// A plane that the path of a shape stays in front of, in the frame of the mesh. What parts one triangle from a path
// parts most of those around it.
class PartingPlane {
  public:
    PartingPlane(const TriangleMesh& mesh, const Transform& mesh_pose, const Vec3& normal, const Shape& shape,
                 const Sweep& path, float duration, float target)
        : mesh_(mesh), normal_(apply_inverse_rotation(frame_of(mesh_pose).rotation, glm::normalize(DVec3(normal)))) {
        const DVec3 world = glm::normalize(DVec3(normal));
        const DVec3 at(mesh_pose.position);
        constexpr double rounding = 1e-6; // of the lengths that poses and corners are made of
        height_ = least_along(shape, path, duration, world) - glm::dot(world, at) - double(target) -
                  rounding * (glm::length(at) + extent_of(mesh.bounds) + double(shape.bounding_radius));
    }

    // Whether the triangle with these corners, and what is behind its face, certainly lies behind the plane.
    bool clears(const std::array<DVec3, 3>& corner) const {
        const DVec3 up = glm::cross(corner[1] - corner[0], corner[2] - corner[0]);
        const double depth = mesh_.two_sided || glm::dot(up, normal_) < 0.0 ? double(mesh_.skin) : 0.0;
        return std::max({glm::dot(normal_, corner[0]), glm::dot(normal_, corner[1]), glm::dot(normal_, corner[2])}) +
                   depth <
               height_;
    }

  private:
    const TriangleMesh& mesh_;
    DVec3 normal_; // unit
    double height_;
};

} // namespace

// What is asked of one triangle, and what comes of it.
struct ContinuousCollision::MeshMeeting {
    ContinuousWorld::ShapeRef mesh, other;
    Transform mesh_pose; // world
    Sweep path;          // of the other shape, from `now` on
    Transform start;     // of the other shape at `now`, in the frame of the mesh
    std::uint32_t triangle = 0;
    std::array<DVec3, 3> corners{}; // of the triangle, frame of the mesh
    float now = 0.0f, until = 1.0f; // later meetings do not matter
    float slop = 0.0f, give = 0.0f; // m
    const PairNote* note = nullptr;
    Vec3 parting{0.0f}; // unit, world, from the mesh: it parted the last triangle from the path; zero: none has yet

    Exam exam;
};

ContinuousCollision::Exam ContinuousCollision::examine_mesh(const Step& step, PairKey key, float now) const {
    const ContinuousWorld::ShapeRef a = step.world.shape(first_of(key)), b = step.world.shape(second_of(key));
    const bool mesh_is_a = is_mesh(a);
    MeshMeeting asked;
    asked.mesh = mesh_is_a ? a : b;
    asked.other = mesh_is_a ? b : a;
    asked.now = now;
    asked.slop = pair_slop(a, b, step.settings.linear_slop);
    asked.give = pair_give(a, b, asked.slop);
    asked.note = notes_.find(key);
    const SweptBody& ground = bodies_[index_of_[asked.mesh.body]];
    asked.mesh_pose = compose(ground.pose, asked.mesh.pose);
    const TriangleMesh& mesh = *asked.mesh.shape->mesh;
    const SweptBody& body = bodies_[index_of_[asked.other.body]];
    asked.path = sweep_from(body, asked.other.pose, now);
    asked.start = relative(asked.mesh_pose, compose(pose_at(body, now), asked.other.pose));
    const Aabb path = grown(path_bounds(asked.other, body, begin_, 1.0f), asked.slop);

    Exam first;
    first.time = now;
    bool any_in_touch = false;
    float floor = 0.0f;
    std::optional<PartingPlane> plane;
    mesh.query(seen_from(asked.mesh_pose, path), [&](std::uint32_t triangle) {
        asked.corners = mesh.corners(triangle);
        if (plane && plane->clears(asked.corners)) {
            return;
        }
        asked.triangle = triangle;
        asked.until = first.result == Exam::Result::miss ? 1.0f : first.time;
        const MeshMeeting meeting = examine_triangle(asked);
        const Exam& exam = meeting.exam;
        if (meeting.parting != asked.parting) {
            asked.parting = meeting.parting;
            plane.emplace(mesh, asked.mesh_pose, asked.parting, *asked.other.shape, asked.path, 1.0f - now,
                          0.5f * asked.slop);
        }
        if (exam.in_touch) {
            floor = any_in_touch ? std::min(floor, exam.floor) : exam.floor;
            any_in_touch = true;
        }
        if (exam.result != Exam::Result::miss && (first.result == Exam::Result::miss || exam.time < first.time)) {
            first = exam;
            first.triangle = triangle;
        }
    });
    first.in_touch = any_in_touch;
    first.floor = floor;
    first.axis = Vec3(0.0f);
    first.whole = true;
    if (first.result == Exam::Result::miss) {
        return first;
    }
    if (!mesh_is_a) {
        first.impact.normal = -first.impact.normal;
        std::swap(first.impact.point_a, first.impact.point_b);
    }
    if (first.result == Exam::Result::impact && body.jointed) {
        const Vec3 normal = mesh_is_a ? first.impact.normal : -first.impact.normal;
        const Manifold end = mesh_contact(asked.mesh, asked.mesh_pose, asked.other,
                                          compose(pose_at(body, 1.0f), asked.other.pose), 0.0f, normal);
        if (leads_back(end, normal, 0.5f * asked.other.shape->inner_radius)) { // see next_step_finds()
            first.result = Exam::Result::miss;
        }
    }
    return first;
}

// As examine() does for convex shapes, with the mesh as the first of both. A triangle that the body is in touch with,
// and one that lies in the same plane ahead of it, are no obstacles as long as it sinks no deeper through that plane.
ContinuousCollision::MeshMeeting ContinuousCollision::examine_triangle(const MeshMeeting& asked) const {
    MeshMeeting out = asked;
    Exam& exam = out.exam;
    exam.time = asked.now;
    const TriangleMesh& mesh = *asked.mesh.shape->mesh;
    const SweptBody& ground = bodies_[index_of_[asked.mesh.body]];
    const SweptBody& body = bodies_[index_of_[asked.other.body]];
    const Shape& shape = *asked.other.shape;
    const Transform& start = asked.start;
    const DVec3 front = TriangleMesh::normal_of(asked.corners);
    const TriangleSide side = side_of(mesh, asked.corners, front, DVec3(start.position));
    if (side == TriangleSide::none) {
        return out;
    }
    const bool behind = side == TriangleSide::back;
    const FacingTriangle face = facing(asked.corners, front, behind);
    const Vec3 local_normal(face.normal);
    const Vec3 lowest =
        start.position + rotate(start.orientation, support(shape, inverse_rotate(start.orientation, -local_normal)));
    const auto above = static_cast<float>(glm::dot(face.normal, DVec3(lowest) - face.corner[0]));

    ToiSettings settings;
    settings.target = 0.5f * asked.slop;
    settings.tolerance = 0.1f * asked.slop;
    const bool at_plane = above <= settings.target + settings.tolerance;
    const bool known = asked.note != nullptr && asked.note->in_touch && above > asked.note->floor;
    // By the rule for what yields, as it always was: the other was not tried with meshes.
    const float plane_floor = known ? asked.note->floor : touch_floor(above, asked.give, true);

    Vec3 centre;
    const Shape& prism = triangle_shape(face, mesh.skin, centre);
    const Transform prism_pose = compose(asked.mesh.pose, {centre, identity_orientation});
    const Vec3 normal = rotate(asked.mesh_pose.orientation, local_normal);
    Sweep sweep_mesh = sweep_from(ground, prism_pose, asked.now);
    Sweep sweep = asked.path;
    // Deeper, it lies beside the triangle and may come from there.
    const bool shallow = above >= -2.0f * asked.give;
    if (shallow && axis_keeps_apart(prism, sweep_mesh, shape, sweep, asked.until - asked.now, normal,
                                    at_plane ? plane_floor : settings.target)) {
        exam.in_touch = false;
        return out;
    }
    bool sinking = false; // the hit at the target was none of the surface's
    for (int attempt = 0; attempt < 5; ++attempt) {
        exam.impact = time_of_impact(prism, sweep_mesh, shape, sweep, asked.until - exam.time, settings);
        const TimeOfImpact& impact = exam.impact;
        if (impact.status == ToiStatus::miss) {
            out.parting = impact.iterations > 0 ? impact.normal : out.parting;
            return out;
        }
        const bool at_once = !(impact.time > 0.0f);
        if (impact.status == ToiStatus::initial || (impact.status == ToiStatus::hit && at_once && !exam.in_touch)) {
            exam.floor = at_plane && shallow ? plane_floor : touch_floor(impact.distance, asked.give, true);
            exam.floor = std::min(exam.floor, impact.distance - 0.25f * asked.give);
            exam.in_touch = true;
            settings.target = exam.floor;
            continue;
        }
        exam.time = std::min(exam.time + impact.time, 1.0f);
        sweep_mesh = sweep_from(ground, prism_pose, exam.time);
        sweep = sweep_from(body, asked.other.pose, exam.time);
        if (impact.status == ToiStatus::hit) {
            const DVec3 direction(inverse_rotate(asked.mesh_pose.orientation, impact.normal));
            const DVec3 place(to_local(asked.mesh_pose, impact.point_a));
            constexpr double level = 1.0 - 5e-7; // a milliradian
            const double cosine = glm::dot(direction, face.normal);
            const bool true_hit =
                cosine >= level ||
                (cosine >= -1e-3 && mesh.admits(asked.triangle, mesh.feature_at(asked.triangle, place), direction));
            if (!true_hit && !sinking) {
                sinking = true;
                settings.target = std::min(settings.target - 0.25f * asked.give, -asked.give);
                exam.in_touch = true;
                exam.floor = settings.target;
                continue;
            }
            if (!true_hit) {
                exam.impact.normal = normal;
            }
            exam.result = exam.time >= 1.0f ? Exam::Result::miss : Exam::Result::impact;
            return out;
        }
        if (at_once) {
            break;
        }
    }
    exam.result = exam.time < 1.0f ? Exam::Result::lost : Exam::Result::miss;
    return out;
}

// Of what the two touch of each other, the face that looks most like `normal`, from A to B; none if none does.
Manifold ContinuousCollision::mesh_contact(const ContinuousWorld::ShapeRef& a, const Transform& pose_a,
                                           const ContinuousWorld::ShapeRef& b, const Transform& pose_b, float reach,
                                           const Vec3& normal) {
    const bool mesh_is_a = is_mesh(a);
    const MeshManifolds found = mesh_is_a ? collide_mesh(*a.shape, pose_a, *b.shape, pose_b, reach)
                                          : collide_mesh(*b.shape, pose_b, *a.shape, pose_a, reach);
    Manifold best;
    float most = 0.9f;
    for (const Manifold& one : std::span(found.items).first(static_cast<std::size_t>(found.count))) {
        if (const float cosine = glm::dot(one.normal, mesh_is_a ? normal : -normal); cosine > most) {
            most = cosine;
            best = one;
        }
    }
    if (!mesh_is_a) {
        best.normal = -best.normal;
        for (ManifoldPoint& point : best.points) {
            std::swap(point.point_a, point.point_b);
        }
    }
    return best;
}

} // namespace cairn::physics
