#include "render/targets.h"

#include "render/renderer.h"

namespace cairn::render {

namespace {

GlRenderbuffer storage(GLenum format, int width, int height, int samples) {
    GlRenderbuffer buffer = GlRenderbuffer::create();
    glBindRenderbuffer(GL_RENDERBUFFER, buffer.name());
    if (samples > 1) {
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    } else {
        glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    }
    glBindRenderbuffer(GL_RENDERBUFFER, 0);
    return buffer;
}

GlFramebuffer framebuffer(GLuint colour, GLuint depth) {
    GlFramebuffer buffer = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, buffer.name());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    if (depth != 0) {
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    }
    return buffer;
}

void require_complete(const char* what, int width, int height, int samples) {
    const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        throw RenderError(std::string("the driver refuses the ") + what + " of " + std::to_string(width) + " x " +
                          std::to_string(height) + " pixels with " + std::to_string(samples) + " samples (status " +
                          std::to_string(status) + ")");
    }
}

} // namespace

void Targets::fit(int width, int height, int samples) {
    if (width == width_ && height == height_ && samples == samples_) {
        return;
    }
    *this = Targets{};
    colour_ = storage(GL_SRGB8_ALPHA8, width, height, samples);
    depth_ = storage(GL_DEPTH_COMPONENT24, width, height, samples);
    scene_ = framebuffer(colour_.name(), depth_.name());
    require_complete("picture", width, height, samples);
    if (samples > 1) {
        resolved_colour_ = storage(GL_SRGB8_ALPHA8, width, height, 1);
        resolved_ = framebuffer(resolved_colour_.name(), 0);
        require_complete("resolved picture", width, height, 1);
    }
    // Only now, so that a refused size is tried afresh next time.
    width_ = width;
    height_ = height;
    samples_ = samples;
}

void Targets::resolve() const {
    if (samples_ <= 1) {
        return;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, scene_.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.name());
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

GLuint Targets::mask() {
    if (!mask_) {
        mask_texture_ = GlTexture::create();
        glActiveTexture(GL_TEXTURE0 + 3);
        glBindTexture(GL_TEXTURE_2D, mask_texture_.name());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RG8, width_, height_, 0, GL_RG, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glBindTexture(GL_TEXTURE_2D, 0);
        mask_resolved_ = GlFramebuffer::create();
        glBindFramebuffer(GL_FRAMEBUFFER, mask_resolved_.name());
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, mask_texture_.name(), 0);
        require_complete("outline mask", width_, height_, 1);
        if (samples_ > 1) {
            mask_colour_ = storage(GL_RG8, width_, height_, samples_);
            mask_ = framebuffer(mask_colour_.name(), 0);
            require_complete("outline mask", width_, height_, samples_);
        } else {
            mask_ = std::move(mask_resolved_);
        }
    }
    return mask_.name();
}

void Targets::resolve_mask() const {
    if (samples_ <= 1) {
        return;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, mask_.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, mask_resolved_.name());
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

void ShadowMap::fit(int size) {
    if (size == size_) {
        return;
    }
    *this = ShadowMap{};
    if (size == 0) {
        return;
    }
    texture_ = GlTexture::create();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, size, size, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    // Outside the map nothing is in shadow.
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const GLfloat lit[] = {1.0f, 1.0f, 1.0f, 1.0f};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, lit);
    glBindTexture(GL_TEXTURE_2D, 0);
    framebuffer_ = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture_.name(), 0);
    glDrawBuffer(GL_NONE);
    glReadBuffer(GL_NONE);
    require_complete("shadow map", size, size, 1);
    size_ = size;
}

} // namespace cairn::render
