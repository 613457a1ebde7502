#include "app/lab/known_bugs/queries/regions.h"

namespace cairn::core::lab::known_bugs {

bool along(const DVec3& a, const DVec3& b) {
    return glm::dot(a, b) > 0.0;
}

DVec3 from_line(const Vertex& newest, const Vertex& other) {
    const DVec3 ab = other.w - newest.w;
    return glm::cross(glm::cross(ab, -newest.w), ab);
}

void nearest_part_of_triangle(Simplex& s, DVec3& direction) {
    const DVec3 ab = s[1].w - s[0].w, ac = s[2].w - s[0].w, ao = -s[0].w;
    const DVec3 normal = glm::cross(ab, ac);
    const bool beyond_ac = along(glm::cross(normal, ac), ao);
    const bool beyond_an_edge = beyond_ac || along(glm::cross(ab, normal), ao);
    if (beyond_ac && along(ac, ao)) {
        direction = from_line(s[0], s[2]);
        s = {s[0], s[2]};
    } else if (beyond_an_edge && along(ab, ao)) {
        direction = from_line(s[0], s[1]);
        s = {s[0], s[1]};
    } else if (beyond_an_edge) {
        s = {s[0]};
        direction = ao;
    } else if (along(normal, ao)) {
        direction = normal;
    } else {
        s = {s[0], s[2], s[1]};
        direction = -normal;
    }
}

bool beyond_a_face(Simplex& s, DVec3& direction) {
    const DVec3 ao = -s[0].w;
    for (std::size_t i = 0; i < 3; ++i) {
        const Vertex p = s[1 + i], q = s[1 + (i + 1) % 3], r = s[1 + (i + 2) % 3];
        DVec3 normal = glm::cross(p.w - s[0].w, q.w - s[0].w);
        normal = along(normal, r.w - s[0].w) ? -normal : normal;
        if (along(normal, ao)) {
            s = {s[0], p, q};
            direction = normal;
            return true;
        }
    }
    return false;
}

} // namespace cairn::core::lab::known_bugs
