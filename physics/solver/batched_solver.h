// Many small islands, solved a few at a time.
#pragma once

#include "physics/solver/solver.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace cairn::physics {

// The rows of a contact are read in each of a dozen passes, and those of a hundred thousand contacts come from memory
// each time. Islands do not know of each other, so small ones are solved in batches whose rows stay in a core's cache
// from the first pass to the last, a batch on one thread; the memory of the rows is that of a few batches. What is not
// small, is jointed, or touches a kinematic body is solved together, on all threads.
//
// Which islands make up a batch follows from their contacts alone, never from the number of threads or from how motions
// are numbered.
class BatchedSolver {
  public:
    // As Solver::run. `root_of_motion`: names the island of each motion by one of its motions.
    void run(Executor& executor, const SolverInput& input, std::span<BodyMotion> motions,
             std::span<const BodyDynamics> dynamics, std::span<const TouchingContact> touching, ContactPool& contacts,
             std::span<JointInput> joints, std::span<const std::uint32_t> root_of_motion);

    std::uint32_t spin_limited() const { return spin_limited_; }
    std::size_t joints_swept() const { return whole_.joints_swept(); }
    std::size_t used_colours() const { return used_colours_; }
    std::size_t batches() const { return batches_.size(); } // of the last run
    std::size_t memory_bytes() const;                       // of heap

    // Contacts of an island that is solved with others in a batch, at most, and of a batch if it holds several. Their
    // rows, 0.7 kB each, fill a third of a cache of 2 MB.
    static constexpr std::uint32_t batch_contacts = 900;
    // So many contacts must be had in small islands, and half of all, before batches are worth their copies.
    static constexpr std::uint32_t worth_while = 2000;

  private:
    struct Batch {
        std::uint32_t first_body = 0, bodies = 0, first_contact = 0, contacts = 0;
        std::uint8_t step_class = 0;
    };
    // What solves a batch: motions by local index, from 1 on, as the solver wants them.
    struct Worker {
        SerialExecutor serial;
        Solver solver;
        std::vector<BodyMotion> motions;
        std::vector<BodyDynamics> dynamics;
        std::vector<TouchingContact> touching;
        std::uint32_t spin_limited = 0;
        std::size_t used_colours = 0;
        std::size_t memory_bytes() const;
    };
    // The whole world, while bodies are divided.
    struct Job {
        const SolverInput& input;
        std::span<BodyMotion> motions;
        std::span<const BodyDynamics> dynamics;
        std::span<const TouchingContact> touching;
        ContactPool& contacts;
    };

    bool divide(const Job& job, std::span<const JointInput> joints, std::span<const std::uint32_t> root_of_motion);
    void list_members(const Job& job, std::span<const std::uint32_t> root_of_motion);
    void load(const Job& job, const Batch& batch, Worker& worker) const;
    void unload(const Job& job, const Batch& batch, const Worker& worker) const;
    void solve_batch(const Job& job, const Batch& batch);
    void solve_rest(Executor& executor, const Job& job, std::span<JointInput> joints);
    std::unique_ptr<Worker> take_worker();

    Solver whole_;
    Worker rest_;
    std::vector<std::uint8_t> rest_classes_;
    std::vector<Batch> batches_; // the last one holds the rest while bodies are listed
    Batch rest_batch_;
    std::vector<std::uint32_t> contacts_of_root_, batch_of_root_; // by motion that is a root
    std::vector<std::uint32_t> bodies_, members_;                 // motions and touching contacts, by batch
    std::vector<std::uint32_t> local_;                            // by motion: its index within its batch
    std::vector<std::uint32_t> open_;                             // by time step class: the batch that is being filled
    std::mutex mutex_;
    std::vector<std::unique_ptr<Worker>> idle_; // workers of this and earlier runs
    std::uint32_t spin_limited_ = 0;
    std::size_t used_colours_ = 0;
};

} // namespace cairn::physics
