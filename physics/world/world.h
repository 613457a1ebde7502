// The rigid-body world. It changes only through apply() and step(); it is read through publish().
#pragma once

#include "physics/base/executor.h"
#include "physics/world/command.h"
#include "physics/world/contact_events.h"
#include "physics/world/frame_state.h"
#include "physics/world/memory_use.h"
#include "physics/world/sensor_events.h"
#include "physics/world/world_query.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::physics {

// Everything that the future of a world depends on: poses, velocities, contacts with their warm-start impulses, sleep
// timers, free slots, settings, the grab. Restoring it continues with the same bits.
struct Snapshot;
struct StateImage;  // the same as columns of numbers
struct StateDigest; // where two states differ, in a hundred bytes

class World {
  public:
    // `executor` must outlive the world; none = everything on the calling thread. So must `orders`, by which large
    // meshes are built sooner; none = each is built anew. Throws std::invalid_argument with what is wrong with the
    // settings.
    explicit World(const Settings& settings = {}, Executor* executor = nullptr, MeshOrders* orders = nullptr);
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

    // Contact events of the last step, while they are watched. Switching them on is no event.
    void watch_contacts(const ContactWatch& watch);
    const ContactEvents& contact_events() const;

    // What entered and left sensors in the last step, and what is inside since then. After restore() and load(): what
    // is inside, and nothing has just entered.
    const SensorEvents& sensor_events() const;
    // What overlapped this sensor, by its place in BodyModel::parts, at the end of the last step; by body and shape.
    std::vector<WorldShape> inside_sensor(BodyId body, std::uint32_t shape) const;

    // Has the last word about which bodies may collide, after groups, masks and joints. Called from several threads and
    // in no particular order: the answer must follow from the two bodies, whichever comes first, and the world must not
    // be asked or changed meanwhile. Ends contacts that it forbids. Empty: no filter. Belongs to the program and not to
    // the state: restore() and load() keep it, but end no contacts, and captures and hashes do not know of it.
    using ContactFilter = std::function<bool(BodyId, BodyId)>;
    void set_contact_filter(ContactFilter filter);

    // A number of the program's own for each body, 0 at first. Snapshots hold it; hashes, images and captures do not.
    void set_user_data(BodyId body, std::uint64_t data); // nothing for a dead handle
    std::uint64_t user_data(BodyId body) const;          // 0 for a dead handle

    // Queries see bodies at their present poses. Among equals the body with the lower slot comes first, then its first
    // shape: answers do not depend on what the world has been through. Each may be asked from several threads, while
    // nothing changes the world. Nothing is found where numbers are not finite.

    // Nearest shape hit by the ray. The direction may have any length but zero; distances are in metres all the same.
    std::optional<WorldRayHit> ray_cast(const Ray& ray, const QueryFilter& filter = {}) const;
    // Every shape that the ray enters, once each, by ascending distance.
    std::vector<WorldRayHit> ray_cast_all(const Ray& ray, const QueryFilter& filter = {}) const;
    // Whether the ray hits anything: ends with the first shape found.
    bool ray_cast_any(const Ray& ray, const QueryFilter& filter = {}) const;
    // All shapes that overlap or touch the convex `shape`, by body and shape. Of meshes the surface counts.
    std::vector<WorldShape> overlaps(const Shape& shape, const Transform& pose, const QueryFilter& filter = {}) const;
    // The first shape that the convex `shape` meets on a straight way, without turning: with ShapeCastStatus::initial
    // if it begins there.
    std::optional<WorldShapeCast> shape_cast(const Shape& shape, const Transform& from, const Vec3& translation,
                                             const QueryFilter& filter = {}) const;
    // The nearest shape, if it is less than `max_distance` m away. Negative distances are depths. A mesh has no inside:
    // the distance is that from its surface.
    std::optional<WorldDistance> closest(const Shape& shape, const Transform& pose, float max_distance,
                                         const QueryFilter& filter = {}) const;
    std::optional<WorldDistance> closest_point(const Vec3& point, float max_distance,
                                               const QueryFilter& filter = {}) const;

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
