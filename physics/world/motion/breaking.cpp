#include "physics/world/motion/breaking.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cairn::physics {

namespace {

// How many times what it bears a joint carried, squared.
float overload(const JointRecord& joint) {
    const auto share = [](const Vec3& load, const std::optional<float>& most) {
        return most ? glm::dot(load, load) / std::max(*most * *most, 1e-30f) : 0.0f;
    };
    return std::max(share(joint.force, joint.def->break_force), share(joint.torque, joint.def->break_torque));
}

std::uint32_t other_end(const JointEnds& ends, std::uint32_t body) {
    return ends.body_a == body ? ends.body_b : ends.body_a;
}

// Where a line that comes to the body from another one goes on, if it does.
std::optional<std::uint32_t> next_in_line(std::uint32_t body, std::uint32_t from, const JointStore& joints,
                                          const BodyStore& bodies) {
    if (body == no_index || !bodies.is_dynamic(body)) {
        return {};
    }
    std::optional<std::uint32_t> next;
    for (const std::uint32_t slot : joints.of(body)) {
        const std::uint32_t other = other_end(joints.ends(slot), body);
        if (other == from) {
            continue;
        }
        if (next && *next != other) {
            return {};
        }
        next = other;
    }
    return next;
}

class Lines {
  public:
    Lines(std::span<const std::uint32_t> overloaded, const JointStore& joints, const BodyStore& bodies)
        : overloaded_(overloaded), joints_(joints), bodies_(bodies), seen_(overloaded.size(), false) {}

    std::vector<std::uint32_t> weakest() {
        std::vector<std::uint32_t> result;
        for (std::size_t i = 0; i < overloaded_.size(); ++i) {
            if (seen_[i]) {
                continue;
            }
            const JointEnds& ends = joints_.ends(overloaded_[i]);
            between_.clear();
            most_ = 0.0f;
            add(ends.body_a, ends.body_b);
            follow(ends.body_a, ends.body_b);
            follow(ends.body_b, ends.body_a);
            result.insert(result.end(), between_.begin(), between_.end());
        }
        std::sort(result.begin(), result.end());
        return result;
    }

  private:
    // Until the line ends, or has come to where it was.
    void follow(std::uint32_t from, std::uint32_t body) {
        for (std::optional<std::uint32_t> next; (next = next_in_line(body, from, joints_, bodies_)); body = *next) {
            if (!add(body, *next)) {
                return;
            }
            from = body;
        }
    }

    // What holds two bodies together. False if it has been looked at.
    bool add(std::uint32_t a, std::uint32_t b) {
        const std::uint32_t body = a != no_index ? a : b;
        std::vector<std::uint32_t> own;
        float most = 0.0f;
        for (const std::uint32_t slot : joints_.of(body)) {
            const auto place = std::lower_bound(overloaded_.begin(), overloaded_.end(), slot);
            if (place == overloaded_.end() || *place != slot ||
                other_end(joints_.ends(slot), body) != (a != no_index ? b : a)) {
                continue;
            }
            const auto i = static_cast<std::size_t>(place - overloaded_.begin());
            if (seen_[i]) {
                return false;
            }
            seen_[i] = true;
            own.push_back(slot);
            most = std::max(most, overload(joints_[slot]));
        }
        if (most > most_) {
            most_ = most;
            between_ = std::move(own);
        }
        return true;
    }

    std::span<const std::uint32_t> overloaded_;
    const JointStore& joints_;
    const BodyStore& bodies_;
    std::vector<bool> seen_;
    std::vector<std::uint32_t> between_; // the weakest two bodies of the line so far
    float most_ = 0.0f;
};

} // namespace

std::vector<std::uint32_t> weakest_in_line(std::span<const std::uint32_t> overloaded, const JointStore& joints,
                                           const BodyStore& bodies) {
    return Lines(overloaded, joints, bodies).weakest();
}

} // namespace cairn::physics
