#include "app/core/capture/verify/capture_difference.h"

#include "app/core/base/interruption.h"

#include <algorithm>

namespace cairn::core {

namespace {

constexpr std::uint64_t most_points = 600; // of a plot

// Empty: both are whole.
std::string what_is_cut_off(const Capture& a, const Capture& b) {
    const auto after = [](const Capture& one) { return " after step " + std::to_string(one.steps.size()); };
    if (a.truncated && b.truncated) {
        return "A is cut off" + after(a) + ", B" + after(b);
    }
    return a.truncated ? "A is cut off" + after(a) : b.truncated ? "B is cut off" + after(b) : "";
}

} // namespace

CaptureDifference first_difference(const Capture& a, const Capture& b) {
    if (a.initial_hash != b.initial_hash) {
        return {0, "the scenes have different initial states"};
    }
    const std::size_t shared = std::min(a.steps.size(), b.steps.size());
    for (std::size_t i = 0; i < shared; ++i) {
        const bool commands = a.steps[i].commands != b.steps[i].commands;
        if (commands || a.steps[i].hash != b.steps[i].hash) {
            return {i + 1, commands ? "the commands of the step differ"
                                    : "the hashes differ: A has " + hash_text(a.steps[i].hash) + ", B has " +
                                          hash_text(b.steps[i].hash)};
        }
    }
    // A capture that is cut off may have gone on as the other does: its end is no difference.
    const bool a_ends = a.steps.size() < b.steps.size() && !a.truncated;
    const bool b_ends = b.steps.size() < a.steps.size() && !b.truncated;
    if (a_ends || b_ends) {
        return {shared + 1, std::string("equal up to step ") + std::to_string(shared) + ", where " +
                                (a_ends ? "A" : "B") + " ends"};
    }
    return {};
}

std::string difference_of_scenes(const Scene& a, const Scene& b) {
    std::string parts;
    const auto add = [&](bool same, const std::string& part) {
        if (!same) {
            parts += (parts.empty() ? "" : ", ") + part;
        }
    };
    const auto add_list = [&](const auto& of_a, const auto& of_b, const std::string& one, const std::string& many) {
        if (of_a.size() != of_b.size()) {
            add(false, "the number of " + many + " (" + std::to_string(of_a.size()) + " and " +
                           std::to_string(of_b.size()) + ")");
            return;
        }
        const auto [in_a, in_b] = std::mismatch(of_a.begin(), of_a.end(), of_b.begin());
        if (in_a != of_a.end()) {
            add(false,
                one + " " + std::to_string(in_a - of_a.begin()) + (in_a->name.empty() ? "" : " \"" + in_a->name + '"'));
        }
    };
    add(a.name == b.name, "the name");
    add(a.description == b.description, "the description");
    add(a.settings == b.settings, "the settings");
    add(a.camera == b.camera, "the camera");
    add_list(a.bodies, b.bodies, "body", "bodies");
    add_list(a.joints, b.joints, "joint", "joints");
    return parts;
}

std::string verdict_of(const Capture& a, const Capture& b, const CaptureDifference& found, const std::string& scenes) {
    const std::string cut = what_is_cut_off(a, b);
    if (found.step) {
        return "DIFFER at step " + std::to_string(*found.step) + ": " + found.what + (cut.empty() ? "" : "; " + cut);
    }
    if (!cut.empty()) {
        return "INCOMPLETE: " + cut + ", equal up to step " + std::to_string(std::min(a.steps.size(), b.steps.size()));
    }
    if (!scenes.empty()) {
        return "DIFFER in their scenes, though all " + std::to_string(a.steps.size()) + " steps are the same";
    }
    return "same, " + std::to_string(a.steps.size()) + " steps";
}

Cause explain(RecordedStates& a, RecordedStates& b, std::uint64_t step, std::uint64_t last) {
    Cause cause;
    for (std::uint64_t at = step; at <= last; ++at) {
        const physics::World* in_a = a.at(at);
        const physics::World* in_b = b.at(at);
        if (in_a == nullptr || in_b == nullptr) {
            continue;
        }
        cause.compared_at = at;
        cause.differences = compare(in_a->image(), in_b->image());
        break;
    }
    std::vector<std::uint32_t>& slots = cause.body_slots;
    for (const StateDifference& d : cause.differences) {
        if (d.subject == StateDifference::Subject::body) {
            slots.push_back(d.a);
        }
    }
    std::ranges::sort(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return cause;
}

std::vector<Deviation> deviations(const Capture& a, const Capture& b, physics::Executor* executor,
                                  const std::function<void(double)>& progress) {
    RecordedStates in_a(a, executor), in_b(b, executor);
    physics::FrameState frame_a, frame_b;
    std::vector<Deviation> out;
    const std::uint64_t last = std::min(a.steps.size(), b.steps.size());
    const std::uint64_t every = std::max<std::uint64_t>(1, last / most_points);
    for (std::uint64_t step = 0; step <= last; ++step) {
        interruption_point();
        // Each step is asked for, so that what is known is carried on; keyframes alone may be known.
        const physics::World* world_a = in_a.at(step);
        const physics::World* world_b = in_b.at(step);
        const bool rare = in_a.next_keyframe(step) == step || in_b.next_keyframe(step) == step;
        if (world_a != nullptr && world_b != nullptr && (step % every == 0 || rare)) {
            world_a->publish(frame_a);
            world_b->publish(frame_b);
            out.push_back(deviation(frame_a, frame_b));
        }
        progress(static_cast<double>(step) / static_cast<double>(std::max<std::uint64_t>(last, 1)));
    }
    return out;
}

} // namespace cairn::core
