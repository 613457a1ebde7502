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
    use.bodies = bytes_of(data.bodies) + bytes_of(data.cold) + bytes_of(data.shapes) + bytes_of(data.free_bodies) +
                 bytes_of(data.awake) + bytes_of(data.newly_awake) + bytes_of(data.placed);
    for (const auto& [length, runs] : data.free_shape_runs) {
        use.bodies += bytes_of(runs);
    }
    use.kinds = impl_->kinds.memory_bytes();
    use.trees = data.broadphase.memory_bytes();
    use.contacts = data.contacts.memory_bytes() + bytes_of(data.traces);
    use.joints = bytes_of(data.joints) + bytes_of(data.free_joints) + bytes_of(data.joints_of_body) +
                 bytes_of(impl_->joint_rows) + bytes_of(impl_->acting_joints) + bytes_of(impl_->paced_joints);
    for (const std::vector<std::uint32_t>& list : data.joints_of_body) {
        use.joints += bytes_of(list);
    }
    use.solver = bytes_of(impl_->motions) + bytes_of(impl_->dynamics) + bytes_of(impl_->touching);
    use.solver += bytes_held_by(impl_->solver);
    use.scratch = impl_->scratch_bytes();
    return use;
}

std::size_t World::Impl::scratch_bytes() const {
    std::size_t bytes = 0;
    const auto add = [&bytes](const auto&... lists) { bytes += (bytes_of(lists) + ...); };
    add(new_pairs, pair_blocks, pending_pairs, round_touching, touched, at_fixed, hidden, fixed_contacts);
    add(on_several, touching_sides, places_found, region_of_body, slot_of_motion, place_of_body, region_sizes);
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
    add(pressed_blocks, outlooks, foreseen, fast_pairs, fast_pair_blocks, pairs_entangled, counted_bodies, knows_all,
        lies_deep);
    add(motion_of_body, driven, move_marks, fast_bodies, strayed, escaped, step_starts, hit_sleepers);
    add(island_quiet, by_depth, carried, supports, island_loads, pace_of_motion, paces, merged_awake, wake_stack);
    add(data.columns, old_columns, data.settling, island_columns, leans_from, root_of_motion);
    add(sweeps, colour_of_contact, data.stopped, data.impacts, data.breaks);
    return bytes + continuous.memory_bytes() + islands.memory_bytes() + mechanisms.memory_bytes() +
           bytes_of(mechanism_of_motion) + regions.memory_bytes() + division.memory_bytes();
}

} // namespace cairn::physics
