// Commands that change what shapes, and the triangles of meshes, are made of.
#include "physics/geometry/triangle_mesh.h"
#include "physics/world/engine/world_impl.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace cairn::physics {

namespace {

bool feel_alike(const ShapeMaterial& a, const ShapeMaterial& b) {
    return a.feels_like(b);
}

std::string no_such_shape(std::uint32_t shape) {
    return "there is no shape " + std::to_string(shape) + " of the body";
}

std::string problem_with(const SetMeshMaterials& command, const MeshData& data) {
    const std::size_t count = command.materials.size();
    if (count > max_mesh_materials) {
        return "a mesh has at most " + std::to_string(max_mesh_materials) + " materials, not " + std::to_string(count);
    }
    if (!command.mesh_materials.empty() && command.mesh_materials.size() != count) {
        return "there are " + std::to_string(command.mesh_materials.size()) + " materials for a mesh that names " +
               std::to_string(count);
    }
    for (const TriangleRun& run : command.runs) {
        if (run.count == 0 || run.first >= data.triangles.size() || run.count > data.triangles.size() - run.first) {
            return "the mesh has no run of " + std::to_string(run.count) + " triangles from triangle " +
                   std::to_string(run.first) + " on; it has " + std::to_string(data.triangles.size());
        }
        if (run.material >= count) {
            return "there is no material " + std::to_string(run.material) + "; the mesh has " + std::to_string(count) +
                   ", and the first is 0";
        }
    }
    return {};
}

// The triangles with the command's materials.
std::variant<std::shared_ptr<const MeshData>, std::string> painted(const SetMeshMaterials& command,
                                                                   const MeshData& before) {
    auto data = std::make_shared<MeshData>(before);
    data->materials = command.materials;
    data->triangle_materials.resize(command.materials.empty() ? 0 : data->triangles.size(), 0);
    for (const TriangleRun& run : command.runs) {
        std::fill_n(data->triangle_materials.begin() + run.first, run.count, run.material);
    }
    for (std::size_t i = 0; i < data->triangle_materials.size(); ++i) {
        if (data->triangle_materials[i] >= command.materials.size()) {
            return "triangle " + std::to_string(i) + " keeps material " + std::to_string(data->triangle_materials[i]) +
                   ", but there are only " + std::to_string(command.materials.size()) + " (the first is 0)";
        }
    }
    return std::shared_ptr<const MeshData>(std::move(data));
}

// Whether nothing but names and colours differs between two of the same triangles.
bool feels_the_same(const ShapeDef& before, const MeshData& after, const std::vector<ShapeMaterial>& materials) {
    const MeshData& data = *std::get<Mesh>(before.geometry).data;
    const auto of = [](const MeshData& mesh, const std::vector<ShapeMaterial>& all, std::size_t triangle) {
        return mesh.triangle_materials.empty() || all.empty() ? ShapeMaterial()
                                                              : all[mesh.triangle_materials[triangle]];
    };
    for (std::size_t i = 0; i < data.triangles.size(); ++i) {
        if (!feel_alike(of(data, before.mesh_materials, i), of(after, materials, i))) {
            return false;
        }
    }
    return true;
}

} // namespace

void World::Impl::take_material(std::uint32_t slot, const std::shared_ptr<const BodyKind>& kind, bool looks_alone) {
    if (!looks_alone) { // whatever rests on the body must notice that it changes
        data.waking().wake_neighbours(slot);
        data.waking().wake(slot);
    }
    const std::shared_ptr<const BodyModel> model = data.bodies.cold[slot].model; // of name and colour
    data.bodies.set_prototype(slot, kind, kinds.named(kind, model->def.name, model->def.colour));
    ++data.revision;
    if (!looks_alone) {
        refresh_contacts(slot);
        data.waking().refresh(slot);
        data.bodies.rehash(slot);
        data.bodies.resting_revision += data.bodies[slot].awake ? 0 : 1;
    }
}

CommandResult World::Impl::apply(const SetShapeMaterial& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    const std::uint32_t slot = command.body.index;
    BodyDef def = data.bodies.kind(slot).def;
    if (command.shape >= def.shapes.size()) {
        return refused(no_such_shape(command.shape));
    }
    ShapeDef& shape = def.shapes[command.shape];
    const bool looks_alone = feel_alike(shape.material, command.material) &&
                             std::ranges::equal(shape.mesh_materials, command.mesh_materials, feel_alike);
    shape.material = command.material;
    shape.mesh_materials = command.mesh_materials;
    if (std::string problem = problem_with(def); !problem.empty()) {
        return refused(std::move(problem));
    }
    if (const auto* mesh = std::get_if<Mesh>(&shape.geometry);
        mesh != nullptr &&
        (shape.mesh_materials.empty() || shape.mesh_materials.size() == mesh->data->materials.size())) {
        take_material(slot,
                      BodyKindLibrary::with_materials(data.bodies.kind(slot), command.shape, mesh->data, shape.material,
                                                      shape.mesh_materials),
                      looks_alone);
        return {};
    }
    auto found = kinds.get(def);
    if (std::string* problem = std::get_if<std::string>(&found)) {
        return refused(std::move(*problem));
    }
    take_material(slot, std::get<std::shared_ptr<const BodyKind>>(found), looks_alone);
    return {};
}

CommandResult World::Impl::apply(const SetMeshMaterials& command) {
    if (data.bodies.find(command.body) == nullptr) {
        return no_such_body(command.body);
    }
    const std::uint32_t slot = command.body.index;
    const std::shared_ptr<const BodyKind> old = data.bodies.cold[slot].kind;
    if (command.shape >= old->def.shapes.size()) {
        return refused(no_such_shape(command.shape));
    }
    const ShapeDef& shape = old->def.shapes[command.shape];
    const auto* mesh = std::get_if<Mesh>(&shape.geometry);
    if (mesh == nullptr) {
        return refused("shape " + std::to_string(command.shape) + " of the body is not a mesh");
    }
    if (std::string problem = problem_with(command, *mesh->data); !problem.empty()) {
        return refused(std::move(problem));
    }
    BodyDef numbers; // are checked without the triangles
    numbers.shapes.emplace_back();
    numbers.shapes[0].mesh_materials = command.mesh_materials;
    if (std::string problem = problem_with(numbers); !problem.empty()) {
        return refused(std::move(problem));
    }
    auto after = painted(command, *mesh->data);
    if (std::string* problem = std::get_if<std::string>(&after)) {
        return refused(std::move(*problem));
    }
    const auto& data_after = std::get<std::shared_ptr<const MeshData>>(after);
    const bool looks_alone = feels_the_same(shape, *data_after, command.mesh_materials);
    take_material(
        slot, BodyKindLibrary::with_materials(*old, command.shape, data_after, shape.material, command.mesh_materials),
        looks_alone);
    return {};
}

} // namespace cairn::physics
