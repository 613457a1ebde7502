#include "app/ui/opening/drop.h"

#include "app/core/capture/capture.h"
#include "app/core/scene/gltf/file/gltf_mesh.h"
#include "app/core/scene/gltf/gltf_scene.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "app/ui/document/captures.h"
#include "app/ui/document/document.h"
#include "app/ui/opening/mesh_import.h"
#include "app/ui/opening/opening.h"
#include "app/ui/screen/camera_moves.h"
#include "app/ui/tools/spawn/spawn.h"

#include <memory>
#include <string>

namespace cairn::ui {

namespace {

void drop_points(Context& ctx, const std::filesystem::path& path) {
    physics::BodyDef body;
    try {
        physics::ShapeDef def;
        def.geometry = physics::PointSet{std::make_shared<const std::vector<physics::Vec3>>(core::read_points(path))};
        auto shape = physics::build_shape(def.geometry);
        const auto* good = std::get_if<physics::Shape>(&shape);
        const auto under = point_under_cursor(ctx);
        const glm::vec3 at = under.value_or(ctx.camera.camera().target);
        // The world rejects what is no shape, and says why.
        body.pose.position = at + glm::vec3(0.0f, 0.0f, good != nullptr ? 1.02f * good->bounding_radius : 0.0f);
        body.shapes = {std::move(def)};
    } catch (const std::exception& error) {
        ctx.log.error(error.what());
        return;
    }
    body.name = path.stem().string();
    Spawning& spawning = ctx.get<Spawning>();
    body.density = spawning.settings.density;
    body.material.restitution = spawning.settings.restitution;
    body.material.friction = spawning.settings.friction;
    ctx.submit(physics::CreateBody{std::move(body)}, "Drop " + path.filename().string());
}

// A file that says how things move is a scene, any other is a mesh. Whoever reads it reports what cannot be read.
bool is_scene(const std::filesystem::path& path) {
    try {
        return core::gltf_has_bodies(path);
    } catch (const std::exception&) {
        return false;
    }
}

} // namespace

void drop_file(Context& ctx, const std::filesystem::path& path) {
    const std::string kind = core::ending_of(path);
    if (core::is_gltf_name(path) && is_scene(path)) {
        open_safely(ctx, path);
    } else if (core::is_mesh_name(path)) {
        if (ctx.can_edit()) {
            ctx.get<MeshImport>().open(ctx, path);
        }
    } else if (kind == ".xyz") {
        if (ctx.can_edit()) {
            drop_points(ctx, path);
        }
    } else if (kind == ".json" || kind == ".jsonl" || core::is_meant_as_capture(path)) {
        open_safely(ctx, path);
    } else if (kind == ".cairn") { // damaged: its reader says what is wrong with it
        before_loss(ctx, "A replay", [path](Context& a) { start_replay(a, path); });
    } else {
        ctx.log.error(path.filename().string() + ": drop a scene (.json), a capture (.cairn), a mesh (.obj, .stl, "
                                                 ".ply, .glb, .gltf, .xyz) or questions (.jsonl)");
    }
}

} // namespace cairn::ui
