#include "app/core/capture/capture.h"
#include "app/core/report/formats/json.h"
#include "app/core/report/report.h"
#include "app/core/report/statistics/statistics.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace cairn::core {
namespace {

constexpr double milliseconds = 1e3; // per second

// Milliseconds by stage, `scale` times the seconds.
Json stages_of(const physics::StageTimes& times, double scale) {
    return {{"broadphase", times.broadphase * scale}, {"narrowphase", times.narrowphase * scale},
            {"islands", times.islands * scale},       {"solver", times.solver * scale},
            {"continuous", times.continuous * scale}, {"finish", times.finish * scale}};
}

// How many times as long a step took as the 90th percentile of those around it, a second in all; 0 if there are none.
double over_neighbours(std::span<const double> step_ms, std::size_t step, std::size_t second) {
    const std::size_t first = step - std::min(step, second / 2);
    const std::size_t end = std::min(first + second + 1, step_ms.size());
    std::vector<double> around(step_ms.begin() + static_cast<std::ptrdiff_t>(first),
                               step_ms.begin() + static_cast<std::ptrdiff_t>(end));
    around.erase(around.begin() + static_cast<std::ptrdiff_t>(step - first));
    std::ranges::sort(around);
    const double most = percentile(around, 0.9);
    return most > 0.0 ? step_ms[step] / most : 0.0;
}

} // namespace

void StatsCollector::add(const physics::FrameState& frame) {
    if (frame.step > 0) {
        const physics::StageTimes& times = frame.stats.times;
        if (steps_ == 0 || times.total() > worst_.total()) {
            worst_ = times;
            worst_step_ = steps_ + 1;
        }
        ++steps_;
        sum_ms_ += times.total() * milliseconds;
        if (keeps_times_) {
            step_ms_.push_back(times.total() * milliseconds);
        }
        held_ += frame.stats.held;
        time_given_up_ += frame.stats.time_given_up;
        short_steps_ += frame.stats.short_steps;
        stopped_ += frame.stopped.size();
        first_stopped_ = first_stopped_ ? first_stopped_ : core::first_stopped(frame);
        sum_.broadphase += times.broadphase;
        sum_.narrowphase += times.narrowphase;
        sum_.islands += times.islands;
        sum_.solver += times.solver;
        sum_.continuous += times.continuous;
        sum_.finish += times.finish;
    }
    last_ = frame.stats;
    last_step_ = frame.step;
    last_hash_ = frame.hash;
    last_time_ = frame.time;
    sleeping_ = 0;
    max_speed_ = 0.0;
    bool any = false;
    for (const physics::BodyState& body : frame.bodies) {
        sleeping_ += body.sleeping ? 1 : 0;
        const glm::dvec3 velocity(body.linear_velocity);
        max_speed_ = std::max(max_speed_, std::sqrt(glm::dot(velocity, velocity)));
        if (body.type == physics::BodyType::dynamic) {
            lower_ = any ? glm::min(lower_, body.pose.position) : body.pose.position;
            upper_ = any ? glm::max(upper_, body.pose.position) : body.pose.position;
            any = true;
        }
    }
    worst_penetration_ = std::max(worst_penetration_, static_cast<double>(frame.stats.max_penetration));
}

double StatsCollector::mean_ms() const {
    return steps_ == 0 ? 0.0 : sum_ms_ / static_cast<double>(steps_);
}

std::string StatsCollector::to_json(int threads, std::string_view name) const {
    std::vector<double> sorted = step_ms_;
    std::ranges::sort(sorted);
    const double per_step = step_ms_.empty() ? 0.0 : milliseconds / static_cast<double>(step_ms_.size());

    Json out;
    out["name"] = name;
    out["build"] = build_name();
    out["bodies"] = last_.bodies;
    out["steps"] = last_step_;
    out["time"] = last_time_;
    out["threads"] = threads;
    out["ms_per_step"] = {{"mean", mean_ms()},
                          {"median", percentile(sorted, 0.5)},
                          {"p99", percentile(sorted, 0.99)},
                          {"max", sorted.empty() ? 0.0 : sorted.back()}};
    out["stages"] = stages_of(sum_, per_step); // ms per step, mean
    if (worst_step_ > 0) {
        const auto second = static_cast<std::size_t>(std::lround(static_cast<double>(last_step_) / last_time_));
        const Json stages = stages_of(worst_, milliseconds);
        const auto longest = std::ranges::max_element(stages);
        out["worst_step"] = {{"step", worst_step_},
                             {"ms", worst_.total() * milliseconds},
                             {"stage", longest.key()},
                             {"stages", stages},
                             {"over_neighbours", over_neighbours(step_ms_, worst_step_ - 1, second)}};
    }
    out["awake"] = last_.awake;
    out["sleeping"] = sleeping_;
    out["pairs"] = last_.pairs;
    out["contacts"] = last_.contacts;
    out["contact_points"] = last_.contact_points;
    out["islands"] = last_.islands;
    out["continuous_hits"] = last_.continuous_hits;
    out["held"] = held_;                   // bodies, in all steps
    out["time_given_up"] = time_given_up_; // s, of bodies, in all steps
    out["short_steps"] = short_steps_;     // that the steps were taken as: as many, if none was divided
    out["stopped"] = stopped_;             // bodies, in all steps
    if (first_stopped_) {
        out["first_stopped"] = {
            {"step", first_stopped_->step}, {"body", first_stopped_->body}, {"what", first_stopped_->what}};
    }
    out["spin_limited"] = last_.spin_limited;
    out["finest_substeps"] = last_.finest_substeps;
    out["joints_swept"] = last_.joints_swept;
    out["max_penetration"] = json_of(last_.max_penetration);
    out["worst_penetration"] = json_of(static_cast<float>(worst_penetration_));
    out["kinetic_energy"] = last_.kinetic_energy;
    out["potential_energy"] = last_.potential_energy;
    out["max_speed"] = max_speed_;
    out["centres"] = {{"min", json_of(lower_)}, {"max", json_of(upper_)}}; // bounds of the centres of mass, m
    out["hash"] = hash_text(last_hash_);
    return text_of(out, 1);
}

} // namespace cairn::core
