// What a person has built and keeps, to spawn it again: bodies with their joints, each a scene file of its name in
// $XDG_DATA_HOME/cairn/prototypes.
#pragma once

#include "app/core/scene/scene.h"
#include "app/ui/context/parts.h"
#include "physics/geometry/aabb.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

class Prototypes : public Part {
  public:
    explicit Prototypes(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::vector<std::string>& names(); // by the alphabet; read from the disk once
    bool has(const std::string& name);
    // Its lowest point at the origin, the middle of its bounds above that. Throws InputError if it cannot be read.
    std::shared_ptr<const core::Scene> get(const std::string& name);
    // Replaces what has that name; what moves by itself comes to rest. Throws InputError.
    void keep(const std::string& name, core::Scene scene);
    void forget(const std::string& name);
    std::uint64_t revision() const { return revision_; } // grows with keep() and forget()

    std::string typed; // the name on the panel

  private:
    std::filesystem::path file_of(const std::string& name) const;

    std::filesystem::path folder_;
    std::vector<std::string> names_;
    bool listed_ = false;
    std::uint64_t revision_ = 0;
    std::string cached_name_;
    std::shared_ptr<const core::Scene> cached_;
};

// Why nothing can be kept under that name; empty: it can.
std::string wrong_with_name(const std::string& name);

// Bounds of bodies that are in no world yet; what the world will reject counts as a point.
physics::Aabb bounds_of(const core::Scene& scene);
// Moves it so that its lowest point is at `point`, below the middle of its bounds.
void stand_on(core::Scene& scene, const physics::Vec3& point);

// As many as `count` of what stands on the origin, in layers upwards as single bodies are spawned, apart from each
// other.
core::Scene heap_of(const core::Scene& group, int count);

// The rows of the panel: the selection is kept under a name, or what is chosen there is forgotten.
void prototype_rows(Context& ctx);

} // namespace cairn::ui
