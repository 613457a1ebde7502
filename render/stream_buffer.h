// A vertex buffer that is filled anew in every frame.
#pragma once

#include "render/gl.h"
#include "render/renderer.h"

#include <algorithm>
#include <cstddef>

namespace cairn::render {

class StreamBuffer {
  public:
    GLuint name() const { return buffer_.name(); }

    // Calls fill(void*) on `bytes` of fresh memory and binds the buffer to GL_ARRAY_BUFFER. The old content is given up
    // first (orphaned), so that the driver need not wait for the frame that still reads it.
    template <typename Fill>
    void refill(std::size_t bytes, Fill&& fill) {
        if (!buffer_) {
            buffer_ = GlBuffer::create();
        }
        glBindBuffer(GL_ARRAY_BUFFER, buffer_.name());
        if (bytes == 0) {
            return;
        }
        if (bytes > capacity_) {
            capacity_ = std::max(bytes, capacity_ + capacity_ / 2);
        }
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
        constexpr GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT;
        // The content of a mapped buffer may be lost while it is being written (a mode change); then it is written
        // again.
        for (int attempt = 0; attempt < 3; ++attempt) {
            void* memory = glMapBufferRange(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(bytes), access);
            if (memory == nullptr) {
                throw RenderError("the driver has no memory for " + std::to_string(bytes) + " bytes of vertices");
            }
            fill(memory);
            if (glUnmapBuffer(GL_ARRAY_BUFFER) == GL_TRUE) {
                return;
            }
        }
        throw RenderError("the driver keeps losing a vertex buffer");
    }

  private:
    GlBuffer buffer_;
    std::size_t capacity_ = 0; // bytes
};

} // namespace cairn::render
