#include "render/renderer.h"

#include "render/creases.h"
#include "render/gl.h"
#include "render/instance_batch.h"
#include "render/mesh_shapes.h"
#include "render/shader.h"
#include "render/stream_buffer.h"
#include "render/targets.h"
#include "render/textures.h"
#include "render/view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>

namespace cairn::render {

namespace {

// The uniform block of shaders/frame.glsl, std140.
struct FrameBlock {
    glm::mat4 clip_from_world;
    glm::mat4 world_from_clip;
    std::array<glm::mat4, max_cascades> shadow_clip_from_world;
    std::array<glm::vec4, max_cascades> shadow_place;
    glm::vec4 eye;
    glm::vec4 to_light;
    glm::vec4 key_colour;
    glm::vec4 shadow_right;
    glm::vec4 shadow_up;
    glm::vec4 viewport;
    glm::vec4 options;
    glm::vec4 ray_corner;
    glm::vec4 ray_right;
    glm::vec4 ray_up;
    glm::vec4 depth_range;
};

struct LineRecord {
    glm::vec3 from;
    glm::vec3 to;
    glm::vec4 colour;
};

struct PointRecord {
    glm::vec4 position_size;
    glm::vec4 colour;
};

struct MeshVertex {
    glm::vec3 position;
    glm::vec3 normal;
    glm::vec3 edges; // strengths of the edges opposite to the corners of its triangle
};

struct GpuMesh {
    struct Level {
        std::size_t first_index = 0;
        GLsizei index_count = 0;
    };
    GlVertexArray array;
    GlBuffer vertices;
    GlBuffer indices;
    std::array<Level, max_levels> levels;
};

struct Programs {
    Program shadow, body, body_textured, ground, ground_textured, backdrop, line, point, mask, outline, occlusion,
        occlusion_blur, present, present_occluded;
};

// Fine maps take the wide kernel: a soft edge is then about as wide in metres as with a coarse map, and smoother.
constexpr int wide_kernel_from = 1536; // texels

Programs build_programs(const ShaderFolder& folder, int shadow_map_size) {
    std::vector<const char*> plain;
    if (shadow_map_size >= wide_kernel_from) {
        plain.push_back("WIDE_KERNEL");
    }
    std::vector<const char*> textured = plain;
    textured.push_back("TEXTURED");
    Programs programs;
    programs.shadow = folder.build({"shadow.vert", "shadow.frag", {}});
    programs.body = folder.build({"body.vert", "body.frag", plain});
    programs.body_textured = folder.build({"body.vert", "body.frag", textured});
    programs.ground = folder.build({"body.vert", "ground.frag", plain});
    programs.ground_textured = folder.build({"body.vert", "ground.frag", textured});
    programs.backdrop = folder.build({"fullscreen.vert", "backdrop.frag", {}});
    programs.line = folder.build({"line.vert", "line.frag", {}});
    programs.point = folder.build({"point.vert", "point.frag", {}});
    programs.mask = folder.build({"mask.vert", "mask.frag", {}});
    programs.outline = folder.build({"fullscreen.vert", "outline.frag", {}});
    programs.occlusion = folder.build({"fullscreen.vert", "occlusion.frag", {}});
    programs.occlusion_blur = folder.build({"fullscreen.vert", "occlusion_blur.frag", {}});
    programs.present = folder.build({"fullscreen.vert", "present.frag", {}});
    programs.present_occluded = folder.build({"fullscreen.vert", "present.frag", {"OCCLUSION"}});
    return programs;
}

void float_attribute(GLuint index, GLint components, std::size_t stride, std::size_t offset, GLuint divisor) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(index, divisor);
}

template <typename T>
void fill_buffer(GLenum target, const std::vector<T>& data) {
    glBufferData(target, static_cast<GLsizeiptr>(data.size() * sizeof(T)), data.data(), GL_STATIC_DRAW);
}

void bind(TextureUnit unit, GLenum target, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(target, texture);
}

// Colour blends by opacity; what is painted over loses its share of the ambient light by as much.
void blend_by_opacity() {
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
}

// Orders the items so that those hidden by bodies come first, and returns their number.
template <typename Item, typename Record, typename Convert>
std::size_t split_by_depth(const std::vector<Item>& items, void* memory, Convert&& convert) {
    Record* records = static_cast<Record*>(memory);
    std::size_t written = 0;
    for (const bool on_top : {false, true}) {
        for (const Item& item : items) {
            if (item.on_top == on_top) {
                records[written++] = convert(item);
            }
        }
    }
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [](const Item& item) { return !item.on_top; }));
}

struct PixelBox {
    glm::vec2 low{0.0f}, high{0.0f}; // from the lower left
};

// The part of the picture in which an instance lies; all of it for one that reaches behind the eye.
PixelBox pixels_of(const View& view, const Viewport& viewport, const Instance& instance, const glm::vec3& centre,
                   const glm::vec3& half_extents) {
    const glm::vec2 size(viewport.width, viewport.height);
    const glm::vec3 half =
        half_extents * glm::abs(instance.scale) + glm::vec3(0.0f, 0.0f, std::abs(instance.extrude_z));
    PixelBox box{size, glm::vec2(0.0f)};
    for (int corner = 0; corner < 8; ++corner) {
        const glm::vec3 side((corner & 1) != 0 ? 1.0f : -1.0f, (corner & 2) != 0 ? 1.0f : -1.0f,
                             (corner & 4) != 0 ? 1.0f : -1.0f);
        const glm::vec3 at = instance.position + instance.orientation * (centre * instance.scale + side * half);
        const glm::vec4 clip = view.clip_from_world * glm::vec4(at, 1.0f);
        if (!(clip.w > 1e-3f)) {
            return {glm::vec2(0.0f), size};
        }
        const glm::vec2 pixel = (glm::vec2(clip) / clip.w * 0.5f + 0.5f) * size;
        box.low = glm::min(box.low, pixel);
        box.high = glm::max(box.high, pixel);
    }
    return box;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

struct Renderer::Impl {
    explicit Impl(const RendererOptions& options)
        : folder(options.shader_override),
          programs(build_programs(folder, options.shadow_map_size)),
          wide_kernel(options.shadow_map_size >= wide_kernel_from),
          ambient_occlusion(options.ambient_occlusion) {
        glGetIntegerv(GL_MAX_SAMPLES, &max_samples);
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_texture_size);
        const std::string driver = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
        for (const char* name : {"llvmpipe", "softpipe", "SWR", "SwiftShader", "Software Rasterizer"}) {
            software = software || driver.find(name) != std::string::npos;
        }
        if (!options.textures.empty()) {
            textures = load_textures(options.textures);
        }
        for (const MeshShape& shape : {make_box(), make_sphere(), make_cylinder(), make_cone()}) {
            upload(shape);
        }
        frame_buffer = GlBuffer::create();
        glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.name());
        glBufferData(GL_UNIFORM_BUFFER, sizeof(FrameBlock), nullptr, GL_DYNAMIC_DRAW);
        glBindBuffer(GL_UNIFORM_BUFFER, 0);
        empty_array = GlVertexArray::create();
        line_array = GlVertexArray::create();
        point_array = GlVertexArray::create();
        set_msaa(options.msaa_samples);
        set_shadows(options.shadow_map_size, options.shadow_cascades);
    }

    // A mesh with edges to be drawn has three vertices of its own for each triangle, the first of them at a multiple of
    // three: body.vert tells by the vertex' number which corner it is.
    static void append_level(const Mesh& mesh, std::vector<MeshVertex>& vertices, std::vector<std::uint32_t>& indices) {
        const std::vector<glm::vec3> strengths = crease_strengths(mesh);
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

    MeshId upload(const MeshShape& shape) {
        GpuMesh gpu;
        std::vector<MeshVertex> vertices;
        std::vector<std::uint32_t> indices;
        BatchMesh batch_mesh;
        for (const Mesh& level : shape.levels) {
            const Mesh mesh = checked(level);
            if (batch_mesh.levels == 0) {
                batch_mesh.bounds = bounds_of(mesh);
            }
            gpu.levels[batch_mesh.levels++] = {indices.size(), static_cast<GLsizei>(mesh.triangles.size())};
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
        while (slot < batch_meshes.size() && batch_meshes[slot].levels > 0) {
            ++slot;
        }
        if (slot == batch_meshes.size()) {
            batch_meshes.emplace_back();
            meshes.emplace_back();
        }
        batch_meshes[slot] = batch_mesh;
        meshes[slot] = std::move(gpu);
        return static_cast<MeshId>(slot);
    }

    void set_msaa(int wanted) { samples = std::clamp(wanted, 1, std::max(max_samples, 1)); }

    void set_shadows(int texels, int cascades) {
        if (texels < 0 || texels > max_texture_size) {
            throw RenderError("a shadow map of " + std::to_string(texels) + " texels; possible are 0 to " +
                              std::to_string(max_texture_size));
        }
        if (cascades < 1 || cascades > max_cascades) {
            throw RenderError(std::to_string(cascades) + " shadow maps; possible are 1 to " +
                              std::to_string(max_cascades));
        }
        if ((texels >= wide_kernel_from) != wide_kernel && texels > 0) {
            wide_kernel = texels >= wide_kernel_from;
            programs = build_programs(folder, texels);
        }
        shadow_maps.fit(texels, cascades);
    }

    void draw_runs(std::span<const InstanceRun> runs) {
        glBindBuffer(GL_ARRAY_BUFFER, instance_buffer.name());
        for (const InstanceRun& run : runs) {
            const GpuMesh& mesh = meshes[run.mesh];
            glBindVertexArray(mesh.array.name());
            // GL 4.1 has no base instance: the run's first record is where the attributes start.
            const std::size_t start = run.first * sizeof(InstanceRecord);
            for (GLuint column = 0; column < 4; ++column) {
                float_attribute(2 + column, 4, sizeof(InstanceRecord), start + column * sizeof(glm::vec4), 1);
            }
            // No array stands behind this one: one value for the whole run.
            glVertexAttrib1f(6, run.mesh == unit_box ? 1.0f : 0.0f);
            const GpuMesh::Level& level = mesh.levels[run.level];
            glDrawElementsInstanced(GL_TRIANGLES, level.index_count, GL_UNSIGNED_INT,
                                    reinterpret_cast<const void*>(level.first_index * sizeof(GLuint)),
                                    static_cast<GLsizei>(run.count));
            ++stats.draw_calls;
        }
    }

    void draw_fullscreen() {
        glBindVertexArray(empty_array.name());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        ++stats.draw_calls;
    }

    void draw_strips(std::size_t count) {
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
        ++stats.draw_calls;
    }

    void update_frame(const DrawList& list, const Viewport& viewport, const View& view, const ShadowCascades& shadows);
    void draw_shadow_maps(const ShadowCascades& shadows);
    void draw_bodies(const DrawList& list);
    void draw_lines(const DrawList& list);
    void draw_points(const DrawList& list);
    void draw_outline(const DrawList& list, const Viewport& viewport, const View& view);
    void draw_occlusion();
    void present(GLuint framebuffer, const Viewport& viewport);
    void leave_state(const Viewport& viewport, GLuint framebuffer);
    void draw(const DrawList& list, const Viewport& viewport, GLuint framebuffer);

    ShaderFolder folder;
    Programs programs;
    bool software = false;
    GLint max_samples = 1;
    GLint max_texture_size = 0;
    int samples = 1;
    bool wide_kernel = false; // of the programs
    bool ambient_occlusion = true;
    Textures textures;
    std::vector<BatchMesh> batch_meshes;
    std::vector<GpuMesh> meshes;
    GlBuffer frame_buffer;
    GlVertexArray empty_array, line_array, point_array;
    StreamBuffer instance_buffer, line_buffer, point_buffer;
    InstanceBatch batch;
    ShadowMaps shadow_maps;
    Targets targets;
    RenderStats stats;
};

void Renderer::Impl::update_frame(const DrawList& list, const Viewport& viewport, const View& view,
                                  const ShadowCascades& shadows) {
    FrameBlock block{};
    const ShadowBox& shadow = shadows.boxes[0]; // its axes are those of all
    const float map_shape = shadow.half_width / shadow.half_depth;
    for (int i = 0; i < shadows.count; ++i) {
        const auto at = static_cast<std::size_t>(i);
        const ShadowBox& box = shadows.boxes[at];
        const float scale = 0.5f / box.half_width;
        block.shadow_clip_from_world[at] = box.clip_from_world;
        block.shadow_place[at] = glm::vec4(0.5f - box.centre.x * scale, 0.5f - box.centre.y * scale,
                                           0.5f - box.centre.z * scale * map_shape, scale);
    }
    block.clip_from_world = view.clip_from_world;
    block.world_from_clip = view.world_from_clip;
    block.eye = glm::vec4(list.camera.eye, 1.0f);
    block.to_light =
        glm::vec4(-glm::normalize(list.light.direction), std::clamp(list.light.shadow_strength, 0.0f, 1.0f));
    block.key_colour = glm::vec4(list.light.colour, 1.0f);
    block.shadow_right = glm::vec4(shadow.right, map_shape);
    block.shadow_up = glm::vec4(shadow.up, static_cast<float>(shadow_maps.size()));
    block.viewport = {static_cast<float>(viewport.width), static_cast<float>(viewport.height), viewport.pixel_ratio,
                      static_cast<float>(shadows.count)};
    block.options = {list.grid ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f};
    block.ray_corner = glm::vec4(view.ray_corner, 0.0f);
    block.ray_right = glm::vec4(view.ray_right, 0.0f);
    block.ray_up = glm::vec4(view.ray_up, 0.0f);
    block.depth_range = {list.camera.near_distance, list.camera.far_distance,
                         static_cast<float>(viewport.height) / glm::length(view.ray_up), 0.0f};
    glBindBuffer(GL_UNIFORM_BUFFER, frame_buffer.name());
    glBufferData(GL_UNIFORM_BUFFER, sizeof block, &block, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, frame_buffer.name());
}

void Renderer::Impl::draw_shadow_maps(const ShadowCascades& shadows) {
    glViewport(0, 0, shadow_maps.size(), shadow_maps.size());
    // What stands between the light and the box is flattened onto the near plane instead of being cut off.
    glEnable(GL_DEPTH_CLAMP);
    programs.shadow.use();
    for (int i = 0; i < shadows.count; ++i) {
        glBindFramebuffer(GL_FRAMEBUFFER, shadow_maps.framebuffer(i));
        glClear(GL_DEPTH_BUFFER_BIT);
        glVertexAttrib1f(7, static_cast<float>(i)); // no array stands behind it: which map
        draw_runs(batch.shadow_casters(i));
    }
    glDisable(GL_DEPTH_CLAMP);
}

void Renderer::Impl::draw_bodies(const DrawList& list) {
    const bool textured = list.textures && static_cast<bool>(textures.bodies);
    bind(unit_shadow_map, GL_TEXTURE_2D_ARRAY, shadow_maps.texture());
    bind(unit_body_textures, GL_TEXTURE_2D_ARRAY, textures.bodies.name());
    bind(unit_ground_texture, GL_TEXTURE_2D, textures.ground.name());

    const Program& body = textured ? programs.body_textured : programs.body;
    body.use();
    draw_runs(batch.opaque());
    (textured ? programs.ground_textured : programs.ground).use();
    draw_runs(batch.ground());

    // After the bodies, so that only the pixels that stay open are painted.
    glDepthMask(GL_FALSE);
    programs.backdrop.use();
    draw_fullscreen();

    glEnable(GL_BLEND);
    body.use();
    draw_runs(batch.blended());
}

void Renderer::Impl::draw_lines(const DrawList& list) {
    if (list.lines.empty()) {
        return;
    }
    glBindVertexArray(line_array.name());
    std::size_t hidden = 0;
    line_buffer.refill(list.lines.size() * sizeof(LineRecord), [&](void* memory) {
        hidden = split_by_depth<Line, LineRecord>(list.lines, memory, [](const Line& line) {
            return LineRecord{line.from, line.to, line.colour};
        });
    });
    programs.line.use();
    const auto draw_part = [&](std::size_t first, std::size_t count) {
        if (count == 0) {
            return;
        }
        const std::size_t start = first * sizeof(LineRecord);
        float_attribute(0, 3, sizeof(LineRecord), start + offsetof(LineRecord, from), 1);
        float_attribute(1, 3, sizeof(LineRecord), start + offsetof(LineRecord, to), 1);
        float_attribute(2, 4, sizeof(LineRecord), start + offsetof(LineRecord, colour), 1);
        draw_strips(count);
    };
    draw_part(0, hidden);
    glDisable(GL_DEPTH_TEST);
    draw_part(hidden, list.lines.size() - hidden);
    glEnable(GL_DEPTH_TEST);
}

void Renderer::Impl::draw_points(const DrawList& list) {
    if (list.points.empty()) {
        return;
    }
    glBindVertexArray(point_array.name());
    std::size_t hidden = 0;
    point_buffer.refill(list.points.size() * sizeof(PointRecord), [&](void* memory) {
        hidden = split_by_depth<Point, PointRecord>(list.points, memory, [](const Point& point) {
            return PointRecord{glm::vec4(point.position, point.size), point.colour};
        });
    });
    programs.point.use();
    const auto draw_part = [&](std::size_t first, std::size_t count) {
        if (count == 0) {
            return;
        }
        const std::size_t start = first * sizeof(PointRecord);
        float_attribute(0, 4, sizeof(PointRecord), start + offsetof(PointRecord, position_size), 1);
        float_attribute(1, 4, sizeof(PointRecord), start + offsetof(PointRecord, colour), 1);
        draw_strips(count);
    };
    draw_part(0, hidden);
    glDisable(GL_DEPTH_TEST);
    draw_part(hidden, list.points.size() - hidden);
    glEnable(GL_DEPTH_TEST);
}

// The marked bodies are drawn into a mask, hidden parts too, and the mask's rim is painted over the resolved picture:
// the width is the same everywhere, whatever the shape.
void Renderer::Impl::draw_outline(const DrawList& list, const Viewport& viewport, const View& view) {
    if (batch.marked().empty()) {
        return;
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
    glBindFramebuffer(GL_FRAMEBUFFER, targets.mask());
    glClear(GL_COLOR_BUFFER_BIT);
    // Red and green gather, so that a hovered body does not rub out the selected one behind it.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    programs.mask.use();
    draw_runs(batch.marked());
    targets.resolve_mask();

    glBindFramebuffer(GL_FRAMEBUFFER, targets.resolved());
    blend_by_opacity();
    bind(unit_mask, GL_TEXTURE_2D, targets.mask_texture());
    programs.outline.use();
    // The search for the nearest marked pixel is dear: only round the marked bodies is it worth its while.
    glm::vec2 low(static_cast<float>(viewport.width), static_cast<float>(viewport.height)), high(0.0f);
    for (const Instance& instance : list.instances) {
        if ((instance.flags & (instance_selected | instance_hovered)) != 0) {
            const MeshBounds& bounds = batch_meshes[instance.mesh].bounds;
            const PixelBox box = pixels_of(view, viewport, instance, bounds.centre, bounds.half_extents);
            low = glm::min(low, box.low);
            high = glm::max(high, box.high);
        }
    }
    const float margin = 4.0f * viewport.pixel_ratio + 2.0f; // the widest outline, in points, and its feather
    low = glm::max(glm::floor(low - margin), glm::vec2(0.0f));
    high = glm::min(glm::ceil(high + margin), glm::vec2(viewport.width, viewport.height));
    if (low.x < high.x && low.y < high.y) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(static_cast<GLint>(low.x), static_cast<GLint>(low.y), static_cast<GLsizei>(high.x - low.x),
                  static_cast<GLsizei>(high.y - low.y));
        draw_fullscreen();
        glDisable(GL_SCISSOR_TEST);
    }
}

void Renderer::Impl::draw_occlusion() {
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glViewport(0, 0, targets.half_width(), targets.half_height());
    glBindFramebuffer(GL_FRAMEBUFFER, targets.occlusion(0));
    bind(unit_scene_depth, GL_TEXTURE_2D, targets.depth_texture());
    programs.occlusion.use();
    draw_fullscreen();
    glBindFramebuffer(GL_FRAMEBUFFER, targets.occlusion(1));
    bind(unit_occlusion, GL_TEXTURE_2D, targets.occlusion_texture(0));
    programs.occlusion_blur.use();
    draw_fullscreen();
    bind(unit_occlusion, GL_TEXTURE_2D, targets.occlusion_texture(1));
}

void Renderer::Impl::present(GLuint framebuffer, const Viewport& viewport) {
    // The shader encodes sRGB itself: whether a window's framebuffer would do so differs between drivers.
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, viewport.width, viewport.height);
    bind(unit_scene_colour, GL_TEXTURE_2D, targets.colour_texture());
    (ambient_occlusion ? programs.present_occluded : programs.present).use();
    draw_fullscreen();
}

void Renderer::Impl::leave_state(const Viewport& viewport, GLuint framebuffer) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, viewport.width, viewport.height);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_BLEND);
    glDisable(GL_MULTISAMPLE);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glUseProgram(0);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_UNIFORM_BUFFER, 0);
    for (int unit = texture_units - 1; unit >= 0; --unit) {
        bind(static_cast<TextureUnit>(unit), GL_TEXTURE_2D, 0);
        glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    }
}

void Renderer::Impl::draw(const DrawList& list, const Viewport& viewport, GLuint framebuffer) {
    const auto start = std::chrono::steady_clock::now();
    stats = {};
    if (viewport.width <= 0 || viewport.height <= 0) {
        return; // a minimised window
    }
    targets.fit(viewport.width, viewport.height, samples);
    const View view = view_of(list.camera, static_cast<float>(viewport.width) / static_cast<float>(viewport.height));
    const int maps = list.light.shadow_strength > 0.0f ? shadow_maps.count() : 0;
    const ShadowCascades shadows = shadow_cascades_of(list.light, list.camera.eye, shadow_maps.size(), maps);

    batch.build(list, batch_meshes, view, maps > 0 ? &shadows : nullptr,
                static_cast<float>(viewport.height) / list.camera.vertical_fov);
    stats.cull_seconds = seconds_since(start);
    instance_buffer.refill(batch.size() * sizeof(InstanceRecord), [&](void* memory) {
        const auto before = std::chrono::steady_clock::now();
        batch.write(list, static_cast<InstanceRecord*>(memory));
        stats.fill_seconds = seconds_since(before);
    });
    update_frame(list, viewport, view, shadows);

    // Every state that the passes rely on, whatever the caller left.
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_BLEND);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LEQUAL);
    glDepthMask(GL_TRUE);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_BACK);
    glFrontFace(GL_CCW);
    glEnable(GL_MULTISAMPLE);
    glBlendEquation(GL_FUNC_ADD);
    blend_by_opacity();
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClearDepth(1.0);
    draw_shadow_maps(shadows);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_FRAMEBUFFER, targets.scene());
    glViewport(0, 0, viewport.width, viewport.height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_bodies(list);
    glDisable(GL_CULL_FACE);
    draw_lines(list);
    draw_points(list);
    targets.resolve(ambient_occlusion);
    draw_outline(list, viewport, view);
    if (ambient_occlusion) {
        draw_occlusion();
    }
    present(framebuffer, viewport);
    leave_state(viewport, framebuffer);

    stats.instances = batch.drawn();
    stats.culled = batch.culled();
    stats.shadow_instances = batch.casters();
    poll_gl_error();
    stats.cpu_seconds = seconds_since(start);
}

Renderer::Renderer(const RendererOptions& options) : impl_(std::make_unique<Impl>(options)) {
}

Renderer::~Renderer() = default;

MeshId Renderer::add_mesh(const Mesh& mesh) {
    return impl_->upload({{mesh}});
}

void Renderer::remove_mesh(MeshId mesh) {
    if (mesh <= unit_cone || mesh >= impl_->meshes.size() || impl_->batch_meshes[mesh].levels == 0) {
        throw RenderError("mesh " + std::to_string(mesh) + " cannot be removed: it is built in or not there");
    }
    impl_->batch_meshes[mesh] = {};
    impl_->meshes[mesh] = {};
}

void Renderer::set_msaa(int samples) {
    impl_->set_msaa(samples);
}

void Renderer::set_shadows(int map_size, int cascades) {
    impl_->set_shadows(map_size, cascades);
}

void Renderer::set_ambient_occlusion(bool on) {
    impl_->ambient_occlusion = on;
}

void Renderer::draw(const DrawList& list, const Viewport& viewport, unsigned framebuffer) {
    impl_->draw(list, viewport, framebuffer);
}

Image Renderer::draw_to_image(const DrawList& list, const Viewport& viewport) {
    if (viewport.width <= 0 || viewport.height <= 0) {
        throw RenderError("cannot draw a picture of " + std::to_string(viewport.width) + " x " +
                          std::to_string(viewport.height) + " pixels");
    }
    const GlRenderbuffer colour = GlRenderbuffer::create();
    glBindRenderbuffer(GL_RENDERBUFFER, colour.name());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, viewport.width, viewport.height);
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    const GlFramebuffer target = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, target.name());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour.name());
    impl_->draw(list, viewport, target.name());
    Image image = read_framebuffer(viewport.width, viewport.height);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return image;
}

const RenderStats& Renderer::stats() const {
    return impl_->stats;
}

int Renderer::max_msaa_samples() const {
    return impl_->max_samples;
}

bool Renderer::software_driver() const {
    return impl_->software;
}

int Renderer::msaa_samples() const {
    return impl_->samples;
}

std::string Renderer::reload_changed_shaders() {
    if (!impl_->folder.changed()) {
        return {};
    }
    try {
        impl_->programs = build_programs(impl_->folder, impl_->wide_kernel ? wide_kernel_from : 0);
    } catch (const RenderError& error) {
        return error.what();
    }
    return {};
}

} // namespace cairn::render
