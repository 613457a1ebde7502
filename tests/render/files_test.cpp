// PNG files, textures and shader files.
#include "tests/render/picture_compare.h"
#include "tests/render/render_fixture.h"

#include <fstream>
#include <gmock/gmock.h>

namespace cairn::render::tests {

using ::testing::HasSubstr;

namespace {

std::string error_of(const auto& action) {
    try {
        action();
    } catch (const RenderError& error) {
        return error.what();
    }
    return "no error";
}

void replace_in(const std::filesystem::path& path, const std::string& from, const std::string& to) {
    std::ifstream in(path);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << path << " does not hold " << from;
    text.replace(at, from.size(), to);
    const auto old_time = std::filesystem::last_write_time(path);
    std::ofstream(path) << text;
    // Some file systems keep whole seconds: make sure that the change shows.
    std::filesystem::last_write_time(path, old_time + std::chrono::seconds(2));
}

} // namespace

TEST(PngTest, RoundTripKeepsEveryByte) {
    const auto folder = scratch_folder("round_trip");
    Image image;
    image.width = 5;
    image.height = 3;
    for (int i = 0; i < 5 * 3 * 4; ++i) {
        image.pixels.push_back(static_cast<std::uint8_t>(37 * i + 11));
    }
    write_png(folder / "a.png", image);
    const Image back = read_image(folder / "a.png");
    EXPECT_EQ(back.width, 5);
    EXPECT_EQ(back.height, 3);
    EXPECT_EQ(back.pixels, image.pixels);
}

TEST(PngTest, ErrorsNameThePath) {
    const auto folder = scratch_folder("png_errors");
    const Image image{1, 1, {1, 2, 3, 255}};
    EXPECT_THAT(error_of([&] { write_png(folder / "no" / "such.png", image); }), HasSubstr("such.png"));
    EXPECT_THAT(error_of([&] { write_png(folder / "short.png", Image{2, 2, {1, 2, 3, 4}}); }), HasSubstr("short.png"));
    EXPECT_THAT(error_of([&] { read_image(folder / "missing.png"); }), HasSubstr("missing.png"));
    std::ofstream(folder / "broken.png") << "\x89PNG and then nothing of the kind";
    EXPECT_THAT(error_of([&] { read_image(folder / "broken.png"); }), HasSubstr("broken.png"));
}

using TextureTest = RenderTest;

TEST_F(TextureTest, MissingBrokenAndOddSizedFilesAreNamed) {
    const auto folder = scratch_folder("textures");
    RendererOptions options = small_options();
    options.textures = folder;
    const auto make = [&] { Renderer renderer(options); };
    EXPECT_THAT(error_of(make), HasSubstr((folder / "plaster.png").string()));

    for (const auto& file : std::filesystem::directory_iterator(texture_folder())) {
        std::filesystem::copy_file(file, folder / file.path().filename());
    }
    EXPECT_EQ(error_of(make), "no error");
    std::filesystem::resize_file(folder / "ground.png", 100);
    EXPECT_THAT(error_of(make), HasSubstr((folder / "ground.png").string()));
    write_png(folder / "wood.png", Image{1, 1, {1, 2, 3, 255}});
    EXPECT_THAT(error_of(make), ::testing::AllOf(HasSubstr((folder / "wood.png").string()), HasSubstr("1 x 1")));
}

using ShaderTest = RenderTest;

TEST_F(ShaderTest, BrokenOverrideIsLocatedAndTheOldShaderStays) {
    const auto folder = scratch_folder("shaders");
    std::filesystem::copy(source_folder() / "shaders", folder, std::filesystem::copy_options::recursive);
    RendererOptions options = small_options();
    options.shader_override = folder;
    Renderer renderer(options);
    const DrawList list = studio();
    const Image before = renderer.draw_to_image(list, small_viewport);
    EXPECT_EQ(renderer.reload_changed_shaders(), "");

    // The fault is in an included file, on the line that the error has to name.
    replace_in(folder / "lighting.glsl", "float light_reaching(", "float nonsense = vec2(;\nfloat light_reaching(");
    std::ifstream in(folder / "lighting.glsl");
    int faulty_line = 0;
    for (std::string line; std::getline(in, line) && !line.starts_with("float nonsense");) {
        ++faulty_line;
    }
    ++faulty_line;
    const std::string error = renderer.reload_changed_shaders();
    EXPECT_THAT(error,
                ::testing::StartsWith((folder / "lighting.glsl").string() + ":" + std::to_string(faulty_line) + ": "));
    EXPECT_EQ(renderer.reload_changed_shaders(), "") << "a fault is reported once";
    EXPECT_EQ(difference(before, renderer.draw_to_image(list, small_viewport)).rms, 0.0) << "the old shader stays";
    EXPECT_THAT(error_of([&] { Renderer other(options); }), HasSubstr("lighting.glsl:"));

    replace_in(folder / "lighting.glsl", "float nonsense = vec2(;\n", "");
    replace_in(folder / "backdrop.frag", "out_colour = vec4(colour", "out_colour = vec4(vec3(1.0, 0.0, 0.0) * colour");
    EXPECT_EQ(renderer.reload_changed_shaders(), "");
    EXPECT_GT(difference(before, renderer.draw_to_image(list, small_viewport)).block, largest_block)
        << "the changed backdrop shows";
}

TEST_F(ShaderTest, MissingOverrideFolderIsNamed) {
    RendererOptions options = small_options();
    options.shader_override = scratch_folder("no_shaders");
    EXPECT_THAT(error_of([&] { Renderer renderer(options); }), HasSubstr(options.shader_override.string()));
}

} // namespace cairn::render::tests
