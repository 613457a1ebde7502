// The rigid-body world. It changes only through apply() and step(); it is read through publish().
#pragma once

#include "physics/base/executor.h"
#include "physics/query/ray_cast.h"
#include "physics/world/command.h"
#include "physics/world/frame_state.h"
#include "physics/world/memory_use.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::physics {

struct WorldRayHit {
    BodyId body;
    RayHit hit;
};

// Everything that the future of a world depends on: poses, velocities, contacts with their warm-start impulses, sleep
// timers, free slots, settings, the grab. Restoring it continues with the same bits.
struct Snapshot;
struct StateImage;  // the same as columns of numbers
struct StateDigest; // where two states differ, in a hundred bytes

class World {
  public:
    // `executor` must outlive the world; none = everything on the calling thread. Throws std::invalid_argument with
    // what is wrong with the settings.
    explicit World(const Settings& settings = {}, Executor* executor = nullptr);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // Applies one command between steps. Refuses non-finite or absurd numbers and dead handles and then changes
    // nothing.
    CommandResult apply(const Command& command);

    // Advances by settings().dt() seconds. When the executor throws, the step is broken off, and the world is good for
    // nothing but being replaced by another one: see snapshot().
    void step();

    // Writes the present state into `frame`, reusing its memory.
    void publish(FrameState& frame) const;

    // What frames are to hold beyond that, from now on. Sweeps and colours are noted while a step is taken: of those
    // before, nothing is known. Never shows in what the world does.
    void watch(const FrameDetails& details);

    // Nearest body hit by the ray, by its present pose; bodies by ascending distance, then slot. The direction may have
    // any length but zero; distances are in metres all the same.
    std::optional<WorldRayHit> ray_cast(const Ray& ray) const;

    const Settings& settings() const;
    std::uint64_t step_count() const;
    std::uint64_t hash() const; // 64-bit state hash, see docs/reference/conventions.md
    std::size_t body_count() const;
    std::vector<BodyId> body_ids() const; // by slot
    // nullptr for a dead handle
    std::shared_ptr<const BodyModel> model(BodyId body) const;
    // Present state of one body; nullopt for a dead handle.
    std::optional<BodyState> state(BodyId body) const;
    std::shared_ptr<const JointDef> joint(JointId joint) const; // nullptr for a dead handle
    std::vector<JointId> joints_of(BodyId body) const;          // by slot; none for a dead handle
    const std::vector<BodyId>& stopped() const;                 // in the last step, see FrameState

    MemoryUse memory_use() const;

    std::shared_ptr<const Snapshot> snapshot() const;
    void restore(const Snapshot& snapshot);

    // The present state as plain numbers, for files. Between steps, when no command has been applied since the last
    // one: what commands leave to the next step is not in it.
    StateImage image() const;
    // The other way round. Checks everything: returns what is wrong, and then has changed nothing, or an empty text.
    std::string load(const StateImage& image);
    StateDigest digest() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::physics
