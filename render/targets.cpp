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

GlTexture texture(GLenum internal_format, GLenum format, GLenum type, int width, int height) {
    GlTexture result = GlTexture::create();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, result.name());
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internal_format), width, height, 0, format, type, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    return result;
}

void stretch_smoothly(const GlTexture& texture) {
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glBindTexture(GL_TEXTURE_2D, 0);
}

GlFramebuffer framebuffer_of_buffers(GLuint colour, GLuint depth) {
    GlFramebuffer buffer = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, buffer.name());
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
    return buffer;
}

GlFramebuffer framebuffer_of_textures(GLuint colour, GLuint depth) {
    GlFramebuffer buffer = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, buffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
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
    colour_texture_ = texture(GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, width, height);
    stretch_smoothly(colour_texture_);
    depth_texture_ = texture(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, width, height);
    resolved_ = framebuffer_of_textures(colour_texture_.name(), depth_texture_.name());
    require_complete("picture", width, height, 1);
    if (samples > 1) {
        colour_ = storage(GL_SRGB8_ALPHA8, width, height, samples);
        depth_ = storage(GL_DEPTH_COMPONENT24, width, height, samples);
        scene_ = framebuffer_of_buffers(colour_.name(), depth_.name());
        require_complete("picture", width, height, samples);
    }
    // Only now, so that a refused size is tried afresh next time.
    width_ = width;
    height_ = height;
    samples_ = samples;
}

void Targets::resolve(bool with_depth) const {
    if (samples_ <= 1) {
        return;
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, scene_.name());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.name());
    const GLbitfield parts = with_depth ? GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT;
    glBlitFramebuffer(0, 0, width_, height_, 0, 0, width_, height_, parts, GL_NEAREST);
}

GLuint Targets::mask() {
    if (!mask_) {
        mask_texture_ = texture(GL_RG8, GL_RG, GL_UNSIGNED_BYTE, width_, height_);
        mask_resolved_ = framebuffer_of_textures(mask_texture_.name(), 0);
        require_complete("outline mask", width_, height_, 1);
        if (samples_ > 1) {
            mask_colour_ = storage(GL_RG8, width_, height_, samples_);
            mask_ = framebuffer_of_buffers(mask_colour_.name(), 0);
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

GLuint Targets::occlusion(std::size_t which) {
    if (!occlusion_[which]) {
        occlusion_textures_[which] = texture(GL_RG16F, GL_RG, GL_HALF_FLOAT, half_width(), half_height());
        occlusion_[which] = framebuffer_of_textures(occlusion_textures_[which].name(), 0);
        require_complete("ambient occlusion", half_width(), half_height(), 1);
    }
    return occlusion_[which].name();
}

void ShadowMaps::fit(int size, int count) {
    count = size > 0 ? count : 0;
    if (size == size_ && count == this->count()) {
        return;
    }
    *this = ShadowMaps{};
    if (count == 0) {
        return;
    }
    texture_ = GlTexture::create();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture_.name());
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_DEPTH_COMPONENT24, size, size, count, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, nullptr);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    // Outside the maps nothing is in shadow.
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const GLfloat lit[] = {1.0f, 1.0f, 1.0f, 1.0f};
    glTexParameterfv(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BORDER_COLOR, lit);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    for (int layer = 0; layer < count; ++layer) {
        GlFramebuffer framebuffer = GlFramebuffer::create();
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer.name());
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, texture_.name(), 0, layer);
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
        require_complete("shadow map", size, size, 1);
        framebuffers_.push_back(std::move(framebuffer));
    }
    size_ = size;
}

} // namespace cairn::render
