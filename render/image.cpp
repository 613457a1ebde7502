// PNG files and reading pixels back.
#include "render/gl.h"
#include "render/renderer.h"

#include <cstring>
#include <fstream>
#include <stb_image.h>
#include <stb_image_write.h>

namespace cairn::render {

namespace {

void flip_rows(Image& image) {
    const std::size_t row = static_cast<std::size_t>(image.width) * 4;
    std::vector<std::uint8_t> swap(row);
    for (int top = 0, bottom = image.height - 1; top < bottom; ++top, --bottom) {
        std::uint8_t* a = image.pixels.data() + row * static_cast<std::size_t>(top);
        std::uint8_t* b = image.pixels.data() + row * static_cast<std::size_t>(bottom);
        std::memcpy(swap.data(), a, row);
        std::memcpy(a, b, row);
        std::memcpy(b, swap.data(), row);
    }
}

} // namespace

Image read_framebuffer(int width, int height) {
    if (width <= 0 || height <= 0) {
        throw RenderError("cannot read a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                          " pixels");
    }
    Image image = Image::sized(width, height);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    flip_rows(image); // GL counts rows from the bottom
    for (std::size_t i = 3; i < image.pixels.size(); i += 4) {
        image.pixels[i] = 255; // a window has no meaningful alpha, and a see-through screenshot is of no use
    }
    return image;
}

std::vector<std::uint8_t> encode_png(const Image& image) {
    const std::size_t expected = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
    if (image.width <= 0 || image.height <= 0 || image.pixels.size() != expected) {
        throw RenderError("the picture is empty or its size does not match its pixels");
    }
    std::vector<std::uint8_t> bytes;
    const auto write = [](void* context, void* data, int size) {
        const auto* from = static_cast<const std::uint8_t*>(data);
        static_cast<std::vector<std::uint8_t>*>(context)->insert(
            static_cast<std::vector<std::uint8_t>*>(context)->end(), from, from + size);
    };
    if (stbi_write_png_to_func(write, &bytes, image.width, image.height, 4, image.pixels.data(), image.width * 4) ==
        0) {
        throw RenderError("the picture cannot be encoded");
    }
    return bytes;
}

void write_png(const std::filesystem::path& path, const Image& image) {
    std::vector<std::uint8_t> bytes;
    try {
        bytes = encode_png(image);
    } catch (const RenderError& error) {
        throw RenderError(path.string() + ": " + error.what());
    }
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
        throw RenderError(path.string() + ": cannot write the picture; does the folder exist and may it be written?");
    }
}

Image read_image(const std::filesystem::path& path) {
    Image image;
    int channels = 0;
    stbi_uc* pixels = stbi_load(path.string().c_str(), &image.width, &image.height, &channels, 4);
    if (pixels == nullptr) {
        throw RenderError(path.string() + ": cannot read the picture: " + stbi_failure_reason());
    }
    const std::size_t size = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
    image.pixels.assign(pixels, pixels + size);
    stbi_image_free(pixels);
    return image;
}

} // namespace cairn::render
