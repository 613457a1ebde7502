// Where vertex shaders find what they read.
#pragma once

#include "render/gl.h"

#include <cstddef>

namespace cairn::render {

// Attribute `index` of the bound vertex array: `components` floats in the buffer bound to GL_ARRAY_BUFFER, every
// `stride` bytes from `offset`. `divisor`: 0 = one for each vertex, 1 = one for each instance.
inline void float_attribute(GLuint index, GLint components, std::size_t stride, std::size_t offset, GLuint divisor) {
    glEnableVertexAttribArray(index);
    glVertexAttribPointer(index, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(offset));
    glVertexAttribDivisor(index, divisor);
}

} // namespace cairn::render
