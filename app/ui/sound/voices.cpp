#include "app/ui/sound/voices.h"

#include "app/ui/view/scene_view.h"

#include <algorithm>
#include <cmath>

namespace cairn::ui {

float VoicePicker::gain_of(float energy) {
    if (!(energy > quietest)) {
        return 0.0f;
    }
    const float share = std::log10(energy / quietest) / std::log10(loudest / quietest);
    return std::min(share * share, 1.0f);
}

const std::vector<Voice>& VoicePicker::pick(const std::vector<core::Touch>& touches, const physics::FrameState& frame,
                                            double now) {
    voices_.clear();
    candidates_.clear();
    if (last_.size() > 4096) {
        std::erase_if(last_, [now](const auto& entry) { return now - entry.second > silence; });
    }
    for (std::size_t i = 0; i < touches.size(); ++i) {
        const float energy = 0.5f * touches[i].impulse * touches[i].speed;
        if (gain_of(energy) > 0.0f) {
            candidates_.push_back({energy, i});
        }
    }
    std::ranges::sort(candidates_, [](const Candidate& a, const Candidate& b) {
        return a.energy != b.energy ? a.energy > b.energy : a.touch < b.touch;
    });
    for (const Candidate& candidate : candidates_) {
        if (voices_.size() >= most_at_once) {
            break;
        }
        const core::Touch& touch = touches[candidate.touch];
        const auto a = find_body(frame, touch.body_a), b = find_body(frame, touch.body_b);
        if (!a || !b) {
            continue;
        }
        const std::uint64_t pair = std::uint64_t{std::min(touch.body_a.index, touch.body_b.index)} << 32 |
                                   std::max(touch.body_a.index, touch.body_b.index);
        const auto [heard, first] = last_.try_emplace(pair, now);
        if (!first) {
            if (now - heard->second < silence) {
                continue;
            }
            heard->second = now;
        }
        Sounding one = sounding_of(*frame.models[*a]), other = sounding_of(*frame.models[*b]);
        if (one.mass <= 0.0f || (other.mass > 0.0f && other.size < one.size)) {
            std::swap(one, other); // the smaller of those that move rings
        }
        const float gain = gain_of(candidate.energy);
        voices_.push_back({one.material, one.size, touch.point, gain});
        // What it strikes sounds along with it; ground and walls are too large to ring.
        const bool alike = one.material == other.material && other.size < 1.5f * one.size;
        if (other.mass > 0.0f && !alike) {
            voices_.push_back({other.material, other.size, touch.point, 0.6f * gain});
        }
    }
    return voices_;
}

} // namespace cairn::ui
