#include "render/mesh_store.h"

#include "render/creases.h"
#include "render/renderer.h"
#include "render/vertex_attributes.h"

#include <algorithm>
#include <string>
#include <utility>

namespace cairn::render {

namespace {

struct MeshVertex {
    glm::vec3 position;
    glm::vec3 normal;
    glm::vec3 edges; // strengths of the edges opposite to the corners of its triangle
};

template <typename T>
void fill_buffer(GLenum target, const std::vector<T>& data) {
    glBufferData(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), GL_STATIC_DRAW);
}

// A mesh with edges to be drawn has three vertices of its own for each triangle, the first of them at a multiple of
// three: body.vert tells by the vertex' number which corner it is.
void append_level(const Mesh& mesh, std::vector<MeshVertex>& vertices, std::vector<std::uint32_t>& indices) {
    const std::vector<glm::vec3> strengths = mesh.creases.empty() ? crease_strengths(mesh) : mesh.creases;
    const bool creased =
        std::any_of(strengths.begin(), strengths.end(), [](const glm::vec3& s) { return s.x + s.y + s.z > 0.0f; });
    while (creased && vertices.size() % 3 != 0) {
        vertices.emplace_back();
    }
    const auto first = static_cast<std::uint32_t>(vertices.size());
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        const std::uint32_t corner = mesh.triangles[i];
        if (creased) {
            indices.push_back(static_cast<std::uint32_t>(vertices.size()));
            vertices.push_back({mesh.positions[corner], mesh.normals[corner], strengths[i / 3]});
        } else {
            indices.push_back(first + corner);
        }
    }
    for (std::size_t i = 0; !creased && i < mesh.positions.size(); ++i) {
        vertices.push_back({mesh.positions[i], mesh.normals[i], glm::vec3(0.0f)});
    }
}

} // namespace

MeshId MeshStore::add(const MeshShape& shape) {
    GpuMesh gpu;
    std::vector<MeshVertex> vertices;
    std::vector<std::uint32_t> indices;
    BatchMesh bounds;
    for (const Mesh& level : shape.levels) {
        const Mesh mesh = checked(level);
        gpu.open |= mesh.open;
        if (bounds.levels == 0) {
            bounds.bounds = bounds_of(mesh);
        }
        gpu.levels[bounds.levels++] = {indices.size(), static_cast<GLsizei>(mesh.triangles.size())};
        append_level(mesh, vertices, indices);
    }
    gpu.array = GlVertexArray::create();
    gpu.vertices = GlBuffer::create();
    gpu.indices = GlBuffer::create();
    glBindVertexArray(gpu.array.name());
    glBindBuffer(GL_ARRAY_BUFFER, gpu.vertices.name());
    fill_buffer(GL_ARRAY_BUFFER, vertices);
    float_attribute(0, 3, sizeof(MeshVertex), offsetof(MeshVertex, position), 0);
    float_attribute(1, 3, sizeof(MeshVertex), offsetof(MeshVertex, normal), 0);
    float_attribute(8, 3, sizeof(MeshVertex), offsetof(MeshVertex, edges), 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, gpu.indices.name());
    fill_buffer(GL_ELEMENT_ARRAY_BUFFER, indices);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);

    std::size_t slot = 0;
    while (slot < bounds_.size() && bounds_[slot].levels > 0) {
        ++slot;
    }
    if (slot == bounds_.size()) {
        bounds_.emplace_back();
        meshes_.emplace_back();
    }
    bounds_[slot] = bounds;
    meshes_[slot] = std::move(gpu);
    return static_cast<MeshId>(slot);
}

void MeshStore::remove(MeshId mesh) {
    if (mesh <= unit_cone || mesh >= meshes_.size() || bounds_[mesh].levels == 0) {
        throw RenderError("mesh " + std::to_string(mesh) + " cannot be removed: it is built in or not there");
    }
    bounds_[mesh] = {};
    meshes_[mesh] = {};
}

int MeshStore::draw(std::span<const InstanceRun> runs, GLuint records, bool backs) const {
    glBindBuffer(GL_ARRAY_BUFFER, records);
    for (const InstanceRun& run : runs) {
        const GpuMesh& mesh = meshes_[run.mesh];
        glBindVertexArray(mesh.array.name());
        // GL 4.1 has no base instance: the run's first record is where the attributes start.
        const std::size_t start = run.first * sizeof(InstanceRecord);
        for (GLuint column = 0; column < 4; ++column) {
            float_attribute(2 + column, 4, sizeof(InstanceRecord), start + column * sizeof(glm::vec4), 1);
        }
        // No array stands behind this one: one value for the whole run.
        glVertexAttrib1f(6, run.mesh == unit_box ? 1.0f : 0.0f);
        const GpuMesh::Level& level = mesh.levels[run.level];
        if (backs && mesh.open) {
            glDisable(GL_CULL_FACE);
        }
        glDrawElementsInstanced(GL_TRIANGLES, level.index_count, GL_UNSIGNED_INT,
                                reinterpret_cast<const void*>(level.first_index * sizeof(GLuint)),
                                static_cast<GLsizei>(run.count));
        if (backs && mesh.open) {
            glEnable(GL_CULL_FACE);
        }
    }
    return static_cast<int>(runs.size());
}

} // namespace cairn::render
