#include "bench/queries/measure.h"

#include <ccd/ccd.h>
#include <ccd/quat.h>

namespace cairn::bench {

using namespace physics;
using glm::dmat3;
using glm::dvec3;

namespace {

constexpr unsigned long max_iterations = 1000; // its own default is without end

// A shape at a pose, as libccd's callbacks want it; the rotation is ready made, which its own examples do not do.
struct Body {
    const Shape* shape = nullptr;
    const std::vector<dvec3>* vertices = nullptr; // of a hull
    dmat3 rotation{1.0};                          // local to world
    dvec3 position{0.0};
};

dvec3 vector(const ccd_vec3_t* v) {
    return {v->v[0], v->v[1], v->v[2]};
}

void support_box(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    const dvec3 local = vector(direction) * body.rotation; // times the transposed matrix
    const dvec3 half(body.shape->half_extents);
    const dvec3 corner(local.x < 0.0 ? -half.x : half.x, local.y < 0.0 ? -half.y : half.y,
                       local.z < 0.0 ? -half.z : half.z);
    const dvec3 world = body.position + body.rotation * corner;
    ccdVec3Set(point, world.x, world.y, world.z);
}

void support_scan(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    const dvec3 local = vector(direction) * body.rotation;
    const dvec3* best = body.vertices->data();
    double reach = glm::dot(local, *best);
    for (const dvec3& vertex : *body.vertices) {
        const double height = glm::dot(local, vertex);
        if (height > reach) {
            reach = height;
            best = &vertex;
        }
    }
    const dvec3 world = body.position + body.rotation * *best;
    ccdVec3Set(point, world.x, world.y, world.z);
}

void support_ours(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    const dvec3 local = vector(direction) * body.rotation;
    const dvec3 vertex(support(*body.shape, Vec3(local)));
    const dvec3 world = body.position + body.rotation * vertex;
    ccdVec3Set(point, world.x, world.y, world.z);
}

void centre(const void* object, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    ccdVec3Set(point, body.position.x, body.position.y, body.position.z);
}

struct Pair {
    Body a, b;
};

struct Scene {
    std::shared_ptr<const Case> c;
    std::vector<dvec3> vertices_a, vertices_b;
    std::vector<Pair> pairs;
    ccd_t settings; // tolerances are the library's defaults

    Scene(std::shared_ptr<const Case> of, bool our_support) : c(std::move(of)) {
        CCD_INIT(&settings);
        settings.max_iterations = max_iterations;
        settings.center1 = settings.center2 = centre;
        settings.support1 = prepare(c->shapes->a, vertices_a, our_support);
        settings.support2 = prepare(c->shapes->b, vertices_b, our_support);
        pairs.reserve(c->poses.size());
        for (const PosedPair& pose : c->poses) {
            pairs.push_back({place(c->shapes->a, vertices_a, pose.a), place(c->shapes->b, vertices_b, pose.b)});
        }
    }
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    static ccd_support_fn prepare(const Shape& shape, std::vector<dvec3>& vertices, bool our_support) {
        if (shape.kind == ShapeKind::box) {
            return support_box;
        }
        vertices.assign(shape.hull->vertices.begin(), shape.hull->vertices.end());
        return our_support ? support_ours : support_scan;
    }
    static Body place(const Shape& shape, const std::vector<dvec3>& vertices, const Transform& pose) {
        return {&shape, &vertices, dmat3(glm::mat3_cast(glm::dquat(pose.orientation))), dvec3(pose.position)};
    }
};

struct Depth {
    int code = -1; // 0 = they overlap
    ccd_real_t depth = 0.0;
    ccd_vec3_t direction{}, position{};
};

using YesNo = int (*)(const void*, const void*, const ccd_t*);
using Penetration = int (*)(const void*, const void*, const ccd_t*, ccd_real_t*, ccd_vec3_t*, ccd_vec3_t*);

void add(std::vector<Method>& methods, const std::shared_ptr<const Scene>& scene, const std::string& name, YesNo yes_no,
         Penetration penetration) {
    const std::size_t count = scene->pairs.size();
    const auto ask_yes_no = [scene, yes_no](std::size_t i) {
        return yes_no(&scene->pairs[i].a, &scene->pairs[i].b, &scene->settings);
    };
    methods.push_back({name + " intersect", Kind::yes_no, false, passes(count, ask_yes_no), count, [=](std::size_t i) {
                           Answer answer;
                           answer.overlapping = ask_yes_no(i) != 0;
                           return answer;
                       }});
    if (scene->c->distance > 0.0) {
        return; // a depth of separated shapes is the yes or no above
    }
    const auto ask_depth = [scene, penetration](std::size_t i) {
        Depth result;
        result.code = penetration(&scene->pairs[i].a, &scene->pairs[i].b, &scene->settings, &result.depth,
                                  &result.direction, &result.position);
        return result;
    };
    methods.push_back(
        {name + " penetration", Kind::separating, false, passes(count, ask_depth), count, [=](std::size_t i) {
             const Depth result = ask_depth(i);
             Answer answer;
             answer.overlapping = result.code == 0;
             if (answer.overlapping) {
                 answer.distance = -result.depth;
                 answer.normal = glm::normalize(vector(&result.direction));
             }
             return answer;
         }});
}

} // namespace

void add_libccd(std::vector<Method>& methods, const std::shared_ptr<const Case>& c) {
    const auto scan = std::make_shared<const Scene>(c, false);
    add(methods, scan, "libccd GJK", ccdGJKIntersect, ccdGJKPenetration);
    add(methods, scan, "libccd MPR", ccdMPRIntersect, ccdMPRPenetration);
}

} // namespace cairn::bench
