#include "render/picture_texture.h"

#include "render/gl.h"

#include <utility>

namespace cairn::render {

PictureTexture::PictureTexture(const Image& image) {
    glGenTextures(1, &name_);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, name_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.pixels.data());
    // Shown at about its own size: the next smaller ones are not needed.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
}

PictureTexture::~PictureTexture() {
    if (name_ != 0) {
        glDeleteTextures(1, &name_);
    }
}

PictureTexture::PictureTexture(PictureTexture&& other) noexcept : name_(std::exchange(other.name_, 0u)) {
}

PictureTexture& PictureTexture::operator=(PictureTexture&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
}

} // namespace cairn::render
