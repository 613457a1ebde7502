#include "physics/solver/turns/turn_bodies.h"

#include "physics/solver/rows/row_targets.h"

// Highway compiles this file once for every vector width and picks one when the program runs.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "physics/solver/turns/turn_bodies.cpp"
#include <hwy/foreach_target.h>
// After the line above.
#include "physics/solver/motion/integrate.h"
#include "physics/solver/rows/lanes-inl.h"

#include <algorithm>
#include <array>

HWY_BEFORE_NAMESPACE();
namespace cairn::physics::HWY_NAMESPACE {

// A body, and into how many pieces its turn is split.
struct Turn {
    std::uint32_t body = 0;
    int pieces = 1;
};

// How many, if the turn is `parts` of what one piece may be. Joints that contradict each other may give any speed
// before the step is given up: not a number, and more than an int holds, count as the most.
inline int pieces_of(float parts) {
    constexpr int most = 16;
    return parts < static_cast<float>(most - 1) ? static_cast<int>(parts) + 1 : most;
}

// Doubles, one for each of several bodies.
template <class D>
struct Doubles {
    hn::Vec<D> v;

    friend HWY_INLINE Doubles operator+(Doubles a, Doubles b) { return {hn::Add(a.v, b.v)}; }
    friend HWY_INLINE Doubles operator-(Doubles a, Doubles b) { return {hn::Sub(a.v, b.v)}; }
    friend HWY_INLINE Doubles operator*(Doubles a, Doubles b) { return {hn::Mul(a.v, b.v)}; }
    friend HWY_INLINE Doubles operator/(Doubles a, Doubles b) { return {hn::Div(a.v, b.v)}; }
};
template <class N>
HWY_INLINE N negative(N a) {
    return {hn::Neg(a.v)};
}

// The product of two quaternions: first the turn q, then p.
template <class N>
HWY_INLINE Q4<N> product(const Q4<N>& p, const Q4<N>& q) {
    return {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
            p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

template <class F>
HWY_INLINE Q4<F> normalised(const Q4<F>& q) {
    const F length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const Mask<F> some = length2 > zero<F>();
    const F none = zero<F>(), one = constant<F>(1.0f), scale = one / sqrt_of(length2);
    return {select(some, q.x * scale, none), select(some, q.y * scale, none), select(some, q.z * scale, none),
            select(some, q.w * scale, one)};
}

// One body a lane, by its angular velocity, and by less than max_substep_turn: what turned() does.
template <class F>
void turn_plainly(const std::uint32_t* bodies, BodyMotion* motions, float h) {
    constexpr std::size_t stride = sizeof(BodyMotion);
    const Four<F> w = gather<F>(&motions->angular_velocity, stride, bodies);
    const Four<F> q = gather<F>(&motions->delta_rotation, stride, bodies);
    const V3<F> half = constant<F>(0.5f * h) * V3<F>{w.a, w.b, w.c};
    const F a2 = dot(half, half);
    const Q4<F> step{half.x, half.y, half.z, constant<F>(1.0f) - a2 * constant<F>(1.0f / 3.0f)};
    const Q4<F> now = normalised(product(step, Q4<F>{q.a, q.b, q.c, q.d}));
    scatter<F>({now.x, now.y, now.z, now.w}, &motions->delta_rotation, stride, bodies);
}

// Free rotation in double precision. In single precision each substep loses or gains some 1e-7 of the angular momentum,
// always to the same side, since rounded unit quaternions are longer than one more often than shorter: a per cent of
// the energy of a spinning body in a minute, and much more of the time between the flips of one that turns about its
// middle axis.
template <class D>
class FreeTurn {
  public:
    // As many bodies as D has lanes.
    HWY_INLINE FreeTurn(const Turn* turns, const BodyMotion* motions, const BodyDynamics* dynamics, float h) {
        Lanes axes[4], start[4], delta[4], moments[3], velocity[3], pieces;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const BodyMotion& motion = motions[turns[lane].body];
            const BodyDynamics& body = dynamics[turns[lane].body];
            const PrincipalInertia& principal = *body.principal;
            for (int i = 0; i < 4; ++i) {
                axes[i].of[lane] = principal.axes[i];
                start[i].of[lane] = static_cast<double>(body.start_orientation[i]);
                delta[i].of[lane] = static_cast<double>(motion.delta_rotation[i]);
            }
            for (int i = 0; i < 3; ++i) {
                moments[i].of[lane] = principal.moments[i];
                velocity[i].of[lane] = static_cast<double>(motion.angular_velocity[i]);
            }
            most_pieces_ = std::max(most_pieces_, turns[lane].pieces);
            pieces.of[lane] = static_cast<double>(turns[lane].pieces);
        }
        pieces_ = get(pieces);
        piece_ = number(static_cast<double>(h)) / pieces_;
        moments_ = {get(moments[0]), get(moments[1]), get(moments[2])};
        start_ = product(quaternion(start), quaternion(axes));
        q_ = normalised(product(quaternion(delta), start_));
        const V3<N> spin = rotated(conjugate(q_), {get(velocity[0]), get(velocity[1]), get(velocity[2])});
        momentum_ = {moments_.x * spin.x, moments_.y * spin.y, moments_.z * spin.z};
    }

    // Free rotation keeps the angular momentum L in world axes. With the middle one of the principal moments taken for
    // all axes, the body turns about L, whatever else it does; what the other two differ from that turns it about their
    // own axes, at rates that these turns do not change. Each of the three is exact; in the order third, first, third
    // they are the same backwards, which keeps the energy, exact for rods and discs, and of second order for all others
    // (splitting after R. McLachlan, "Explicit Lie-Poisson integration and the Euler equations", 1993).
    HWY_INLINE void run() {
        const Q4<N> about_momentum = turn_of((piece_ / moments_.y) * rotated(q_, momentum_));
        const N half = number(0.5) * piece_;
        for (int i = 0; i < most_pieces_; ++i) {
            const Q4<N> q = q_;
            const V3<N> momentum = momentum_;
            about_third(half);
            about_first(piece_);
            about_third(half);
            q_ = product(about_momentum, q_);
            if (i > 0) { // of some bodies there are no more
                const auto more = hn::Gt(pieces_.v, number(static_cast<double>(i)).v);
                q_ = {either_of(more, q_.x, q.x), either_of(more, q_.y, q.y), either_of(more, q_.z, q.z),
                      either_of(more, q_.w, q.w)};
                momentum_ = {either_of(more, momentum_.x, momentum.x), either_of(more, momentum_.y, momentum.y),
                             either_of(more, momentum_.z, momentum.z)};
            }
        }
    }

    HWY_INLINE void store(const Turn* turns, BodyMotion* motions) const {
        const Q4<N> q = normalised(q_);
        const Q4<N> delta = product(q, conjugate(normalised(start_)));
        const V3<N> w = rotated(q, {momentum_.x / moments_.x, momentum_.y / moments_.y, momentum_.z / moments_.z});
        Lanes turn[4], velocity[3];
        set(turn[0], delta.x);
        set(turn[1], delta.y);
        set(turn[2], delta.z);
        set(turn[3], delta.w);
        set(velocity[0], w.x);
        set(velocity[1], w.y);
        set(velocity[2], w.z);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            BodyMotion& motion = motions[turns[lane].body];
            for (int i = 0; i < 4; ++i) {
                motion.delta_rotation[i] = static_cast<float>(turn[i].of[lane]);
            }
            for (int i = 0; i < 3; ++i) {
                motion.angular_velocity[i] = static_cast<float>(velocity[i].of[lane]);
            }
        }
    }

  private:
    static constexpr std::size_t lanes = hn::MaxLanes(D());
    using N = Doubles<D>;
    struct alignas(64) Lanes {
        double of[lanes];
    };

    static HWY_INLINE N get(const Lanes& from) { return {hn::Load(D(), from.of)}; }
    static HWY_INLINE void set(Lanes& to, N value) { hn::Store(value.v, D(), to.of); }
    static HWY_INLINE N number(double x) { return {hn::Set(D(), x)}; }
    template <class M>
    static HWY_INLINE N either_of(M mask, N yes, N no) {
        return {hn::IfThenElse(mask, yes.v, no.v)};
    }
    static HWY_INLINE Q4<N> quaternion(const Lanes (&of)[4]) {
        return {get(of[0]), get(of[1]), get(of[2]), get(of[3])};
    }
    static HWY_INLINE Q4<N> conjugate(const Q4<N>& q) { return {negative(q.x), negative(q.y), negative(q.z), q.w}; }
    static HWY_INLINE Q4<N> normalised(const Q4<N>& q) {
        const N length{hn::Sqrt(((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z)).v)};
        const auto none = hn::Le(length.v, number(0.0).v);
        const N zero = number(0.0), one = number(1.0), scale = one / length;
        return {either_of(none, zero, q.x * scale), either_of(none, zero, q.y * scale),
                either_of(none, zero, q.z * scale), either_of(none, one, q.w * scale)};
    }
    static HWY_INLINE V3<N> rotated(const Q4<N>& q, const V3<N>& v) {
        const V3<N> u{q.x, q.y, q.z}, once = cross(u, v), twice = cross(u, once);
        return v + number(2.0) * (q.w * once + twice);
    }
    // The rotation by the vector `angle`, rad, as turned() has it, without scaling to length one.
    static HWY_INLINE Q4<N> turn_of(const V3<N>& angle) {
        const V3<N> half = number(0.5) * angle;
        return {half.x, half.y, half.z, number(1.0) - dot(half, half) * number(1.0 / 3.0)};
    }
    // What the moment about an axis differs from the middle one turns the body about that axis.
    HWY_INLINE N rate(const N& moment, const N& momentum) const {
        return (number(1.0) / moment - number(1.0) / moments_.y) * momentum;
    }
    HWY_INLINE void turn_on(const V3<N>& angle) {
        const Q4<N> step = normalised(turn_of(angle));
        q_ = product(q_, step);
        momentum_ = rotated(conjugate(step), momentum_);
    }
    HWY_INLINE void about_first(const N& time) {
        turn_on({rate(moments_.x, momentum_.x) * time, number(0.0), number(0.0)});
    }
    HWY_INLINE void about_third(const N& time) {
        turn_on({number(0.0), number(0.0), rate(moments_.z, momentum_.z) * time});
    }

    V3<N> moments_, momentum_; // principal axes
    Q4<N> start_, q_;          // from principal to world axes
    N pieces_, piece_;         // how many, and how long they are, s
    int most_pieces_ = 1;
};

template <class D>
void turn_freely(const Turn* turns, BodyMotion* motions, const BodyDynamics* dynamics, float h) {
    FreeTurn<D> turn(turns, motions, dynamics, h);
    turn.run();
    turn.store(turns, motions);
}

void turn_bodies(std::span<const std::uint32_t> bodies, BodyMotion* motions, const BodyDynamics* dynamics, float h) {
    using Several = hn::CappedTag<double, 8>;
    using One = hn::CappedTag<double, 1>;
    constexpr std::size_t several = hn::MaxLanes(Several());
    std::array<std::uint32_t, lanes_of<Wide>> plain; // NOLINT: filled as used
    std::array<Turn, several> free;                  // NOLINT: filled as used
    std::size_t plain_count = 0, free_count = 0;
    for (const std::uint32_t i : bodies) {
        BodyMotion& motion = motions[i];
        const Vec3 w = motion.angular_velocity;
        const float angle = glm::length(w) * h;
        if (angle == 0.0f) {
            continue;
        }
        if (motion.inverse_mass > 0.0f && dynamics[i].principal != nullptr) {
            free[free_count++] = {i, pieces_of(angle / (0.25f * max_substep_turn))};
            if (free_count == several) {
                turn_freely<Several>(free.data(), motions, dynamics, h);
                free_count = 0;
            }
            continue;
        }
        // So that the series stays exact. What a ball cannot show is not worth more of them.
        const int pieces = pieces_of(angle / max_substep_turn);
        if (pieces > 1 || plain.size() == 1) {
            for (int piece = 0; piece < pieces; ++piece) {
                motion.delta_rotation = turned(motion.delta_rotation, w, h / static_cast<float>(pieces));
            }
            continue;
        }
        plain[plain_count++] = i;
        if (plain_count == plain.size()) {
            turn_plainly<Wide>(plain.data(), motions, h);
            plain_count = 0;
        }
    }
    for (std::size_t k = 0; k < plain_count; ++k) {
        BodyMotion& motion = motions[plain[k]];
        motion.delta_rotation = turned(motion.delta_rotation, motion.angular_velocity, h);
    }
    for (std::size_t k = 0; k < free_count; ++k) {
        turn_freely<One>(&free[k], motions, dynamics, h);
    }
}

} // namespace cairn::physics::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cairn::physics {

HWY_EXPORT(turn_bodies);

void turn_bodies(std::span<const std::uint32_t> bodies, std::span<BodyMotion> motions,
                 std::span<const BodyDynamics> dynamics, float h) {
    HWY_DYNAMIC_DISPATCH(turn_bodies)(bodies, motions.data(), dynamics.data(), h);
}

void integrate_position(BodyMotion& motion, const BodyDynamics& dynamics, float h) {
    motion.delta_position += h * motion.linear_velocity;
    constexpr std::uint32_t only = 0;
    turn_bodies({&only, 1}, {&motion, 1}, {&dynamics, 1}, h);
}

} // namespace cairn::physics
#endif
