#include "physics/world/memory_use.h"

#include "physics/base/bytes.h"
#include "physics/world/engine/world_impl.h"

namespace cairn::physics {

namespace {

// Of a part that counts its own.
template <typename Part>
std::size_t bytes_held_by(const Part& part) {
    if constexpr (requires { part.memory_bytes(); }) {
        return part.memory_bytes();
    }
    return 0;
}

} // namespace

MemoryUse World::memory_use() const {
    const WorldData& data = impl_->data;
    MemoryUse use;
    use.bodies = data.bodies.memory_bytes() + data.awake.memory_bytes();
    use.kinds = impl_->kinds.memory_bytes();
    use.trees = data.broadphase.memory_bytes();
    use.contacts = data.contacts.memory_bytes() + bytes_of(data.bodies.traces);
    use.joints = data.joints.memory_bytes() + impl_->acting.memory_bytes();
    use.solver = bytes_held_by(impl_->solver);
    use.scratch = impl_->scratch_bytes();
    return use;
}

std::size_t World::Impl::scratch_bytes() const {
    const StepReport& report = data.report;
    return partition.memory_bytes() + new_pairs.memory_bytes() + narrowphase.memory_bytes() +
           internal_edges.memory_bytes() + islands.memory_bytes() + substeps.memory_bytes() + motions.memory_bytes() +
           mass_scaling.memory_bytes() + parallel_contacts.memory_bytes() + fast_bodies.memory_bytes() +
           touch_marks.memory_bytes() + publisher.memory_bytes() + contact_watcher.memory_bytes() +
           sensor_watcher.memory_bytes() + bytes_of(data.forces) + bytes_of(data.pending_loads.changes) +
           bytes_of(data.pending_loads.grounds) + bytes_of(data.substeps.columns) + bytes_of(data.substeps.recovering) +
           bytes_of(report.stopped) + bytes_of(report.impacts) + bytes_of(report.breaks);
}

} // namespace cairn::physics
