#include "render/picture_texture.h"

#include "render/gl.h"
#include "render/pictures_made.h"

#include <atomic>
#include <utility>

namespace cairn::render {

namespace {

std::atomic<std::uint64_t> made{0};

} // namespace

void note_picture() {
    ++made;
}

std::uint64_t pictures_made() {
    return made;
}

PictureTexture::PictureTexture(const Image& image) {
    note_picture();
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

void show_image(const Image& image) {
    const PictureTexture texture(image);
    GLuint from = 0;
    glGenFramebuffers(1, &from);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.name(), 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, image.width, image.height, 0, image.height, image.width, 0, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST); // upside down: rows from the top
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &from);
}

} // namespace cairn::render
