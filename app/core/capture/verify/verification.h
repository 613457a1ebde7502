// Captures as guards: does this program still do what was recorded, and if not, where, and how far is it off?
#pragma once

#include "app/core/capture/capture.h"
#include "app/core/capture/verify/compare.h"
#include "app/core/report/stopped_body.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

// What may differ where a capture must survive a change of the solver. A measure that is not set is not held to.
struct Envelope {
    std::optional<double> position;    // m, of any body
    std::optional<double> rotation;    // rad, of any body
    std::optional<double> energy;      // of kinetic and potential energy, as a share of the kinetic one
    std::optional<double> penetration; // m, deeper than recorded

    // The first measure that is exceeded, in words with numbers; empty: none.
    std::string exceeded_by(const Deviation& deviation) const;
};

// `0.01` for all four, or `position=0.01,rotation=0.1,energy=0.05,penetration=0.002`, any of them. Throws InputError.
Envelope parse_envelope(const std::string& text);

// Why a step differs, as far as the capture shows.
struct Cause {
    std::string stage;               // a phrase
    std::vector<std::string> bodies; // that differ, or one of which does; no more than a dozen
    std::vector<std::string> contacts;
    std::size_t more_bodies = 0, more_contacts = 0; // that are not listed
    bool bodies_certain = false;                    // all that are listed differ
    // Of the first whole state that was recorded at the step or after it, if there is one.
    std::optional<std::uint64_t> compared_at; // step
    std::vector<StateDifference> differences; // the greatest of each body first
    std::vector<std::uint32_t> body_slots;    // to be marked in pictures
};

struct Verification {
    std::uint64_t steps = 0;
    bool truncated = false;
    std::optional<Divergence> divergence; // of the hashes
    std::optional<Cause> cause;           // if it diverged
    std::optional<StoppedBody> stopped;   // the first, if the replay stopped any: what was recorded may be no motion
    // At the keyframes, if an envelope was asked for.
    std::vector<Deviation> deviations;
    std::string exceeded; // the first measure, with its step; empty: within
};

struct VerifyOptions {
    std::optional<Envelope> envelope; // none: every hash must be the same
    physics::Executor* executor = nullptr;
    std::function<void(double)> progress; // 0..1
};

// Throws InputError, also where an envelope has nothing to be compared with.
Verification verify(const Capture& capture, const VerifyOptions& options);

// The states of a capture in ascending order of steps, as they were recorded: computed as long as that gives the
// recorded hashes, else only where there are keyframes.
class RecordedStates {
  public:
    explicit RecordedStates(const Capture& capture, physics::Executor* executor = nullptr);
    // nullptr: nobody knows it. Valid until the next call.
    const physics::World* at(std::uint64_t step);
    // The first step from `step` on that has a keyframe.
    std::optional<std::uint64_t> next_keyframe(std::uint64_t step) const;

  private:
    bool load(const KeyframePlace& place);

    const Capture& capture_;
    physics::World world_;
    bool true_ = false; // the world is as recorded
};

} // namespace cairn::core
