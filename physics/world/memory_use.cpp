#include "physics/world/memory_use.h"

#include "physics/base/bytes.h"
#include "physics/world/world_state.h"

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
    use.solver = bytes_of(impl_->motions) + bytes_of(impl_->dynamics);
    use.solver += bytes_held_by(impl_->solver);
    use.scratch = impl_->scratch_bytes();
    return use;
}

std::size_t World::Impl::scratch_bytes() const {
    std::size_t bytes = 0;
    const auto add = [&bytes](const auto&... lists) { bytes += (bytes_of(lists) + ...); };
    add(new_pairs, pair_blocks, pending_pairs, round_touching, touched, at_fixed, hidden, fixed_contacts);
    add(on_several, touching_sides, places_found);
    add(mesh_pairs, mesh_places, mesh_pair_of);
    for (const PairBlock& block : pair_blocks) {
        add(block.touching, block.found, block.gone, block.parted, block.waking, block.foreseen, block.at_fixed);
    }
    for (const std::vector<KnownPair>& block : fast_pair_blocks) {
        add(block);
    }
    for (const std::vector<std::uint32_t>& block : pressed_blocks) {
        add(block);
    }
    add(pressed_blocks);
    add(outlooks, foreseen, fast_pairs, fast_pair_blocks, pairs_entangled, counted_bodies, knows_all, lies_deep);
    add(move_marks, fast_bodies, strayed, escaped, step_starts, hit_sleepers);
    add(data.substeps.columns, data.substeps.recovering);
    add(sweeps, colour_of_contact, data.stopped, data.impacts, data.breaks);
    return bytes + continuous.memory_bytes() + islands.memory_bytes() + substeps.memory_bytes() +
           partition.memory_bytes();
}

} // namespace cairn::physics
