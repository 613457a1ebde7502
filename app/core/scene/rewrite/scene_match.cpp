#include "app/core/scene/rewrite/scene_match.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyId;
using physics::JointDef;

} // namespace

SceneMatch::SceneMatch(const Document& document, const Scene& old, const Scene& now, std::span<const Index> from)
    : new_of_old(old.bodies.size()), old_of_new(now.bodies.size()), document_(document), old_(old), now_(now) {
    for (std::size_t i = 0; i < from.size() && i < now.bodies.size(); ++i) {
        if (from[i] && *from[i] < old.bodies.size() && !new_of_old[*from[i]]) {
            new_of_old[*from[i]] = i;
            old_of_new[i] = from[i];
        }
    }
    match_by_name();
    find_blocks();
    match_joints();
    included.kept = includes_hold();
}

// What has another handle by now, as a body has whose deletion was undone, is known by a name that no other has.
void SceneMatch::match_by_name() {
    const auto unique = [](const std::vector<BodyDef>& bodies, const std::vector<Index>& matched) {
        std::map<std::string_view, Index> of_name;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const auto [at, is_new] = of_name.emplace(bodies[i].name, i);
            if (!is_new || matched[i]) {
                at->second.reset();
            }
        }
        of_name.erase("");
        return of_name;
    };
    const auto old = unique(old_.bodies, new_of_old), now = unique(now_.bodies, old_of_new);
    for (const auto& [name, i] : now) {
        const auto same = old.find(name);
        if (i && same != old.end() && same->second) {
            new_of_old[*same->second] = i;
            old_of_new[*i] = same->second;
        }
    }
}

void SceneMatch::find_blocks() {
    std::size_t own = 0;
    if (const Node* list = document_.member(document_.root(), "bodies")) {
        for (const Node* node : document_.children(*list)) {
            Block block{node, own};
            if (const Node* repeat = document_.member(*node, "repeat")) {
                block.repeats = true;
                const Node* count = document_.member(*repeat, "count");
                for (const Node* n : document_.children(*count)) {
                    block.count *= static_cast<std::size_t>(n->integer);
                }
            }
            own += block.count;
            blocks.push_back(block);
        }
    }
    included.count = old_.bodies.size() - own;
    for (Block& block : blocks) {
        block.first += included.count;
        block.kept = block.repeats && unchanged(block);
    }
}

bool SceneMatch::unchanged(const Block& block) const {
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
        if (!new_of_old[i] || !(now_.bodies[*new_of_old[i]] == old_.bodies[i])) {
            return false;
        }
    }
    return true;
}

// In terms of the old bodies; none where one of them is new.
std::optional<JointDef> SceneMatch::in_old_terms(JointDef joint) const {
    for (BodyId* body : {&joint.body_a, &joint.body_b}) {
        if (*body) {
            const Index old = old_of_new[body->index];
            if (!old) {
                return std::nullopt;
            }
            body->index = static_cast<std::uint32_t>(*old);
        }
    }
    return joint;
}

void SceneMatch::match_joints() {
    const auto key = [](const JointDef& joint) {
        return std::tuple(joint.body_a ? std::int64_t(joint.body_a.index) : -1, joint.body_b.index,
                          static_cast<int>(joint.kind), joint.name);
    };
    std::multimap<std::tuple<std::int64_t, std::uint32_t, int, std::string>, std::size_t> of_key;
    for (std::size_t i = 0; i < now_.joints.size(); ++i) {
        if (const auto joint = in_old_terms(now_.joints[i])) {
            of_key.emplace(key(*joint), i);
        }
    }
    joint_now.resize(old_.joints.size());
    joint_holds.resize(old_.joints.size());
    joint_is_old.resize(now_.joints.size());
    for (std::size_t i = 0; i < old_.joints.size(); ++i) {
        if (const auto at = of_key.find(key(old_.joints[i])); at != of_key.end()) { // the first of those left
            joint_now[i] = at->second;
            // Where a joint sits may be said in the world; that holds as long as its bodies stand as they did.
            joint_holds[i] = *in_old_terms(now_.joints[at->second]) == old_.joints[i] &&
                             !moved(old_.joints[i].body_a) && !moved(old_.joints[i].body_b);
            joint_is_old[at->second] = true;
            of_key.erase(at);
        }
    }
    const Node* list = document_.member(document_.root(), "joints");
    included_joints = old_.joints.size() - (list != nullptr ? list->child_count : 0);
}

bool SceneMatch::moved(BodyId old) const {
    const Index now = old ? new_of_old[old.index] : Index(0);
    return !now || (old && !(now_.bodies[*now].pose == old_.bodies[old.index].pose));
}

bool SceneMatch::keeps(std::size_t old) const {
    if (old < included.count) {
        return included.kept;
    }
    const auto after = std::ranges::upper_bound(blocks, old, {}, &Block::first);
    return std::prev(after)->kept;
}

bool SceneMatch::includes_hold() const {
    const Node* include = document_.member(document_.root(), "include");
    if (include == nullptr || include->child_count == 0) {
        return true;
    }
    return unchanged(included) &&
           std::all_of(joint_holds.begin(), joint_holds.begin() + static_cast<std::ptrdiff_t>(included_joints),
                       [](bool holds) { return holds; });
}

} // namespace cairn::core
