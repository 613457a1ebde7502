#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

std::filesystem::path capture(const std::string& name) {
    return std::filesystem::path(CAIRN_SOURCE_DIR) / "tests" / "captures" / (name + ".cairn");
}

std::uint32_t word_at(const std::string& bytes, std::size_t at) {
    std::uint32_t word = 0;
    std::memcpy(&word, bytes.data() + at, 4);
    return word;
}

// A glTF file, read as the specification says and no further than the tests need.
struct Gltf {
    Json json;
    std::string data;

    static Gltf binary(const std::string& bytes) {
        EXPECT_EQ(bytes.substr(0, 4), "glTF");
        EXPECT_EQ(word_at(bytes, 4), 2u);
        EXPECT_EQ(word_at(bytes, 8), bytes.size());
        const std::size_t text = word_at(bytes, 12);
        EXPECT_EQ(text % 4, 0u);
        EXPECT_EQ(bytes.substr(16, 4), "JSON");
        Gltf out;
        out.json = Json::parse(bytes.substr(20, text));
        const std::size_t size = word_at(bytes, 20 + text);
        EXPECT_EQ(size % 4, 0u);
        EXPECT_EQ(bytes.substr(24 + text, 4), std::string("BIN\0", 4));
        out.data = bytes.substr(28 + text, size);
        EXPECT_EQ(out.data.size(), out.json.at("buffers").at(0).at("byteLength").get<std::size_t>());
        return out;
    }

    std::vector<float> floats(const Json& index) const {
        const Json& accessor = json.at("accessors").at(index.get<std::size_t>());
        const Json& view = json.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
        const std::map<std::string, std::size_t> widths{{"SCALAR", 1}, {"VEC3", 3}, {"VEC4", 4}};
        EXPECT_EQ(accessor.at("componentType"), 5126);
        std::vector<float> out(accessor.at("count").get<std::size_t>() * widths.at(accessor.at("type")));
        const auto offset = view.at("byteOffset").get<std::size_t>(), length = view.at("byteLength").get<std::size_t>();
        EXPECT_EQ(length, out.size() * sizeof(float));
        EXPECT_EQ(offset % 4, 0u);
        EXPECT_LE(offset + length, data.size());
        std::memcpy(out.data(), data.data() + offset, length);
        return out;
    }
};

std::array<double, 3> turned(const std::array<double, 4>& xyzw, const std::array<double, 3>& v) {
    const auto [x, y, z, w] = xyzw;
    const double tx = 2 * (y * v[2] - z * v[1]), ty = 2 * (z * v[0] - x * v[2]), tz = 2 * (x * v[1] - y * v[0]);
    return {v[0] + w * tx + y * tz - z * ty, v[1] + w * ty + z * tx - x * tz, v[2] + w * tz + x * ty - y * tx};
}

TEST(Export, TableIsTheTrace) {
    const Folder folder;
    ASSERT_EQ(folder.run({"export", capture("seesaw").string(), "--csv", "all.csv", "--to", "200"}).code, 0);
    ASSERT_EQ(folder.run({"simulate", shipped_scene("seesaw").string(), "--steps", "200", "--trace", "trace.csv"}).code,
              0);
    // With names at the end.
    const std::vector<std::string> all = lines_of(read_text(folder / "all.csv"));
    const std::vector<std::string> trace = lines_of(read_text(folder / "trace.csv"));
    ASSERT_EQ(all.size(), trace.size());
    EXPECT_EQ(all[0], trace[0] + ",name");
    for (std::size_t i = 1; i < all.size(); ++i) {
        ASSERT_EQ(all[i].substr(0, all[i].rfind(',')), trace[i]);
    }

    ASSERT_EQ(folder
                  .run({"export", capture("seesaw").string(), "--csv", "some.csv", "--from", "10", "--to", "35",
                        "--every", "10"})
                  .code,
              0);
    std::vector<std::string> steps;
    for (const std::string& line : lines_of(read_text(folder / "some.csv"))) {
        const std::string step = line.substr(0, line.find(','));
        if (steps.empty() || steps.back() != step) {
            steps.push_back(step);
        }
    }
    EXPECT_THAT(steps, ::testing::ElementsAre("step", "10", "20", "30", "35"));
}

// The animation, played as a viewer does, against the table of the same run.
TEST(Export, GltfMovesAsTheTableSays) {
    const Folder folder;
    const Outcome outcome =
        folder.run({"export", capture("tumbling").string(), "--gltf", "run.glb", "--csv", "run.csv", "--to", "240"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Gltf file = Gltf::binary(read_text(folder / "run.glb"));
    const Json& nodes = file.json.at("nodes");
    const Json& animation = file.json.at("animations").at(0);

    // Bodies stand below the root in their order, after the camera.
    const std::vector<std::size_t> bodies = nodes.at(0).at("children");
    std::map<std::size_t, std::size_t> body_of;
    for (std::size_t i = 1; i < bodies.size(); ++i) {
        body_of[bodies[i]] = i - 1;
    }
    std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> rows; // by step and body
    const std::vector<std::string> lines = lines_of(read_text(folder / "run.csv"));
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::istringstream cells(lines[i]);
        std::vector<double> row;
        for (std::string cell; row.size() < 16 && std::getline(cells, cell, ',');) {
            row.push_back(std::stod(cell));
        }
        rows[{static_cast<std::size_t>(row[0]), static_cast<std::size_t>(row[2])}] = row;
    }
    std::size_t moving = 0;
    for (const Json& channel : animation.at("channels")) {
        const Json& sampler = animation.at("samplers").at(channel.at("sampler").get<std::size_t>());
        const std::vector<float> times = file.floats(sampler.at("input")), values = file.floats(sampler.at("output"));
        ASSERT_TRUE(std::is_sorted(times.begin(), times.end()));
        EXPECT_EQ(sampler.at("interpolation"), "LINEAR");
        const std::size_t body = body_of.at(channel.at("target").at("node").get<std::size_t>());
        const bool turns = channel.at("target").at("path") == "rotation";
        ASSERT_EQ(values.size(), times.size() * (turns ? 4 : 3));
        ++moving;
        for (std::size_t k = 0; k < times.size(); ++k) {
            const auto step = static_cast<std::size_t>(std::lround(times[k] * 60.0f));
            const std::vector<double>& row = rows.at({step, body});
            if (turns) { // w comes last, and the sign is free
                const std::vector<double> q(&values[4 * k], &values[4 * k] + 4);
                const double same = q[0] * row[7] + q[1] * row[8] + q[2] * row[9] + q[3] * row[6];
                EXPECT_NEAR(std::abs(same), 1.0, 1e-5);
            } else {
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    EXPECT_EQ(values[3 * k + axis], static_cast<float>(row[3 + axis]));
                }
            }
        }
    }
    EXPECT_GT(moving, 20u);

    // Up is glTF's +Y.
    const std::array<double, 3> up = turned(nodes.at(0).at("rotation"), {0, 0, 1});
    EXPECT_NEAR(up[1], 1.0, 1e-6);
    // Least and greatest of what the format wants them of.
    for (const Json& mesh : file.json.at("meshes")) {
        const Json& at = mesh.at("primitives").at(0).at("attributes").at("POSITION");
        const std::vector<float> positions = file.floats(at);
        const Json& accessor = file.json.at("accessors").at(at.get<std::size_t>());
        for (std::size_t axis = 0; axis < 3; ++axis) {
            float least = positions[axis], greatest = positions[axis];
            for (std::size_t i = axis; i < positions.size(); i += 3) {
                least = std::min(least, positions[i]);
                greatest = std::max(greatest, positions[i]);
            }
            EXPECT_EQ(accessor.at("min").at(axis).get<float>(), least);
            EXPECT_EQ(accessor.at("max").at(axis).get<float>(), greatest);
        }
    }
}

// A reader that nobody here has written takes both forms.
TEST(Export, GltfIsReadByAnotherProgram) {
    if (std::system("command -v assimp >/dev/null") != 0) {
        GTEST_SKIP() << "assimp is not there";
    }
    const Folder folder;
    const Outcome made = folder.run({"export", capture("mixed_rain").string(), "--gltf", "a.glb", "--to", "30"});
    ASSERT_EQ(made.code, 0) << made.err;
    ASSERT_EQ(folder.run({"export", capture("mixed_rain").string(), "--gltf", "b.gltf", "--to", "30"}).code, 0);
    for (const char* name : {"a.glb", "b.gltf"}) {
        const std::string log = (folder / "log").string();
        EXPECT_EQ(std::system(("assimp info '" + (folder / name).string() + "' >'" + log + "' 2>&1").c_str()), 0);
        EXPECT_THAT(read_text(log), HasSubstr("Animations:         1"));
    }
}

// What was exported stands where a scene does, and moves as the scene would have.
TEST(Export, GltfIsASceneAgain) {
    const Folder folder;
    ASSERT_EQ(folder.run({"export", shipped_scene("tower").string(), "--to", "0", "--gltf", "t.glb"}).code, 0);
    const Outcome ran = folder.run({"simulate", "t.glb", "--steps", "60", "--stats", "stats.json"});
    ASSERT_EQ(ran.code, 0) << ran.err;
    const Outcome first =
        folder.run({"simulate", shipped_scene("tower").string(), "--steps", "60", "--stats", "s.json"});
    ASSERT_EQ(first.code, 0) << first.err;
    const Json after = Json::parse(read_text(folder / "stats.json")),
               before = Json::parse(read_text(folder / "s.json"));
    EXPECT_EQ(after.at("bodies"), before.at("bodies"));
    EXPECT_NEAR(after.at("potential_energy").get<double>(), before.at("potential_energy").get<double>(),
                1e-3 * std::abs(before.at("potential_energy").get<double>()));
    EXPECT_EQ(folder.run({"check", "t.glb"}).code, 0);
    const std::string bytes = read_text(folder / "t.glb");
    EXPECT_EQ(folder.run({"simulate", "-", "--steps", "1"}, bytes).code, 0) << "the standard input is read, too";
    write_text(folder / "cut.glb", bytes.substr(0, bytes.size() / 2));
    const Outcome cut = folder.run({"simulate", "cut.glb", "--steps", "1"});
    EXPECT_EQ(cut.code, 2);
    EXPECT_TRUE(is_one_error_line(cut.err)) << cut.err;
    EXPECT_THAT(cut.err, HasSubstr("cut.glb: byte 8: the file says that it has"));
}

TEST(Export, MistakesAreOneLineAndLeaveNothing) {
    const Folder folder;
    const std::string duel = shipped_scene("duel").string(), seesaw = capture("seesaw").string();
    const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes = {
        {{seesaw}, "name at least one of --csv"},
        {{duel, "--csv", "x"}, "give one with --to"},
        {{seesaw, "--csv", "x", "--to", "99999"}, "the capture ends at step"},
        {{seesaw, "--csv", "x", "--from", "9", "--to", "8"}, "--from 9 is after"},
        {{seesaw, "--gltf", "x.obj"}, "ends with .glb or .gltf"},
        {{seesaw, "--gltf", "no/such/x.glb"}, "no/such/x.glb"},
        {{seesaw, "--precision", "-1", "--gltf", "x.glb"}, "--precision"},
        {{seesaw, "--every", "0", "--gltf", "x.glb"}, "--every"},
        {{"nothing.cairn", "--csv", "x"}, "nothing.cairn"},
    };
    for (const auto& [arguments, message] : mistakes) {
        std::vector<std::string> words{"export"};
        words.insert(words.end(), arguments.begin(), arguments.end());
        const Outcome outcome = folder.run(words);
        EXPECT_EQ(outcome.code, 2) << message;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(message));
        EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << message;
    }
}

#ifdef CAIRN_GUI
TEST(Export, FilmHasAPictureForEveryMoment) {
    if (std::system("command -v ffprobe >/dev/null") != 0) {
        GTEST_SKIP() << "ffmpeg is not there";
    }
    const Folder folder;
    const Outcome outcome = folder.run({"export", capture("wall_shot").string(), "--mp4", "f.mp4", "--size", "160x90",
                                        "--fps", "30", "--to", "60", "--quality", "low"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string log = (folder / "log").string();
    ASSERT_EQ(std::system(("ffprobe -v error -show_entries stream=width,height,nb_frames -of csv=p=0 '" +
                           (folder / "f.mp4").string() + "' >'" + log + '\'')
                              .c_str()),
              0);
    EXPECT_EQ(lines_of(read_text(log)).at(0), "160,90,31");
    const Outcome wrong = folder.run({"export", capture("wall_shot").string(), "--mp4", "f.avi"});
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("ends with .mp4"));
}
#endif

} // namespace
} // namespace cairn::cli
