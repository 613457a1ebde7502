// Shader sources (embedded or from a folder) and linked programs.
#pragma once

#include "render/gl.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cairn::render {

struct EmbeddedShader {
    const char* name; // file name in the shaders folder
    const char* text;
};
extern const EmbeddedShader embedded_shaders[];
extern const std::size_t embedded_shader_count;

// A linked program. Its uniform block Frame is bound to point 0 and its samplers to fixed texture units.
class Program {
  public:
    Program() = default;
    explicit Program(GLuint name) : name_(name) {}
    ~Program();
    Program(Program&& other) noexcept : name_(std::exchange(other.name_, 0u)) {}
    Program& operator=(Program&& other) noexcept {
        std::swap(name_, other.name_);
        return *this;
    }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void use() const { glUseProgram(name_); }
    GLuint name() const { return name_; }

  private:
    GLuint name_ = 0;
};

// What a program is built from. Each define becomes a "#define NAME 1" line.
struct ProgramSource {
    const char* vertex;
    const char* fragment;
    std::vector<const char*> defines;
};

// Texture units that the samplers of every program read.
enum TextureUnit : GLint {
    unit_shadow_map,
    unit_body_textures,
    unit_ground_texture,
    unit_mask,
    unit_scene_colour,
    unit_scene_depth,
    unit_occlusion,
    texture_units
};

class ShaderFolder {
  public:
    // Empty: the embedded sources.
    explicit ShaderFolder(std::filesystem::path override_folder);

    // Throws RenderError "FILE:LINE: message" for what does not compile or link.
    Program build(const ProgramSource& source) const;
    // True once after a file of the folder has changed (or vanished) since the last call. Always false for the embedded
    // sources.
    bool changed();

  private:
    std::string text(const std::string& name) const;
    std::string shown_name(const std::string& name) const;
    GLuint compile(GLenum stage, const std::string& name, std::span<const char* const> defines) const;
    void expand(const std::string& name, std::string& out, std::vector<std::string>& files) const;
    std::map<std::string, std::filesystem::file_time_type> times() const;

    std::filesystem::path folder_;
    std::map<std::string, std::filesystem::file_time_type> seen_;
};

} // namespace cairn::render
