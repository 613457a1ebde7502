// GL 4.1 core functions and owners of GL objects. Only files of this folder include it.
#pragma once

#include <glad/gl.h>
#include <utility>

namespace cairn::render {

enum class GlKind { buffer, vertex_array, texture, framebuffer, renderbuffer };

// Owns one GL name. The context that made it must be current when it is destroyed.
template <GlKind kind>
class GlObject {
  public:
    GlObject() = default;
    ~GlObject() { reset(); }
    GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0u)) {}
    GlObject& operator=(GlObject&& other) noexcept {
        if (this != &other) {
            reset();
            name_ = std::exchange(other.name_, 0u);
        }
        return *this;
    }
    GlObject(const GlObject&) = delete;
    GlObject& operator=(const GlObject&) = delete;

    static GlObject create() {
        GlObject object;
        if constexpr (kind == GlKind::buffer) {
            glGenBuffers(1, &object.name_);
        } else if constexpr (kind == GlKind::vertex_array) {
            glGenVertexArrays(1, &object.name_);
        } else if constexpr (kind == GlKind::texture) {
            glGenTextures(1, &object.name_);
        } else if constexpr (kind == GlKind::framebuffer) {
            glGenFramebuffers(1, &object.name_);
        } else {
            glGenRenderbuffers(1, &object.name_);
        }
        return object;
    }

    void reset() {
        if (name_ == 0) {
            return;
        }
        if constexpr (kind == GlKind::buffer) {
            glDeleteBuffers(1, &name_);
        } else if constexpr (kind == GlKind::vertex_array) {
            glDeleteVertexArrays(1, &name_);
        } else if constexpr (kind == GlKind::texture) {
            glDeleteTextures(1, &name_);
        } else if constexpr (kind == GlKind::framebuffer) {
            glDeleteFramebuffers(1, &name_);
        } else {
            glDeleteRenderbuffers(1, &name_);
        }
        name_ = 0;
    }

    GLuint name() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

  private:
    GLuint name_ = 0;
};

using GlBuffer = GlObject<GlKind::buffer>;
using GlVertexArray = GlObject<GlKind::vertex_array>;
using GlTexture = GlObject<GlKind::texture>;
using GlFramebuffer = GlObject<GlKind::framebuffer>;
using GlRenderbuffer = GlObject<GlKind::renderbuffer>;

// Adds the error flag of the context, if set, to gl_error_count() on drivers whose debug output stays silent.
void poll_gl_error();

} // namespace cairn::render
