#include "app/core/capture/verify/verification.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/report/formats/number_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

namespace cairn::core {
namespace {

using namespace cairn::physics;

constexpr std::size_t most_listed = 12;

// Awake bodies and the contacts among them that may be what a digest covers.
struct Suspects {
    std::set<std::uint32_t> bodies;
    std::set<std::pair<std::uint32_t, std::uint32_t>> contacts; // by bodies
    bool joints = false, resting = false;
};

Suspects suspects(const World& world, const StateDigest& recorded) {
    const StateDigest found = world.digest();
    Suspects out;
    FrameState frame;
    world.publish(frame);
    for (const BodyState& body : frame.bodies) {
        const std::size_t bucket = StateDigest::body_bucket(frame.step, body.id.index);
        if (!body.sleeping && body.type != BodyType::fixed && recorded.bodies[bucket] != found.bodies[bucket]) {
            out.bodies.insert(body.id.index);
        }
    }
    for (const ContactState& contact : frame.contacts) {
        const std::uint32_t a = contact.body_a.index, b = contact.body_b.index;
        const std::size_t bucket = StateDigest::contact_bucket(a, b);
        if (recorded.contacts[bucket] != found.contacts[bucket]) {
            out.contacts.emplace(a, b);
        }
    }
    out.joints = recorded.joints != found.joints;
    out.resting = recorded.resting != found.resting;
    return out;
}

const char* stage_of(const StateDigest& recorded, const StateDigest& found) {
    const bool bodies = recorded.bodies != found.bodies, contacts = recorded.contacts != found.contacts;
    if (recorded.resting != found.resting) {
        return "who sleeps and who is awake: sleep, or a command that woke something";
    }
    if (bodies && contacts) {
        return "the contacts and what they do: the narrowphase or the solver";
    }
    if (bodies && recorded.joints != found.joints) {
        return "the joints: the solver";
    }
    if (bodies) {
        return "free motion: forces, integration, fast bodies or sleep";
    }
    if (contacts) {
        return "the contacts alone: the narrowphase, before any body moves differently";
    }
    if (recorded.joints != found.joints) {
        return "the joints alone: the solver";
    }
    return "neither bodies, contacts nor joints: settings, the mouse drag, substep counts, or the recorded "
           "hash";
}

void list_suspects(const Suspects& all, const World& world, Cause& cause) {
    const StateImage image = world.image();
    for (const std::uint32_t slot : all.bodies) {
        cause.body_slots.push_back(slot);
        if (cause.bodies.size() < most_listed) {
            cause.bodies.push_back(body_name(image, slot));
        }
    }
    cause.more_bodies = all.bodies.size() - cause.bodies.size();
    // Those of the bodies that differ come first.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> contacts(all.contacts.begin(), all.contacts.end());
    std::stable_partition(contacts.begin(), contacts.end(), [&](const auto& one) {
        return all.bodies.contains(one.first) || all.bodies.contains(one.second);
    });
    for (const auto& [a, b] : contacts) {
        if (cause.contacts.size() < most_listed) {
            cause.contacts.push_back(body_name(image, a) + " and " + body_name(image, b));
        }
    }
    cause.more_contacts = contacts.size() - cause.contacts.size();
}

// The sums of two steps in a row part the bodies in two ways: who differs is in both.
void narrow_down(Suspects& first, const Suspects& second) {
    std::set<std::uint32_t> both;
    std::set_intersection(first.bodies.begin(), first.bodies.end(), second.bodies.begin(), second.bodies.end(),
                          std::inserter(both, both.end()));
    if (!both.empty()) {
        first.bodies = std::move(both);
    }
}

// Bodies in the order of how far their positions are off, the furthest first; what else differs behind them.
void put_furthest_first(std::vector<StateDifference>& differences) {
    std::map<std::uint32_t, double> off; // m, by body
    for (const StateDifference& difference : differences) {
        if (difference.subject == StateDifference::Subject::body && difference.field == "position (m)") {
            off[difference.a] = difference.size;
        }
    }
    const auto rank = [&](const StateDifference& difference) {
        const auto found = off.find(difference.a);
        return difference.subject == StateDifference::Subject::body && found != off.end() ? -found->second : 0.0;
    };
    std::ranges::stable_sort(differences,
                             [&](const StateDifference& a, const StateDifference& b) { return rank(a) < rank(b); });
}

// `world` stands after the step that differs, and goes on to the next recorded state.
Cause explain(const Capture& capture, std::uint64_t step, World world, const std::string& rejected) {
    Cause cause;
    const CaptureStep* recorded = step == 0 ? nullptr : &capture.steps[step - 1];
    if (recorded == nullptr) {
        cause.stage = "the scene itself: bodies differ before any step";
        return cause;
    }
    std::optional<World> after; // one step further
    if (recorded->digest) {
        Suspects found = suspects(world, *recorded->digest);
        cause.stage = stage_of(*recorded->digest, world.digest());
        const bool exact = world.image().bodies.kind.size() <= StateDigest::body_buckets;
        if (step < capture.steps.size() && capture.steps[step].digest && found.bodies.size() > 1) {
            after.emplace(make_world(Scene{}));
            after->restore(*world.snapshot());
            replay_step(*after, capture.steps[step]);
            narrow_down(found, suspects(*after, *capture.steps[step].digest));
        }
        cause.bodies_certain = (exact && step % 2 == 0) || found.bodies.size() == 1;
        list_suspects(found, world, cause);
    } else {
        cause.stage = "unknown: the capture holds no digests";
    }
    if (!rejected.empty()) {
        cause.stage = "the commands: " + rejected;
    }
    const auto place =
        std::ranges::find_if(capture.keyframes, [&](const KeyframePlace& one) { return one.step >= step; });
    if (place == capture.keyframes.end()) {
        return cause;
    }
    while (world.step_count() < place->step) {
        replay_step(world, capture.steps[world.step_count()]);
    }
    cause.compared_at = place->step;
    World kept = make_world(Scene{});
    load_keyframe(kept, capture, *place); // which checks what comparing takes for granted
    cause.differences = compare(kept.image(), world.image());
    put_furthest_first(cause.differences);
    if (cause.body_slots.empty()) { // where nothing was awake, digests name nobody
        for (const StateDifference& difference : cause.differences) {
            if (difference.subject == StateDifference::Subject::body && cause.body_slots.size() < most_listed &&
                (cause.body_slots.empty() || cause.body_slots.back() != difference.a)) {
                cause.body_slots.push_back(difference.a);
            }
        }
        std::ranges::sort(cause.body_slots);
    }
    return cause;
}

// Of a keyframe at whose step `found` stands, after hashes that were all as recorded: what is wrong with it, or
// nothing. Changes `scratch`. Throws InputError for what is no state of a world.
//
// Beside what a body is and does, a state holds notes of the engine's own, which a later version may take otherwise
// without moving anything. Where these alone are others, it counts what a reader would see who goes on from there.
std::string problem_with_keyframe(World& scratch, const World& found, const Capture& capture,
                                  const KeyframePlace& place) {
    load_keyframe(scratch, capture, place);
    const StateImage kept = read_keyframe(capture, place), now = found.image();
    if (std::string different = first_difference(kept, now); !different.empty()) {
        return different;
    }
    const std::string column = differing_column(kept, now);
    if (column.empty()) {
        return {};
    }
    const auto next =
        std::ranges::find_if(capture.keyframes, [&](const KeyframePlace& each) { return each.step > place.step; });
    const std::uint64_t end = next == capture.keyframes.end() ? capture.steps.size() : next->step;
    bool same = scratch.hash() == found.hash();
    while (same && scratch.step_count() < end) {
        const CaptureStep& step = capture.steps[scratch.step_count()];
        replay_step(scratch, step);
        same = scratch.hash() == step.hash;
    }
    return same ? std::string() : "the column " + column;
}

} // namespace

std::string Envelope::exceeded_by(const Deviation& d) const {
    const auto over = [&](const char* what, double value, double limit, const char* unit) {
        return std::string(what) + " off by " + short_number(value) + unit + ", allowed " + short_number(limit) + unit;
    };
    const auto of = [](std::uint32_t body) { return " of body " + std::to_string(body); };
    if (!d.same_bodies) {
        return "the bodies are not those recorded";
    }
    if (position && !(d.position <= *position)) {
        return over(("position" + of(d.position_body)).c_str(), d.position, *position, " m");
    }
    if (rotation && !(d.rotation <= *rotation)) {
        return over(("rotation" + of(d.rotation_body)).c_str(), d.rotation, *rotation, " rad");
    }
    if (energy && !(d.energy() <= *energy)) {
        return over("energy", d.energy(), *energy, " of the kinetic energy");
    }
    if (penetration && !(d.penetration() <= *penetration)) {
        return over("penetration", d.penetration(), *penetration, " m");
    }
    return {};
}

Envelope parse_envelope(const std::string& text) {
    const auto number = [&](const std::string& word) {
        double value = 0.0;
        const char* const end = word.data() + word.size();
        const auto read = std::from_chars(word.data(), end, value);
        if (word.empty() || read.ec != std::errc{} || read.ptr != end || !(value >= 0.0 && value <= 1e9)) {
            throw InputError("--tolerance: \"" + word + "\" is not a number >= 0, as in 0.01 or " +
                             "position=0.01,rotation=0.1,energy=0.05,penetration=0.002");
        }
        return value;
    };
    Envelope envelope;
    if (text.find('=') == text.npos) {
        envelope.position = envelope.rotation = envelope.energy = envelope.penetration = number(text);
        return envelope;
    }
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string word = text.substr(begin, end - begin);
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(0, equals);
        std::optional<double>* measure = name == "position"      ? &envelope.position
                                         : name == "rotation"    ? &envelope.rotation
                                         : name == "energy"      ? &envelope.energy
                                         : name == "penetration" ? &envelope.penetration
                                                                 : nullptr;
        if (measure == nullptr || equals == word.npos) {
            throw InputError("--tolerance: \"" + word + "\" is not one of position=, rotation=, energy=, penetration=");
        }
        *measure = number(word.substr(equals + 1));
        begin = end + 1;
    }
    return envelope;
}

Verification verify(const Capture& capture, const VerifyOptions& options) {
    Verification result;
    result.steps = capture.steps.size();
    result.truncated = capture.truncated;
    if (options.envelope && capture.keyframes.empty()) {
        throw InputError(Location{capture.path.string(), 0, 0},
                         "holds no keyframes that --tolerance could compare with: record it again");
    }
    World world = make_world(capture.header.scene, options.executor);
    World recorded = make_world(Scene{});
    FrameState found_frame, recorded_frame;
    const auto diverges = [&](std::uint64_t step, std::uint64_t expected, const std::string& rejected) {
        if (world.hash() == expected || result.divergence) {
            return;
        }
        result.divergence = divergence_at(step, expected, world.hash(),
                                          step == 0 ? "the scene itself has a different initial state" : rejected);
        World copy = make_world(capture.header.scene);
        copy.restore(*world.snapshot());
        result.cause = explain(capture, step, std::move(copy), rejected);
    };
    const auto damaged = [&](const std::string& what) {
        return InputError(Location{shown_name(capture.path), 0, 0}, "damaged" + what);
    };
    diverges(0, capture.initial_hash, {});
    std::string rejected; // why a recorded command did not work: the likely cause of what follows
    auto keyframe = capture.keyframes.begin();
    for (const CaptureStep& step : capture.steps) {
        if (result.divergence && !options.envelope) {
            break;
        }
        const std::string problem = replay_step(world, step);
        rejected = rejected.empty() ? problem : rejected;
        result.stopped = result.stopped ? result.stopped : first_stopped(world);
        diverges(step.step, step.hash, rejected);
        // Once the states are others, nobody knows what belongs to them.
        if (!result.divergence && step.digest && *step.digest != world.digest()) {
            throw damaged(": the digest of step " + std::to_string(step.step) + " is not that of its state");
        }
        if (keyframe != capture.keyframes.end() && keyframe->step == step.step) {
            if (!result.divergence) {
                const std::string wrong = problem_with_keyframe(recorded, world, capture, *keyframe);
                if (!wrong.empty()) {
                    throw damaged(" at byte " + std::to_string(keyframe->offset) + ": the whole state of step " +
                                  std::to_string(step.step) + " is not what its steps lead to: " + wrong);
                }
            }
            if (options.envelope) {
                load_keyframe(recorded, capture, *keyframe);
                world.publish(found_frame);
                recorded.publish(recorded_frame);
                result.deviations.push_back(deviation(recorded_frame, found_frame));
                const std::string over = options.envelope->exceeded_by(result.deviations.back());
                if (result.exceeded.empty() && !over.empty()) {
                    result.exceeded = over + ", at step " + std::to_string(step.step);
                }
            }
            ++keyframe;
        }
        if (options.progress) {
            options.progress(static_cast<double>(step.step) / static_cast<double>(capture.steps.size()));
        }
    }
    return result;
}

RecordedStates::RecordedStates(const Capture& capture, Executor* executor)
    : capture_(capture), world_(make_world(capture.header.scene, executor)) {
    true_ = world_.hash() == capture.initial_hash;
}

bool RecordedStates::load(const KeyframePlace& place) {
    load_keyframe(world_, capture_, place);
    return world_.hash() == capture_.steps[place.step - 1].hash;
}

std::optional<std::uint64_t> RecordedStates::next_keyframe(std::uint64_t step) const {
    for (const KeyframePlace& place : capture_.keyframes) {
        if (place.step >= step) {
            return place.step;
        }
    }
    return std::nullopt;
}

const World* RecordedStates::at(std::uint64_t step) {
    if (step > capture_.steps.size()) {
        return nullptr;
    }
    // From the last keyframe on the way, if what is computed is not what was recorded, or is far behind.
    if (const KeyframePlace* place = keyframe_before(capture_.keyframes, step)) {
        if (place->step > world_.step_count() || world_.step_count() > step || (!true_ && place->step == step)) {
            true_ = load(*place);
        }
    }
    if (world_.step_count() > step) {
        world_ = make_world(capture_.header.scene);
        true_ = world_.hash() == capture_.initial_hash;
    }
    while (true_ && world_.step_count() < step) {
        const CaptureStep& next = capture_.steps[world_.step_count()];
        replay_step(world_, next);
        true_ = world_.hash() == next.hash;
    }
    return true_ && world_.step_count() == step ? &world_ : nullptr;
}

} // namespace cairn::core
