// Mesh files: Wavefront, stereolithography and polygon files, whole, cut off and damaged.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/shapes/formats/mesh_ply.h"
#include "app/core/scene/shapes/formats/mesh_stl.h"
#include "app/core/scene/shapes/mesh_points.h"
#include "tests/core/temporary_folder.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>

namespace cairn::core {
namespace {

using physics::MeshData;
using physics::Vec3;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using testing::TemporaryFolder;

std::string error_of(const std::function<void()>& function) {
    try {
        function();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

// A sphere of `rings` x 2 `rings` faces, at coordinates of many digits, one of them -0.
MeshData sphere(std::uint32_t rings) {
    MeshData mesh;
    const std::uint32_t around = 2 * rings;
    mesh.vertices = {{-0.0f, 0.1f, 20.0f}, {0.0f, 0.1f, -20.0f}};
    for (std::uint32_t i = 1; i < rings; ++i) {
        const double a = 3.14159265358979 * i / rings;
        for (std::uint32_t k = 0; k < around; ++k) {
            const double b = 2.0 * 3.14159265358979 * k / around;
            mesh.vertices.emplace_back(30.0 * std::sin(a) * std::cos(b), 0.1 + 70.0 * std::sin(a) * std::sin(b),
                                       20.0 * std::cos(a));
        }
    }
    const auto at = [&](std::uint32_t i, std::uint32_t k) { return 2 + (i - 1) * around + k % around; };
    for (std::uint32_t k = 0; k < around; ++k) {
        mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
        for (std::uint32_t i = 1; i + 1 < rings; ++i) {
            mesh.triangles.push_back({at(i, k), at(i + 1, k), at(i + 1, k + 1)});
            mesh.triangles.push_back({at(i, k), at(i + 1, k + 1), at(i, k + 1)});
        }
        mesh.triangles.push_back({at(rings - 1, k), 1, at(rings - 1, k + 1)});
    }
    return mesh;
}

void add(std::string& out, float value) {
    std::array<char, 32> text{};
    const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
    out += ' ';
    out.append(text.data(), end);
}

template <class T>
void add_raw(std::string& out, T value, std::endian order = std::endian::little) {
    auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
    if (order != std::endian::native) {
        std::reverse(raw.begin(), raw.end());
    }
    out.append(raw.data(), raw.size());
}

std::string obj_of(const MeshData& mesh) {
    std::string out;
    for (const Vec3& p : mesh.vertices) {
        out += 'v';
        for (int axis = 0; axis < 3; ++axis) {
            add(out, p[axis]);
        }
        out += '\n';
    }
    for (const auto& t : mesh.triangles) {
        out += "f " + std::to_string(t[0] + 1) + ' ' + std::to_string(t[1] + 1) + ' ' + std::to_string(t[2] + 1) + '\n';
    }
    return out;
}

std::string stl_text_of(const MeshData& mesh) {
    std::string out = "solid a # \\\n";
    for (const auto& t : mesh.triangles) {
        out += " facet normal nan 0 1\n  outer loop\n";
        for (const std::uint32_t corner : t) {
            out += "   vertex";
            for (int axis = 0; axis < 3; ++axis) {
                add(out, mesh.vertices[corner][axis]);
            }
            out += '\n';
        }
        out += "  endloop\n endfacet\n";
    }
    return out + "endsolid a # \\\n";
}

std::string stl_binary_of(const MeshData& mesh) {
    std::string out = "solid, though it is binary";
    out.resize(80, ' ');
    add_raw(out, static_cast<std::uint32_t>(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        out.append(12, '\xFF'); // no normal
        for (const std::uint32_t corner : t) {
            for (int axis = 0; axis < 3; ++axis) {
                add_raw(out, mesh.vertices[corner][axis]);
            }
        }
        out.append(2, '\0');
    }
    return out;
}

// With what else scanners write: normals, colours, strips of other elements before and after.
std::string ply_of(const MeshData& mesh, const std::string& format) {
    const bool text = format == "ascii";
    const std::endian order = format == "binary_big_endian" ? std::endian::big : std::endian::little;
    std::string out = "ply\nformat " + format + " 1.0\ncomment end_header\nobj_info x\n";
    out += "element camera 1\nproperty double focus\nproperty list uchar short path\n";
    out += "element vertex " + std::to_string(mesh.vertices.size()) +
           "\nproperty uchar red\nproperty float x\nproperty float y\nproperty float z\n";
    out += "element face " + std::to_string(mesh.triangles.size()) +
           "\nproperty list uchar int vertex_indices\nproperty uchar flags\n";
    out += "element edge 0\nproperty int a\nend_header\n";
    if (text) {
        out += "1.5 2 7 8\n";
    } else {
        add_raw(out, 1.5, order);
        add_raw(out, std::uint8_t{2});
        add_raw(out, std::int16_t{7}, order);
        add_raw(out, std::int16_t{8}, order);
    }
    for (const Vec3& p : mesh.vertices) {
        text ? void(out += "255") : add_raw(out, std::uint8_t{255});
        for (int axis = 0; axis < 3; ++axis) {
            text ? add(out, p[axis]) : add_raw(out, p[axis], order);
        }
        text ? void(out += '\n') : void();
    }
    for (const auto& t : mesh.triangles) {
        text ? void(out += '3') : add_raw(out, std::uint8_t{3});
        for (const std::uint32_t corner : t) {
            text ? void(out += ' ' + std::to_string(corner)) : add_raw(out, static_cast<std::int32_t>(corner), order);
        }
        text ? void(out += " 0\n") : add_raw(out, std::uint8_t{0});
    }
    return out;
}

struct Form {
    const char* name;
    std::function<std::string(const MeshData&)> write;
};
const std::vector<Form>& forms() {
    static const std::vector<Form> all{
        {"a.obj", obj_of},
        {"a.stl", stl_text_of},
        {"b.STL", stl_binary_of},
        {"a.ply", [](const MeshData& mesh) { return ply_of(mesh, "ascii"); }},
        {"b.ply", [](const MeshData& mesh) { return ply_of(mesh, "binary_little_endian"); }},
        {"c.Ply", [](const MeshData& mesh) { return ply_of(mesh, "binary_big_endian"); }},
    };
    return all;
}

MeshData parsed(const std::string& name, const std::string& bytes) {
    switch (std::tolower(name.at(2))) {
    case 'o':
        return parse_obj_mesh(bytes, name);
    case 's':
        return parse_stl_mesh(bytes, name);
    default:
        return parse_ply_mesh(bytes, name);
    }
}

TEST(MeshFiles, EveryFormHoldsTheSameSurface) {
    const TemporaryFolder folder;
    const MeshData mesh = sphere(12);
    for (const Form& form : forms()) {
        SCOPED_TRACE(form.name);
        const auto path = folder.write(form.name, form.write(mesh));
        const MeshData read = read_mesh(path);
        ASSERT_EQ(read.triangles.size(), mesh.triangles.size());
        EXPECT_EQ(read.vertices.size(), mesh.vertices.size()) << "corners of equal coordinates are one vertex";
        EXPECT_EQ(read_mesh_points(path), read.vertices);
        EXPECT_EQ(read_points(path), read.vertices);
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                ASSERT_EQ(read.vertices.at(read.triangles[i][k]), mesh.vertices[mesh.triangles[i][k]]) << i;
            }
        }
    }
}

TEST(MeshFiles, EveryFormIsReadBySceneKeys) {
    const TemporaryFolder folder;
    ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    const MeshData mesh = sphere(4);
    folder.write("a.obj", obj_of(mesh));
    folder.write("a.stl", stl_binary_of(mesh));
    folder.write("a.ply", ply_of(mesh, "binary_big_endian"));
    const auto scene_of = [&](const std::string& file) {
        return parse_scene(R"({"cairn": 1, "bodies": [
            {"shape": {"hull": {"mesh": ")" +
                               file + R"(", "scale": 0.1}}},
            {"decomposed": {"file": ")" +
                               file + R"(", "scale": 0.1}},
            {"type": "static", "shape": {"mesh": {"file": ")" +
                               file + R"("}}}]})",
                           "scene.json", folder.path());
    };
    const Scene expected = scene_of("a.obj");
    EXPECT_EQ(scene_of("a.stl").bodies.size(), 3u);
    EXPECT_EQ(scene_of("a.ply"), expected);
    EXPECT_THAT(error_of([&] { scene_of("a.dae"); }),
                HasSubstr("a mesh is an .obj, .stl, .ply, .glb or .gltf file, not \"a.dae\""));
    folder.write("a.ply", "ply\nformat ascii 2.0\nend_header\n");
    EXPECT_THAT(error_of([&] { scene_of("a.ply"); }), HasSubstr("a.ply:2:14: the version of the format is \"2.0\""));
}

// Cut off anywhere, every form but the Wavefront one, which has no end, is an error; with one byte changed it is
// another mesh or an error. No error is anything but located.
TEST(MeshFiles, WhatIsCutOffOrDamagedIsAnErrorOrAMesh) {
    MeshData mesh;
    mesh.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
    for (const Form& form : forms()) {
        SCOPED_TRACE(form.name);
        const std::string whole = form.write(mesh);
        std::size_t read = 0, rejected = 0;
        const auto attempt = [&](const std::string& bytes) {
            try {
                const MeshData got = parsed(form.name, bytes);
                for (const auto& triangle : got.triangles) {
                    for (const std::uint32_t corner : triangle) {
                        ASSERT_LT(corner, got.vertices.size());
                    }
                }
                ++read;
            } catch (const InputError& error) {
                ASSERT_THAT(error.what(), StartsWith(form.name + std::string(":")));
                ++rejected;
            }
        };
        for (std::size_t size = 0; size < whole.size(); ++size) {
            attempt(whole.substr(0, size));
        }
        if (form.name[2] == 'o') {
            EXPECT_GT(rejected, 0u);
        } else {
            EXPECT_LE(read, form.write(mesh).back() == '\n' ? 14u : 0u) << "only what ends a text may be missing";
        }
        read = rejected = 0;
        for (std::size_t at = 0; at < whole.size(); ++at) {
            for (const int change :
                 {1, 0x80, 0xFF, int('0') ^ whole[at], int('-') ^ whole[at], int('\n') ^ whole[at]}) {
                std::string bytes = whole;
                bytes[at] = static_cast<char>(bytes[at] ^ change);
                attempt(bytes);
            }
        }
        EXPECT_GT(read, 0u);
        EXPECT_GT(rejected, 0u);
    }
}

TEST(MeshFiles, FaultsOfStlAreLocated) {
    const auto text = [](const std::string& lines) { return error_of([&] { parse_stl_mesh(lines, "m.stl"); }); };
    const std::string begin = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n";
    const std::string end = "vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
    EXPECT_EQ(text(begin + end), "no error");
    EXPECT_EQ(text("\xEF\xBB\xBF\r\nSOLID x\r\nENDSOLID x\r\n" + begin + end + begin + end), "no error");
    EXPECT_EQ(text("solid\nendsolid\n"), "m.stl: the mesh has no faces");
    EXPECT_EQ(text(begin), "m.stl:5:13: the file ends where \"vertex\" is expected");
    EXPECT_EQ(text(begin + "vertex 0 1\n"), "m.stl:6:11: \"vertex\" is followed by three numbers");
    EXPECT_EQ(text(begin + "vertex 0 1 2 3\n"), "m.stl:6:14: \"3\" does not belong after \"vertex\"");
    EXPECT_EQ(text(begin + "vertex 0 1 x\n"), "m.stl:6:12: \"x\" is not a number");
    EXPECT_THAT(text(begin + "vertex 0 1 1e7\n"), StartsWith("m.stl:6:12: the coordinate 1e7 is not within"));
    EXPECT_EQ(text(begin + "endloop\n"), "m.stl:6:1: expected \"vertex\", not \"endloop\"");
    EXPECT_EQ(text("solid\nfacet normal 0 0\n"), "m.stl:2:17: \"facet normal\" is followed by three numbers");
    EXPECT_EQ(text("solid\nloop\n"), "m.stl:2:1: expected \"facet\" or \"endsolid\"");

    std::string binary = stl_binary_of(sphere(2));
    binary += '\0';
    EXPECT_EQ(text(binary), "m.stl: byte 80: 8 triangles take 484 bytes, but the file has 485");
    binary.pop_back();
    EXPECT_EQ(text(binary), "no error");
    binary.replace(84 + 12 + 4, 4, std::string("\0\0\xC0\x7F", 4));
    EXPECT_EQ(text(binary), "m.stl: byte 100: the coordinate nan is not within -1e6 .. 1e6");
    binary.replace(80, 4, "\xFF\xFF\xFF\xFF");
    EXPECT_EQ(text(binary), "m.stl: byte 80: 4294967295 triangles take 214748364834 bytes, but the file has 484");
    EXPECT_EQ(text("solid"), "m.stl:1:6: the file ends where \"endsolid\" is expected");
    EXPECT_EQ(text(""), "m.stl: byte 0: the file ends within the header");
    EXPECT_EQ(text(std::string(84, '\0')), "m.stl: byte 80: the mesh has no faces");
}

TEST(MeshFiles, FaultsOfPlyAreLocated) {
    const auto error = [](const std::string& bytes) { return error_of([&] { parse_ply_mesh(bytes, "m.ply"); }); };
    const std::string xyz = "property float x\nproperty float y\nproperty float z\n";
    const std::string head = "ply\nformat ascii 1.0\nelement vertex 3\n" + xyz +
                             "element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n";
    EXPECT_EQ(error(head + "3 0 1 2\n"), "no error");
    EXPECT_EQ(error(head + "\r\n 4 0 1 2 0 \r\n\r\n"), "no error");
    EXPECT_EQ(error(head), "m.ply:7:14: the file is too short for 1 of \"face\"");
    EXPECT_EQ(error(head + "3 0 1\n"), "m.ply:13:6: expected another value");
    EXPECT_EQ(error(head + "3 0 1 2 5\n"), "m.ply:13:9: there is something after the last value");
    EXPECT_EQ(error(head + "3 0 1 2\n5\n"), "m.ply:14:1: there is something after the last element");
    EXPECT_EQ(error(head + "3 0 1 3\n"), "m.ply:13:7: a face names vertex 3 but there are 3, counted from 0");
    EXPECT_EQ(error(head + "3 0 1 -1\n"), "m.ply:13:7: a face names vertex -1 but there are 3, counted from 0");
    EXPECT_EQ(error(head + "2 0 1\n"), "m.ply:13:1: a face needs at least three vertices");
    EXPECT_EQ(error(head + "99999999999 0 1\n"), "m.ply:13:16: expected another value");
    EXPECT_EQ(error(head + "3 0 1 2.5\n"), "m.ply:13:7: \"2.5\" is not a whole number");
    EXPECT_EQ(error("plx\n"), "m.ply:1:1: the first line must be \"ply\"");
    EXPECT_THAT(error("ply\nformat ascii 1.0\n"), StartsWith("m.ply: byte 21: the file ends within its header"));
    const auto header = [&](const std::string& lines) { return error("ply\n" + lines + "end_header\n"); };
    EXPECT_EQ(header(""), "m.ply:2:11: the header has no line \"format\"");
    EXPECT_EQ(header("format binary 1.0\n"),
              "m.ply:2:8: the format is ascii, binary_little_endian or binary_big_endian, not \"binary\"");
    const std::string ascii = "format ascii 1.0\n";
    EXPECT_EQ(header(ascii + ascii), "m.ply:3:1: the format is given twice");
    EXPECT_EQ(header(ascii), "m.ply:3:11: the mesh has no vertices; an element \"vertex\" is needed");
    EXPECT_EQ(header(ascii + "property int a\n"), "m.ply:3:1: a property belongs after its element");
    EXPECT_EQ(header(ascii + "element a -1\n"), "m.ply:3:11: \"-1\" is not a number of elements");
    EXPECT_EQ(header(ascii + "element a 1\n"), "m.ply:3:11: the element \"a\" has no properties");
    EXPECT_EQ(header(ascii + "element a 1\nproperty real b\n"), "m.ply:4:10: \"real\" is no type of a property");
    EXPECT_EQ(header(ascii + "element a 1\nproperty list int b\n"),
              "m.ply:4:20: expected \"property list TYPE TYPE NAME\"");
    EXPECT_EQ(header(ascii + "element a 1\nproperty list float int b\n"),
              "m.ply:4:15: the length of a list is a whole number, no float");
    EXPECT_EQ(header(ascii + "element vertex 9\nproperty float x\n"),
              "m.ply:3:16: the file is too short for 9 of \"vertex\"");
    EXPECT_EQ(error("ply\n" + ascii + "element vertex 1\nproperty float x\nend_header\n5\n"),
              "m.ply:3:16: the element \"vertex\" has no property \"y\"");
    EXPECT_EQ(error("ply\n" + ascii + "element vertex 1\n" + xyz + "end_header\n1 2 3\n"),
              "m.ply:7:11: the mesh has no faces; an element \"face\" is needed");
    EXPECT_EQ(parse_ply_mesh("ply\n" + ascii + "element vertex 1\n" + xyz + "end_header\n1 2 3", "m.ply", true)
                  .vertices.at(0),
              Vec3(1, 2, 3))
        << "points alone are enough for a hull";

    std::string binary = ply_of(sphere(2), "binary_big_endian");
    const std::size_t size = binary.size();
    EXPECT_EQ(error(binary + "ab"), "m.ply: byte " + std::to_string(size) + ": 2 bytes follow the last element");
    binary.replace(binary.find("element vertex 6") + 15, 1, "999999");
    EXPECT_EQ(error(binary), "m.ply:8:16: the file is too short for 999999 of \"vertex\"");
    binary.replace(binary.find("element vertex 9") + 15, 6, "18446744073709551615");
    EXPECT_EQ(error(binary), "m.ply:8:16: more than 1000000 points");
    binary = ply_of(sphere(2), "binary_big_endian");
    binary.replace(size - 14, 1, "\xFF");
    EXPECT_EQ(error(binary), "m.ply: byte " + std::to_string(size - 1) + ": the file ends within a number");
}

} // namespace
} // namespace cairn::core
