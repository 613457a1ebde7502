// The stages of a step over contacts: new pairs, contacts, hashes.
#include "physics/base/executor_loop.h"
#include "physics/base/growth.h"
#include "physics/narrowphase/carry.h"
#include "physics/narrowphase/contact_update.h"
#include "physics/narrowphase/foresight.h"
#include "physics/world/world_state.h"

#include <algorithm>
#include <array>
#include <atomic>

namespace cairn::physics {

namespace {

constexpr std::size_t pair_block = 128;
constexpr std::size_t contact_block = 512;
constexpr std::size_t few_pairs = 4096; // room for so many is kept from step to step
constexpr std::size_t together = 32;    // neighbours in a list that one thread has

// Bounds are sums of a few floats as large as the coordinates.
constexpr float bounds_rounding = 5e-7f;

// Greatest coordinate, m.
float extent_of(const Aabb& box) {
    const Vec3 most = glm::max(glm::abs(box.lower), glm::abs(box.upper));
    return std::max({most.x, most.y, most.z});
}

// The records of a pair lie anywhere in memory, and waiting for them took as long as the work: those of the pairs ahead
// are on their way meanwhile.
CAIRN_FETCH void fetch_sides(const WorldData& data, const ActivePair& entry) {
    const ShapePair& pair = data.contacts.pair(entry.slot);
    fetch_lines(&data.bodies.shapes[pair.shape_a()], sizeof(ShapeRecord));
    fetch_lines(&data.bodies.shapes[pair.shape_b()], sizeof(ShapeRecord));
    fetch_lines(&data.bodies[entry.body_a], sizeof(BodyRecord));
    fetch_lines(&data.bodies[entry.body_b], sizeof(BodyRecord));
    data.contacts.fetch_contact(pair);
}

void keep_deepest(FoundContact& found) {
    const auto end = found.points.begin() + found.contact.count;
    const auto deepest = std::min_element(found.points.begin(), end, [](const ContactPoint& a, const ContactPoint& b) {
        return a.separation < b.separation;
    });
    found.contact.ages[0] = found.contact.ages[static_cast<std::size_t>(deepest - found.points.begin())];
    found.points[0] = *deepest;
    found.contact.count = 1;
    found.contact.tolerance = 0.0f;
}

float least_separation(std::span<const ContactPoint> points) {
    float least = points[0].separation;
    for (const ContactPoint& point : points.subspan(1)) {
        least = std::min(least, point.separation);
    }
    return least;
}

} // namespace

// Put into each other: the balls inside two dynamic shapes overlap by a tenth before they are a pair.
bool World::Impl::is_buried(const ShapeRecord& a, const ShapeRecord& b) const {
    if (data.bodies[a.body].type != BodyType::dynamic || data.bodies[b.body].type != BodyType::dynamic) {
        return false;
    }
    const Vec3 between = data.bodies.shape_pose(b).position - data.bodies.shape_pose(a).position;
    const float radii = a.shape->inner_radius + b.shape->inner_radius;
    return glm::dot(between, between) < 0.81f * radii * radii;
}

// Whether an entangled body has as many pairs with others that are so as help to part them. One that lies in hundreds
// is pushed out of some after the others: by all of them at once it would only be pushed harder.
bool World::Impl::has_enough(std::uint32_t slot) {
    constexpr std::uint32_t for_shape = 16, uncounted = no_index;
    pairs_entangled.resize(data.bodies.size(), uncounted);
    std::uint32_t& count = pairs_entangled[slot];
    if (count == uncounted) {
        counted_bodies.push_back(slot);
        count = 0;
        for (const std::uint32_t index : data.contacts.of_body(slot)) {
            const ShapePair& pair = data.contacts.pair(index);
            count += data.bodies[pair.body_a].entangled && data.bodies[pair.body_b].entangled ? 1 : 0;
        }
    }
    return count >= for_shape * data.bodies.cold[slot].shape_count;
}

void World::Impl::forget_counts() {
    for (const std::uint32_t body : counted_bodies) {
        pairs_entangled[body] = no_index;
    }
    counted_bodies.clear();
}

// The pairs that entangled bodies did without, and have room for now.
void World::Impl::ask_for_pairs() {
    knows_all.resize(data.bodies.size());
    for (std::size_t i = 0; data.bodies.entangled > 0 && i < data.awake.size(); ++i) {
        const std::uint32_t slot = data.awake[i];
        if (data.bodies[slot].entangled) {
            if (!has_enough(slot)) {
                touch_shapes(slot);
            }
            knows_all[slot] = data.broadphase.queued(data.bodies.cold[slot].first_shape) ? 1 : 0;
        }
    }
    forget_counts();
}

void World::Impl::touch_shapes(std::uint32_t slot) {
    const ColdBody& cold = data.bodies.cold[slot];
    for (std::uint32_t i = cold.first_shape; i < cold.first_shape + cold.shape_count; ++i) {
        data.broadphase.touch(i);
    }
}

// Pairs of shapes whose bounds came to overlap.
void World::Impl::find_pairs() {
    ask_for_pairs();
    // Most overlaps of what has moved are known: these are taken out on all threads.
    const auto is_known = [this](PairKey key) { return data.contacts.exists(key); };
    data.broadphase.find_new_pairs(run_on(), new_pairs,
                                   [&](std::vector<PairKey>& some) { std::erase_if(some, is_known); });
    std::erase_if(new_pairs, [this](PairKey key) {
        const std::uint32_t a = data.bodies.shapes[first_of(key)].body, b = data.bodies.shapes[second_of(key)].body;
        const bool dynamic = data.bodies[a].type == BodyType::dynamic || data.bodies[b].type == BodyType::dynamic;
        return a == b || !dynamic || held_apart(data.bodies, data.joints, a, b);
    });
    for (const PairKey key : new_pairs) {
        const ShapeRecord &a = data.bodies.shapes[first_of(key)], &b = data.bodies.shapes[second_of(key)];
        if (!is_buried(a, b)) {
            continue;
        }
        for (const std::uint32_t slot : {a.body, b.body}) {
            if (!data.bodies[slot].entangled) {
                data.bodies.set_entangled(slot, true);
                knows_all[slot] = 1;
            }
        }
    }
    for (const PairKey key : new_pairs) {
        const std::uint32_t body_a = data.bodies.shapes[first_of(key)].body;
        const std::uint32_t body_b = data.bodies.shapes[second_of(key)].body;
        if (data.bodies[body_a].entangled && data.bodies[body_b].entangled) {
            const bool enough = has_enough(body_a);
            if (has_enough(body_b) && enough) {
                if (is_buried(data.bodies.shapes[first_of(key)], data.bodies.shapes[second_of(key)])) {
                    knows_all[body_a] = knows_all[body_b] = 0;
                }
                continue;
            }
            ++pairs_entangled[body_a];
            ++pairs_entangled[body_b];
        }
        const std::uint32_t slot = data.contacts.create(key, body_a, body_b);
        data.contacts.set_active(slot, data.bodies[body_a].awake || data.bodies[body_b].awake);
    }
    forget_counts();
    clear_burst(new_pairs, few_pairs); // a world that has just been loaded finds all of its pairs at once
    data.contacts.commit();
}

void World::Impl::PairBlock::clear() {
    touching.clear();
    clear_burst(found, 4);
    gone.clear();
    parted.clear();
    waking.clear();
    foreseen.clear();
    at_fixed.clear();
}

// The contacts of the body are asked for anew: what it is made of has changed.
void World::Impl::refresh_contacts(std::uint32_t slot) {
    for (const std::uint32_t pair : data.contacts.of_body(slot)) {
        if (data.contacts.pair(pair).touching()) {
            data.contacts[data.contacts.pair(pair).contact].tolerance = 0.0f;
        }
    }
}

// What fast bodies are expected to do, for the pairs that ask.
void World::Impl::look_out() {
    ++outlook_number;
    outlooks.resize(data.bodies.size());
    if (!data.settings.continuous) {
        return;
    }
    for_bodies(run_on(), partition.regions(), [&](std::uint32_t motion) {
        const std::uint32_t slot = partition.slot_of(motion);
        if (data.bodies.cold[slot].fitted < 0.0f) {
            const Sweep path = expected_path(slot);
            outlooks[slot] = {path.linear_velocity, path.angular_velocity,
                              data.bodies.kind(slot).surface_lift(path.start.orientation, path.angular_velocity),
                              outlook_number};
        }
    });
}

// Whether the shapes of a pair with fast bodies will not come near each other, by what is expected of these alone. What
// is not fast comes no further than its own margin.
bool World::Impl::stays_apart(const ActivePair& pair) const {
    const Outlook *a = outlook(pair.body_a), *b = outlook(pair.body_b);
    if (a == nullptr && b == nullptr) {
        return false;
    }
    float travel = glm::length((b != nullptr ? b->way : Vec3(0.0f)) - (a != nullptr ? a->way : Vec3(0.0f)));
    for (const auto& [body, slot] : {std::pair{a, pair.body_a}, std::pair{b, pair.body_b}}) {
        travel += body != nullptr ? body->lift : data.bodies.traces[slot].margin;
    }
    return pair.gap > data.settings.speculative_distance + 2.0f * travel;
}

World::Impl::PairMotion World::Impl::pair_motion(const ShapeRecord& a, const ShapeRecord& b) const {
    PairMotion motion;
    for (const auto& [path, shape] : {std::pair{&motion.path_a, &a}, std::pair{&motion.path_b, &b}}) {
        if (const Outlook* ahead = outlook(shape->body)) {
            path->start = data.bodies[shape->body].pose;
            path->linear_velocity = ahead->way;
            path->angular_velocity = ahead->turn;
            motion.travel += ahead->lift;
        } else {
            *path = expected_path(shape->body);
            motion.travel +=
                data.bodies.kind(shape->body).surface_lift(path->start.orientation, path->angular_velocity);
        }
        path->shape_pose = shape->pose;
    }
    motion.travel += glm::length(motion.path_b.linear_velocity - motion.path_a.linear_velocity);
    const float most = fast_share * std::min(a.shape->inner_radius, b.shape->inner_radius);
    motion.fast = motion.travel > most;
    motion.reach = data.settings.speculative_distance + std::min(motion.travel, most);
    motion.margin = motion.fast
                        ? std::min(std::max(a.margin + b.margin, data.settings.speculative_distance), motion.reach)
                        : motion.reach;
    return motion;
}

TouchingSides World::Impl::sides_of(const ShapeRecord& a, const ShapeRecord& b,
                                    std::span<const ContactPoint> points) const {
    const float slop = data.settings.linear_slop;
    const float separation = least_separation(points);
    const bool deep = separation < -slop && separation < deepest_path(*a.shape, *b.shape, slop) &&
                      data.bodies[a.body].type == BodyType::dynamic && data.bodies[b.body].type == BodyType::dynamic;
    return {a.body, b.body, separation <= slop, deep};
}

bool World::Impl::is_crowded(std::uint32_t slot) const {
    constexpr std::size_t crowd = 12; // pairs
    return data.contacts.of_body(slot).size() >= crowd;
}

// Bodies that have come out of all others are so no longer.
void World::Impl::disentangle() {
    if (data.bodies.entangled == 0) {
        return;
    }
    lies_deep.assign(data.awake.size() + 1, 0);
    for (const TouchingSides& sides : touching_sides) {
        if (sides.deep != 0) {
            lies_deep[partition.motion_of(sides.body_a)] = lies_deep[partition.motion_of(sides.body_b)] = 1;
        }
    }
    for (const std::uint32_t slot : data.awake) {
        if (data.bodies[slot].entangled && lies_deep[partition.motion_of(slot)] == 0) {
            touch_shapes(slot); // it may have done without some pairs
            data.bodies.set_entangled(slot, knows_all[slot] == 0);
        }
    }
}

// What a pair has come to. Its own record may be written from here, and the contact that it has; no others are made or
// ended, because that moves what other threads read.
void World::Impl::update_pair(std::span<ActivePair> pairs, std::uint32_t place, PairBlock& out) {
    ActivePair& entry = pairs[place];
    if (!mesh_pair_of.empty() && is_mesh_pair(entry) && update_mesh_pair(entry, place, out)) {
        return;
    }
    ShapePair& pair = data.contacts.pair(entry.slot);
    const ShapeRecord& a = data.bodies.shapes[pair.shape_a()];
    const ShapeRecord& b = data.bodies.shapes[pair.shape_b()];
    const BodyRecord& body_a = data.bodies[entry.body_a];
    const BodyRecord& body_b = data.bodies[entry.body_b];
    float margin = a.margin + b.margin;
    PairMotion motion;
    if (outlook(entry.body_a) != nullptr || outlook(entry.body_b) != nullptr) {
        motion = pair_motion(a, b);
        margin = motion.margin;
        if (entry.gap > std::max(margin, motion.margin + motion.travel)) {
            return; // side by side
        }
    }
    const float dt = data.settings.dt();
    const Vec3 rests = data.bodies.traces[entry.body_b].rest.metres() - data.bodies.traces[entry.body_a].rest.metres();
    const auto touches = [&](std::uint32_t contact, std::span<const ContactPoint> now) {
        note_touch(entry, place, contact, now, out);
    };
    Contact* before = nullptr;
    std::span<ContactPoint> points;
    if (pair.touching()) {
        before = &data.contacts[pair.contact];
        points = data.contacts.points(*before);
        if (carry(*before, points, body_a.pose, body_b.pose, margin, dt, rests)) {
            touches(pair.contact, points);
            return;
        }
    }
    if (!overlaps(a.reach, b.reach)) {
        if (!data.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
            out.gone.push_back(place);
            return;
        }
        entry.gap = gap_by_reach(a, b, margin);
        if (before != nullptr) {
            out.parted.push_back(place);
        }
        return;
    }
    const BodyKind& kind_a = data.bodies.kind(entry.body_a);
    const BodyKind& kind_b = data.bodies.kind(entry.body_b);
    const ContactSide side_a{a.shape, data.bodies.shape_pose(a), &body_a.pose, kind_a.bounding_radius,
                             &kind_a.def.material};
    const ContactSide side_b{b.shape, data.bodies.shape_pose(b), &body_b.pose, kind_b.bounding_radius,
                             &kind_b.def.material};
    FoundContact& found = out.scratch;
    bool meets = false, near = false;
    if (!motion.fast || entry.gap <= margin) {
        meets = find_contact(side_a, side_b, std::max(margin, motion.reach), dt, before, points, pair.cache, found);
        near = meets && least_separation(std::span(found.points).first(found.contact.count)) <= margin;
        entry.gap = meets ? 0.0f : found.apart; // of the points of a contact none need be the nearest
    }
    if (motion.fast && !near) {
        const auto pushed = [](const BodyRecord& body) { return body.type == BodyType::dynamic; };
        const ForesightSettings settings{0.5f * data.settings.linear_slop, 0.1f * data.settings.linear_slop,
                                         motion.reach};
        Vec3 axis = parting_axis(pair.cache, side_a, side_b);
        meets = foresee_contact({side_a, motion.path_a, pushed(body_a)}, {side_b, motion.path_b, pushed(body_b)},
                                settings, before, axis, found);
        keep_parting_axis(pair.cache, side_a, side_b, axis);
    }
    if (!meets) {
        if (before != nullptr) {
            out.parted.push_back(place);
        }
        return;
    }
    if (found.contact.count > 1 && body_a.entangled && body_b.entangled && is_crowded(entry.body_a) &&
        is_crowded(entry.body_b) && sides_of(a, b, std::span(found.points).first(found.contact.count)).deep != 0) {
        keep_deepest(found); // enough to part them by; corners are for what rests
    }
    if (found.contact.meets_at > 0.0f) {
        out.foreseen.push_back(place);
    }
    keep_found(entry, place, out);
}

// The contact in the block's scratch becomes that of the pair.
void World::Impl::keep_found(ActivePair& entry, std::uint32_t place, PairBlock& out) {
    FoundContact& found = out.scratch;
    const ShapePair& pair = data.contacts.pair(entry.slot);
    const Vec3 rests = data.bodies.traces[entry.body_b].rest.metres() - data.bodies.traces[entry.body_a].rest.metres();
    const std::span found_points = std::span(found.points).first(found.contact.count);
    for (ContactPoint& point : found_points) {
        point.separation += glm::dot(found.contact.normal, rests);
    }
    entry.gap = 0.0f;
    if (Contact* before = pair.touching() ? &data.contacts[pair.contact] : nullptr;
        before != nullptr && before->count == found.contact.count) {
        const std::span<ContactPoint> points = data.contacts.points(*before);
        *before = found.contact;
        std::copy(found_points.begin(), found_points.end(), points.begin());
        note_touch(entry, place, pair.contact, points, out);
        return;
    }
    found.contact.pair = entry.slot;
    note_touch(entry, place, no_index, found_points, out);
    out.found.push_back(found);
}

// `contact`: none for one that is the next of PairBlock::found.
void World::Impl::note_touch(const ActivePair& entry, std::uint32_t place, std::uint32_t contact,
                             std::span<const ContactPoint> points, PairBlock& out) const {
    const ShapePair& pair = data.contacts.pair(entry.slot);
    const BodyRecord &body_a = data.bodies[entry.body_a], &body_b = data.bodies[entry.body_b];
    out.touching.push_back(
        {place, contact, sides_of(data.bodies.shapes[pair.shape_a()], data.bodies.shapes[pair.shape_b()], points)});
    if ((body_a.type != BodyType::dynamic) != (body_b.type != BodyType::dynamic)) {
        out.at_fixed.push_back(body_a.type == BodyType::dynamic ? entry.body_a : entry.body_b);
    }
    if (body_a.sleeping || body_b.sleeping) {
        out.waking.push_back(entry.slot);
    }
}

// How far apart two shapes certainly are whose reaches do not overlap, m.
float World::Impl::gap_by_reach(const ShapeRecord& a, const ShapeRecord& b, float margin) const {
    return margin + distance(a.reach, b.reach) - bounds_rounding * (extent_of(a.reach) + extent_of(b.reach));
}

// Makes and ends the contacts that the blocks have found, in key order. The sleepers that are touched wake when all is
// in place.
void World::Impl::take_over(std::span<const ActivePair> pairs, std::size_t stretches, std::size_t parts) {
    const std::span<const PairBlock> blocks = std::span(pair_blocks).first(stretches * parts);
    const auto all_of = [&](std::vector<std::uint32_t> PairBlock::*list) -> std::span<const std::uint32_t> {
        places_found.clear();
        for (const PairBlock& block : blocks) {
            places_found.insert(places_found.end(), (block.*list).begin(), (block.*list).end());
        }
        std::sort(places_found.begin(), places_found.end());
        return places_found;
    };
    for (const std::uint32_t place : all_of(&PairBlock::gone)) {
        data.contacts.destroy(pairs[place].slot);
    }
    for (const std::uint32_t place : all_of(&PairBlock::parted)) {
        data.contacts.part(pairs[place].slot);
    }
    for (const std::uint32_t place : all_of(&PairBlock::foreseen)) {
        foreseen.push_back(pairs[place].slot);
    }
    round_touching.clear();
    touching_sides.clear();
    struct Reader {
        std::span<const TouchingPair> left;
        const FoundContact* found = nullptr;
    };
    std::array<Reader, Regions::most> readers; // NOLINT: filled as used
    for (std::size_t stretch = 0; stretch < stretches; ++stretch) {
        for (std::size_t part = 0; part < parts; ++part) {
            const PairBlock& block = blocks[part * stretches + stretch];
            readers[part] = {block.touching, block.found.data()};
            at_fixed.insert(at_fixed.end(), block.at_fixed.begin(), block.at_fixed.end());
        }
        for (;;) {
            std::uint32_t first = no_index, next = no_index; // places in the list: what comes now, what another has
            Reader* reader = nullptr;
            for (std::size_t part = 0; part < parts; ++part) {
                const std::uint32_t place = readers[part].left.empty() ? no_index : readers[part].left.front().place;
                next = std::min(next, std::max(place, first));
                if (place < first) {
                    next = first;
                    first = place;
                    reader = &readers[part];
                }
            }
            if (reader == nullptr) {
                break;
            }
            do {
                const TouchingPair& pair = reader->left.front();
                std::uint32_t contact = pair.contact;
                if (contact == no_index) {
                    const FoundContact& found = *reader->found++;
                    const std::uint32_t slot = found.contact.pair;
                    data.contacts.touch(slot, found.contact, std::span(found.points).first(found.contact.count));
                    contact = data.contacts.pair(slot).contact;
                }
                round_touching.push_back(contact);
                touching_sides.push_back(pair.sides);
                reader->left = reader->left.subspan(1);
            } while (!reader->left.empty() && reader->left.front().place < next);
        }
    }
    data.contacts.set_touching(round_touching);
    for (const PairBlock& block : blocks) {
        for (const std::uint32_t slot : block.waking) {
            for (const std::uint32_t body : {data.contacts.pair(slot).body_a, data.contacts.pair(slot).body_b}) {
                if (data.bodies[body].sleeping) {
                    data.waking().wake(body);
                }
            }
        }
    }
}

// Those of a region. Entries that lie next to each other go together, to whoever has the body of the middle one: they
// are written, and no two threads shall write to the same lines.
void World::Impl::update_stretch(std::span<ActivePair> pairs, std::size_t begin, std::size_t end, std::size_t region,
                                 PairBlock& out) {
    out.clear();
    std::array<std::uint32_t, pair_block> asked; // NOLINT: filled as used
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (partition.regions().count() > 1 && i % together == 0) {
            const ActivePair& middle = pairs[std::min(i + together / 2, end - 1)];
            if (partition.region_of(middle.body_a, middle.body_b) != region) {
                i += together - 1;
                continue;
            }
        }
        ActivePair& pair = pairs[i];
        // Most pairs are apart, and by more than they can have come nearer: no more than this is read of them.
        if (pair.gap > 0.0f) {
            const BodyTrace& a = data.bodies.traces[pair.body_a];
            const BodyTrace& b = data.bodies.traces[pair.body_b];
            pair.gap = gap_after(pair.gap, a, b, data.bodies.trace_epoch);
            if (pair.gap > a.margin + b.margin || stays_apart(pair)) {
                continue;
            }
        }
        data.contacts.fetch_pair(pair.slot);
        asked[count++] = static_cast<std::uint32_t>(i);
        if (count == asked.size()) {
            update_block(pairs, asked, out);
            count = 0;
        }
    }
    update_block(pairs, std::span(asked).first(count), out);
}

void World::Impl::update_block(std::span<ActivePair> pairs, std::span<const std::uint32_t> asked, PairBlock& out) {
    constexpr std::size_t sides_ahead = 8, points_ahead = 4;
    for (std::size_t k = 0; k < std::min(sides_ahead, asked.size()); ++k) {
        fetch_sides(data, pairs[asked[k]]);
    }
    for (std::size_t k = 0; k < asked.size(); ++k) {
        if (k + sides_ahead < asked.size()) {
            fetch_sides(data, pairs[asked[k + sides_ahead]]);
        }
        if (k + points_ahead < asked.size()) {
            data.contacts.fetch_points(data.contacts.pair(pairs[asked[k + points_ahead]].slot));
        }
        update_pair(pairs, asked[k], out);
    }
}

void World::Impl::update_pairs(std::span<ActivePair> pairs) {
    // Stretches of the list, each once for every region.
    const std::size_t parts = partition.regions().count(), length = pair_block * parts;
    const std::size_t stretches = (pairs.size() + length - 1) / length;
    if (pair_blocks.size() < stretches * parts) {
        pair_blocks.resize(stretches * parts);
    }
    for_tasks(run_on(), stretches * parts, pair_block, [&](std::size_t task) {
        const std::size_t begin = task % stretches * length;
        update_stretch(pairs, begin, std::min(begin + length, pairs.size()), task / stretches, pair_blocks[task]);
    });
    take_over(pairs, stretches, parts);
}

// Contacts of all active pairs. A moving body that touches a sleeping one wakes it, which makes more pairs active:
// these are brought up to date in further rounds.
void World::Impl::update_contacts() {
    at_fixed.clear();
    foreseen.clear();
    look_out();
    if (find_mesh_contacts(data.contacts.active())) {
        data.contacts.commit();
    }
    update_pairs(data.contacts.active());
    ++data.bodies.trace_epoch;
    data.waking().commit();
    bool more = false;
    while (!data.contacts.activated().empty()) {
        pending_pairs.assign(data.contacts.activated().begin(), data.contacts.activated().end());
        if (find_mesh_contacts(pending_pairs)) { // further faces, whose pairs come last by their keys
            data.contacts.commit();
            pending_pairs.insert(pending_pairs.end(), data.contacts.activated().begin(),
                                 data.contacts.activated().end());
            std::sort(pending_pairs.begin(), pending_pairs.end(), [this](const ActivePair& x, const ActivePair& y) {
                return data.contacts.pair(x.slot).key < data.contacts.pair(y.slot).key;
            });
        }
        update_pairs(pending_pairs);
        data.waking().commit();
        data.contacts.list_touching();
        more = true;
    }
    if (more) {
        read_sides();
    }
}

void World::Impl::read_sides() {
    touching_sides.clear();
    for (const std::uint32_t index : data.contacts.touching()) {
        const Contact& contact = data.contacts[index];
        const ShapePair& pair = data.contacts.pair(contact.pair);
        touching_sides.push_back(sides_of(data.bodies.shapes[pair.shape_a()], data.bodies.shapes[pair.shape_b()],
                                          data.contacts.points(contact)));
    }
}

// Whose surfaces are within a slop of another's.
void World::Impl::mark_touching() {
    touched.assign(data.awake.size() + 1, 0);
    const std::span<const std::uint32_t> contacts = data.contacts.touching();
    if (touching_sides.size() != contacts.size()) {
        read_sides();
    }
    // Several threads may mark the same body, all with the same value.
    std::atomic<bool> resting = false; // what is at rest was not known to touch: rare
    const auto mark = [&](const TouchingSides& sides) {
        if (sides.meet == 0) {
            return;
        }
        for (const std::uint32_t slot : {std::uint32_t{sides.body_a}, std::uint32_t{sides.body_b}}) {
            const std::uint32_t motion = partition.motion_of(slot);
            if (motion == 0) {
                if (!data.bodies[slot].touching) {
                    resting.store(true, std::memory_order_relaxed);
                }
                continue;
            }
            // Most are marked already, and a line that is only read need not be handed to and fro.
            const std::atomic_ref<std::uint8_t> mine(touched[motion]);
            if (mine.load(std::memory_order_relaxed) == 0) {
                mine.store(1, std::memory_order_relaxed);
            }
        }
    };
    const std::size_t parts = partition.regions().count(), length = contact_block * parts;
    const std::size_t stretches = (contacts.size() + length - 1) / length;
    for_tasks(run_on(), stretches * parts, contact_block, [&](std::size_t task) {
        const std::size_t begin = task % stretches * length, end = std::min(begin + length, contacts.size());
        for (std::size_t i = begin; i < end; i += together) {
            const std::size_t last = std::min(i + together, end);
            const TouchingSides& middle = touching_sides[i + (last - i) / 2];
            if (parts == 1 || partition.region_of(middle.body_a, middle.body_b) == task / stretches) {
                std::for_each(touching_sides.begin() + static_cast<std::ptrdiff_t>(i),
                              touching_sides.begin() + static_cast<std::ptrdiff_t>(last), mark);
            }
        }
    });
    for_bodies(run_on(), partition.regions(),
               [&](std::uint32_t motion) { data.bodies[partition.slot_of(motion)].touching = touched[motion] != 0; });
    for (std::size_t i = 0; resting && i < contacts.size(); ++i) {
        const TouchingSides& sides = touching_sides[i];
        for (BodyRecord* body : {&data.bodies[sides.body_a], &data.bodies[sides.body_b]}) {
            if (sides.meet != 0 && !body->awake && !body->touching) {
                ++data.bodies.resting_revision;
                body->touching = true;
            }
        }
    }
    data.stats.pairs = static_cast<std::uint32_t>(data.contacts.size());
    data.stats.colours = static_cast<std::uint32_t>(solver.used_colours());
}

} // namespace cairn::physics
