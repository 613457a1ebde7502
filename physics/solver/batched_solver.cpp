#include "physics/solver/batched_solver.h"

#include "physics/base/bytes.h"
#include "physics/base/executor_loop.h"

#include <algorithm>
#include <utility>

namespace cairn::physics {

namespace {

constexpr std::uint32_t no_batch = 0xffffffffu;
constexpr std::uint32_t rest_batch = 0xfffffffeu; // solved with the rest
constexpr std::uint32_t batch_bodies = 1024;

// The body of a contact whose island has it.
std::uint32_t owner(const TouchingContact& contact, std::span<const BodyMotion> motions) {
    return motions[contact.bodies.a].inverse_mass > 0.0f ? contact.bodies.a : contact.bodies.b;
}

} // namespace

void BatchedSolver::run(Executor& executor, const SolverInput& input, std::span<BodyMotion> motions,
                        std::span<const BodyDynamics> dynamics, std::span<const TouchingContact> touching,
                        ContactPool& contacts, std::span<JointInput> joints,
                        std::span<const std::uint32_t> root_of_motion) {
    const Job job{input, motions, dynamics, touching, contacts};
    if (!divide(job, joints, root_of_motion)) {
        batches_.clear();
        whole_.run(executor, input, motions, dynamics, touching, contacts, joints);
        spin_limited_ = whole_.spin_limited();
        used_colours_ = whole_.used_colours();
        return;
    }
    list_members(job, root_of_motion);
    spin_limited_ = 0;
    used_colours_ = 0;
    for (const std::unique_ptr<Worker>& worker : idle_) {
        worker->spin_limited = 0;
        worker->used_colours = 0;
    }
    for_tasks(executor, batches_.size(), batch_contacts, [&](std::size_t i) { solve_batch(job, batches_[i]); });
    for (const std::unique_ptr<Worker>& worker : idle_) {
        spin_limited_ += worker->spin_limited;
        used_colours_ = std::max(used_colours_, worker->used_colours);
    }
    solve_rest(executor, job, joints);
}

// Gives each small island a batch. False if that is not worth while.
bool BatchedSolver::divide(const Job& job, std::span<const JointInput> joints,
                           std::span<const std::uint32_t> root_of_motion) {
    if (job.touching.size() < worth_while) {
        return false;
    }
    const std::span<const BodyMotion> motions = job.motions;
    contacts_of_root_.assign(motions.size(), 0);
    batch_of_root_.assign(motions.size(), no_batch);
    const auto keep_together = [&](std::uint32_t motion) {
        if (motions[motion].inverse_mass > 0.0f) {
            batch_of_root_[root_of_motion[motion]] = rest_batch;
        }
    };
    for (const JointInput& joint : joints) {
        keep_together(joint.motion_a);
        keep_together(joint.motion_b);
    }
    for (const TouchingContact& contact : job.touching) {
        const auto [a, b] = contact.bodies;
        ++contacts_of_root_[root_of_motion[owner(contact, motions)]];
        // A kinematic body moves once, with the rest; it may touch islands of all batches.
        const bool driven_a = a != 0 && motions[a].inverse_mass == 0.0f;
        const bool driven_b = b != 0 && motions[b].inverse_mass == 0.0f;
        if (driven_a || driven_b) {
            keep_together(driven_a ? b : a);
        }
    }
    std::size_t in_small = 0;
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        if (contacts_of_root_[i] > batch_contacts) {
            batch_of_root_[i] = rest_batch;
        } else if (batch_of_root_[i] != rest_batch) {
            in_small += contacts_of_root_[i];
        }
    }
    if (in_small < worth_while || 2 * in_small < job.touching.size()) {
        return false;
    }
    batches_.clear();
    open_.assign(std::max<std::size_t>(job.input.classes.size(), 1), no_batch);
    const bool several = job.input.classes.size() > 1; // else nothing is said of single motions
    const auto class_of = [&](std::uint32_t motion) {
        return several ? job.input.class_of_motion[motion] : std::uint8_t{0};
    };
    // In the order in which the islands come among the contacts.
    for (const TouchingContact& contact : job.touching) {
        const std::uint32_t body = owner(contact, motions);
        const std::uint32_t root = root_of_motion[body];
        if (batch_of_root_[root] != no_batch) {
            continue;
        }
        const std::uint8_t step_class = class_of(body);
        std::uint32_t& open = open_[step_class];
        if (open == no_batch || batches_[open].contacts + contacts_of_root_[root] > batch_contacts) {
            open = static_cast<std::uint32_t>(batches_.size());
            batches_.push_back({});
            batches_.back().step_class = step_class;
        }
        batch_of_root_[root] = open;
        batches_[open].contacts += contacts_of_root_[root];
    }
    // What touches nothing goes its way in any batch.
    open_.assign(open_.size(), no_batch);
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        if (root_of_motion[i] != i || batch_of_root_[i] != no_batch || motions[i].inverse_mass == 0.0f) {
            continue;
        }
        const std::uint8_t step_class = class_of(i);
        std::uint32_t& open = open_[step_class];
        if (open == no_batch || batches_[open].bodies == batch_bodies) {
            open = static_cast<std::uint32_t>(batches_.size());
            batches_.push_back({});
            batches_.back().step_class = step_class;
        }
        batch_of_root_[i] = open;
        ++batches_[open].bodies;
    }
    return true;
}

// Bodies and contacts by batch, contacts in their canonical order.
void BatchedSolver::list_members(const Job& job, std::span<const std::uint32_t> root_of_motion) {
    const std::span<const BodyMotion> motions = job.motions;
    const auto rest = static_cast<std::uint32_t>(batches_.size());
    batches_.push_back({});
    for (Batch& batch : batches_) {
        batch.bodies = batch.contacts = 0;
    }
    const auto batch_of_body = [&](std::uint32_t motion) {
        const std::uint32_t batch =
            motions[motion].inverse_mass > 0.0f ? batch_of_root_[root_of_motion[motion]] : rest_batch;
        return batch < rest ? batch : rest;
    };
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        ++batches_[batch_of_body(i)].bodies;
    }
    for (const TouchingContact& contact : job.touching) {
        ++batches_[batch_of_body(owner(contact, motions))].contacts;
    }
    std::uint32_t body = 0, member = 0;
    for (Batch& batch : batches_) {
        batch.first_body = body;
        batch.first_contact = member;
        body += std::exchange(batch.bodies, 0u);
        member += std::exchange(batch.contacts, 0u);
    }
    bodies_.resize(body);
    members_.resize(member);
    local_.resize(motions.size());
    local_[0] = 0;
    for (std::uint32_t i = 1; i < motions.size(); ++i) {
        Batch& batch = batches_[batch_of_body(i)];
        bodies_[batch.first_body + batch.bodies] = i;
        local_[i] = ++batch.bodies;
    }
    for (std::uint32_t i = 0; i < job.touching.size(); ++i) {
        Batch& batch = batches_[batch_of_body(owner(job.touching[i], motions))];
        members_[batch.first_contact + batch.contacts++] = i;
    }
    rest_batch_ = batches_.back();
    batches_.pop_back();
}

void BatchedSolver::load(const Job& job, const Batch& batch, Worker& worker) const {
    worker.motions.resize(batch.bodies + std::size_t{1});
    worker.dynamics.resize(batch.bodies + std::size_t{1});
    worker.motions[0] = job.motions[0];
    worker.dynamics[0] = job.dynamics[0];
    for (std::size_t i = 0; i < batch.bodies; ++i) {
        const std::uint32_t motion = bodies_[batch.first_body + i];
        worker.motions[i + 1] = job.motions[motion];
        worker.dynamics[i + 1] = job.dynamics[motion];
    }
    worker.touching.resize(batch.contacts);
    for (std::size_t i = 0; i < batch.contacts; ++i) {
        const TouchingContact& contact = job.touching[members_[batch.first_contact + i]];
        worker.touching[i] = {contact.slot, {local_[contact.bodies.a], local_[contact.bodies.b]}, contact.overlaps};
    }
}

void BatchedSolver::unload(const Job& job, const Batch& batch, const Worker& worker) const {
    for (std::size_t i = 0; i < batch.bodies; ++i) {
        job.motions[bodies_[batch.first_body + i]] = worker.motions[i + 1];
    }
}

std::unique_ptr<BatchedSolver::Worker> BatchedSolver::take_worker() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) {
        return std::make_unique<Worker>();
    }
    std::unique_ptr<Worker> worker = std::move(idle_.back());
    idle_.pop_back();
    return worker;
}

void BatchedSolver::solve_batch(const Job& job, const Batch& batch) {
    std::unique_ptr<Worker> worker = take_worker();
    load(job, batch, *worker);
    SolverInput input = job.input;
    input.regions = nullptr;
    input.class_of_motion = {};
    input.classes = job.input.classes.empty() ? job.input.classes : job.input.classes.subspan(batch.step_class, 1);
    worker->solver.run(worker->serial, input, worker->motions, worker->dynamics, worker->touching, job.contacts, {});
    worker->spin_limited += worker->solver.spin_limited();
    worker->used_colours = std::max(worker->used_colours, worker->solver.used_colours());
    unload(job, batch, *worker);
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
}

void BatchedSolver::solve_rest(Executor& executor, const Job& job, std::span<JointInput> joints) {
    load(job, rest_batch_, rest_);
    SolverInput input = job.input;
    input.regions = nullptr;
    input.class_of_motion = {};
    if (job.input.classes.size() > 1) {
        rest_classes_.resize(rest_.motions.size());
        rest_classes_[0] = job.input.class_of_motion[0];
        for (std::size_t i = 0; i < rest_batch_.bodies; ++i) {
            rest_classes_[i + 1] = job.input.class_of_motion[bodies_[rest_batch_.first_body + i]];
        }
        input.class_of_motion = rest_classes_;
    }
    const auto renumber = [&](const auto& number) {
        for (JointInput& joint : joints) {
            joint.motion_a = number(joint.motion_a);
            joint.motion_b = number(joint.motion_b);
        }
    };
    renumber([this](std::uint32_t motion) { return local_[motion]; });
    whole_.run(executor, input, rest_.motions, rest_.dynamics, rest_.touching, job.contacts, joints);
    renumber([this](std::uint32_t local) { return local == 0 ? 0u : bodies_[rest_batch_.first_body + local - 1]; });
    unload(job, rest_batch_, rest_);
    spin_limited_ += whole_.spin_limited();
    used_colours_ = std::max(used_colours_, whole_.used_colours());
}

std::size_t BatchedSolver::Worker::memory_bytes() const {
    return solver.memory_bytes() + bytes_of(motions) + bytes_of(dynamics) + bytes_of(touching);
}

std::size_t BatchedSolver::memory_bytes() const {
    std::size_t bytes = whole_.memory_bytes() + rest_.memory_bytes() + bytes_of(rest_classes_) + bytes_of(batches_) +
                        bytes_of(contacts_of_root_) + bytes_of(batch_of_root_) + bytes_of(bodies_) +
                        bytes_of(members_) + bytes_of(local_) + bytes_of(open_) + bytes_of(idle_);
    for (const std::unique_ptr<Worker>& worker : idle_) {
        bytes += sizeof(Worker) + worker->memory_bytes();
    }
    return bytes;
}

} // namespace cairn::physics
