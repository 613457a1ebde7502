// What of an old scene file is what of the scene that is saved over it, and what of the old text still holds.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/scene.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cairn::core {

class SceneMatch {
  public:
    using Index = std::optional<std::size_t>; // of a body or a joint

    struct Block { // of bodies that one entry of the file makes; no node: the included files
        const Node* node = nullptr;
        std::size_t first = 0, count = 1;
        bool repeats = false, kept = false; // kept: an include or a repeat that still holds
    };

    // `document` is the old file and `old` what it says; `from` as of rewrite_scene. All found at once: what changes of
    // `now` later is not looked at.
    SceneMatch(const Document& document, const Scene& old, const Scene& now, std::span<const Index> from);

    // Whether the old text goes on saying this body, with the name that it has there.
    bool keeps(std::size_t old_body) const;

    std::vector<Index> new_of_old, old_of_new; // bodies
    std::vector<Block> blocks;
    Block included;
    std::size_t included_joints = 0;
    std::vector<Index> joint_now;   // by old joint
    std::vector<bool> joint_holds;  // by old joint: the old text still says it, but for how its bodies are called
    std::vector<bool> joint_is_old; // by joint of `now`

  private:
    void match_by_name();
    void find_blocks();
    bool unchanged(const Block& block) const;
    std::optional<physics::JointDef> in_old_terms(physics::JointDef joint) const;
    void match_joints();
    bool moved(physics::BodyId old) const;
    bool includes_hold() const;

    const Document& document_;
    const Scene& old_;
    const Scene& now_;
};

} // namespace cairn::core
