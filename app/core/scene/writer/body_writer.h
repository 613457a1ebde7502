// The text of a scene's bodies.
#pragma once

#include "app/core/scene/scene.h"
#include "app/core/scene/values/json_text.h"

#include <unordered_map>

namespace cairn::core {

// Every member spelled out, for changing one of them by its path.
std::string full_body_text(const physics::BodyDef& body);
// One entry of the list, defaults left out; `indent`: of the lines after the first.
std::string body_text(const physics::BodyDef& body, std::size_t indent);

using PointList = std::vector<physics::Vec3>;

// Hulls that several shapes share are written once, by name.
class PointSetNames {
  public:
    explicit PointSetNames(const Scene& scene) {
        std::unordered_map<const PointList*, std::size_t> uses;
        std::vector<const PointList*> order;
        for (const physics::BodyDef& body : scene.bodies) {
            for (const physics::ShapeDef& shape : body.shapes) {
                if (const auto* set = std::get_if<physics::PointSet>(&shape.geometry); set != nullptr && set->points) {
                    if (++uses[set->points.get()] == 2) {
                        order.push_back(set->points.get());
                    }
                }
            }
        }
        for (const PointList* points : order) {
            names_[points] = "hull" + std::to_string(sets_.size() + 1);
            sets_.push_back(points);
        }
    }
    PointSetNames() = default;

    const std::vector<const PointList*>& sets() const { return sets_; }
    const std::string* name(const PointList* points) const {
        const auto found = names_.find(points);
        return found == names_.end() ? nullptr : &found->second;
    }

  private:
    std::vector<const PointList*> sets_;
    std::unordered_map<const PointList*, std::string> names_;
};

void write_points(WrappedText& out, const PointList& points);
void write_body(WrappedText& out, const physics::BodyDef& body, const PointSetNames& names, bool everything);

} // namespace cairn::core
