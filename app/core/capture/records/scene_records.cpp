#include "app/core/capture/records/scene_records.h"

#include "app/core/capture/records/world_fields.h"

#include <map>
#include <optional>
#include <set>

namespace cairn::core {

using namespace cairn::physics;

// Fails to compile when a structure gains or loses a member: then the format below changes, and its version with it.
[[maybe_unused]] static void all_fields_are_recorded(const Scene& w, const SceneCamera& e) {
    [[maybe_unused]] const auto& [e1, e2] = e;
    // The last three (zones, expectations, what is shown) are not recorded: no run depends on them.
    [[maybe_unused]] const auto& [w1, w2, w3, w4, w5, w6, w7, w8, w9] = w;
}

template <>
inline constexpr auto record<SceneCamera> = Record("", Field("eye", &SceneCamera::eye),
                                                   Field("target", &SceneCamera::target));

void encode(CborWriter& out, const Scene& scene) {
    std::map<SharedPoints, std::uint64_t> numbers;
    std::vector<SharedPoints> sets;
    for (const BodyDef& body : scene.bodies) {
        for (const ShapeDef& shape : body.shapes) {
            const auto* set = std::get_if<PointSet>(&shape.geometry);
            if (set != nullptr && set->points && numbers.emplace(set->points, sets.size()).second) {
                sets.push_back(set->points);
            }
        }
    }
    Encoder code(out);
    code.point_set_numbers = &numbers;
    std::set<SurfaceKey> written;
    code.name_surface = [&written](const AnySurface& surface) {
        const SurfaceKey key = key_of(surface);
        return written.insert(key).second ? std::nullopt : std::optional(key);
    };
    code.map(7);
    code.field("name", scene.name);
    code.field("description", scene.description);
    code.field("settings", scene.settings);
    code.field("camera", scene.camera);
    out.text("point_sets");
    out.array(sets.size());
    for (const SharedPoints& set : sets) {
        code.points(set);
    }
    code.field("bodies", scene.bodies);
    code.field("joints", scene.joints);
}

void decode(CborReader& in, Scene& scene) {
    Decoder code(in);
    code.map(7);
    code.field("name", scene.name);
    code.field("description", scene.description);
    code.field("settings", scene.settings);
    code.field("camera", scene.camera);
    in.key("point_sets");
    PointSets sets(in);
    code.point_sets = &sets;
    std::map<SurfaceKey, AnySurface> surfaces;
    code.note_surface = [&surfaces](const AnySurface& surface) { surfaces.emplace(key_of(surface), surface); };
    code.find_surface = [&surfaces](const SurfaceKey& key) {
        const auto at = surfaces.find(key);
        return at != surfaces.end() ? std::optional(at->second) : std::nullopt;
    };
    code.field("bodies", scene.bodies);
    code.field("joints", scene.joints);
}

void encode(CborWriter& out, const Settings& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Settings& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const BodyDef& value, const NameSurface& name_surface) {
    Encoder code(out);
    code.name_surface = name_surface;
    code.put(value);
}
void decode(CborReader& in, BodyDef& value, const FindSurface& find_surface) {
    Decoder code(in);
    code.find_surface = find_surface;
    code.put(value);
}

void encode(CborWriter& out, const JointDef& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, JointDef& value) {
    Decoder(in).put(value);
}

void encode(CborWriter& out, const Vec3& value) {
    Encoder(out).put(value);
}
void decode(CborReader& in, Vec3& value) {
    Decoder(in).put(value);
}

} // namespace cairn::core
