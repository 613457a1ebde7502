// Pictures compared with those in tests/render/golden. CAIRN_BLESS=1 writes them anew: look at them before committing.
#include "tests/render/picture_compare.h"
#include "tests/render/render_fixture.h"

namespace cairn::render::tests {

namespace {

class GoldenTest : public RenderTest {
  protected:
    void expect_golden(const std::string& name, const DrawList& list, const RendererOptions& options = small_options(),
                       const Viewport& viewport = small_viewport) {
        Renderer renderer(options);
        const Image image = renderer.draw_to_image(list, viewport);
        const std::filesystem::path golden = source_folder() / "tests" / "render" / "golden" / (name + ".png");
        const char* bless = std::getenv("CAIRN_BLESS");
        if (bless != nullptr && std::string(bless) == "1") {
            std::filesystem::create_directories(golden.parent_path());
            write_png(golden, image);
            return;
        }
        const Difference apart = difference(image, read_image(golden));
        if (apart.rms > largest_rms || apart.block > largest_block) {
            write_png(name + "_actual.png", image);
            if (!apart.picture.pixels.empty()) {
                write_png(name + "_difference.png", apart.picture);
            }
            ADD_FAILURE() << name << ": rms " << apart.rms << " (at most " << largest_rms << "), worst block "
                          << apart.block << " (at most " << largest_block << "); see "
                          << std::filesystem::current_path() / (name + "_difference.png");
        }
    }
};

} // namespace

TEST_F(GoldenTest, EachKind) {
    expect_golden("kinds", studio());
}

TEST_F(GoldenTest, TexturedKinds) {
    DrawList list = studio();
    for (std::uint32_t i = 1; i < list.instances.size(); ++i) {
        list.instances[i].texture = i;
    }
    expect_golden("textured", list);
}

TEST_F(GoldenTest, NoShadows) {
    RendererOptions options = small_options();
    options.shadow_map_size = 0;
    expect_golden("no_shadows", studio(), options);
}

TEST_F(GoldenTest, WideShadowKernel) {
    RendererOptions options = small_options();
    options.shadow_map_size = 2048;
    DrawList list = studio();
    list.light.shadow_radius = 40.0f;
    expect_golden("wide_shadows", list, options);
}

TEST_F(GoldenTest, PlainWithoutMultisampling) {
    RendererOptions options = small_options();
    options.msaa_samples = 1;
    options.ambient_occlusion = false;
    DrawList list = studio();
    list.textures = false;
    list.grid = false;
    expect_golden("plain", list, options);
}

TEST_F(GoldenTest, Outlines) {
    DrawList list = studio();
    list.instances[2].flags |= instance_selected;
    list.instances[3].flags |= instance_selected;
    list.instances[5].flags |= instance_hovered;
    expect_golden("outlines", list);
}

TEST_F(GoldenTest, OutlinesAtTwicePixelRatio) {
    DrawList list = studio();
    list.instances[1].flags |= instance_selected;
    list.lines.push_back({{-2.0f, -2.0f, 0.2f}, {3.0f, -2.0f, 1.2f}, {0.05f, 0.2f, 0.9f, 1.0f}});
    expect_golden("outlines_hidpi", list, small_options(), {320, 180, 2.0f});
}

TEST_F(GoldenTest, LinesAndPoints) {
    DrawList list = studio();
    const glm::vec4 red{0.8f, 0.05f, 0.03f, 1.0f};
    const glm::vec4 green{0.05f, 0.5f, 0.08f, 1.0f};
    for (int i = 0; i < 8; ++i) {
        const float x = -5.0f + 1.4f * static_cast<float>(i);
        list.lines.push_back({{x, 2.0f, 0.0f}, {x, 2.0f, 2.5f}, green, false});
        list.points.push_back({{x, 2.0f, 2.5f}, red, 6.0f, true});
    }
    list.lines.push_back({{-5.0f, 0.0f, 0.9f}, {5.0f, 0.0f, 0.9f}, red, true});     // through the bodies
    list.lines.push_back({{-5.0f, 0.0f, 0.4f}, {5.0f, 0.0f, 0.4f}, green, false});  // hidden inside them
    list.lines.push_back({{0.0f, -30.0f, 4.0f}, {0.0f, 0.0f, 2.2f}, green, false}); // from behind the camera
    list.points.push_back({{0.4f, 0.6f, 1.0f}, red, 12.0f, true});
    list.points.push_back({{4.2f, 0.6f, 1.0f}, red, 12.0f, false}); // hidden inside the capsule
    expect_golden("lines_points", list);
}

TEST_F(GoldenTest, Blended) {
    DrawList list = studio();
    for (int i = 0; i < 3; ++i) {
        Instance glass = body(i == 1 ? unit_sphere : unit_box, {-2.5f + 2.5f * static_cast<float>(i), -2.0f, 0.8f},
                              glm::vec3(0.8f), 5 + i);
        glass.colour.a = 0.4f;
        list.instances.insert(list.instances.begin(), glass);
    }
    expect_golden("blended", list);
}

TEST_F(GoldenTest, UploadedMesh) {
    Renderer renderer(small_options());
    // An octahedron with flat facets, some of them wound the wrong way round.
    Mesh mesh;
    for (int i = 0; i < 8; ++i) {
        const glm::vec3 sign{(i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f};
        for (int axis = 0; axis < 3; ++axis) {
            glm::vec3 corner{0.0f};
            corner[axis] = sign[axis];
            mesh.triangles.push_back(static_cast<std::uint32_t>(mesh.positions.size()));
            mesh.positions.push_back(corner);
            mesh.normals.push_back(glm::normalize(sign));
        }
    }
    const MeshId octahedron = renderer.add_mesh(mesh);
    DrawList list = studio();
    list.instances.push_back(body(octahedron, {0.0f, -2.5f, 1.0f}, glm::vec3(1.0f), 1));
    const Image with = renderer.draw_to_image(list, small_viewport);
    // Both windings must show: the near facets are lit, so the middle of the octahedron differs from the floor behind
    // it.
    list.instances.pop_back();
    const Image without = renderer.draw_to_image(list, small_viewport);
    EXPECT_GT(difference(with, without).block, 4.0 * largest_block);

    renderer.remove_mesh(octahedron);
    list.instances.push_back(body(octahedron, {0.0f, -2.5f, 1.0f}, glm::vec3(1.0f), 1));
    EXPECT_THROW(renderer.draw_to_image(list, small_viewport), RenderError);
    EXPECT_EQ(renderer.add_mesh(mesh), octahedron) << "ids of removed meshes are used again";
    EXPECT_THROW(renderer.remove_mesh(unit_box), RenderError);
    mesh.triangles.back() = 99;
    EXPECT_THROW(renderer.add_mesh(mesh), RenderError);
}

// The tolerance is worth nothing if a visible fault passes it.
TEST_F(GoldenTest, ToleranceSeesAMovedBodyAndALostShadow) {
    Renderer renderer(small_options());
    DrawList list = studio();
    const Image right = renderer.draw_to_image(list, small_viewport);
    list.instances[2].position.x += 0.15f;
    EXPECT_GT(difference(right, renderer.draw_to_image(list, small_viewport)).block, largest_block);
    list = studio();
    list.instances[4].flags |= instance_no_shadow;
    EXPECT_GT(difference(right, renderer.draw_to_image(list, small_viewport)).block, largest_block);
}

} // namespace cairn::render::tests
