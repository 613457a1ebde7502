#include "render/textures.h"

#include "render/renderer.h"

#include <algorithm>
#include <stb_image_resize.h>
#include <utility>
#include <vector>

namespace cairn::render {

namespace {

void set_sampling(GLenum target) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(target, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(target, GL_TEXTURE_WRAP_T, GL_REPEAT);
}

// Half the size along each side.
Image halved(const Image& image) {
    Image half = Image::sized(std::max(image.width / 2, 1), std::max(image.height / 2, 1));
    stbir_resize_uint8_generic(image.pixels.data(), image.width, image.height, 0, half.pixels.data(), half.width,
                               half.height, 0, 4, STBIR_ALPHA_CHANNEL_NONE, 0, STBIR_EDGE_WRAP, STBIR_FILTER_BOX,
                               STBIR_COLORSPACE_SRGB, nullptr);
    return half;
}

// The pictures as layers of the bound texture, with what is seen of them from afar. glGenerateMipmap would do the same,
// but a driver without a graphics card compiles programs for it, which takes a sixth of the window's start.
void fill_levels(GLenum target, std::vector<Image> layers) {
    const auto count = static_cast<GLsizei>(layers.size());
    for (GLint level = 0;; ++level) {
        const int width = layers.front().width, height = layers.front().height;
        if (target == GL_TEXTURE_2D) {
            glTexImage2D(target, level, GL_SRGB8_ALPHA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                         layers.front().pixels.data());
        } else {
            glTexImage3D(target, level, GL_SRGB8_ALPHA8, width, height, count, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            for (GLint layer = 0; layer < count; ++layer) {
                glTexSubImage3D(target, level, 0, 0, layer, width, height, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                                layers[static_cast<std::size_t>(layer)].pixels.data());
            }
        }
        if (width == 1 && height == 1) {
            return;
        }
        std::ranges::transform(layers, layers.begin(), halved);
    }
}

} // namespace

Textures load_textures(const std::filesystem::path& folder) {
    std::vector<Image> layers(1);
    for (const char* name : body_texture_files) {
        const std::filesystem::path path = folder / name;
        const Image& image = layers.emplace_back(read_image(path));
        const int width = layers[1].width, height = layers[1].height;
        if (image.width != width || image.height != height) {
            throw RenderError(path.string() + ": the picture has " + std::to_string(image.width) + " x " +
                              std::to_string(image.height) + " pixels; all body textures need " +
                              std::to_string(width) + " x " + std::to_string(height) + ", as " + body_texture_files[0] +
                              " has");
        }
    }
    layers[0] = Image::sized(layers[1].width, layers[1].height);
    std::ranges::fill(layers[0].pixels, std::uint8_t{255});

    Textures textures;
    textures.body_layers = static_cast<int>(layers.size());
    textures.bodies = GlTexture::create();
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D_ARRAY, textures.bodies.name());
    fill_levels(GL_TEXTURE_2D_ARRAY, std::move(layers));
    set_sampling(GL_TEXTURE_2D_ARRAY);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);

    textures.ground = GlTexture::create();
    glBindTexture(GL_TEXTURE_2D, textures.ground.name());
    fill_levels(GL_TEXTURE_2D, {read_image(folder / ground_texture_file)});
    set_sampling(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_2D, 0);
    return textures;
}

} // namespace cairn::render
