// What names bodies and joints when these have changed their places, or are gone.
#pragma once

#include "app/core/scene/parser/scene_expectations.h"

#include <map>
#include <optional>
#include <string>

namespace cairn::core {

inline std::string counted(std::size_t count, const char* one, const char* many) {
    return std::to_string(count) + ' ' + (count == 1 ? one : many);
}

// Bodies that joints name and that share their name, or have none, get one of their own; `keep`: but not these.
template <typename Keep>
void name_joint_bodies(Scene& scene, const Keep& keep) {
    std::map<std::string, std::size_t> count, next_number;
    for (const physics::BodyDef& body : scene.bodies) {
        ++count[body.name];
    }
    const auto give_name = [&](physics::BodyId id) {
        std::string& name = scene.bodies[id.index].name;
        if ((!name.empty() && count[name] == 1) || keep(id.index)) {
            return;
        }
        const std::string stem = name.empty() ? "body" : name;
        std::string unique;
        do {
            unique = stem + ' ' + std::to_string(++next_number[stem]);
        } while (count.contains(unique));
        --count[name];
        ++count[unique];
        name = unique;
    };
    for (const physics::JointDef& joint : scene.joints) {
        if (joint.body_a) {
            give_name(joint.body_a);
        }
        give_name(joint.body_b);
    }
}

// Expectations whose bodies or joints are gone go too; returns how many. `body`, `joint`: the new index of an old one.
template <typename Body, typename Joint>
std::size_t drop_expectations(Scene& scene, const Body& body, const Joint& joint) {
    return std::erase_if(scene.expectations, [&](Expectation& e) {
        const auto follow = [&](std::optional<Expectation::Subject>& subject, bool of_joint) {
            if (!subject) {
                return true;
            }
            if (!subject->index) {
                return of_joint ? !joints_of(*subject, scene.joints).empty()
                                : !bodies_of(*subject, scene.bodies).empty();
            }
            const std::optional<std::size_t> now = of_joint ? joint(*subject->index) : body(*subject->index);
            if (now) {
                subject->index = static_cast<std::uint32_t>(*now);
            }
            return now.has_value();
        };
        return !follow(e.body, false) || !follow(e.joint, true) || !follow(e.other, false);
    });
}

inline std::string lost_expectations(std::size_t count) {
    return counted(count, "expectation", "expectations") + " about what is gone";
}

} // namespace cairn::core
