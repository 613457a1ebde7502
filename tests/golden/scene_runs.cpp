#include "tests/golden/scene_runs.h"

#include "app/core/capture/capture.h"
#include "app/core/report/stopped_body.h"
#include "app/core/scene/scene.h"
#include "app/core/workers/worker_pool.h"
#include "physics/world/world.h"
#include "tests/shipped_scenes.h"

#include <cmath>
#include <stdexcept>

namespace cairn::golden {

std::vector<std::filesystem::path> shipped_scenes() {
    return shipped_scene_files();
}

namespace {

// Bits that repeat prove nothing where they are those of no number.
void expect_sound(const physics::FrameState& frame, const std::filesystem::path& scene) {
    const std::string at = scene.stem().string() + ", step " + std::to_string(frame.step) + ": ";
    for (const physics::ContactState& contact : frame.contacts) {
        if (!std::isfinite(contact.normal_impulse)) {
            throw std::runtime_error(at + "an impulse that is not finite");
        }
    }
    if (const auto stopped = core::first_stopped(frame)) {
        throw std::runtime_error(at + stopped->what);
    }
}

} // namespace

std::vector<Checkpoint> run_scene(const std::filesystem::path& scene, int threads, std::uint64_t last_step) {
    const auto workers = core::make_worker_pool(threads);
    physics::World world = core::make_world(core::read_scene(scene), workers.get());
    std::vector<Checkpoint> noted;
    physics::FrameState frame;
    std::uint64_t step = 0;
    for (const std::uint64_t checkpoint : checkpoints) {
        if (checkpoint > last_step) {
            break;
        }
        for (; step < checkpoint; ++step) {
            world.step();
        }
        world.publish(frame);
        expect_sound(frame, scene);
        noted.push_back({step, frame.stats.bodies, frame.stats.contact_points, core::hash_text(frame.hash)});
    }
    return noted;
}

} // namespace cairn::golden
