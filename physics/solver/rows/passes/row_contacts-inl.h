// Rows made from contacts, and their impulses carried back, for lanes.
#if defined(CAIRN_SOLVER_ROW_CONTACTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef CAIRN_SOLVER_ROW_CONTACTS_INL
#undef CAIRN_SOLVER_ROW_CONTACTS_INL
#else
#define CAIRN_SOLVER_ROW_CONTACTS_INL
#endif

#include "physics/narrowphase/carry/preload.h"
#include "physics/solver/rows/passes/row_math-inl.h"
#include "physics/solver/rows/row_passes.h"

#include <algorithm>
#include <cstddef>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// Contacts and their points are read in words of four floats.
static_assert(offsetof(Contact, normal) == 16 && offsetof(Contact, friction) == 28);
static_assert(offsetof(Contact, centre_a) == 32 && offsetof(Contact, restitution) == 44);
static_assert(offsetof(Contact, centre_b) == 48 && offsetof(Contact, rolling_arm) == 60);
static_assert(offsetof(Contact, rolling_impulse) == 64 && offsetof(Contact, round_a) == 76);
static_assert(offsetof(Contact, round_b) == 80 && sizeof(Contact) >= 96);
static_assert(offsetof(ContactPoint, anchor_a) == 0 && offsetof(ContactPoint, separation) == 12);
static_assert(offsetof(ContactPoint, normal_impulse) == 28 && offsetof(ContactPoint, preload) == 44);
static_assert(offsetof(ContactPoint, friction_impulse) == 48 && sizeof(ContactPoint) == 64);
static_assert(offsetof(StepImpulse, friction) == 0 && offsetof(StepImpulse, normal) == 12);

// The word of each lane's record in which `member` of the first record lies.
template <class F, class Record, class Member>
HWY_INLINE Four<F> word_of(const Record* records, const Member& member, const std::uint32_t* index) {
    return gather<F>(reinterpret_cast<const char*>(records) +
                         (reinterpret_cast<const char*>(&member) - reinterpret_cast<const char*>(records)),
                     sizeof(Record), index);
}

// Where in the pool the i-th points of the lanes are; those that are not there are named by the first.
template <class F, int P>
struct PointIndices {
    std::uint32_t at[lanes_of<F>];

    HWY_INLINE PointIndices(const Rows<F, P>& rows, int i) {
        for (std::size_t lane = 0; lane < lanes_of<F>; ++lane) {
            const std::size_t place = rows.lane + lane;
            const bool there = P != 4 || i < 3 || rows.block.count.x[place] > 3.5f;
            at[lane] = rows.block.first_point[place] + (there ? static_cast<std::uint32_t>(i) : 0u);
        }
    }
};

// The first tangent turned back by as much as both bodies will turn about the normal within this step: friction that
// has held two of them together on a turntable goes on in their frame, not in the world's.
template <class F, int P>
HWY_INLINE V3<F> turned_with_both(const Rows<F, P>& rows, const RowWork& work, const V3<F>& n, const V3<F>& t1,
                                  const V3<F>& t2) {
    const Four<F> a = word_of<F>(work.motions, work.motions->angular_velocity, rows.motion_a());
    const Four<F> b = word_of<F>(work.motions, work.motions->angular_velocity, rows.motion_b());
    const F none = zero<F>(), one = constant<F>(1.0f), most = constant<F>(0.5f);
    const F about_a = dot(V3<F>{a.a, a.b, a.c}, n), about_b = dot(V3<F>{b.a, b.b, b.c}, n);
    const F turn = constant<F>(0.5f * work.settings.step) * shared_part(about_a, about_b);
    const F half = max_of(min_of(turn, most), none - most);
    const F scale = one / (one + half * half); // of the half angle's tangent
    return (scale * (one - half * half)) * t1 - (scale * (half + half)) * t2;
}

// Whether the bodies neither turn nor move against each other faster than gravity makes them in a step. Then the
// impulses of the last step are forces that stay what they are, whatever the springs and the inertia become. Else they
// were found for others: of a body that had the inertia of its load, or that stiffer springs pushed, they may be out of
// balance by a thousand times what it can bear, and the solve begins without them.
inline bool lies_still(const RowWork& work, std::uint32_t motion_a, std::uint32_t motion_b, const Contact& contact) {
    const BodyMotion &a = work.motions[motion_a], &b = work.motions[motion_b];
    return contact.is_still(work.points[contact.first_point], b.linear_velocity - a.linear_velocity, a.angular_velocity,
                            b.angular_velocity, work.settings.step * glm::length(work.settings.gravity));
}

// How much of the last impulses bodies of these masses can bear: as much as would hold up a thousand of them. What was
// squeezed by more than that had the inertia for it, and a small imbalance would throw it away without.
inline float share_borne(const RowWork& work, const Contact& contact, float share, float inverse_masses) {
    constexpr float most_borne = 1000.0f; // times the weight
    float greatest = 0.0f;
    for (std::size_t i = 0; i < contact.count; ++i) {
        greatest = std::max(greatest, work.points[contact.first_point + i].normal_impulse);
    }
    const float most = most_borne * work.settings.h * glm::length(work.settings.gravity);
    return share * greatest * inverse_masses > most ? most / (greatest * inverse_masses) : share;
}

// Where the springs were stiffer, by `stiffness`, the impulses are kept as a smaller share of the last ones, or go on
// if the bodies lie still. `masses`: 1/kg, of both bodies.
template <class F, int P>
HWY_NOINLINE void start_softer(const Rows<F, P>& rows, const RowWork& work, F masses, F& stiffness, F& kept) {
    alignas(64) float softened[lanes_of<F>], shares[lanes_of<F>], inverse_masses[lanes_of<F>];
    Make<F>::store(stiffness, softened);
    Make<F>::store(kept, shares);
    Make<F>::store(masses, inverse_masses);
    for (std::size_t lane = 0; lane < lanes_of<F>; ++lane) {
        const Contact& contact = work.contacts[rows.block.contact[rows.lane + lane]];
        if (softened[lane] > 1.0f && !lies_still(work, rows.motion_a()[lane], rows.motion_b()[lane], contact)) {
            shares[lane] = softened[lane] > 2.0f ? 0.0f : shares[lane] / softened[lane];
            softened[lane] = 1.0f;
        } else if (softened[lane] > 1.0f) {
            shares[lane] = share_borne(work, contact, shares[lane], inverse_masses[lane]);
        }
    }
    stiffness = Make<F>::load(softened);
    kept = Make<F>::load(shares);
}

// Springs that are softer than they were carry what they carried in the last step. The impulses tell, not how far the
// stiffer spring was pressed: that is micrometres, and as much again while its preload is taken back.
template <class F, int P>
HWY_NOINLINE void carry_impulses(const Rows<F, P>& rows, const RowWork& work, F stiffness) {
    const ContactSolverSettings& settings = work.settings;
    for (int i = 0; i < P; ++i) {
        RowPoint& point = rows.point(i);
        const F separation = rows.get(point.separation), preload = rows.get(point.preload);
        const F k = rows.get(rows.block.compliance[static_cast<std::size_t>(row_start(i) + i)]);
        const F pressed =
            rows.get(rows.block.softening) / constant<F>(settings.bias_rate) * k * rows.get(point.normal_impulse);
        const Mask<F> carries = both(preload > separation, separation > constant<F>(-deepest_carried));
        rows.set(point.preload, select(both(carries, stiffness > constant<F>(1.0f)), separation + pressed, preload));
    }
}

template <bool Balls, class F, int P, class Ahead>
HWY_INLINE void prepare(const Rows<F, P>& rows, const RowWork& work, Ahead&& ahead) {
    RowBlock<P>& block = rows.block;
    const ContactSolverSettings& settings = work.settings;
    const F none = zero<F>();
    const F mass_a = word_of<F>(work.motions, work.motions->linear_velocity, rows.motion_a()).d;
    const F mass_b = word_of<F>(work.motions, work.motions->linear_velocity, rows.motion_b()).d;
    rows.set(block.inverse_mass_a, mass_a);
    rows.set(block.inverse_mass_b, mass_b);
    F pull_a, pull_b, own_a, own_b;
    const S3<F> inertia_a = gather_inertia<F>(work.inertias, rows.motion_a(), pull_a, own_a);
    const S3<F> inertia_b = gather_inertia<F>(work.inertias, rows.motion_b(), pull_b, own_b);
    rows.set(block.inverse_inertia_a, inertia_a);
    rows.set(block.inverse_inertia_b, inertia_b);
    ahead.next();

    const std::uint32_t* index = block.contact.data() + rows.lane;
    const Contact* contacts = work.contacts;
    const Four<F> normal_word = word_of<F>(contacts, contacts->normal, index);
    const Four<F> centre_a_word = word_of<F>(contacts, contacts->centre_a, index);
    const Four<F> centre_b_word = word_of<F>(contacts, contacts->centre_b, index);
    const Four<F> rolling_word = word_of<F>(contacts, contacts->rolling_impulse, index);
    const F round_a = rolling_word.d, round_b = word_of<F>(contacts, contacts->round_b, index).a;
    const V3<F> n{normal_word.a, normal_word.b, normal_word.c};
    ahead.next();
    rows.set(block.normal, n);
    rows.set(block.friction, normal_word.d);
    rows.set(block.restitution, centre_a_word.d);
    rows.set(block.round_a, round_a);
    rows.set(block.round_b, round_b);
    const Vec3& g = settings.gravity;
    const F down = dot(V3<F>{constant<F>(g.x), constant<F>(g.y), constant<F>(g.z)}, n);
    rows.set(block.free_acceleration, (pull_b - pull_a) * down);
    block.round = block.round || any(either(round_a > none, round_b > none));
    block.impacts = block.impacts || any(centre_a_word.d > none);
    alignas(64) float of_lanes[3][lanes_of<F>];
    for (std::size_t lane = 0; lane < lanes_of<F>; ++lane) {
        of_lanes[0][lane] = settings.stiffness[contacts[index[lane]].solved_at];
        of_lanes[1][lane] = contacts[index[lane]].loaded_inverse_mass;
        of_lanes[2][lane] = contacts[index[lane]].parallel;
    }
    rows.set(block.softening, constant<F>(settings.softening) * Make<F>::load(of_lanes[2]));
    const F stiffness_before = Make<F>::load(of_lanes[0]), loaded_before = Make<F>::load(of_lanes[1]);
    const F masses = mass_a + mass_b, own_masses = own_a + own_b;
    const F masses_before = select(loaded_before > none, loaded_before, own_masses);
    F stiffness = select(masses_before > none, stiffness_before * (masses / masses_before), stiffness_before);
    F kept = constant<F>(settings.warm_starting ? settings.plain_substeps : 0.0f);
    if (any(stiffness > constant<F>(1.0f))) {
        start_softer(rows, work, masses, stiffness, kept);
    }
    const F share = select(masses > none, kept, none);
    if (rows.rolling()) {
        RollingRows& rolling = rows.rolling_rows();
        rows.set(rolling.arm, centre_b_word.d);
        const S3<F> inverse = inverse_of(inertia_a + inertia_b);
        // Selected, not multiplied: zeros of either sign must not tell which lanes stand beside each other.
        const Mask<F> rolls = centre_b_word.d > none;
        const S3<F> still{none, none, none, none, none, none};
        rows.set(rolling.mass, select(rolls, inverse, still));
        const V3<F> of_last = share * V3<F>{rolling_word.a, rolling_word.b, rolling_word.c};
        rows.set(rolling.impulse, select(rolls, of_last, zero3<F>()));
    }

    ahead.next();
    const Mask<F> released = first_without(loaded_before > none, masses < own_masses);
    rows.set(block.regularisation,
             select(released, constant<F>(released_regularisation), constant<F>(block_regularisation)));
    alignas(64) float loaded[lanes_of<F>];
    Make<F>::store(select(masses < own_masses, masses, none), loaded);
    const auto level = static_cast<std::uint8_t>(settings.level + 1);
    for (std::size_t lane = 0; lane < lanes_of<F> && rows.lane + lane < block.used; ++lane) {
        Contact& contact = work.contacts[index[lane]];
        if (contact.loaded_inverse_mass != loaded[lane] || contact.solved_at != level) {
            contact.loaded_inverse_mass = loaded[lane]; // seldom, and what is not written need not leave the cache
            contact.solved_at = level;
        }
    }
    const V3<F> t1 = perpendicular(n);
    const V3<F> t2 = cross(n, t1);
    rows.set(block.tangent_1, t1);
    if (rows.on_curve()) {
        rows.set(rows.curved_rows().normal, n);
        rows.set(rows.curved_rows().tangent_1, t1);
    }
    const V3<F> turned_1 = turned_with_both(rows, work, n, t1, t2);
    const V3<F> turned_2 = cross(n, turned_1);
    rows.set(block.b_to_a, V3<F>{centre_a_word.a - centre_b_word.a, centre_a_word.b - centre_b_word.b,
                                 centre_a_word.c - centre_b_word.c});
    for (int i = 0; i < P; ++i) {
        RowPoint& point = rows.point(i);
        const PointIndices<F, P> at(rows, i);
        ahead.next();
        const Four<F> place = word_of<F>(work.points, work.points->anchor_a, at.at);
        const Four<F> on_a = word_of<F>(work.points, work.points->local_a, at.at);
        const Four<F> on_b = word_of<F>(work.points, work.points->local_b, at.at);
        const Four<F> pushed = word_of<F>(work.points, work.points->friction_impulse, at.at);
        // The anchors lie halfway between the surfaces. Apart, each arm must end on its own surface: that is what turns
        // with the body, and what the other meets when the gap is closed.
        const V3<F> half_gap = (constant<F>(0.5f) * max_of(place.d, none)) * n;
        rows.set(point.start_arm_a, V3<F>{place.a, place.b, place.c} - half_gap);
        rows.set(point.separation, place.d);
        // The same force at the stiffness of this step, so that a change of level or inertia moves nothing that rests
        // and a stiffer spring throws nothing out; a softer one does not reach beyond what loads explain.
        const F deepest = constant<F>(-deepest_carried);
        const F at_stiffness = place.d + stiffness * (on_b.d - place.d);
        const Mask<F> stiffer = stiffness < constant<F>(1.0f);
        const Mask<F> sunk = place.d < on_b.d;
        const Mask<F> explained = deepest < place.d;
        const Mask<F> carries = both(sunk, either(stiffer, explained));
        rows.set(point.preload, select(carries, at_stiffness, on_b.d));
        ahead.next();
        const V3<F> friction{pushed.a, pushed.b, pushed.c};
        const F of_last = P == 4 && i == 3 ? select(rows.live(i), share, none) : share;
        rows.set(point.normal_impulse, of_last * on_a.d);
        rows.set(point.tangent_impulse_1, of_last * dot(friction, turned_1));
        rows.set(point.tangent_impulse_2, of_last * dot(friction, turned_2));
        rows.set(rows.sums(i).impulse, zero3<F>());
    }
    set_levers<Balls, F, P>(rows);
    if (settings.warm_starting && any(stiffness > constant<F>(1.0f))) {
        carry_impulses(rows, work, stiffness);
    }
}

// Records of four floats by lane.
template <class F>
struct LaneRecords {
    alignas(64) float of[lanes_of<F>][4];

    HWY_INLINE explicit LaneRecords(const Four<F>& values) {
#if HWY_TARGET != HWY_SCALAR
        const Four<F> rows = transposed(values);
        const F* const all[4] = {&rows.a, &rows.b, &rows.c, &rows.d};
        for (std::size_t r = 0; r < 4; ++r) {
            alignas(64) float out[lanes_of<F>];
            Make<F>::store(*all[r], out);
            for (std::size_t block = 0; block < lanes_of<F> / 4; ++block) {
                for (std::size_t k = 0; k < 4; ++k) {
                    of[4 * block + r][k] = out[4 * block + k];
                }
            }
        }
#else
        of[0][0] = values.a;
        of[0][1] = values.b;
        of[0][2] = values.c;
        of[0][3] = values.d;
#endif
    }
};

template <bool Balls, class F, int P, class Ahead>
HWY_INLINE void store_impulses(const Rows<F, P>& rows, const RowWork& work, Ahead&& ahead) {
    const RowBlock<P>& block = rows.block;
    const V3<F> t1 = rows.get(block.tangent_1), t2 = cross(rows.get(block.normal), t1);
    const V3<F> start_1 = rows.on_curve() ? rows.get(rows.curved_rows().tangent_1) : t1;
    const V3<F> start_2 = rows.on_curve() ? cross(rows.start_normal(), start_1) : t2;
    const F to_plain = constant<F>(1.0f / work.settings.plain_substeps);
    const std::size_t used = std::min(lanes_of<F>, block.used - rows.lane);
    for (int i = 0; i < P; ++i) {
        const RowPoint& point = rows.point(i);
        const V3<F> kept = to_plain * (rows.get(point.tangent_impulse_1) * t1 + rows.get(point.tangent_impulse_2) * t2);
        const V3<F> sum = rows.get(rows.sums(i).impulse);
        F along = sum.x;
        V3<F> whole = sum.y * start_1 + sum.z * start_2;
        if constexpr (Balls) { // against the normal that readers know
            const Contact* contacts = work.contacts;
            const Four<F> word = word_of<F>(contacts, contacts->normal, block.contact.data() + rows.lane);
            const V3<F> n{word.a, word.b, word.c};
            along = dot(sum, n);
            whole = sum - along * n;
        }
        ahead.next();
        const F preload = rows.get(point.preload);
        const LaneRecords<F> spring({preload, preload, preload, preload});
        const LaneRecords<F> next({kept.x, kept.y, kept.z, to_plain * rows.get(point.normal_impulse)});
        const LaneRecords<F> step({whole.x, whole.y, whole.z, along});
        ahead.next();
        for (std::size_t lane = 0; lane < used; ++lane) {
            if (P == 4 && i == 3 && block.count.x[rows.lane + lane] < 3.5f) {
                continue;
            }
            const std::uint32_t at = block.first_point[rows.lane + lane] + static_cast<std::uint32_t>(i);
            ContactPoint& to = work.points[at];
            to.friction_impulse = {next.of[lane][0], next.of[lane][1], next.of[lane][2]};
            to.normal_impulse = next.of[lane][3];
            to.preload = spring.of[lane][0];
            work.step_impulses[at] = {{step.of[lane][0], step.of[lane][1], step.of[lane][2]}, step.of[lane][3]};
        }
    }
    if (rows.rolling()) {
        const RollingRows& rolling = rows.rolling_rows();
        const V3<F> impulse = to_plain * rows.get(rolling.impulse);
        const LaneRecords<F> next({impulse.x, impulse.y, impulse.z, zero<F>()});
        for (std::size_t lane = 0; lane < used; ++lane) {
            if (rolling.arm.x[rows.lane + lane] > 0.0f) { // the others stay as they are in blocks of their like
                work.contacts[block.contact[rows.lane + lane]].rolling_impulse = {next.of[lane][0], next.of[lane][1],
                                                                                  next.of[lane][2]};
            }
        }
    }
}
} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
