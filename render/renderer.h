// Draws a DrawList with OpenGL 4.1 core into the bound framebuffer or an image. Needs a current context.
#pragma once

#include "render/draw_list.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace cairn::render {

// Anything that GL refuses: shaders that do not compile, missing textures, errors reported by the driver.
struct RenderError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct RendererOptions {
    // Folder with the texture files; a missing or broken one is an error. Empty: nothing is textured.
    std::filesystem::path textures;
    // Load shaders from this folder and watch it, instead of using the embedded ones (developing). Empty: embedded.
    std::filesystem::path shader_override;
    int shadow_map_size = 2048;    // texels, 0 = no shadows
    int shadow_cascades = 3;       // maps, 1 to 4, each twice as wide as the one before
    int msaa_samples = 4;          // 0 or 1 = off
    bool ambient_occlusion = true; // darkens the ambient light in corners and under bodies
    int resolution = 100;          // percent of the viewport's pixels along each side that are drawn, 10 to 100
};

// Size in pixels of the framebuffer, and how many pixels one point of the user interface takes (HiDPI).
struct Viewport {
    int width = 1280;
    int height = 720;
    float pixel_ratio = 1.0f;
    bool operator==(const Viewport&) const = default;
};

// Triangles over shared vertices. Normals point outwards and decide which side of a triangle is its front; its vertices
// may be in either order. Facets that shall look flat have vertices of their own.
struct Mesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<std::uint32_t> triangles;
    // For each triangle, how sharp the edges opposite to its corners are, 0 to 1 (creases.h); empty: found by the
    // normals.
    std::vector<glm::vec3> creases{};
    bool open = false; // a surface that closes round nothing: its back is drawn, too
};

struct Image { // 8-bit sRGB, RGBA, rows from the top
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;

    static Image sized(int width, int height) {
        return {width, height,
                std::vector<std::uint8_t>(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4)};
    }
    std::size_t place(int x, int y) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
    }
    std::uint8_t* at(int x, int y) { return pixels.data() + place(x, y); }
    const std::uint8_t* at(int x, int y) const { return pixels.data() + place(x, y); }
};

struct RenderStats {
    int draw_calls = 0;
    int instances = 0;         // inside the view
    int culled = 0;            // outside the view
    int shadow_instances = 0;  // drawn into the shadow map
    double cull_seconds = 0.0; // spent on sorting out what is seen
    double fill_seconds = 0.0; // spent on writing the instance buffer
    double cpu_seconds = 0.0;  // spent in draw(), which a software driver may make much longer than the commands take
    bool shown_again = false;  // refresh() had nothing to draw; the counts are those of the picture
};

class Renderer {
  public:
    explicit Renderer(const RendererOptions& options);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    // Uploads a mesh; ids of removed meshes are used again. Throws RenderError for indices out of range and the like.
    MeshId add_mesh(const Mesh& mesh);
    void remove_mesh(MeshId mesh);

    // Takes the nearest count that the driver can do, up to max_msaa_samples(); msaa_samples() tells which.
    void set_msaa(int samples);
    // Size 0 = no shadows. Throws RenderError for sizes above the driver's limit and for counts outside 1..4.
    void set_shadows(int map_size, int cascades);
    void set_ambient_occlusion(bool on);
    // Draws fewer pixels than the viewport has, and stretches them: percent along each side, clamped to 10 .. 100.
    void set_resolution(int percent);

    // Draws into `framebuffer` (0 = the window), whose content is replaced and whose depth buffer is neither needed nor
    // touched. An empty viewport (a minimised window) draws nothing. Relies on no GL state. Afterwards: `framebuffer`
    // is bound, the viewport covers it, no program, vertex array, array buffer or texture is bound, texture unit 0 is
    // active, and depth test, face culling, blending, scissor, stencil test and sRGB encoding are off.
    void draw(const DrawList& list, const Viewport& viewport, unsigned framebuffer = 0);
    // The same for pictures that follow each other: where nothing has changed since the last one, that is shown again.
    void refresh(const DrawList& list, const Viewport& viewport, unsigned framebuffer = 0);
    // Whether refresh() would show the last picture again.
    bool shows(const DrawList& list, const Viewport& viewport) const;
    // Draws and reads back.
    Image draw_to_image(const DrawList& list, const Viewport& viewport);

    const RenderStats& stats() const; // of the last draw
    int max_msaa_samples() const;
    int msaa_samples() const; // 1 = off
    // Whether the processor draws instead of a graphics card. Then a shadow map of 1024, no multisampling and no
    // ambient occlusion keep a thousand bodies moving.
    bool software_driver() const;
    // Reloads shaders from the override folder if a file changed. Returns an error text "FILE:LINE: message" and keeps
    // the shaders in use when the new ones do not compile; empty when all is well.
    std::string reload_changed_shaders();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// How many pictures all renderers have drawn and how many have been made into textures so far, on any thread: while
// that stays the same, so does what the textures show.
std::uint64_t pictures_made();

// Reads the bound read framebuffer (the window's back buffer before the swap).
Image read_framebuffer(int width, int height);
// PNG files through stb. Throw RenderError that names the path.
std::vector<std::uint8_t> encode_png(const Image& image); // a file's bytes; its errors name no path
void write_png(const std::filesystem::path& path, const Image& image);
Image read_image(const std::filesystem::path& path);

// Counts GL errors reported by the driver since the context was set up (KHR_debug where available, else glGetError).
// Loads the GL functions of the current context; call once per context before creating a Renderer.
void load_gl(void* (*get_proc_address)(const char*));
int gl_error_count();
std::vector<std::string> gl_messages(); // the first few, for the log

} // namespace cairn::render
