// Draws a DrawList with OpenGL 4.1 core into the bound framebuffer or an image. Needs a current context.
#pragma once

#include "render/draw_list.h"

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
    std::filesystem::path textures; // folder with the texture files
    std::filesystem::path
        shader_override;        // load shaders from here and watch them, instead of the embedded ones (developing)
    int shadow_map_size = 2048; // texels, 0 = no shadows
    int msaa_samples = 4;       // 0 or 1 = off
};

// Size in pixels of the framebuffer, and how many pixels one point of the user interface takes (HiDPI).
struct Viewport {
    int width = 1280;
    int height = 720;
    float pixel_ratio = 1.0f;
};

struct Mesh {
    std::vector<glm::vec3> positions;
    std::vector<glm::vec3> normals;
    std::vector<std::uint32_t> triangles;
};

struct Image { // 8-bit sRGB, RGBA, rows from the top
    int width = 0, height = 0;
    std::vector<std::uint8_t> pixels;
};

struct RenderStats {
    int draw_calls = 0;
    int instances = 0;
    int culled = 0;
    double cpu_seconds = 0.0;
};

class Renderer {
  public:
    explicit Renderer(const RendererOptions& options);
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    MeshId add_mesh(const Mesh& mesh);
    void remove_mesh(MeshId mesh);

    void set_msaa(int samples);
    void set_shadow_map_size(int texels);

    // Draws into `framebuffer` (0 = the window).
    void draw(const DrawList& list, const Viewport& viewport, unsigned framebuffer = 0);
    // Draws and reads back.
    Image draw_to_image(const DrawList& list, const Viewport& viewport);

    const RenderStats& stats() const; // of the last draw
    int max_msaa_samples() const;
    // Reloads shaders from the override folder if a file changed; returns an error text, empty when all is well.
    std::string reload_changed_shaders();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Reads the bound read framebuffer (the window's back buffer before the swap).
Image read_framebuffer(int width, int height);
// PNG files through stb. Throw RenderError that names the path.
void write_png(const std::filesystem::path& path, const Image& image);
Image read_image(const std::filesystem::path& path);

// Counts GL errors reported by the driver since the context was set up (KHR_debug where available, else glGetError).
// Loads the GL functions of the current context; call once per context before creating a Renderer.
void load_gl(void* (*get_proc_address)(const char*));
int gl_error_count();
std::vector<std::string> gl_messages(); // the first few, for the log

} // namespace cairn::render
