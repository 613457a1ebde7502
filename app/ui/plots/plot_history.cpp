#include "app/ui/plots/plot_history.h"

#include "app/core/report/number_text.h"

#include <cmath>

namespace cairn::ui {

void DriftAndMomentum::measure(const physics::FrameState& frame) {
    if (homes_.size() != frame.bodies.size() || revision_ != frame.revision || homes_.empty()) {
        // Bodies have come or gone, or their masses have changed: those that are known keep their homes. Both lists
        // ascend by slot.
        revision_ = frame.revision;
        std::vector<Home> before = std::move(homes_);
        homes_.clear();
        homes_.reserve(frame.bodies.size());
        auto known = before.begin();
        for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
            const physics::BodyState& body = frame.bodies[i];
            while (known != before.end() && known->body.index < body.id.index) {
                ++known;
            }
            const bool same = known != before.end() && known->body == body.id;
            homes_.push_back({body.id, same ? known->at : body.pose.position, frame.models[i]->mass});
        }
    }
    double distance = 0.0;
    std::size_t dynamic = 0;
    glm::dvec3 sum(0.0);
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& body = frame.bodies[i];
        if (body.type != physics::BodyType::dynamic) {
            continue;
        }
        const physics::Vec3 way = body.pose.position - homes_[i].at;
        distance += static_cast<double>(std::sqrt(way.x * way.x + way.y * way.y));
        sum += glm::dvec3(homes_[i].mass * body.linear_velocity);
        ++dynamic;
    }
    drift_ = dynamic > 0 ? static_cast<float>(distance / static_cast<double>(dynamic)) : 0.0f;
    momentum_ = static_cast<float>(glm::length(sum));
}

void PlotHistory::follow(const physics::FrameState& frame, std::uint64_t world_number) {
    const bool other_world = world_number != world_;
    if (count_ > 0 && !other_world && (*this)[count_ - 1].step == frame.step) {
        return;
    }
    if (other_world || (count_ > 0 && frame.step < (*this)[count_ - 1].step)) {
        clear();
        bodies_.set_zero();
        world_ = world_number;
    }
    bodies_.measure(frame);
    const physics::StepStats& s = frame.stats;
    PlotSample sample;
    sample.step = frame.step;
    sample.time = frame.time;
    const auto set = [&](Curve curve, double value) {
        sample.values[static_cast<std::size_t>(curve)] = static_cast<float>(value);
    };
    set(Curve::kinetic, s.kinetic_energy);
    set(Curve::potential, s.potential_energy);
    set(Curve::energy, s.kinetic_energy + s.potential_energy);
    set(Curve::momentum, static_cast<double>(bodies_.momentum()));
    set(Curve::penetration, static_cast<double>(s.max_penetration));
    set(Curve::drift, static_cast<double>(bodies_.drift()));
    set(Curve::contacts, s.contacts);
    set(Curve::points, s.contact_points);
    set(Curve::broadphase, s.times.broadphase);
    set(Curve::narrowphase, s.times.narrowphase);
    set(Curve::islands, s.times.islands);
    set(Curve::solver, s.times.solver);
    set(Curve::continuous, s.times.continuous);
    set(Curve::finish, s.times.finish);
    set(Curve::step, s.times.total());
    add(sample);
}

void PlotHistory::add(const PlotSample& sample) {
    if (samples_.empty()) {
        samples_.resize(most);
    }
    samples_[(first_ + count_) % most] = sample;
    if (count_ < most) {
        ++count_;
    } else {
        first_ = (first_ + 1) % most;
    }
}

void PlotHistory::clear() {
    first_ = count_ = 0;
}

std::size_t PlotHistory::since(double time) const {
    std::size_t low = 0, high = count_;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if ((*this)[middle].time < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

std::size_t crossings(const PlotHistory& history, Curve curve, float threshold, const std::function<void(double)>& at) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < history.size(); ++i) {
        if (history[i].of(curve) > threshold && !(history[i - 1].of(curve) > threshold)) {
            ++count;
            if (at) {
                at(history[i].time);
            }
        }
    }
    return count;
}

std::string csv_of(const PlotHistory& history, std::span<const Curve> curves, std::span<const char* const> names,
                   float scale) {
    std::string text = "step,time_s";
    for (const char* name : names) {
        text += ',';
        text += name;
    }
    text += '\n';
    for (std::size_t i = 0; i < history.size(); ++i) {
        const PlotSample& sample = history[i];
        core::append_number(text, sample.step);
        text += ',';
        core::append_number(text, sample.time);
        for (const Curve curve : curves) {
            text += ',';
            core::append_number(text, sample.of(curve) * scale);
        }
        text += '\n';
    }
    return text;
}

} // namespace cairn::ui
