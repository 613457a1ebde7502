// Who sleeps and when: islands against a plain search through the published contacts.
#include "tests/physics/world/world_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace cairn::physics::testing {
namespace {

constexpr float sleep_time = 0.49f; // s: thirty steps, with room for rounding on both sides
constexpr int sleep_steps = 30;

float uniform(std::mt19937& generator, float low, float high) {
    return low + (high - low) * static_cast<float>(generator() % 100000u) * 1e-5f;
}

Vec3 uniform_vector(std::mt19937& generator, const Vec3& reach) {
    const float x = uniform(generator, -reach.x, reach.x);
    const float y = uniform(generator, -reach.y, reach.y);
    const float z = uniform(generator, -reach.z, reach.z);
    return {x, y, z};
}

BodyDef random_body(std::mt19937& generator, const Vec3& at) {
    const std::array<Geometry, 6> kinds{Box{Vec3(0.4f, 0.3f, 0.35f)}, Sphere{0.35f},
                                        Capsule{0.2f, 0.25f},         Diamond{0.45f},
                                        Cylinder{0.3f, 0.3f},         Box{Vec3(0.4f)}};
    BodyDef def = make_body(kinds[generator() % kinds.size()], at);
    const Vec3 axis = uniform_vector(generator, Vec3(1.0f));
    def.pose.orientation = glm::normalize(Quat(1.0f, axis.x, axis.y, axis.z));
    def.material.rolling_resistance = 0.05f;
    return def;
}

// Slowest speed that no point of the body exceeds, m/s.
float greatest_speed(const BodyState& body, const BodyModel& model) {
    float radius = 0.0f;
    for (const BodyModel::Part& part : model.parts) {
        radius = std::max(radius, glm::length(part.pose.position) + part.shape->bounding_radius);
    }
    return glm::length(body.linear_velocity) + glm::length(body.angular_velocity) * radius;
}

// Steps a world of which no body is created or destroyed, and holds every step to the words: an island sleeps only when
// all of it is quiet, and then all of it; it wakes as a whole, and only if something that moves touches it.
class Watch {
  public:
    explicit Watch(World& world) : world_(world) {
        world_.publish(now_);
        quiet_steps_.resize(now_.bodies.size(), 0);
    }

    // A command wakes this body, and if it sleeps all of its island.
    void command_wakes(BodyId id) {
        quiet_steps_[id.index] = 0;
        commanded_.insert(id.index);
    }
    void hold(BodyId id) { held_ = id.index; }
    void release() { held_ = no_body; }

    void step() {
        before_ = now_;
        world_.publish(now_); // as the commands have left it
        starts_ = now_.bodies;
        world_.step();
        world_.publish(now_);
        count_quiet_steps();
        find_islands();
        for (const std::vector<std::uint32_t>& island : islands_) {
            examine(island);
        }
        check_sleepers();
        commanded_.clear();
    }

    int slept = 0, slept_in_company = 0, kept_awake = 0, woken = 0;

  private:
    static constexpr std::uint32_t no_body = 0xffffffffu;

    const BodyState& before(std::uint32_t i) const { return before_.bodies[i]; }
    const BodyState& now(std::uint32_t i) const { return now_.bodies[i]; }
    bool dynamic(std::uint32_t i) const { return now(i).type == BodyType::dynamic; }
    bool moving_obstacle(std::uint32_t i) const {
        return now(i).type == BodyType::kinematic &&
               (now(i).linear_velocity != Vec3(0.0f) || now(i).angular_velocity != Vec3(0.0f));
    }

    void count_quiet_steps() {
        for (std::uint32_t i = 0; i < now_.bodies.size(); ++i) {
            const bool woke = before(i).sleeping && !now(i).sleeping;
            // What is pushed out of another body moves without a speed.
            const float moved = world_.settings().hz * glm::length(now(i).pose.position - starts_[i].pose.position);
            const float speed = std::max(moved, greatest_speed(now(i), *now_.models[i]));
            const bool quiet = speed < world_.settings().sleep_speed && i != held_;
            quiet_steps_[i] = quiet ? (woke ? 0 : quiet_steps_[i]) + (driven(i) ? 0 : 1) : 0;
        }
    }

    // No body of these worlds is damped.
    bool driven(std::uint32_t i) const {
        BodyState change = now(i);
        change.linear_velocity -= starts_[i].linear_velocity;
        change.angular_velocity -= starts_[i].angular_velocity;
        const BodyModel& model = *now_.models[i];
        const Settings& settings = world_.settings();
        const float acceleration = greatest_speed(change, model) * settings.hz;
        return acceleration >=
                   0.002f * glm::length(settings.gravity) + 0.01f * settings.sleep_speed / settings.sleep_time &&
               greatest_speed(now(i), model) / acceleration >= 0.25f * settings.sleep_time;
    }

    // Components of dynamic bodies under the contacts of the step, whether they sleep or not.
    void find_islands() {
        std::vector<std::vector<std::uint32_t>> neighbours(now_.bodies.size());
        beside_obstacle_.assign(now_.bodies.size(), false);
        for (const ContactState& contact : now_.contacts) {
            const std::uint32_t a = contact.body_a.index;
            const std::uint32_t b = contact.body_b.index;
            if (dynamic(a) && dynamic(b)) {
                neighbours[a].push_back(b);
                neighbours[b].push_back(a);
            }
            beside_obstacle_[a] = beside_obstacle_[a] || moving_obstacle(b);
            beside_obstacle_[b] = beside_obstacle_[b] || moving_obstacle(a);
        }
        islands_.clear();
        std::vector<bool> seen(now_.bodies.size(), false);
        for (std::uint32_t start = 0; start < now_.bodies.size(); ++start) {
            if (!dynamic(start) || seen[start]) {
                continue;
            }
            std::vector<std::uint32_t> island{start};
            seen[start] = true;
            for (std::size_t next = 0; next < island.size(); ++next) {
                for (const std::uint32_t other : neighbours[island[next]]) {
                    if (!seen[other]) {
                        seen[other] = true;
                        island.push_back(other);
                    }
                }
            }
            islands_.push_back(std::move(island));
        }
    }

    void examine(const std::vector<std::uint32_t>& island) {
        std::size_t sleeping = 0, were_asleep = 0;
        bool blocked = false, all_quiet = true, cause_to_wake = false;
        for (const std::uint32_t i : island) {
            sleeping += now(i).sleeping ? 1 : 0;
            were_asleep += before(i).sleeping ? 1 : 0;
            blocked = blocked || !now_.models[i]->def.can_sleep || beside_obstacle_[i] || i == held_;
            cause_to_wake = cause_to_wake || !before(i).sleeping || beside_obstacle_[i] || commanded_.count(i) != 0;
            all_quiet = all_quiet && quiet_steps_[i] >= sleep_steps;
        }
        ASSERT_TRUE(sleeping == 0 || sleeping == island.size()) << "a part of an island sleeps, step " << now_.step;
        if (sleeping != 0 && were_asleep != island.size()) { // falls asleep
            ASSERT_EQ(were_asleep, 0u) << "step " << now_.step;
            ASSERT_FALSE(blocked) << "step " << now_.step;
            ++slept;
            slept_in_company += island.size() > 1 ? 1 : 0;
            for (const std::uint32_t i : island) { // its speed is zero now: only the steps before count
                ASSERT_GE(quiet_steps_[i], sleep_steps) << "body " << i << ", step " << now_.step;
            }
        } else if (sleeping == 0) {
            ASSERT_TRUE(blocked || !all_quiet)
                << "an island of " << island.size() << " should sleep, step " << now_.step;
            kept_awake += blocked && all_quiet ? 1 : 0;
            if (were_asleep != 0) {
                ++woken;
                ASSERT_TRUE(cause_to_wake) << "an island woke by itself, step " << now_.step;
            }
        }
    }

    void check_sleepers() const {
        for (std::uint32_t i = 0; i < now_.bodies.size(); ++i) {
            if (now(i).sleeping) {
                ASSERT_EQ(now(i).linear_velocity, Vec3(0.0f));
                ASSERT_EQ(now(i).angular_velocity, Vec3(0.0f));
                if (before(i).sleeping) {
                    ASSERT_EQ(now(i).pose, before(i).pose) << "body " << i << " moved in its sleep";
                }
            }
        }
    }

    World& world_;
    FrameState before_, now_;
    std::vector<int> quiet_steps_;
    std::vector<BodyState> starts_; // before the step
    std::vector<bool> beside_obstacle_;
    std::vector<std::vector<std::uint32_t>> islands_;
    std::set<std::uint32_t> commanded_;
    std::uint32_t held_ = no_body;
};

// Heaps of a few bodies on one floor: some are stirred by a paddle, hit by impulses, held, or hold a body that may not
// sleep.
TEST(Sleep, IslandsSleepWhenAllOfThemAreQuietAndWakeAsAWhole) {
    int slept = 0, slept_in_company = 0, kept_awake = 0, woken = 0;
    for (const std::uint32_t seed : {1u, 2u, 3u, 4u}) {
        std::mt19937 generator(seed);
        Settings settings;
        settings.sleep_time = sleep_time;
        settings.max_short_steps = 1; // Watch counts whole steps
        World world(settings);
        add(world, make_floor());
        BodyDef paddle = make_body(Box{Vec3(1.5f, 0.1f, 0.3f)}, Vec3(0, 0, 0.4f));
        paddle.type = BodyType::kinematic;
        paddle.angular_velocity = Vec3(0, 0, 0.4f);
        if (seed % 2 == 0) { // before or after what it touches
            add(world, paddle);
        }
        std::vector<BodyId> bodies;
        for (int heap = 0; heap < 8; ++heap) {
            const int size = 1 + static_cast<int>(generator() % 7);
            const Vec3 foot(3.2f * static_cast<float>(heap % 3 - 1), 3.2f * static_cast<float>(heap / 3 - 1), 0.0f);
            for (int i = 0; i < size; ++i) {
                const Vec3 off = uniform_vector(generator, Vec3(0.4f, 0.4f, 0.1f));
                BodyDef def = random_body(generator, foot + off + Vec3(0, 0, 0.8f + 0.8f * static_cast<float>(i)));
                def.can_sleep = heap != 5 || i != 0;
                bodies.push_back(add(world, def));
            }
        }
        if (seed % 2 == 1) {
            add(world, paddle);
        }
        Watch watch(world);
        for (int step = 0; step < 420 && !::testing::Test::HasFatalFailure(); ++step) {
            const BodyId one = bodies[generator() % bodies.size()];
            if (step > 150 && step % 23 == 0) {
                const Vec3 push = uniform_vector(generator, Vec3(60.0f));
                ASSERT_TRUE(world.apply(ApplyImpulse{one, push, {}}).ok());
                watch.command_wakes(one);
            } else if (step == 200) {
                const Vec3 here = state_of(world, one).pose.position;
                ASSERT_TRUE(world.apply(Grab{one, Vec3(0), here}).ok());
                watch.command_wakes(one);
                watch.hold(one);
            } else if (step == 300) {
                ASSERT_TRUE(world.apply(ReleaseGrab{}).ok());
                watch.release();
            }
            watch.step();
        }
        slept += watch.slept;
        slept_in_company += watch.slept_in_company;
        kept_awake += watch.kept_awake;
        woken += watch.woken;
    }
    EXPECT_GT(slept, 40);
    EXPECT_GT(slept_in_company, 10);
    EXPECT_GT(kept_awake, 50);
    EXPECT_GT(woken, 10);
}

} // namespace
} // namespace cairn::physics::testing
