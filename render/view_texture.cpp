#include "render/view_texture.h"

#include "render/gl.h"

#include <algorithm>

namespace cairn::render {

struct ViewTexture::Impl {
    GlTexture texture;
    GlFramebuffer framebuffer;
    int width = 0, height = 0;
};

ViewTexture::ViewTexture() : impl_(std::make_unique<Impl>()) {
}
ViewTexture::~ViewTexture() = default;

bool ViewTexture::fit(int width, int height) {
    width = std::max(width, 1);
    height = std::max(height, 1);
    if (width == impl_->width && height == impl_->height) {
        return false;
    }
    impl_->width = width;
    impl_->height = height;
    impl_->texture = GlTexture::create();
    glBindTexture(GL_TEXTURE_2D, impl_->texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glBindTexture(GL_TEXTURE_2D, 0);
    impl_->framebuffer = GlFramebuffer::create();
    glBindFramebuffer(GL_FRAMEBUFFER, impl_->framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, impl_->texture.name(), 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return true;
}

unsigned ViewTexture::framebuffer() const {
    return impl_->framebuffer.name();
}
unsigned ViewTexture::texture() const {
    return impl_->texture.name();
}

} // namespace cairn::render
