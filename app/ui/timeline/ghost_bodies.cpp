#include "app/ui/timeline/ghost_bodies.h"

#include <utility>

namespace cairn::ui {

namespace {

constexpr float ghost_alpha = 0.38f;

// Leaves the bodies that can move and are not where they are in `other`.
void keep_those_elsewhere(physics::FrameState& frame, const physics::FrameState& other) {
    std::size_t kept = 0;
    auto same = other.bodies.begin(); // both lists ascend by slot
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& body = frame.bodies[i];
        while (same != other.bodies.end() && same->id.index < body.id.index) {
            ++same;
        }
        const bool there = same != other.bodies.end() && same->id == body.id &&
                           same->pose.position == body.pose.position && same->pose.orientation == body.pose.orientation;
        if (!there && body.type != physics::BodyType::fixed) {
            frame.bodies[kept] = frame.bodies[i];
            frame.models[kept] = frame.models[i];
            ++kept;
        }
    }
    frame.bodies.resize(kept);
    frame.models.resize(kept);
}

} // namespace

void GhostBodies::compare(const physics::World& other, const physics::FrameState& here) {
    // Into a frame of its own: a world trusts what it wrote into one before, and bodies are taken out of this one.
    physics::FrameState whole;
    other.publish(whole);
    frame_ = std::move(whole);
    frame_.grab = {};
    keep_those_elsewhere(frame_, here);
}

void GhostBodies::clear() {
    frame_.bodies.clear();
    frame_.models.clear();
}

void GhostBodies::add_to(render::DrawList& list, const render::Camera& camera, MeshSource& meshes,
                         ViewOptions options) {
    if (empty()) {
        return;
    }
    options.layers = {};
    options.selected = {};
    options.hovered = {};
    options.open_shape.reset();
    options.interpolation = 1.0f;
    options.seconds = -1.0f;
    options.colours = ColourMode::palette;
    view_.build(list_, frame_, frame_, camera, meshes, options);
    for (render::Instance& instance : list_.instances) {
        instance.colour.a = ghost_alpha;
        instance.flags = render::instance_no_shadow;
        list.instances.push_back(instance);
    }
}

} // namespace cairn::ui
