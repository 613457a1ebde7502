#include "bench/queries/measure.h"

#include <array>
#include <ccd/ccd.h>
#include <limits>

namespace cairn::bench {

using namespace physics;
using glm::dmat3;
using glm::dvec3;

namespace {

constexpr unsigned long max_iterations = 1000; // its own default is without end
constexpr std::size_t lanes = 4;               // of the scan

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

// Four vertices at a time, each with a best of its own, so that neither branches nor the latency of a comparison stand
// in the way: two to three times as fast as the plain loop.
void support_scan(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Body& body = *static_cast<const Body*>(object);
    const dvec3 local = vector(direction) * body.rotation;
    const std::vector<dvec3>& vertices = *body.vertices; // a multiple of the lanes
    std::array<double, lanes> reach;
    std::array<std::size_t, lanes> best{};
    reach.fill(-std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < vertices.size(); i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double height = glm::dot(local, vertices[i + lane]);
            const bool higher = height > reach[lane];
            reach[lane] = higher ? height : reach[lane];
            best[lane] = higher ? i + lane : best[lane];
        }
    }
    std::size_t winner = 0;
    for (std::size_t lane = 1; lane < lanes; ++lane) {
        winner = reach[lane] > reach[winner] ? lane : winner;
    }
    const dvec3 world = body.position + body.rotation * vertices[best[winner]];
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
        while (vertices.size() % lanes != 0) {
            vertices.push_back(vertices.back());
        }
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

void add(std::vector<Method>& methods, const std::shared_ptr<const Scene>& scene, const std::string& name,
         const std::string& how, YesNo yes_no, Penetration penetration, bool aside = false) {
    const std::size_t count = scene->pairs.size();
    const auto ask_yes_no = [scene, yes_no](std::size_t i) {
        return yes_no(&scene->pairs[i].a, &scene->pairs[i].b, &scene->settings);
    };
    methods.push_back({name + " intersect" + how, aside ? Kind::aside : Kind::yes_no, false, passes(count, ask_yes_no),
                       count, [=](std::size_t i) {
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
    methods.push_back({name + " penetration" + how, aside ? Kind::aside : Kind::separating, false,
                       passes(count, ask_depth), count, [=](std::size_t i) {
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
    add(methods, scan, "libccd GJK", "", ccdGJKIntersect, ccdGJKPenetration);
    add(methods, scan, "libccd MPR", "", ccdMPRIntersect, ccdMPRPenetration);
    if (!scan->vertices_a.empty() || !scan->vertices_b.empty()) { // there is a hull
        // The library leaves the search for the support vertex to its users. What its algorithms would do with ours:
        const auto aided = std::make_shared<const Scene>(c, true);
        add(methods, aided, "libccd GJK", ", our support", ccdGJKIntersect, ccdGJKPenetration, true);
        add(methods, aided, "libccd MPR", ", our support", ccdMPRIntersect, ccdMPRPenetration, true);
    }
}

} // namespace cairn::bench
