#include "physics/world/contacts/narrowphase.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/growth.h"
#include "physics/continuous/continuous.h"
#include "physics/narrowphase/carry/carry.h"
#include "physics/narrowphase/update/foresight.h"

#include <algorithm>
#include <array>

namespace cairn::physics {

namespace {

constexpr std::size_t pair_block = 128;
constexpr std::size_t pairs_together = 32; // neighbours in the list that one thread has

// The records of a pair lie anywhere in memory, and waiting for them took as long as the work: those of the pairs ahead
// are on their way meanwhile.
CAIRN_FETCH void fetch_sides(const Narrowphase::World& world, const ActivePair& entry) {
    const ShapePair& pair = world.contacts.pair(entry.slot);
    fetch_lines(&world.bodies.shapes[pair.shape_a()], sizeof(ShapeRecord));
    fetch_lines(&world.bodies.shapes[pair.shape_b()], sizeof(ShapeRecord));
    fetch_lines(&world.bodies[entry.body_a], sizeof(BodyRecord));
    fetch_lines(&world.bodies[entry.body_b], sizeof(BodyRecord));
    world.contacts.fetch_contact(pair);
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

std::span<const ContactPoint> points_of(const FoundContact& found) {
    return std::span(found.points).first(found.contact.count);
}

// m, what the positions of the bodies have beyond their floats.
Vec3 residuals_between(const BodyStore& bodies, const ActivePair& entry) {
    return bodies.traces[entry.body_b].rest.metres() - bodies.traces[entry.body_a].rest.metres();
}

TouchingSides sides_of(const Settings& settings, const BodyStore& bodies, const ShapeRecord& a, const ShapeRecord& b,
                       std::span<const ContactPoint> points) {
    const float slop = settings.linear_slop;
    const float separation = least_separation(points);
    const bool deep = separation < -slop && separation < deepest_path(*a.shape, *b.shape, slop) &&
                      bodies.is_dynamic(a.body) && bodies.is_dynamic(b.body);
    return {a.body, b.body, separation <= slop, separation <= 0.0f, deep};
}

bool is_crowded(const ContactPool& contacts, std::uint32_t slot) {
    constexpr std::size_t crowd = 12; // pairs
    return contacts.of_body(slot).size() >= crowd;
}

} // namespace

void Narrowphase::begin_step(const World& world) {
    at_fixed_.clear();
    foreseen_.clear();
    expected_.predict(world.executor, world.settings, world.bodies, world.partition);
}

bool Narrowphase::find_mesh_faces(const World& world, std::span<const ActivePair> pairs) {
    return mesh_pairs_.find(world.executor, world.settings, world.bodies, expected_, pairs, world.contacts);
}

std::span<const std::uint32_t> Narrowphase::update(const World& world, std::span<ActivePair> pairs) {
    // Ranges of the list, each once for every region.
    const std::size_t parts = world.partition.regions().count(), length = pair_block * parts;
    const std::size_t ranges = (pairs.size() + length - 1) / length;
    if (blocks_.size() < ranges * parts) {
        blocks_.resize(ranges * parts);
    }
    for_tasks(world.executor, ranges * parts, pair_block, [&](std::size_t task) {
        const std::size_t begin = task % ranges * length;
        examine_range(world, pairs, begin, std::min(begin + length, pairs.size()), task / ranges, blocks_[task]);
    });
    commit(world, pairs, ranges, parts);
    return to_wake_;
}

// The pairs of a region. Entries that lie next to each other go together, to whoever has the body of the middle one:
// they are written, and no two threads shall write to the same lines.
void Narrowphase::examine_range(const World& world, std::span<ActivePair> pairs, std::size_t begin, std::size_t end,
                                std::size_t region, Block& out) {
    out.clear();
    const BodyStore& bodies = world.bodies;
    const bool single = world.partition.regions().count() == 1;
    std::array<std::uint32_t, pair_block> listed; // NOLINT: filled as used
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) {
        if (!single && i % pairs_together == 0) {
            const ActivePair& middle = pairs[std::min(i + pairs_together / 2, end - 1)];
            if (world.partition.region_of(middle.body_a, middle.body_b) != region) {
                i += pairs_together - 1;
                continue;
            }
        }
        ActivePair& pair = pairs[i];
        // Most pairs are apart, and by more than they can have come nearer: no more than this is read of them.
        if (pair.gap > 0.0f) {
            const BodyTrace& a = bodies.traces[pair.body_a];
            const BodyTrace& b = bodies.traces[pair.body_b];
            pair.gap = gap_after(pair.gap, a, b, bodies.trace_epoch);
            if (pair.gap > a.margin + b.margin || expected_.stays_apart(world.settings, bodies, pair)) {
                continue;
            }
        }
        world.contacts.fetch_pair(pair.slot);
        listed[count++] = static_cast<std::uint32_t>(i);
        if (count == listed.size()) {
            examine_listed(world, pairs, listed, out);
            count = 0;
        }
    }
    examine_listed(world, pairs, std::span(listed).first(count), out);
}

void Narrowphase::examine_listed(const World& world, std::span<ActivePair> pairs, std::span<const std::uint32_t> listed,
                                 Block& out) {
    constexpr std::size_t sides_ahead = 8, points_ahead = 4;
    for (std::size_t k = 0; k < std::min(sides_ahead, listed.size()); ++k) {
        fetch_sides(world, pairs[listed[k]]);
    }
    for (std::size_t k = 0; k < listed.size(); ++k) {
        if (k + sides_ahead < listed.size()) {
            fetch_sides(world, pairs[listed[k + sides_ahead]]);
        }
        if (k + points_ahead < listed.size()) {
            world.contacts.fetch_points(world.contacts.pair(pairs[listed[k + points_ahead]].slot));
        }
        examine(world, pairs, listed[k], out);
    }
}

// The pair's own record may be written from here, and the contact that it has; no others are created or removed,
// because that moves what other threads read.
void Narrowphase::examine(const World& world, std::span<ActivePair> pairs, std::uint32_t place, Block& out) {
    const BodyStore& bodies = world.bodies;
    ContactPool& contacts = world.contacts;
    ActivePair& entry = pairs[place];
    if (mesh_pairs_.has(bodies, contacts, entry)) {
        take_mesh_face(world, entry, place, out);
        return;
    }
    ShapePair& pair = contacts.pair(entry.slot);
    const ShapeRecord& a = bodies.shapes[pair.shape_a()];
    const ShapeRecord& b = bodies.shapes[pair.shape_b()];
    const BodyRecord& body_a = bodies[entry.body_a];
    const BodyRecord& body_b = bodies[entry.body_b];
    float margin = a.margin + b.margin;
    PairMotion motion;
    if (expected_.any_fast(entry)) {
        motion = expected_.of_pair(world.settings, bodies, a, b);
        margin = motion.margin;
        if (entry.gap > std::max(margin, motion.margin + motion.travel)) {
            return; // side by side
        }
    }
    const float dt = world.settings.dt();
    Contact* before = nullptr;
    std::span<ContactPoint> points;
    if (pair.touching()) {
        before = &contacts[pair.contact];
        points = contacts.points(*before);
        if (carry(*before, points, body_a.pose, body_b.pose, margin, dt, residuals_between(bodies, entry))) {
            note_touch(world, entry, place, pair.contact, points, out);
            return;
        }
    }
    if (!overlaps(a.reach, b.reach)) {
        if (!world.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
            out.gone.push_back(place);
            return;
        }
        entry.gap = gap_by_reach(a, b, margin);
        if (before != nullptr) {
            out.parted.push_back(place);
        }
        return;
    }
    const ContactSide side_a = contact_side(bodies, pair.shape_a()), side_b = contact_side(bodies, pair.shape_b());
    FoundContact& found = out.scratch;
    bool meets = false, near = false;
    if (!motion.fast || entry.gap <= margin) {
        meets = find_contact(side_a, side_b, std::max(margin, motion.reach), dt, before, points, pair.cache, found);
        near = meets && least_separation(points_of(found)) <= margin;
        entry.gap = meets ? 0.0f : found.apart; // of the points of a contact none need be the nearest
    }
    if (motion.fast && !near) {
        const ForesightSettings settings{0.5f * world.settings.linear_slop, 0.1f * world.settings.linear_slop,
                                         motion.reach};
        Vec3 axis = parting_axis(pair.cache, side_a, side_b);
        meets =
            foresee_contact({side_a, motion.path_a, bodies.is_dynamic(entry.body_a)},
                            {side_b, motion.path_b, bodies.is_dynamic(entry.body_b)}, settings, before, axis, found);
        keep_parting_axis(pair.cache, side_a, side_b, axis);
    }
    if (!meets) {
        if (before != nullptr) {
            out.parted.push_back(place);
        }
        return;
    }
    if (found.contact.count > 1 && body_a.entangled && body_b.entangled && is_crowded(contacts, entry.body_a) &&
        is_crowded(contacts, entry.body_b) && sides_of(world.settings, bodies, a, b, points_of(found)).deep != 0) {
        keep_deepest(found); // enough to push them apart; corners are for what rests
    }
    if (found.contact.meets_at > 0.0f) {
        out.foreseen.push_back(place);
    }
    keep_found(world, entry, place, out);
}

// What MeshPairs has found becomes the contact of the face's pair.
void Narrowphase::take_mesh_face(const World& world, ActivePair& entry, std::uint32_t place, Block& out) const {
    ContactPool& contacts = world.contacts;
    const ShapePair& pair = contacts.pair(entry.slot);
    const std::uint32_t face = face_of(pair.key);
    if (const MeshPair* found = mesh_pairs_.of(entry.slot)) {
        entry.gap = face == 0 ? found->apart : 0.0f;
        if (found->recycled) {
            if (pair.touching()) {
                note_touch(world, entry, place, pair.contact, contacts.points(contacts[pair.contact]), out);
            }
            return;
        }
        if (found->found[face].contact.count > 0) {
            out.scratch = found->found[face];
            keep_found(world, entry, place, out);
            return;
        }
    }
    if (!world.broadphase.fat_overlap(pair.shape_a(), pair.shape_b())) {
        out.gone.push_back(place);
    } else if (pair.touching()) {
        out.parted.push_back(place);
    }
}

// The contact in the block's scratch becomes that of the pair.
void Narrowphase::keep_found(const World& world, ActivePair& entry, std::uint32_t place, Block& out) {
    ContactPool& contacts = world.contacts;
    FoundContact& found = out.scratch;
    const ShapePair& pair = contacts.pair(entry.slot);
    const Vec3 residuals = residuals_between(world.bodies, entry);
    const std::span found_points = std::span(found.points).first(found.contact.count);
    for (ContactPoint& point : found_points) {
        point.separation += glm::dot(found.contact.normal, residuals);
    }
    entry.gap = 0.0f;
    if (Contact* before = pair.touching() ? &contacts[pair.contact] : nullptr;
        before != nullptr && before->count == found.contact.count) {
        const std::span<ContactPoint> points = contacts.points(*before);
        *before = found.contact;
        std::copy(found_points.begin(), found_points.end(), points.begin());
        note_touch(world, entry, place, pair.contact, points, out);
        return;
    }
    found.contact.pair = entry.slot;
    note_touch(world, entry, place, no_index, found_points, out);
    out.found.push_back(found);
}

// `contact`: none for one that is the next of Block::found.
void Narrowphase::note_touch(const World& world, const ActivePair& entry, std::uint32_t place, std::uint32_t contact,
                             std::span<const ContactPoint> points, Block& out) {
    const BodyStore& bodies = world.bodies;
    const ShapePair& pair = world.contacts.pair(entry.slot);
    out.touching.push_back(
        {place, contact,
         sides_of(world.settings, bodies, bodies.shapes[pair.shape_a()], bodies.shapes[pair.shape_b()], points)});
    if (bodies.is_dynamic(entry.body_a) != bodies.is_dynamic(entry.body_b)) {
        out.at_fixed.push_back(bodies.is_dynamic(entry.body_a) ? entry.body_a : entry.body_b);
    }
    if (bodies[entry.body_a].sleeping || bodies[entry.body_b].sleeping) {
        out.waking.push_back(entry.slot);
    }
}

// Creates and removes the contacts that the blocks have found, in key order.
void Narrowphase::commit(const World& world, std::span<const ActivePair> pairs, std::size_t ranges, std::size_t parts) {
    ContactPool& contacts = world.contacts;
    const std::span<const Block> blocks = std::span(blocks_).first(ranges * parts);
    const auto all_of = [&](std::vector<std::uint32_t> Block::*list) -> std::span<const std::uint32_t> {
        places_.clear();
        for (const Block& block : blocks) {
            places_.insert(places_.end(), (block.*list).begin(), (block.*list).end());
        }
        std::sort(places_.begin(), places_.end());
        return places_;
    };
    for (const std::uint32_t place : all_of(&Block::gone)) {
        contacts.destroy(pairs[place].slot);
    }
    for (const std::uint32_t place : all_of(&Block::parted)) {
        contacts.part(pairs[place].slot);
    }
    for (const std::uint32_t place : all_of(&Block::foreseen)) {
        foreseen_.push_back(pairs[place].slot);
    }
    std::size_t found = 0, points = 0;
    for (const Block& block : blocks) {
        found += block.found.size();
        for (const FoundContact& one : block.found) {
            points += one.contact.count;
        }
    }
    contacts.expect_contacts(found, points);
    merge_touching(world, blocks, ranges, parts);
    contacts.set_touching(touching_);
    to_wake_.clear();
    for (const Block& block : blocks) {
        for (const std::uint32_t slot : block.waking) {
            for (const std::uint32_t body : {contacts.pair(slot).body_a, contacts.pair(slot).body_b}) {
                if (world.bodies[body].sleeping) {
                    to_wake_.push_back(body);
                }
            }
        }
    }
}

// What the regions have found of each range of the list, merged into one list by key.
void Narrowphase::merge_touching(const World& world, std::span<const Block> blocks, std::size_t ranges,
                                 std::size_t parts) {
    touching_.clear();
    sides_.clear();
    struct Reader {
        std::span<const TouchingPair> left;
        const FoundContact* found = nullptr;
    };
    std::array<Reader, Regions::most> readers; // NOLINT: filled as used
    for (std::size_t range = 0; range < ranges; ++range) {
        for (std::size_t part = 0; part < parts; ++part) {
            const Block& block = blocks[part * ranges + range];
            readers[part] = {block.touching, block.found.data()};
            at_fixed_.insert(at_fixed_.end(), block.at_fixed.begin(), block.at_fixed.end());
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
                    world.contacts.touch(found.contact.pair, found.contact, points_of(found));
                    contact = world.contacts.pair(found.contact.pair).contact;
                }
                touching_.push_back(contact);
                sides_.push_back(pair.sides);
                reader->left = reader->left.subspan(1);
            } while (!reader->left.empty() && reader->left.front().place < next);
        }
    }
}

void Narrowphase::read_sides(const World& world) {
    sides_.clear();
    for (const std::uint32_t index : world.contacts.touching()) {
        const Contact& contact = world.contacts[index];
        const ShapePair& pair = world.contacts.pair(contact.pair);
        sides_.push_back(sides_of(world.settings, world.bodies, world.bodies.shapes[pair.shape_a()],
                                  world.bodies.shapes[pair.shape_b()], world.contacts.points(contact)));
    }
}

void Narrowphase::Block::clear() {
    touching.clear();
    clear_burst(found, 4);
    gone.clear();
    parted.clear();
    waking.clear();
    foreseen.clear();
    at_fixed.clear();
}

std::size_t Narrowphase::Block::memory_bytes() const {
    return bytes_of(touching) + bytes_of(found) + bytes_of(gone) + bytes_of(parted) + bytes_of(waking) +
           bytes_of(foreseen) + bytes_of(at_fixed);
}

std::size_t Narrowphase::memory_bytes() const {
    std::size_t bytes = expected_.memory_bytes() + mesh_pairs_.memory_bytes() + bytes_of(sides_) + bytes_of(at_fixed_) +
                        bytes_of(foreseen_) + bytes_of(to_wake_) + bytes_of(blocks_) + bytes_of(places_) +
                        bytes_of(touching_);
    for (const Block& block : blocks_) {
        bytes += block.memory_bytes();
    }
    return bytes;
}

} // namespace cairn::physics
