#include "app/core/export/motion.h"

#include "app/core/scene/worlds/frame_bodies.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::core {

using namespace cairn::physics;

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

// A key is made at the latest after so many frames of motion: each new frame is held against all of them.
constexpr std::size_t most_pending = 64;

// m: no point of a body of that reach lies farther apart in the two poses.
float distance(const Transform& a, const Transform& b, float reach) {
    const Quat turn = glm::conjugate(a.orientation) * b.orientation;
    const float half_sine = std::min(glm::length(Vec3(turn.x, turn.y, turn.z)), 1.0f);
    return glm::length(a.position - b.position) + 2.0f * half_sine * reach; // a chord is no longer than that
}

// `b` is on the half of the sphere of quaternions on which `a` is.
Transform between(const Transform& a, const Transform& b, float share) {
    return {a.position + (b.position - a.position) * share,
            normalized(glm::slerp(a.orientation, b.orientation, share))};
}

} // namespace

bool MotionTracks::reaches(const Open& open, const MotionKey& key) const {
    const MotionKey& from = open.track.keys.back();
    return std::ranges::all_of(open.pending, [&](const MotionKey& seen) {
        const auto share = static_cast<float>((seen.time - from.time) / (key.time - from.time));
        return distance(between(from.pose, key.pose, share), seen.pose, open.reach) <= precision_;
    });
}

void MotionTracks::follow(Open& open, const MotionKey& seen) const {
    MotionKey key = seen;
    const Transform& before = open.pending.empty() ? open.track.keys.back().pose : open.pending.back().pose;
    if (glm::dot(before.orientation, key.pose.orientation) < 0.0f) {
        key.pose.orientation = -key.pose.orientation; // the same turn
    }
    const bool at_rest = open.still && key.pose == open.track.keys.back().pose;
    if (at_rest) {
        open.pending.assign(1, key); // of a rest its end is enough
        return;
    }
    const bool make_key = !open.pending.empty() && (open.still || precision_ <= 0.0f ||
                                                    open.pending.size() >= most_pending || !reaches(open, key));
    if (make_key) {
        open.track.keys.push_back(open.pending.back());
        open.pending.clear();
    }
    open.still = key.pose == open.track.keys.back().pose;
    open.pending.push_back(key);
}

void MotionTracks::add(const FrameState& frame) {
    first_ = any_ ? first_ : frame.time;
    last_ = frame.time;
    any_ = true;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const BodyState& body = frame.bodies[i];
        if (body.id.index >= by_slot_.size()) {
            by_slot_.resize(body.id.index + 1, none);
        }
        std::size_t& at = by_slot_[body.id.index];
        const MotionKey key{frame.time, body.pose};
        if (at == none || tracks_[at].track.body != body.id) {
            at = tracks_.size();
            Open open;
            open.track.body = body.id;
            open.track.first = frame.time;
            open.track.keys.push_back(key);
            open.reach = reach_of(*frame.models[i]);
            tracks_.push_back(std::move(open));
        } else {
            follow(tracks_[at], key);
        }
        tracks_[at].track.last = frame.time;
        tracks_[at].track.model = frame.models[i];
    }
}

void MotionTracks::close(Open& open) {
    if (!open.pending.empty() && !(open.still && open.track.keys.size() == 1)) {
        open.track.keys.push_back(open.pending.back());
    }
}

std::vector<MotionTrack> MotionTracks::finish() {
    std::vector<MotionTrack> tracks;
    tracks.reserve(tracks_.size());
    for (Open& open : tracks_) {
        close(open);
        tracks.push_back(std::move(open.track));
    }
    tracks_.clear();
    by_slot_.clear();
    return tracks;
}

} // namespace cairn::core
