#include "render/renderer.h"

#include "render/drawn_picture.h"
#include "render/frame_uniforms.h"
#include "render/gl.h"
#include "render/instance_batch.h"
#include "render/lines_and_points.h"
#include "render/mesh_shapes.h"
#include "render/mesh_store.h"
#include "render/outline_area.h"
#include "render/pictures_made.h"
#include "render/programs.h"
#include "render/stream_buffer.h"
#include "render/targets.h"
#include "render/textures.h"
#include "render/view.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace cairn::render {

namespace {

void bind(TextureUnit unit, GLenum target, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    glBindTexture(target, texture);
}

// Colour blends by opacity; what is painted over loses its share of the ambient light by as much.
void blend_by_opacity() {
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE_MINUS_SRC_ALPHA);
}

// Every state that the passes rely on, whatever the caller left.
void set_plain_state() {
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
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

struct Renderer::Impl {
    explicit Impl(const RendererOptions& options)
        : folder(options.shader_override),
          wide_kernel(reads_wide_kernel(options.shadow_map_size)),
          programs(build_programs(folder, wide_kernel)),
          ambient_occlusion(options.ambient_occlusion) {
        set_resolution(options.resolution);
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
            meshes.add(shape);
        }
        empty_array = GlVertexArray::create();
        set_msaa(options.msaa_samples);
        set_shadows(options.shadow_map_size, options.shadow_cascades);
    }

    void set_msaa(int wanted) {
        samples = std::clamp(wanted, 1, std::max(max_samples, 1));
        drawn.forget();
    }

    void set_resolution(int percent) {
        resolution = 0.01f * static_cast<float>(std::clamp(percent, 10, 100));
        drawn.forget();
    }

    // What is drawn of so many pixels: at least one.
    Viewport picture_of(const Viewport& viewport) const {
        const auto side = [&](int pixels) {
            return static_cast<int>(std::ceil(resolution * static_cast<float>(pixels)));
        };
        return {side(viewport.width), side(viewport.height), resolution * viewport.pixel_ratio};
    }

    void set_shadows(int texels, int cascades) {
        if (texels < 0 || texels > max_texture_size) {
            throw RenderError("a shadow map of " + std::to_string(texels) + " texels; possible are 0 to " +
                              std::to_string(max_texture_size));
        }
        if (cascades < 1 || cascades > max_cascades) {
            throw RenderError(std::to_string(cascades) + " shadow maps; possible are 1 to " +
                              std::to_string(max_cascades));
        }
        if (reads_wide_kernel(texels) != wide_kernel && texels > 0) {
            wide_kernel = !wide_kernel;
            programs = build_programs(folder, wide_kernel);
        }
        shadow_texels = texels;
        shadow_cascades = cascades;
        drawn.forget();
    }

    void draw_runs(std::span<const InstanceRun> runs, bool backs = true) {
        stats.draw_calls += meshes.draw(runs, instance_buffer.name(), backs);
    }

    void draw_fullscreen() {
        glBindVertexArray(empty_array.name());
        glDrawArrays(GL_TRIANGLES, 0, 3);
        ++stats.draw_calls;
    }

    void draw_shadow_maps(const ShadowCascades& shadows);
    void draw_bodies(const DrawList& list);
    void draw_outline(const DrawList& list, const Viewport& picture, const View& view);
    void draw_occlusion();
    void present(GLuint framebuffer, const Viewport& viewport);
    void leave_state(const Viewport& viewport, GLuint framebuffer);
    void draw(const DrawList& list, const Viewport& viewport, GLuint framebuffer);
    void refresh(const DrawList& list, const Viewport& viewport, GLuint framebuffer);

    ShaderFolder folder;
    bool wide_kernel; // of the programs
    Programs programs;
    bool software = false;
    GLint max_samples = 1;
    GLint max_texture_size = 0;
    int samples = 1;
    bool ambient_occlusion = true;
    float resolution = 1.0f; // pixels drawn per pixel of the viewport, along each side
    Textures textures;
    MeshStore meshes;
    FrameUniforms frame_uniforms;
    GlVertexArray empty_array;
    LinesAndPoints lines_and_points;
    StreamBuffer instance_buffer;
    InstanceBatch batch;
    int shadow_texels = 0; // of the maps that the next picture needs: a large one takes its time to make
    int shadow_cascades = 1;
    ShadowMaps shadow_maps;
    Targets targets;
    DrawnPicture drawn; // what is in the targets
    RenderStats stats;
};

void Renderer::Impl::draw_shadow_maps(const ShadowCascades& shadows) {
    glViewport(0, 0, shadow_maps.size(), shadow_maps.size());
    // What stands between the light and the box is flattened onto the near plane instead of being cut off.
    glEnable(GL_DEPTH_CLAMP);
    programs.shadow.use();
    for (int i = 0; i < shadows.count; ++i) {
        glBindFramebuffer(GL_FRAMEBUFFER, shadow_maps.framebuffer(i));
        glClear(GL_DEPTH_BUFFER_BIT);
        glVertexAttrib1f(7, static_cast<float>(i)); // no array stands behind it: which map
        draw_runs(batch.shadow_casters(i), false);
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

// The marked bodies are drawn into a mask, hidden parts too, and the mask's rim is painted over the resolved picture:
// the width is the same everywhere, whatever the shape.
void Renderer::Impl::draw_outline(const DrawList& list, const Viewport& picture, const View& view) {
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
    const PixelBox area = outline_area(list, meshes.bounds(), view, picture);
    if (!area.empty()) {
        const glm::vec2 size = area.high - area.low;
        glEnable(GL_SCISSOR_TEST);
        glScissor(static_cast<GLint>(area.low.x), static_cast<GLint>(area.low.y), static_cast<GLsizei>(size.x),
                  static_cast<GLsizei>(size.y));
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
}

void Renderer::Impl::present(GLuint framebuffer, const Viewport& viewport) {
    // The shader encodes sRGB itself: whether a window's framebuffer would do so differs between drivers.
    glDisable(GL_FRAMEBUFFER_SRGB);
    glDisable(GL_BLEND);
    glDisable(GL_DEPTH_TEST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, viewport.width, viewport.height);
    frame_uniforms.bind();
    bind(unit_scene_colour, GL_TEXTURE_2D, targets.colour_texture());
    if (ambient_occlusion) {
        bind(unit_scene_depth, GL_TEXTURE_2D, targets.depth_texture());
        bind(unit_occlusion, GL_TEXTURE_2D, targets.occlusion_texture(1));
    }
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
    drawn.forget();
    note_picture();
    if (viewport.width <= 0 || viewport.height <= 0) {
        return; // a minimised window
    }
    const Viewport picture = picture_of(viewport);
    targets.fit(picture.width, picture.height, samples);
    shadow_maps.fit(shadow_texels, shadow_cascades);
    const View view = view_of(list.camera, static_cast<float>(viewport.width) / static_cast<float>(viewport.height));
    const int maps = list.light.shadow_strength > 0.0f ? shadow_maps.count() : 0;
    const ShadowCascades shadows = shadow_cascades_of(list.light, list.camera.eye, shadow_maps.size(), maps);

    batch.build(list, meshes.bounds(), view, maps > 0 ? &shadows : nullptr,
                static_cast<float>(picture.height) /
                    (view.orthographic ? view.height_at_one : list.camera.vertical_fov));
    stats.cull_seconds = seconds_since(start);
    instance_buffer.refill(batch.size() * sizeof(InstanceRecord), [&](void* memory) {
        const auto before = std::chrono::steady_clock::now();
        batch.write(list, static_cast<InstanceRecord*>(memory));
        stats.fill_seconds = seconds_since(before);
    });
    frame_uniforms.set(list, picture, view, shadows, shadow_maps.size(), resolution);

    set_plain_state();
    draw_shadow_maps(shadows);
    glEnable(GL_FRAMEBUFFER_SRGB);
    glBindFramebuffer(GL_FRAMEBUFFER, targets.scene());
    glViewport(0, 0, picture.width, picture.height);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw_bodies(list);
    glDisable(GL_CULL_FACE);
    stats.draw_calls += lines_and_points.draw_lines(list, programs.line);
    stats.draw_calls += lines_and_points.draw_points(list, programs.point);
    targets.resolve(ambient_occlusion);
    draw_outline(list, picture, view);
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

void Renderer::Impl::refresh(const DrawList& list, const Viewport& viewport, GLuint framebuffer) {
    const auto start = std::chrono::steady_clock::now();
    if (!drawn.is_of(list, viewport)) {
        draw(list, viewport, framebuffer);
        if (viewport.width > 0 && viewport.height > 0) {
            drawn.note(list, viewport);
        }
        return;
    }
    set_plain_state();
    const int draw_calls = stats.draw_calls;
    present(framebuffer, viewport);
    stats.draw_calls = draw_calls;
    leave_state(viewport, framebuffer);
    poll_gl_error();
    stats.cull_seconds = stats.fill_seconds = 0.0;
    stats.shown_again = true;
    stats.cpu_seconds = seconds_since(start);
}

Renderer::Renderer(const RendererOptions& options) : impl_(std::make_unique<Impl>(options)) {
}

Renderer::~Renderer() = default;

MeshId Renderer::add_mesh(const Mesh& mesh) {
    impl_->drawn.forget();
    return impl_->meshes.add({{mesh}});
}

void Renderer::remove_mesh(MeshId mesh) {
    impl_->drawn.forget();
    impl_->meshes.remove(mesh);
}

void Renderer::set_msaa(int samples) {
    impl_->set_msaa(samples);
}

void Renderer::set_shadows(int map_size, int cascades) {
    impl_->set_shadows(map_size, cascades);
}

void Renderer::set_ambient_occlusion(bool on) {
    if (impl_->ambient_occlusion != on) {
        impl_->ambient_occlusion = on;
        impl_->drawn.forget();
    }
}

void Renderer::set_resolution(int percent) {
    impl_->set_resolution(percent);
}

void Renderer::draw(const DrawList& list, const Viewport& viewport, unsigned framebuffer) {
    impl_->draw(list, viewport, framebuffer);
}

void Renderer::refresh(const DrawList& list, const Viewport& viewport, unsigned framebuffer) {
    impl_->refresh(list, viewport, framebuffer);
}

bool Renderer::shows(const DrawList& list, const Viewport& viewport) const {
    return impl_->drawn.is_of(list, viewport);
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
        impl_->programs = build_programs(impl_->folder, impl_->wide_kernel);
        impl_->drawn.forget();
    } catch (const RenderError& error) {
        return error.what();
    }
    return {};
}

} // namespace cairn::render
