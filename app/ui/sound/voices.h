// Which strikes are heard, and how: pure, so that it can be tested without ears.
#pragma once

#include "app/core/touches/touches.h"
#include "app/ui/sound/sound_material.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace cairn::ui {

// One sound to play.
struct Voice {
    SoundMaterial material = SoundMaterial::stone;
    float size = 1.0f;            // m, of the body that sounds
    physics::Vec3 position{0.0f}; // m, world
    float gain = 1.0f;            // 0..1, before distance
};

class VoicePicker {
  public:
    // A pair of bodies does not sound again before this, s: one strike can reach over a few steps.
    static constexpr double silence = 0.07;
    // Sounds begun in one picture; more are noise, and the loudest hide the rest.
    static constexpr std::size_t most_at_once = 12;
    // Energies of a strike that are just heard and that are as loud as it gets, J. Loudness goes by the logarithm, as
    // ears do.
    static constexpr float quietest = 1e-3f, loudest = 2e4f;

    // The sounds of the strikes between bodies of `frame`, loudest first; both bodies of a strike sound, unless they
    // are alike. Strikes of bodies that are gone are not heard. `now`: s, real time.
    const std::vector<Voice>& pick(const std::vector<core::Touch>& touches, const physics::FrameState& frame,
                                   double now);

    static float gain_of(float energy); // 0 = not heard

    void forget() { last_.clear(); } // another world

  private:
    struct Candidate {
        float energy = 0.0f; // J
        std::size_t touch = 0;
    };
    std::vector<Candidate> candidates_;
    std::vector<Voice> voices_;
    std::unordered_map<std::uint64_t, double> last_; // by pair: when it sounded
};

} // namespace cairn::ui
