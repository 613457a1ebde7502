#include "render/textures.h"

#include "render/renderer.h"

#include <iterator>

namespace cairn::render {

namespace {

void set_sampling(GLenum target) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

} // namespace

Textures load_textures(const std::filesystem::path& folder) {
    Textures textures;
    textures.bodies = GlTexture::create();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, textures.bodies.name());
    textures.body_layers = 1 + static_cast<int>(std::size(body_texture_files));
    int width = 0;
    int height = 0;
    int layer = 1;
    for (const char* name : body_texture_files) {
        const std::filesystem::path path = folder / name;
        const Image image = read_image(path);
        if (layer == 1) {
            width = image.width;
            height = image.height;
            glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_SRGB8_ALPHA8, width, height, textures.body_layers, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, nullptr);
            const std::vector<std::uint8_t> white(image.pixels.size(), 255);
            glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, width, height, 1, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        }
        if (image.width != width || image.height != height) {
            throw RenderError(path.string() + ": the picture has " + std::to_string(image.width) + " x " +
                              std::to_string(image.height) + " pixels; all body textures need " +
                              std::to_string(width) + " x " + std::to_string(height) + ", as " + body_texture_files[0] +
                              " has");
        }
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, width, height, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        image.pixels.data());
        ++layer;
    }
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    set_sampling(GL_TEXTURE_2D_ARRAY);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);

    const Image image = read_image(folder / ground_texture_file);
    textures.ground = GlTexture::create();
    glBindTexture(GL_TEXTURE_2D, textures.ground.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, image.width, image.height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 image.pixels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    set_sampling(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    return textures;
}

} // namespace cairn::render
