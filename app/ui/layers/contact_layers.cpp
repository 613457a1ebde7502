// Layers that show contacts: points, normals, impulses, and the faces that the points of one contact span.
#include "app/ui/layers/layer_drawing.h"
#include "app/ui/layers/shapes/strokes.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui::layers {

using physics::ContactState;
using physics::Vec3;

void draw_contacts(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const ContactState& contact : scene.frame.contacts) {
        list.points.push_back({contact.point, opaque(colour), 7.0f});
    }
}

void draw_normals(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const ContactState& contact : scene.frame.contacts) {
        add_arrow(list, contact.point, 0.4f * contact.normal, opaque(colour));
    }
}

void draw_impulses(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    for (const ContactState& contact : scene.frame.contacts) {
        const Vec3 impulse = contact.normal_impulse * contact.normal + contact.friction_impulse;
        const float size = glm::length(impulse);
        if (size > 0.0f) {
            add_arrow(list, contact.point, impulse * (0.05f / std::sqrt(size)), opaque(colour));
        }
    }
}

namespace {

// In the order in which one meets them on the way round, about the normal.
void sort_round(std::vector<glm::vec3>& points, const Vec3& normal) {
    Vec3 middle(0.0f);
    for (const Vec3& point : points) {
        middle += point / static_cast<float>(points.size());
    }
    const Vec3 x = physics::any_perpendicular(normal), y = glm::cross(normal, x);
    std::ranges::sort(points, [&](const Vec3& a, const Vec3& b) {
        return std::atan2(glm::dot(a - middle, y), glm::dot(a - middle, x)) <
               std::atan2(glm::dot(b - middle, y), glm::dot(b - middle, x));
    });
}

} // namespace

void draw_faces(render::DrawList& list, const LayerScene& scene, const glm::vec3& colour) {
    const std::vector<ContactState>& contacts = scene.frame.contacts;
    std::vector<glm::vec3>& points = scene.memory.polygon;
    for (std::size_t i = 0; i < contacts.size();) {
        points.clear();
        const std::size_t first = i;
        do {
            points.push_back(contacts[i++].point);
        } while (i < contacts.size() && !contacts[i].opens);
        if (points.size() > 2) {
            sort_round(points, contacts[first].normal);
            add_line(list, points.front(), points.back(), opaque(colour));
        }
        for (std::size_t k = 1; k < points.size(); ++k) {
            add_line(list, points[k - 1], points[k], opaque(colour));
        }
        if (points.size() == 1) {
            list.points.push_back({points.front(), opaque(colour), 5.0f});
        }
    }
}

} // namespace cairn::ui::layers
