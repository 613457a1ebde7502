#include "app/core/report/stopped_body.h"

#include "app/core/scene/worlds/frame_bodies.h"

namespace cairn::core {

using namespace cairn::physics;

namespace {

StoppedBody described(std::uint64_t step, BodyId body, const std::string& name) {
    return {step, body.index,
            "body " + std::to_string(body.index) + (name.empty() ? "" : " \"" + name + '"') +
                " was stopped: its motion was not finite, or left the range of positions"};
}

} // namespace

StoppedBody stopped_body(const FrameState& frame, BodyId body) {
    const auto place = find_body(frame, body);
    return described(frame.step, body, place ? frame.models[*place]->def.name : std::string());
}

std::optional<StoppedBody> first_stopped(const FrameState& frame) {
    return frame.stopped.empty() ? std::nullopt : std::optional(stopped_body(frame, frame.stopped.front()));
}

std::optional<StoppedBody> first_stopped(const World& world) {
    if (world.stopped().empty()) {
        return std::nullopt;
    }
    const BodyId body = world.stopped().front();
    const auto model = world.model(body);
    return described(world.step_count(), body, model ? model->def.name : std::string());
}

} // namespace cairn::core
