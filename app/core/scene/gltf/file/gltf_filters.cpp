#include "app/core/scene/gltf/file/gltf_filters.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <set>

namespace cairn::core {

using physics::CollisionFilter;

std::vector<std::string> GltfFilters::systems_of(const Node& filter) const {
    std::set<std::string> names;
    for (const Node* name : file_.list(file_.member(filter, "collisionSystems"), "collisionSystems")) {
        names.insert(file_.string(*name, "collisionSystems"));
    }
    return {names.begin(), names.end()};
}

// Whether what is in these systems collides with what has the filter, by the filter's word.
bool GltfFilters::accepts(const Node& filter, const std::vector<std::string>& systems) const {
    const auto names = [&](std::string_view key) {
        std::set<std::string> all;
        for (const Node* name : file_.list(file_.member(filter, key), key)) {
            all.insert(file_.string(*name, key));
        }
        return all;
    };
    const std::set<std::string> with = names("collideWithSystems"), without = names("notCollideWithSystems");
    const auto all_in = [&](const std::set<std::string>& set) {
        return std::ranges::all_of(systems, [&](const std::string& name) { return set.contains(name); });
    };
    if (file_.member(filter, "collideWithSystems") != nullptr && !all_in(with)) {
        return false;
    }
    return systems.empty() || without.empty() || !all_in(without);
}

// Who belongs to the same systems is of one group; group 0 is for those without a filter, unless it has a name.
GltfFilters::GltfFilters(const GltfFile& file) : file_(file) {
    filters_ =
        file_.list(file_.member(file_.extension(file_.root(), rigid_bodies), "collisionFilters"), "collisionFilters");
    std::map<std::vector<std::string>, int> group_of;
    std::array<const std::vector<std::string>*, CollisionFilter::groups> members{};
    const auto named_group = [](const std::vector<std::string>& systems) {
        for (int group = 0; systems.size() == 1 && group < CollisionFilter::groups; ++group) {
            if (systems[0] == "group " + std::to_string(group)) {
                return group;
            }
        }
        return -1;
    };
    std::vector<std::vector<std::string>> systems;
    for (const Node* filter : filters_) {
        systems.push_back(systems_of(*filter));
        if (const int group = named_group(systems.back()); group >= 0) {
            group_of[systems.back()] = group;
        }
    }
    for (const auto& [names, group] : group_of) {
        members[static_cast<std::size_t>(group)] = &names;
    }
    if (members[0] == nullptr) {
        members[0] = &group_of.try_emplace({}, 0).first->first;
    }
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        const auto [at, fresh] = group_of.try_emplace(systems[i], 0);
        if (fresh) {
            const auto free = std::ranges::find(members, nullptr);
            if (free == members.end()) {
                file_.fail(*filters_[i], "more than " + std::to_string(CollisionFilter::groups) + " groups of systems");
            }
            at->second = static_cast<int>(free - members.begin());
            *free = &at->first;
        }
    }
    for (std::size_t i = 0; i < filters_.size(); ++i) {
        CollisionFilter filter;
        filter.group = static_cast<std::uint8_t>(group_of.at(systems[i]));
        filter.mask = 0;
        for (std::uint32_t group = 0; group < CollisionFilter::groups; ++group) {
            const std::vector<std::string> unused{"group " + std::to_string(group)};
            if (accepts(*filters_[i], members[group] == nullptr ? unused : *members[group])) {
                filter.mask |= 1u << group;
            }
        }
        known_filters_.push_back(filter);
    }
}

CollisionFilter GltfFilters::of(const Node& collider) const {
    const Node* index = file_.member(collider, "collisionFilter");
    return index == nullptr ? no_filter_
                            : known_filters_[file_.index(*index, "collisionFilter", known_filters_.size())];
}

} // namespace cairn::core
