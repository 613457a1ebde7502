#include "physics/solver/solver.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"
#include "physics/base/large_pages.h"
#include "physics/solver/motion/integrate.h"
#include "physics/solver/turns/turn_bodies.h"

#include <algorithm>
#include <cassert>

namespace cairn::physics {

namespace {

ContactSolverSettings contact_settings(const SolverInput& input, const TimeStepClass& step_class) {
    ContactSolverSettings settings;
    settings.h = input.step / static_cast<float>(step_class.substeps);
    settings.step = input.step;
    const float kept_for = input.plain_substeps > 0.0f ? input.plain_substeps : static_cast<float>(input.substeps);
    settings.plain_substeps = kept_for / static_cast<float>(step_class.substeps);
    const float plain_h = input.step / static_cast<float>(input.substeps);
    const float hertz = plain_spring_hertz(input.contact_hertz, plain_h) * step_class.stiffening();
    const Softness softness = make_soft(hertz, input.contact_damping_ratio, settings.h);
    settings.level = step_class.level;
    settings.stiffness[0] = 1.0f;
    for (std::size_t i = 0; i < substep_multiples.size(); ++i) {
        const float ratio = substep_multiples[i] / step_class.stiffening();
        settings.stiffness[i + 1] = ratio * ratio;
    }
    settings.bias_rate = softness.bias_rate;
    settings.softening = softness.impulse_scale / softness.mass_scale;
    settings.max_push_speed = input.max_push_speed;
    settings.restitution_threshold = (1.0f - 1e-4f) * input.restitution_threshold; // what is as fast, but for rounding
    settings.most_beyond = glm::length(input.gravity) * input.step;
    settings.warm_starting = input.warm_starting;
    settings.gravity = input.gravity;
    return settings;
}

JointSolverSettings joint_settings(const SolverInput& input, const TimeStepClass& step_class) {
    JointSolverSettings settings;
    settings.h = input.step / static_cast<float>(step_class.substeps);
    settings.gravity = input.gravity;
    settings.softness = make_soft(input.joint_hertz, input.joint_damping_ratio, settings.h);
    settings.max_push_speed = input.max_push_speed;
    return settings;
}

} // namespace

void Solver::run(Executor& executor, const SolverInput& input, std::span<BodyMotion> motions,
                 std::span<const BodyDynamics> dynamics, std::span<const TouchingContact> touching,
                 ContactPool& contacts, std::span<JointInput> joints) {
    assert(!motions.empty() && motions[0].inverse_mass == 0.0f && dynamics.size() == motions.size());
    assert(input.step > 0.0f && input.substeps > 0);
    too_fast_.assign(motions.size(), 0);
    used_colours_ = 0;
    joints_swept_ = 0;
    backward_ = input.backward;
    resize_large(inertias_, motions.size());
    resize_large(traits_, motions.size());
    const auto begin_body = [&](std::uint32_t i) {
        const bool pushed = motions[i].inverse_mass > 0.0f;
        inertias_[i].inverse = dynamics[i].inverse_inertia;
        inertias_[i].gravity_scale = pushed ? dynamics[i].gravity_scale : 0.0f;
        inertias_[i].own_inverse_mass = motions[i].inverse_mass * dynamics[i].load_scale;
        traits_[i] = {pushed, dynamics[i].spin_limited, false, i != 0};
    };
    begin_body(0);
    const std::size_t threads = static_cast<std::size_t>(executor.thread_count());
    if (input.regions == nullptr && (even_.size() + 1 != motions.size() || even_.count() != threads)) {
        even_.set_even(motions.size() - 1, threads);
    }
    const Regions& regions = input.regions != nullptr ? *input.regions : even_;
    for_bodies(executor, regions, begin_body);
    for (const JointInput& joint : joints) {
        traits_[joint.motion_a].jointed = motions[joint.motion_a].inverse_mass > 0.0f;
        traits_[joint.motion_b].jointed = motions[joint.motion_b].inverse_mass > 0.0f;
    }
    if (!touching.empty()) {
        sliding_.begin(motions, joints);
    }
    const TimeStepClass plain{0, input.substeps, 1};
    const std::span<const TimeStepClass> classes = input.classes.empty() ? std::span(&plain, 1) : input.classes;
    if (joint_solvers_.size() < classes.size()) {
        joint_solvers_.resize(classes.size());
    }
    for (std::size_t p = 0; p < classes.size(); ++p) {
        const auto keeps = [&](std::uint32_t motion) {
            return classes.size() == 1 || motions[motion].inverse_mass == 0.0f || input.class_of_motion[motion] == p;
        };
        for (std::uint32_t i = 1; i < motions.size() && classes.size() > 1; ++i) {
            traits_[i].member = keeps(i);
            if (p > 0 && motions[i].inverse_mass == 0.0f) { // moved with the islands before
                motions[i].delta_position = Vec3(0.0f);
                motions[i].delta_rotation = identity_orientation;
            }
        }
        std::span<const TouchingContact> mine = touching;
        if (classes.size() > 1) {
            class_touching_.clear();
            for (const TouchingContact& contact : touching) {
                const RowBodies& bodies = contact.bodies;
                if (keeps(motions[bodies.a].inverse_mass > 0.0f ? bodies.a : bodies.b)) {
                    class_touching_.push_back(contact);
                }
            }
            mine = class_touching_;
        }
        const auto end =
            std::find_if(joints.begin(), joints.end(), [&](const JointInput& j) { return j.step_class != p; });
        const auto count = classes.size() == 1 ? joints.size() : static_cast<std::size_t>(end - joints.begin());
        run_class(executor, input, classes[p], motions, dynamics, regions, mine, contacts, joints.first(count),
                  joint_solvers_[p]);
        joints = joints.subspan(count);
        used_colours_ = std::max(used_colours_, blocks_.used_colours());
        joints_swept_ += count > 0 ? joint_solvers_[p].swept() : 0;
    }
    if (!touching.empty()) {
        const auto substep_of = [&](std::uint32_t motion) {
            const std::size_t own = classes.size() == 1 ? 0 : input.class_of_motion[motion];
            return input.step / static_cast<float>(classes[own].substeps);
        };
        sliding_.end({dynamics, touching, contacts, input.gravity, substep_of}, motions);
    }
    spin_limited_ = static_cast<std::uint32_t>(std::count(too_fast_.begin(), too_fast_.end(), 1));
}

std::size_t Solver::memory_bytes() const {
    std::size_t joints = bytes_of(joint_solvers_);
    for (const JointSolver& joint_solver : joint_solvers_) {
        joints += joint_solver.memory_bytes();
    }
    return blocks_.memory_bytes() + joints + bytes_of(inertias_) + bytes_of(too_fast_) + bytes_of(traits_) +
           sliding_.memory_bytes() + bytes_of(falling_) + bytes_of(turning_) + even_.memory_bytes() + bytes_of(needs_) +
           bytes_of(stages_) + bytes_of(class_touching_);
}

void Solver::run_class(Executor& executor, const SolverInput& input, const TimeStepClass& step_class,
                       std::span<BodyMotion> motions, std::span<const BodyDynamics> dynamics, const Regions& regions,
                       std::span<const TouchingContact> touching, ContactPool& contacts, std::span<JointInput> joints,
                       JointSolver& joint_solver) {
    const ContactSolverSettings settings = contact_settings(input, step_class);
    const JointSolverSettings for_joints = joint_settings(input, step_class);
    RowWork work;
    work.motions = motions.data();
    work.inertias = inertias_.data();
    work.settings = settings;
    blocks_.build(executor, touching, contacts, traits_, regions, work, backward_, input.colour_of_contact);

    const float max_turn = std::min(max_substep_turn, max_step_turn / static_cast<float>(step_class.substeps));
    const bool jointed = !joints.empty();
    const auto exact = [&](std::uint32_t i) { return jointed && joint_solver.exact(i); };
    falling_.resize(motions.size());
    resize_large(turning_, motions.size());
    for (std::size_t i = 0; i < motions.size(); ++i) {
        falling_[i] = motions[i].linear_velocity;
        turning_[i] = motions[i].angular_velocity;
    }
    for (const TouchingContact& contact : touching) {
        // What touches something already does not fly, even while nothing pushes it: like what is on joints, it moves
        // by symplectic Euler for the whole step. In heaps single parabolas among other paths feed their springs.
        if (contact.overlaps) {
            traits_[contact.bodies.a].jointed = traits_[contact.bodies.b].jointed = true;
        }
    }
    // What lies in dozens of others is asked to leave them all at once, in directions that change as soon as it moves:
    // no velocities fulfil that, and the passes would find ever greater ones. So it gains no more speed in a step than
    // those have that part from one other. Nothing bounds how it is stopped.
    const float parting_speed = input.max_push_speed * settings.h / input.step;
    const auto hold_parting = [&](std::uint32_t i) {
        if (!dynamics[i].parting) {
            return;
        }
        const auto hold = [](Vec3& velocity, float most) {
            const float speed = glm::length(velocity);
            velocity *= speed > most ? most / speed : 1.0f;
        };
        const SymmetricMat3& w = dynamics[i].inverse_inertia_local;
        const float turn_by_way =
            std::sqrt((w.xx + w.yy + w.zz) / (3.0f * motions[i].inverse_mass)); // of as much energy
        hold(motions[i].linear_velocity, glm::length(falling_[i]) + parting_speed);
        hold(motions[i].angular_velocity, glm::length(turning_[i]) + turn_by_way * parting_speed);
    };
    const auto integrate_velocities = [&](std::uint32_t i) {
        hold_parting(i);
        integrate_velocity(motions[i], dynamics[i], input.gravity, settings.h);
        falling_[i] = motions[i].linear_velocity;
        turning_[i] = motions[i].angular_velocity;
        if (!exact(i) && limit_spin(motions[i], dynamics[i], max_turn, settings.h)) {
            too_fast_[i] = 1;
        }
    };
    const auto move_on = [&](std::uint32_t i) {
        hold_parting(i);
        if (!exact(i) && limit_spin(motions[i], dynamics[i], max_turn, settings.h)) {
            too_fast_[i] = 1;
        }
        if (dynamics[i].locks != 0) {
            hold_locks(motions[i], dynamics[i].locks);
        }
        motions[i].delta_position += settings.h * motions[i].linear_velocity;
        // What no contact and no joint holds moves on its parabola, with the velocity that it has there at the end of
        // the substep. Springs need the velocity first and the position after it (symplectic Euler): by parabolas they
        // would gain energy.
        if (motions[i].inverse_mass > 0.0f && motions[i].linear_velocity == falling_[i] && !traits_[i].jointed) {
            motions[i].delta_position -= (0.5f * settings.h * settings.h * dynamics[i].gravity_scale) * input.gravity;
            if (dynamics[i].push != nullptr) {
                motions[i].delta_position -= (0.5f * settings.h * settings.h) * dynamics[i].push->linear;
            }
        }
    };
    const auto refresh_inertia = [&](std::uint32_t i) {
        if (dynamics[i].precesses && motions[i].inverse_mass > 0.0f) {
            precess(motions[i], dynamics[i], settings.h);
        }
        if ((dynamics[i].principal != nullptr || dynamics[i].locks != 0) && motions[i].inverse_mass > 0.0f &&
            has_turned(motions[i])) {
            inertias_[i].inverse = inverse_inertia_now(motions[i], dynamics[i]);
        }
    };
    const auto integrate_positions = [&](std::span<const std::uint32_t> bodies) {
        constexpr std::size_t together = 128; // stay in the first cache
        for (std::size_t first = 0; first < bodies.size(); first += together) {
            const std::span some = bodies.subspan(first, std::min(together, bodies.size() - first));
            std::for_each(some.begin(), some.end(), move_on);
            turn_bodies(some, motions, dynamics, settings.h);
            std::for_each(some.begin(), some.end(), refresh_inertia);
        }
    };
    const auto bodies_of = [&](const Stage& stage, std::size_t part) {
        return stage.shared ? blocks_.shared_bodies(part) : blocks_.own_bodies(part);
    };
    const auto perform = [&](std::size_t stage, std::size_t part) {
        const Stage& what = stages_[stage];
        switch (what.kind) {
        case Stage::Kind::velocities:
            for (const std::uint32_t i : bodies_of(what, part)) {
                integrate_velocities(i);
            }
            break;
        case Stage::Kind::positions:
            integrate_positions(bodies_of(what, part));
            break;
        case Stage::Kind::one_colour:
            if (what.shared) {
                blocks_.run_shared(what.pass, what.colour, part);
            } else {
                blocks_.run_own(what.pass, what.colour, part);
            }
            break;
        case Stage::Kind::all_colours:
            blocks_.run_all(what.pass, part);
            break;
        }
    };
    // Stages wait until something must be done that only one thread can do, and then run one after the other.
    stages_.clear();
    needs_.clear();
    std::uint32_t shared_done = 0; // stages up to the last shared one
    const auto add = [&](Stage::Kind kind, RowPass row_pass, std::size_t colour) {
        for (const bool shared : {true, false}) {
            if (shared && kind == Stage::Kind::one_colour && !blocks_.has_shared(colour)) {
                continue;
            }
            stages_.push_back({kind, row_pass, shared, static_cast<std::uint32_t>(colour)});
            needs_.push_back(shared ? shared_done : needs_.empty() ? 0u : needs_.back());
            shared_done = shared ? static_cast<std::uint32_t>(stages_.size()) : shared_done;
        }
    };
    const auto run_waiting = [&] {
        run_stages(executor, needs_, blocks_.parts(), perform);
        stages_.clear();
        needs_.clear();
        shared_done = 0;
    };
    const auto pass = [&](RowPass row_pass) {
        for (std::size_t colour = 0; colour < blocks_.stages(); ++colour) {
            add(Stage::Kind::one_colour, row_pass, colour);
        }
    };
    const auto whole_pass = [&](RowPass row_pass) {
        stages_.push_back({Stage::Kind::all_colours, row_pass, false, 0});
        needs_.push_back(needs_.empty() ? 0u : needs_.back());
    };
    const ImpactJoints impact_joints{joint_solver, for_joints};
    if (jointed) {
        joint_solver.begin(executor, joints, motions, dynamics, inertias_, settings.h);
        for (const TouchingContact& contact : touching) {
            joint_solver.note_contact(contact.bodies.a, contact.bodies.b);
        }
        joint_solver.end_contacts();
        joint_solver.refresh(executor, motions, dynamics, inertias_, settings.h);
    }
    for (int substep = 0; substep < step_class.substeps; ++substep) {
        add(Stage::Kind::velocities, {}, 0);
        if (jointed || !blocks_.impacts().empty()) {
            run_waiting();
        }
        if (jointed) {
            joint_solver.begin_substep(motions);
        }
        if (!blocks_.impacts().empty() &&
            impacts_.run(executor, blocks_.impacts(), blocks_.blocks(), motions, dynamics, inertias_, settings, traits_,
                         jointed ? &impact_joints : nullptr)) {
            whole_pass(RowPass::turn);
            if (jointed) {
                joint_solver.refresh_nets(executor, motions, inertias_);
            }
            for (std::size_t i = 0; i < motions.size(); ++i) {
                falling_[i] = motions[i].linear_velocity;
            }
        }
        if (jointed) {
            joint_solver.begin_passes(executor, motions, for_joints);
        }
        if (settings.warm_starting || substep > 0) {
            if (jointed) {
                joint_solver.warm_start(executor, motions);
            }
            pass(RowPass::warm_start);
        }
        if (jointed) {
            run_waiting();
            joint_solver.solve(executor, motions, dynamics, for_joints, true);
        }
        pass(RowPass::push);
        if (jointed && !touching.empty()) {
            run_waiting();
            joint_solver.hold(executor, motions, for_joints);
        }
        add(Stage::Kind::positions, {}, 0);
        if (jointed) {
            run_waiting();
            joint_solver.refresh(executor, motions, dynamics, inertias_, settings.h);
            joint_solver.solve(executor, motions, dynamics, for_joints, false);
            joint_solver.accumulate(executor);
        }
        for (int i = 1; i < step_class.relaxations; ++i) {
            pass(RowPass::settle);
        }
        pass(RowPass::relax);
    }
    whole_pass(RowPass::store);
    run_waiting();
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        hold_parting(i);
    }
    if (jointed) {
        joint_solver.end(executor, joints);
        for (const JointInput& joint : joints) { // contacts come last
            if (dynamics[joint.motion_b].locks != 0) {
                hold_locks(motions[joint.motion_b], dynamics[joint.motion_b].locks);
            }
        }
    }
}

} // namespace cairn::physics
