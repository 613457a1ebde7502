#include "app/ui/lab/picture/lab_look.h"

#include "app/core/base/frame_along.h"
#include "app/lab/steps/placing.h"
#include "app/lab/tracers/difference.h"
#include "app/ui/layers/shapes/strokes.h"
#include "app/ui/widgets/palette.h"
#include "physics/geometry/shape.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cairn::ui {

namespace lab = core::lab;
using lab::Role;

namespace {

struct Look {
    Role role;
    float lightness, chroma, hue; // OKLCH, degrees
    float facet = 0.0f;           // opacity of its faces
    float thickness = 0.0f;       // of its strokes, of the pair's size; 0 = a hair line
    float dot = 6.0f;             // pixels
};

constexpr std::array looks{
    Look{Role::origin, 0.99f, 0.0f, 0.0f, 0.0f, 0.0f, 11.0f},
    Look{Role::difference, 0.42f, 0.02f, 250.0f, 0.10f, 0.0f, 4.0f},
    Look{Role::simplex, 0.66f, 0.14f, 75.0f, 0.30f, 0.009f, 8.0f},
    Look{Role::newest, 0.70f, 0.20f, 140.0f, 0.3f, 0.009f, 12.0f},
    Look{Role::dropped, 0.55f, 0.20f, 25.0f, 0.30f, 0.005f, 8.0f},
    Look{Role::kept, 0.72f, 0.17f, 65.0f, 0.65f, 0.013f, 9.0f},
    Look{Role::silhouette, 0.62f, 0.13f, 195.0f, 0.0f, 0.014f, 6.0f},
    Look{Role::nearest, 0.98f, 0.01f, 90.0f, 0.0f, 0.009f, 9.0f},
    Look{Role::direction, 0.55f, 0.17f, 255.0f, 0.0f, 0.009f, 6.0f},
    Look{Role::bound, 0.50f, 0.13f, 255.0f, 0.12f, 0.004f, 5.0f},
    Look{Role::witness_a, 0.56f, 0.16f, 250.0f, 0.40f, 0.012f, 9.0f},
    Look{Role::witness_b, 0.64f, 0.19f, 45.0f, 0.40f, 0.012f, 9.0f},
    Look{Role::normal, 0.80f, 0.18f, 100.0f, 0.0f, 0.010f, 6.0f},
    Look{Role::sweep, 0.55f, 0.20f, 300.0f, 0.0f, 0.006f, 6.0f},
    Look{Role::wrong, 0.55f, 0.24f, 20.0f, 0.40f, 0.013f, 12.0f},
};

const Look& look_of(Role role) {
    return *std::ranges::find(looks, role, &Look::role);
}

glm::vec3 to_view(const glm::dvec3& p) {
    return glm::vec3(p);
}

void add_rod(render::DrawList& list, const glm::vec3& from, const glm::vec3& to, float radius, const glm::vec4& colour,
             render::MeshId mesh) {
    const glm::vec3 way = to - from;
    const float length = glm::length(way);
    if (!(length > 1e-6f)) {
        return;
    }
    render::Instance rod;
    rod.mesh = mesh;
    rod.orientation = core::frame_along(way / length);
    // The cone has its base at -1/4 and its apex at 3/4 of its height.
    const bool cone = mesh == render::unit_cone;
    rod.position = cone ? from + 0.25f * way : 0.5f * (from + to);
    rod.scale = glm::vec3(radius, radius, 0.5f * length);
    rod.colour = colour;
    rod.flags = render::instance_no_shadow;
    list.instances.push_back(rod);
}

void add_label(render::DrawList& list, const glm::vec3& at, const glm::vec3& colour, const std::string& text) {
    if (!text.empty()) {
        render::Label& label = list.labels.add();
        label.position = at;
        label.colour = glm::vec4(glm::mix(colour, glm::vec3(1.0f), 0.5f), 1.0f);
        label.text = text;
        label.gives_way = true;
    }
}

} // namespace

glm::vec3 colour_of(Role role) {
    const Look& look = look_of(role);
    return linear_from_oklch(look.lightness, look.chroma, glm::radians(look.hue));
}

void LabDrawing::begin() {
    for (const render::MeshId mesh : meshes_) {
        renderer_.remove_mesh(mesh);
    }
    meshes_.clear();
}

// Both sides are drawn: a face of the simplex is looked at from within as well.
void LabDrawing::add_facets(render::DrawList& list, const lab::Figure& figure, Role role, const glm::dvec3& offset) {
    render::Mesh mesh;
    for (const lab::Facet& facet : figure.facets) {
        if (facet.role != role) {
            continue;
        }
        const glm::dvec3 normal = glm::cross(facet.corner[1] - facet.corner[0], facet.corner[2] - facet.corner[0]);
        const double length = glm::length(normal);
        if (!(length > 0.0)) {
            continue;
        }
        for (const double side : {1.0, -1.0}) {
            for (std::size_t i = 0; i < 3; ++i) {
                mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
                mesh.positions.push_back(to_view(facet.corner[side > 0.0 ? i : 2 - i] + offset));
                mesh.normals.push_back(glm::vec3(normal * (side / length)));
            }
        }
    }
    if (mesh.positions.empty()) {
        return;
    }
    meshes_.push_back(renderer_.add_mesh(mesh));
    render::Instance instance;
    instance.mesh = meshes_.back();
    instance.colour = glm::vec4(colour_of(role), look_of(role).facet);
    instance.flags = render::instance_no_shadow;
    list.instances.push_back(instance);
}

void LabDrawing::add_figure(render::DrawList& list, const lab::Figure& figure, double size, const glm::dvec3& offset) {
    for (const Look& look : looks) {
        if (look.facet > 0.0f) {
            add_facets(list, figure, look.role, offset);
        }
    }
    for (const lab::Stroke& stroke : figure.strokes) {
        const Look& look = look_of(stroke.role);
        const glm::vec3 from = to_view(stroke.from + offset);
        glm::vec3 to = to_view(stroke.to + offset);
        const glm::vec4 colour = opaque(colour_of(stroke.role));
        add_label(list, 0.5f * (from + to), glm::vec3(colour), stroke.name);
        if (!(look.thickness > 0.0f)) {
            const float faint = stroke.role == Role::difference ? 0.5f : 0.8f;
            add_line(list, from, to, glm::vec4(glm::vec3(colour), faint), stroke.role != Role::difference);
            continue;
        }
        const float radius = 0.5f * look.thickness * static_cast<float>(size);
        if (stroke.arrow) {
            const glm::vec3 way = to - from;
            const float head = std::min(8.0f * radius, 0.5f * glm::length(way));
            if (head > 0.0f) {
                const glm::vec3 neck = to - way * (head / glm::length(way));
                add_rod(list, neck, to, 2.4f * radius, colour, render::unit_cone);
                to = neck;
            }
        }
        add_rod(list, from, to, radius, colour, render::unit_cylinder);
    }
    for (const lab::Dot& dot : figure.dots) {
        const glm::vec3 at = to_view(dot.at + offset);
        const glm::vec3 colour = colour_of(dot.role);
        list.points.push_back({at, opaque(colour), look_of(dot.role).dot, true});
        add_label(list, at + glm::vec3(0.0f, 0.0f, 0.035f * static_cast<float>(size)), colour, dot.name);
    }
}

void LabDrawing::add_shape(render::DrawList& list, const physics::Shape& shape, const physics::Transform& pose,
                           const glm::vec3& colour, float opacity, const glm::dvec3& offset) {
    const physics::ShapeMesh surface = physics::tessellate(shape);
    render::Mesh mesh;
    mesh.positions.assign(surface.positions.begin(), surface.positions.end());
    mesh.normals.assign(surface.normals.begin(), surface.normals.end());
    mesh.triangles = surface.triangles;
    meshes_.push_back(renderer_.add_mesh(mesh));
    render::Instance instance;
    instance.mesh = meshes_.back();
    instance.position = to_view(glm::dvec3(pose.position) + offset);
    instance.orientation = pose.orientation;
    instance.colour = glm::vec4(colour, opacity);
    instance.flags = render::instance_no_shadow;
    list.instances.push_back(instance);
    const glm::vec4 edge(glm::mix(colour, glm::vec3(1.0f), 0.3f), std::min(1.0f, 2.0f * opacity));
    for (std::size_t i = 0; i + 1 < surface.edges.size(); i += 2) {
        const auto at = [&](std::size_t k) {
            return to_view(glm::dvec3(physics::to_world(pose, surface.edges[k])) + offset);
        };
        add_line(list, at(i), at(i + 1), edge, true);
    }
}

void add_points(std::vector<glm::dvec3>& out, const lab::Figure& figure) {
    for (const lab::Dot& dot : figure.dots) {
        out.push_back(dot.at);
    }
    for (const lab::Stroke& stroke : figure.strokes) {
        out.push_back(stroke.from);
        out.push_back(stroke.to);
    }
    for (const lab::Facet& facet : figure.facets) {
        out.insert(out.end(), facet.corner.begin(), facet.corner.end());
    }
}

namespace {

// Shapes that differ more than this in size cannot be seen in one picture.
constexpr float most_ratio = 5.0f;

bool has_shapes(const lab::LabPair& pair) {
    return pair.a.bounding_radius > 0.0f && pair.b.bounding_radius > 0.0f;
}
bool unequal(const lab::LabPair& pair) {
    const auto [less, more] = std::minmax(pair.a.bounding_radius, pair.b.bounding_radius);
    return more > most_ratio * less;
}

} // namespace

std::vector<glm::dvec3> points_of_difference(const lab::LabPair& pair, const lab::LabRun& run) {
    std::vector<glm::dvec3> out;
    if (has_shapes(pair) && unequal(pair)) {
        const double reach = 2.0 * double(std::min(pair.a.bounding_radius, pair.b.bounding_radius));
        for (unsigned i = 0; i < 8; ++i) {
            out.push_back(2.0 * reach * glm::dvec3(i & 1u, i >> 1u & 1u, i >> 2u & 1u) - reach);
        }
        return out;
    }
    const lab::Figure* last = nullptr;
    for (const lab::LabStep& step : run.steps) {
        if (step.backdrop && step.backdrop.get() != last) {
            last = step.backdrop.get();
            add_points(out, *last);
        } else if (!step.backdrop) {
            add_points(out, step.difference);
        }
    }
    return out;
}

std::vector<glm::dvec3> points_of_bodies(const lab::LabPair& pair, const lab::LabRun& run) {
    std::vector<glm::dvec3> out;
    if (!has_shapes(pair)) {
        for (const lab::LabStep& step : run.steps) {
            add_points(out, step.world);
        }
        return out;
    }
    for (const bool first : {true, false}) {
        if (unequal(pair) && first != (pair.a.bounding_radius < pair.b.bounding_radius)) {
            continue;
        }
        const physics::Sweep& sweep = first ? pair.sweep_a : pair.sweep_b;
        const physics::Aabb box = (first ? pair.a : pair.b).local_bounds;
        for (const double share : {0.0, 0.5, 1.0}) {
            const physics::Transform pose = lab::shape_pose_at(sweep, share * double(pair.duration));
            for (unsigned i = 0; i < 8; ++i) {
                const physics::Vec3 corner = glm::mix(box.lower, box.upper, glm::bvec3(i & 1u, i & 2u, i & 4u));
                out.emplace_back(physics::to_world(pose, corner));
            }
        }
    }
    return out;
}

bool shows_difference(const lab::LabRun& run) {
    return std::ranges::any_of(run.steps, [](const lab::LabStep& step) {
        return step.backdrop || !step.difference.dots.empty() || !step.difference.strokes.empty() ||
               !step.difference.facets.empty();
    });
}

render::Camera camera_for(std::span<const glm::dvec3> points, const glm::vec3& towards_eye, float aspect) {
    render::Camera camera;
    camera.vertical_fov = 0.5f;
    const glm::dvec3 back(towards_eye);
    const glm::dvec3 right = glm::normalize(glm::cross(glm::dvec3(0.0, 0.0, 1.0), back));
    const glm::dvec3 up = glm::cross(back, right);
    glm::dvec3 low(1e300);
    glm::dvec3 high(-1e300);
    for (const glm::dvec3& p : points) {
        const glm::dvec3 seen(glm::dot(p, right), glm::dot(p, up), glm::dot(p, back));
        low = glm::min(low, seen);
        high = glm::max(high, seen);
    }
    if (!(low.x <= high.x)) {
        low = glm::dvec3(-1.0);
        high = glm::dvec3(1.0);
    }
    // Some room about the outermost points, for their names.
    const double half_height = std::tan(0.5 * double(camera.vertical_fov)) * 0.86;
    const double half_width = half_height * double(aspect);
    const glm::dvec3 middle = 0.5 * (low + high);
    const auto distance_for = [&](const glm::dvec3& p) {
        const double x = std::abs(glm::dot(p, right) - middle.x) / half_width;
        const double y = std::abs(glm::dot(p, up) - middle.y) / half_height;
        return std::max(x, y) + (glm::dot(p, back) - middle.z);
    };
    double distance = 1e-3;
    for (const glm::dvec3& p : points) {
        distance = std::max(distance, distance_for(p));
    }
    const double depth = glm::length(high - low);
    camera.target = glm::vec3(right * middle.x + up * middle.y + back * middle.z);
    camera.eye = camera.target + towards_eye * static_cast<float>(distance);
    camera.near_distance = static_cast<float>(std::max(0.02 * distance, distance - depth));
    camera.far_distance = static_cast<float>(distance + 4.0 * depth);
    return camera;
}

namespace {

// Of what is shown, where there are no shapes to go by: polygons, or one body made of points.
double size_of_marks(const lab::LabPair& pair, const lab::LabStep& step) {
    if (has_shapes(pair)) {
        return lab::size_of(pair);
    }
    std::vector<glm::dvec3> points;
    add_points(points, step.world);
    glm::dvec3 low(1e300), high(-1e300);
    for (const glm::dvec3& p : points) {
        low = glm::min(low, p);
        high = glm::max(high, p);
    }
    return points.empty() ? 1.0 : std::max(0.5 * glm::length(high - low), 1e-6);
}

bool moves(const physics::Sweep& sweep) {
    return sweep.linear_velocity != glm::vec3(0.0f) || sweep.angular_velocity != glm::vec3(0.0f);
}

} // namespace

void draw_bodies(render::DrawList& list, LabDrawing& drawing, const lab::LabPair& pair, const lab::LabStep& step) {
    const double size = size_of_marks(pair, step);
    const glm::dvec3 here(0.0);
    const auto show = [&](const physics::Shape& shape, const physics::Sweep& sweep, Role role) {
        if (!(shape.bounding_radius > 0.0f)) {
            return; // what is shown is about one body, drawn by the figure
        }
        if (pair.duration > 0.0f && moves(sweep)) { // where it starts and where it would end
            for (const double time : {0.0, double(pair.duration)}) {
                drawing.add_shape(list, shape, lab::shape_pose_at(sweep, time), colour_of(Role::sweep), 0.10f, here);
            }
        }
        drawing.add_shape(list, shape, lab::shape_pose_at(sweep, step.time), colour_of(role), 0.38f, here);
    };
    show(pair.a, pair.sweep_a, Role::witness_a);
    show(pair.b, pair.sweep_b, Role::witness_b);
    drawing.add_figure(list, step.world, size, here);
}

void draw_difference(render::DrawList& list, LabDrawing& drawing, const lab::LabPair& pair, const lab::LabStep& step) {
    const double size = size_of_marks(pair, step);
    if (step.backdrop) {
        drawing.add_figure(list, *step.backdrop, size, glm::dvec3(0.0));
    }
    drawing.add_figure(list, lab::marks_of(step.polytope), size, glm::dvec3(0.0));
    drawing.add_figure(list, step.difference, size, glm::dvec3(0.0));
}

} // namespace cairn::ui
