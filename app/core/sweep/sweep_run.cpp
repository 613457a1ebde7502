#include "app/core/expect/expectation_run.h"
#include "app/core/report/statistics/statistics.h"
#include "app/core/sweep/sweep.h"

#include <algorithm>
#include <chrono>

namespace cairn::core {

using namespace cairn::physics;

namespace {

class Observer {
  public:
    void start(const FrameState& frame) {
        for (const BodyState& body : frame.bodies) {
            starts_.push_back(body.pose.position);
        }
        metrics_.energy_start = metrics_.energy_max = energy(frame);
        look(frame);
    }

    void after_step(const FrameState& frame, double seconds) {
        milliseconds_.push_back(seconds * 1e3);
        metrics_.impacts += frame.stats.continuous_hits;
        metrics_.stopped += frame.stopped.size();
        metrics_.energy_max = std::max(metrics_.energy_max, energy(frame));
        look(frame);
    }

    // No bodies come or go in a run without commands: each still has its place in the frame.
    SweepMetrics finish(const FrameState& frame) {
        metrics_.hash = frame.hash;
        metrics_.bodies = frame.stats.bodies;
        metrics_.contacts = frame.stats.contacts;
        metrics_.contact_points = frame.stats.contact_points;
        metrics_.end_penetration = frame.stats.max_penetration;
        metrics_.kinetic_energy = frame.stats.kinetic_energy;
        metrics_.potential_energy = frame.stats.potential_energy;
        metrics_.settled_at = metrics_.max_speed <= settled_speed ? quiet_since_ : -1.0;
        double drift = 0.0;
        std::size_t moving = 0;
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const BodyState& body = frame.bodies[i];
            metrics_.asleep += body.sleeping ? 1 : 0;
            if (body.type == BodyType::dynamic) {
                const float distance = glm::distance(body.pose.position, starts_[i]);
                metrics_.drift_max = std::max(metrics_.drift_max, distance);
                drift += static_cast<double>(distance);
                ++moving;
            }
        }
        metrics_.drift_mean = moving == 0 ? 0.0f : static_cast<float>(drift / static_cast<double>(moving));
        time_steps();
        return metrics_;
    }

  private:
    static double energy(const FrameState& frame) { return frame.stats.kinetic_energy + frame.stats.potential_energy; }

    void look(const FrameState& frame) {
        metrics_.worst_penetration = std::max(metrics_.worst_penetration, frame.stats.max_penetration);
        float speed = 0.0f;
        for (const BodyState& body : frame.bodies) {
            if (body.type == BodyType::dynamic) {
                speed = std::max(speed, glm::length(body.linear_velocity));
            }
        }
        metrics_.max_speed = speed;
        metrics_.worst_speed = std::max(metrics_.worst_speed, speed);
        if (speed > settled_speed) {
            quiet_since_ = -1.0;
        } else if (quiet_since_ < 0.0) {
            quiet_since_ = frame.time;
        }
        for (const JointState& joint : frame.joints) {
            // A distance joint keeps its anchors apart on purpose, a slider lets them pass each other.
            if (joint.def->kind != JointKind::distance && joint.def->kind != JointKind::slider) {
                metrics_.worst_joint_gap =
                    std::max(metrics_.worst_joint_gap, glm::distance(joint.anchor_a, joint.anchor_b));
            }
        }
    }

    void time_steps() {
        if (milliseconds_.empty()) {
            return;
        }
        double sum = 0.0;
        for (const double ms : milliseconds_) {
            sum += ms;
        }
        metrics_.ms_mean = sum / static_cast<double>(milliseconds_.size());
        std::ranges::sort(milliseconds_);
        metrics_.ms_median = percentile(milliseconds_, 0.5);
        metrics_.ms_p99 = percentile(milliseconds_, 0.99);
    }

    SweepMetrics metrics_;
    std::vector<Vec3> starts_;
    std::vector<double> milliseconds_;
    double quiet_since_ = -1.0; // s; < 0: something moves
};

} // namespace

SweepMetrics measure_run(const Sweep& sweep, std::size_t run) {
    const Scene scene = sweep.scene_of(run);
    World world = make_world(scene);
    FrameState frame;
    physics::FrameDetails details;
    details.hash = false; // until the end
    world.watch(details);
    world.publish(frame);
    Observer observer;
    observer.start(frame);
    std::optional<ExpectationRun> expected;
    if (sweep.expect) {
        expected.emplace(scene, frame);
    }
    for (std::uint64_t step = 0; step < sweep.steps; ++step) {
        const auto start = std::chrono::steady_clock::now();
        world.step();
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        world.publish(frame);
        observer.after_step(frame, seconds.count());
        if (expected) {
            expected->add(frame);
        }
    }
    world.watch({});
    world.publish(frame);
    SweepMetrics metrics = observer.finish(frame);
    if (expected) {
        for (const ExpectationOutcome& outcome : expected->outcomes()) {
            using Status = ExpectationOutcome::Status;
            metrics.expectations.push_back(outcome.status == Status::open ? std::string()
                                           : outcome.status == Status::met
                                               ? std::string("met")
                                               : "failed at " + std::to_string(outcome.step));
        }
    }
    return metrics;
}

} // namespace cairn::core
