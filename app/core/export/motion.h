// How bodies move over a run, as few keys between which a viewer interpolates.
#pragma once

#include "physics/world/frame_state.h"

#include <memory>
#include <vector>

namespace cairn::core {

struct MotionKey {
    double time = 0.0; // s of simulated time
    physics::Transform pose;
};

struct MotionTrack {
    physics::BodyId body;
    std::shared_ptr<const physics::BodyModel> model; // as it was last
    double first = 0.0, last = 0.0;                  // s: of the frames in which the body was there
    // From `first` to `last`, strictly ascending; one alone where the body never moved. Neighbouring orientations lie
    // on one half of the sphere of quaternions, so that the shorter way between them is the straight one.
    std::vector<MotionKey> keys;
};

// Collects frames in order of time. Between two keys positions run linearly and orientations along the arc at constant
// speed (slerp), as glTF viewers do it; no point of any body is then farther than `precision` (m) from where it was in
// any frame that was added. 0 keeps whatever is not still.
class MotionTracks {
  public:
    explicit MotionTracks(float precision) : precision_(precision) {}

    // Frames of one run; times ascend.
    void add(const physics::FrameState& frame);
    // In the order in which bodies came, those of the first frame by slot. Nothing may be added afterwards.
    std::vector<MotionTrack> finish();

    double first_time() const { return first_; } // s; of all frames
    double last_time() const { return last_; }

  private:
    struct Open {
        MotionTrack track;
        float reach = 0.0f;             // m, of the body's farthest point from its centre of mass
        std::vector<MotionKey> pending; // seen since the last key
        bool still = true;              // all that is pending has the last key's pose
    };
    void follow(Open& open, const MotionKey& key) const;
    bool reaches(const Open& open, const MotionKey& key) const;
    static void close(Open& open);

    float precision_;
    std::vector<Open> tracks_;
    std::vector<std::size_t> by_slot_; // the track of the body that has the slot; or none
    double first_ = 0.0, last_ = 0.0;
    bool any_ = false;
};

} // namespace cairn::core
