// What every verb does with wrong usage and wrong files: one line, the right exit code, nothing on standard output.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

void expect_rejected(const Folder& folder, const std::vector<std::string>& arguments, int code = 2) {
    const Outcome outcome = folder.run(arguments);
    std::string call = "cairn";
    for (const std::string& argument : arguments) {
        call += " '" + argument + '\'';
    }
    EXPECT_EQ(outcome.code, code) << call << "\n" << outcome.err;
    EXPECT_TRUE(is_one_error_line(outcome.err)) << call << "\n" << outcome.err;
    EXPECT_EQ(outcome.out, "") << call;
}

TEST(Usage, HelpAndVersionSucceed) {
    const Folder folder;
    Outcome outcome = folder.run({"--help"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    for (const char* verb : {"simulate", "render", "verify", "diff", "bench", "query", "hull", "decompose", "check"}) {
        EXPECT_THAT(outcome.out, HasSubstr(verb));
        if (verb != std::string("diff")) {
            outcome = folder.run({verb, "--help"});
            EXPECT_EQ(outcome.code, 0) << verb;
            EXPECT_EQ(outcome.err, "");
            EXPECT_THAT(outcome.out, HasSubstr("Usage"));
            outcome = folder.run({"--help"});
        }
    }
    outcome = folder.run({"--version"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(outcome.out, HasSubstr("cairn "));
}

TEST(Usage, MistakesAreOneLineAndExitCodeTwo) {
    const Folder folder;
    const std::string scene = shipped_scene("tower").string();
    expect_rejected(folder, {"manual"});
    expect_rejected(folder, {"manual", "troff"});
    expect_rejected(folder, {"simulate"});
    expect_rejected(folder, {"simulate", scene});
    expect_rejected(folder, {"simulate", "--steps", "3"});
    expect_rejected(folder, {"simulate", "", "--steps", "3"});
    expect_rejected(folder, {"simulate", scene, "--steps", "-1"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1.5"});
    expect_rejected(folder, {"simulate", scene, "--steps", "many"});
    expect_rejected(folder, {"simulate", scene, "--steps", "99999999999999999999999"});
    expect_rejected(folder, {"simulate", scene, "--steps"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--threads", "-1"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--threads", "100000"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--unknown"});
    expect_rejected(folder, {"simulate", scene, scene, "--steps", "1"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--trace", ""});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--trace", "no/such/folder/t.csv"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--stats", "no/such/folder/s.json"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--capture", "no/such/folder/c.cairn"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--set", "gravity"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--set", "no.such.path=1"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--set", "step.hz=fast"});
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--set", "step.hz=-60"});
    expect_rejected(folder, {"simulate", "missing.json", "--steps", "1"});
    expect_rejected(folder, {"simulate", ".", "--steps", "1"});
    expect_rejected(folder, {"render"});
    expect_rejected(folder, {"render", scene, "--step", "1"});
    expect_rejected(folder, {"render", scene, "--out", "a.png"});
    expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png", "--size", "1280"});
    expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png", "--size", "0x0"});
    expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png", "--size", "12x80junk"});
    expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png", "--msaa", "3"});
#ifdef CAIRN_GUI
    for (const char* option : {"--colours", "--quality", "--layers"}) {
        expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png", option, "nonsense"});
    }
#endif
    expect_rejected(folder, {"render", "missing.json", "--step", "1", "--out", "a.png"});
    expect_rejected(folder, {"verify"});
    expect_rejected(folder, {"verify", "missing.cairn"});
    expect_rejected(folder, {"verify", scene});
    expect_rejected(folder, {"verify", "a.cairn", "--tolerance", "0.1"});
    expect_rejected(folder, {"verify", "a.cairn", "--report", "r.html"});
    expect_rejected(folder, {"verify", "a.cairn", "--tolerance", "far"});
    expect_rejected(folder, {"verify", "a.cairn", "--tolerance", "speed=1"});
    expect_rejected(folder, {"verify", "a.cairn", "--rebless", "--tolerance", "1"});
    expect_rejected(folder, {"verify", "a.cairn", "--jobs", "-1"});
    expect_rejected(folder, {scene, "--at", "3"});
    expect_rejected(folder, {"--at", "3"});
    expect_rejected(folder, {"check"});
    expect_rejected(folder, {"check", "missing.json"});
    expect_rejected(folder, {"hull"});
    expect_rejected(folder, {"hull", "missing.xyz"});
    expect_rejected(folder, {"hull", scene});
    expect_rejected(folder, {"query"});
    expect_rejected(folder, {"query", "missing.jsonl"});
    expect_rejected(folder, {"bench", "missing.json"});
    expect_rejected(folder, {"bench", scene, "missing.json", "--steps", "1"});
    expect_rejected(folder, {"bench", ""});
    expect_rejected(folder, {"bench", scene, "--steps", "0"});
    expect_rejected(folder, {"bench", scene, "--threads", "-1"});
    expect_rejected(folder, {"bench", scene, "--steps", "1", "--json", "no/such/folder/f.json"});
    expect_rejected(folder, {"bench", scene, "--steps", "1", "--json", "."});
    expect_rejected(folder, {"bench", scene, "--speedup"});
    expect_rejected(folder, {"diff", "a.cairn", "b.cairn", "--report", "r.html"});
    expect_rejected(folder, {"simulat", scene});
    expect_rejected(folder, {"no-such-file.json"});
    expect_rejected(folder, {""});
    expect_rejected(folder, {"--frames", "0"});
    expect_rejected(folder, {"--frames", "few"});
    expect_rejected(folder, {"--size", "axb"});
    expect_rejected(folder, {"--shaders", "no/such/folder"});
    expect_rejected(folder, {"--threads", "2", "simulate", scene, "--steps", "1"});
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << "refused calls leave nothing behind";
}

#ifndef CAIRN_GUI
TEST(Usage, WithoutOpenGLTheWindowAndPicturesAreExitCodeThree) {
    const Folder folder;
    const std::string scene = shipped_scene("tower").string();
    expect_rejected(folder, {}, 3);
    expect_rejected(folder, {scene}, 3);
    expect_rejected(folder, {scene, "--frames", "3"}, 3);
    expect_rejected(folder, {"render", scene, "--step", "1", "--out", "a.png"}, 3);
}
#endif

TEST(Usage, FullOutputIsNoSuccess) {
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
    const Folder folder;
    const std::string scene = shipped_scene("tower").string();
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--capture", "/dev/full"}, 3);
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--trace", "/dev/full"}, 3);
    expect_rejected(folder, {"simulate", scene, "--steps", "1", "--stats", "/dev/full"}, 3);
    expect_rejected(folder, {"bench", scene, "--steps", "1", "--json", "/dev/full"}, 3);
}

// One fault each, and where it is.
struct Fault {
    const char* name;
    const char* text;
    int line;
};
const Fault faults[] = {
    {"empty", "", 1},
    {"not_json", "{\n  \"cairn\": 1,\n  oops\n}", 3},
    {"cut_off", "{\n  \"cairn\": 1,\n  \"bodies\": [\n", 4},
    {"not_an_object", "[1, 2]", 1},
    {"no_version", "{\n  \"name\": \"x\"\n}", 1},
    {"version_of_the_future", "{\n  \"cairn\": 2\n}", 2},
    {"unknown_key", "{\n  \"cairn\": 1,\n  \"gravty\": [0, 0, -9.81]\n}", 3},
    {"key_twice", "{\n  \"cairn\": 1,\n  \"name\": \"a\",\n  \"name\": \"b\"\n}", 4},
    {"gravity_of_two", "{\n  \"cairn\": 1,\n  \"gravity\": [0, -9.81]\n}", 3},
    {"gravity_of_text", "{\n  \"cairn\": 1,\n  \"gravity\": [0, 0, \"down\"]\n}", 3},
    {"nan", "{\n  \"cairn\": 1,\n  \"gravity\": [0, 0, NaN]\n}", 3},
    {"infinite", "{\n  \"cairn\": 1,\n  \"gravity\": [0, 0, -1e999]\n}", 3},
    {"no_substeps", "{\n  \"cairn\": 1,\n  \"step\": {\"substeps\": 0}\n}", 3},
    {"absurd_rate", "{\n  \"cairn\": 1,\n  \"step\": {\"hz\": 1e9}\n}", 3},
    {"no_shape", "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"name\": \"ghost\"}\n  ]\n}", 4},
    {"unknown_shape", "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"torus\": {\"radius\": 1}}}\n  ]\n}", 4},
    {"negative_radius", "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": -1}}}\n  ]\n}",
     4},
    {"absurd_size",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"box\": {\"half_extents\": [1, 1e30, 1]}}}\n  ]\n}", 4},
    {"flat_hull",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"hull\": {\"points\": "
     "[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}\n  ]\n}",
     4},
    {"missing_mesh",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"hull\": {\"mesh\": \"gone.obj\"}}}\n  ]\n}", 4},
    {"missing_include", "{\n  \"cairn\": 1,\n  \"include\": [\"gone.json\"]\n}", 3},
    {"negative_mass",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": 1}},\n     \"mass\": -1}\n  ]\n}",
     5},
    {"zero_orientation",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": 1}},\n     \"orientation\": "
     "[0,0,0,0]}\n  ]\n}",
     5},
    {"unknown_type",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": 1}},\n     \"type\": \"fixed\"}\n "
     " ]\n}",
     5},
    {"billions_of_bodies",
     "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": 1}},\n"
     "     \"repeat\": {\"count\": [100000, 100000, 100], \"spacing\": [2, 2, 2]}}\n  ]\n}",
     5},
};

TEST(Check, EveryFaultIsOneLocatedLine) {
    const Folder folder;
    for (const Fault& fault : faults) {
        const std::string name = std::string(fault.name) + ".json";
        write_text(folder / name, fault.text);
        for (const std::vector<std::string>& call :
             {std::vector<std::string>{"check", name}, std::vector<std::string>{"simulate", name, "--steps", "1"}}) {
            const Outcome outcome = folder.run(call);
            EXPECT_EQ(outcome.code, 2) << name;
            EXPECT_TRUE(is_one_error_line(outcome.err)) << name << ": " << outcome.err;
            EXPECT_THAT(outcome.err,
                        ContainsRegex("^error: " + name + ":" + std::to_string(fault.line) + ":[0-9]+: [^\n]{10}"))
                << "line " << fault.line << " expected: " << outcome.err;
            EXPECT_EQ(outcome.out, "");
        }
    }
    EXPECT_GE(std::size(faults), 20u);
}

TEST(Check, GoodFilesAreOkAndBadOnesDoNotStopTheRest) {
    const Folder folder;
    const std::string tower = shipped_scene("tower").string();
    write_text(folder / "bad.json", "{");
    const Outcome outcome = folder.run({"check", tower, "bad.json", "missing.json", tower});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(lines_of(outcome.out), std::vector<std::string>(2, tower + ": ok, 11 bodies"));
    EXPECT_EQ(lines_of(outcome.err).size(), 2u);
    EXPECT_EQ(folder.run({"check", tower}).code, 0);
}

TEST(Check, ShippedScenesAreNamedFromAnyFolder) {
    const Folder folder;
    const Outcome outcome = folder.run({"check", "builtin:tower"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "builtin:tower: ok, 11 bodies\n");
    // A path means itself alone, or a guard would pass for want of its file.
    for (const char* name : {"tower", "tower.json", "scenes/tower.json", "no_such_scene"}) {
        EXPECT_EQ(folder.run({"check", name}).code, 2) << name;
    }
}

TEST(Check, EveryShippedSceneIsGood) {
    const Folder folder;
    std::vector<std::string> call = {"check"};
    for (const auto& scene : shipped_scenes()) {
        call.push_back(scene.string());
    }
    EXPECT_GE(call.size(), 14u);
    const Outcome outcome = folder.run(call);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(lines_of(outcome.out).size(), call.size() - 1);
}

} // namespace
} // namespace cairn::cli
