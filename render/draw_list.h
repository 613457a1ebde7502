// All that a picture consists of, as plain data. The renderer draws it and knows nothing of physics or of the user
// interface. World: right-handed, Z up, metres. Colours are linear RGB unless the name says sRGB.
#pragma once

#include <cstdint>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <span>
#include <string>
#include <vector>

namespace cairn::render {

inline constexpr float orthographic_behind = 500.0f; // m

struct Camera {
    glm::vec3 eye{0.0f, -30.0f, 12.0f};
    glm::vec3 target{0.0f, 0.0f, 2.0f};
    glm::vec3 up{0.0f, 0.0f, 1.0f};
    float vertical_fov = 0.8f;    // radians
    float near_distance = 0.1f;   // m
    float far_distance = 2000.0f; // m
    // Lines of sight are parallel, and the picture is everywhere as high as it is at the target in perspective. What
    // lies behind the eye is seen too, as far as orthographic_behind.
    bool orthographic = false;
    bool operator==(const Camera&) const = default;
};

struct Light {
    glm::vec3 direction{-0.5f, 0.28f, -0.82f}; // of travel, need not be unit
    glm::vec3 colour{1.0f, 0.96f, 0.9f};
    float shadow_strength = 0.85f; // 0 = no shadow
    // The part of the world that receives the sharpest shadows, or, with a single shadow map, any, m.
    glm::vec3 shadow_centre{0.0f};
    float shadow_radius = 40.0f;
    bool operator==(const Light&) const = default;
};

// Names a mesh uploaded to the renderer. 0..3 are built in.
using MeshId = std::uint32_t;
inline constexpr MeshId unit_box = 0;      // half extents 1
inline constexpr MeshId unit_sphere = 1;   // radius 1
inline constexpr MeshId unit_cylinder = 2; // radius 1, z from -1 to 1
inline constexpr MeshId unit_cone = 3;     // radius 1, base at z = -0.5, apex at z = 1.5 (its centroid is the origin)

enum InstanceFlags : std::uint32_t {
    instance_selected = 1, // amber outline of constant screen width
    instance_hovered = 2,
    instance_ground = 4, // gets the metre grid and the ground texture
    instance_no_shadow = 8,
};

// One copy of a mesh. A local point p is drawn at position + orientation * (p * scale + (0, 0, sign(p.z) * extrude_z)):
// a sphere with extrude_z = half height is a capsule.
struct Instance {
    MeshId mesh = unit_box;
    glm::vec3 position{0.0f};
    glm::quat orientation{1.0f, 0.0f, 0.0f, 0.0f};
    glm::vec3 scale{1.0f};
    float extrude_z = 0.0f;                   // m
    glm::vec4 colour{0.8f, 0.8f, 0.8f, 1.0f}; // linear; alpha < 1 is drawn last, blended
    std::uint32_t texture = 0;                // 0 = plain, 1.. = layer of the body texture array
    std::uint32_t flags = 0;
    bool operator==(const Instance&) const = default;
};

struct Line {
    glm::vec3 from{0.0f}, to{0.0f};
    glm::vec4 colour{1.0f};
    bool on_top = false; // not hidden by bodies
    bool operator==(const Line&) const = default;
};

struct Point {
    glm::vec3 position{0.0f};
    glm::vec4 colour{1.0f};
    float size = 6.0f;  // diameter, pixels at scale 1
    bool on_top = true; // not hidden by bodies
    bool operator==(const Point&) const = default;
};

struct Label {
    glm::vec3 position{0.0f};
    glm::vec4 colour{1.0f};
    std::string text;
    bool gives_way = false; // left out where it would cover another
};

// Keeps the memory of its texts from picture to picture.
class LabelList {
  public:
    Label& add() { // with an empty text
        if (count_ == all_.size()) {
            all_.emplace_back();
        }
        Label& label = all_[count_++];
        label.position = glm::vec3(0.0f);
        label.colour = glm::vec4(1.0f);
        label.text.clear();
        label.gives_way = false;
        return label;
    }
    void clear() { count_ = 0; }
    bool empty() const { return count_ == 0; }
    std::size_t size() const { return count_; }
    std::span<const Label> all() const { return {all_.data(), count_}; }

  private:
    std::vector<Label> all_;
    std::size_t count_ = 0;
};

struct DrawList {
    Camera camera;
    Light light;
    std::vector<Instance> instances;
    std::vector<Line> lines;
    std::vector<Point> points;
    LabelList labels; // the renderer knows no text: see app/ui/labels.h
    bool grid = true;
    bool textures = true;

    void clear() {
        instances.clear();
        lines.clear();
        points.clear();
        labels.clear();
    }
};

} // namespace cairn::render
