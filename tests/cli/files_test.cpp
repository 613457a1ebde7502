// What a script may do to the files of one call: nothing that destroys an input, another output, or what was there
// before.
#include "app/core/capture/capture.h"
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;

constexpr const char* ball = R"({"cairn": 1, "bodies": [
  {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 2]},
  {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [5, 5, 0.5]}}, "position": [0, 0, -0.5]}]})";

std::vector<std::string> listing(const Folder& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

class Files : public ::testing::Test {
  protected:
    Files() {
        write_text(folder / "s.json", ball);
        write_text(folder / "other.json", R"({"cairn": 1, "include": ["s.json"]})");
        EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "5", "--capture", "c.cairn"}).code, 0);
        capture = read_text(folder / "c.cairn");
        EXPECT_EQ(listing(folder), (std::vector<std::string>{"c.cairn", "other.json", "s.json"}));
    }
    // Exit code 2, one line, and every file as it was.
    void expect_rejected(const std::vector<std::string>& call) {
        const std::vector<std::string> before = listing(folder);
        const Outcome outcome = folder.run(call);
        EXPECT_EQ(outcome.code, 2) << call[0] << outcome.err;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_EQ(listing(folder), before);
        EXPECT_EQ(read_text(folder / "s.json"), ball);
        EXPECT_EQ(read_text(folder / "c.cairn"), capture);
    }
    const Folder folder;
    std::string capture;
};

TEST_F(Files, OutputsAreNotTheInputs) {
    for (const char* option : {"--trace", "--stats", "--capture"}) {
        expect_rejected({"simulate", "s.json", "--steps", "2", option, "s.json"});
        expect_rejected({"simulate", "other.json", "--steps", "2", option, "s.json"}); // which is included
    }
    expect_rejected({"export", "c.cairn", "--csv", "c.cairn"});
    expect_rejected({"verify", "c.cairn", "--junit", "c.cairn"});
    expect_rejected({"verify", "c.cairn", "--json", "./c.cairn"});
    expect_rejected({"diff", "c.cairn", "c.cairn", "--report", "c.cairn"});
    expect_rejected({"check", "s.json", "--json", "s.json"});
    expect_rejected({"s.json", "--capture", "s.json"});
    expect_rejected({"s.json", "--stats", "x", "--screenshot", "x"});
    expect_rejected({"bench", "s.json", "--steps", "1", "--json", "s.json"});
}

TEST_F(Files, LinksLeadToTheSameFile) {
    std::filesystem::create_symlink("s.json", folder / "soft");
    std::filesystem::create_hard_link(folder / "s.json", folder / "hard");
    std::filesystem::create_symlink("new.csv", folder / "dangling"); // to a file that is not there yet
    std::filesystem::create_directory(folder / "d");
    std::filesystem::create_directory_symlink("d", folder / "e");
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "soft"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "hard"});
    expect_rejected({"simulate", "soft", "--steps", "2", "--trace", "hard"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "new.csv", "--stats", "dangling"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "d/x", "--stats", "e/x"});
    EXPECT_TRUE(std::filesystem::is_empty(folder / "d"));
    // The control: names that only look alike.
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "2", "--trace", "d/x", "--stats", "x"}).code, 0);
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "2", "--trace", "dangling"}).code, 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(folder / "new.csv")) << "a link is followed";
}

TEST_F(Files, OutputsAreNotEachOther) {
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "f", "--capture", "f"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "f", "--stats", "./f"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "-", "--stats", "-"});
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "-", "--capture", "-"});
    // What is gone as soon as it is written may be named twice.
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "2", "--trace", "/dev/null", "--stats", "/dev/null"}).code,
              0);
}

TEST_F(Files, TheFileThatIsWrittenFirstIsNoInputEither) {
    std::filesystem::rename(folder / "c.cairn", folder / "d.cairn.partial");
    const Outcome outcome = folder.run({"export", "d.cairn.partial", "--csv", "d.cairn"});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(read_text(folder / "d.cairn.partial"), capture);
}

TEST_F(Files, WhatWasThereStaysUntilTheNewFileIsWhole) {
    write_text(folder / "t.csv", "what was there");
    // The trace is opened, and then the capture's folder is missing.
    const Outcome outcome =
        folder.run({"simulate", "s.json", "--steps", "2", "--trace", "t.csv", "--capture", "no/such/folder/c.cairn"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(read_text(folder / "t.csv"), "what was there");
    EXPECT_FALSE(std::filesystem::exists(folder / "t.csv.partial"));
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "2", "--trace", "t.csv"}).code, 0);
    EXPECT_THAT(read_text(folder / "t.csv"), ::testing::StartsWith("step,time,"));
}

// Starts the program, waits until `started` is there, and gives its process.
pid_t start(const Folder& folder, std::vector<std::string> words, const std::filesystem::path& started) {
    const pid_t child = ::fork();
    if (child == 0) {
        words.insert(words.begin(), CAIRN_PROGRAM);
        std::vector<char*> argv;
        for (std::string& word : words) {
            argv.push_back(word.data());
        }
        argv.push_back(nullptr);
        if (::chdir(folder.path().c_str()) == 0 && std::freopen("err", "w", stderr) != nullptr) {
            ::execv(CAIRN_PROGRAM, argv.data());
        }
        ::_exit(99);
    }
    std::error_code error;
    for (int i = 0; i < 3000 && !(std::filesystem::file_size(started, error) > 0 && !error); ++i) {
        ::usleep(10'000);
    }
    return child;
}

TEST_F(Files, TwoProcessesDoNotWriteOneFile) {
    const pid_t first = start(folder, {"simulate", "s.json", "--steps", "1000000000", "--capture", "two.cairn"},
                              folder / "two.cairn.partial");
    const Outcome second = folder.run({"simulate", "s.json", "--steps", "3", "--capture", "two.cairn"});
    EXPECT_EQ(second.code, 2);
    EXPECT_THAT(second.err, HasSubstr("is being written by another run"));
    const Outcome repair = folder.run({"repair", "two.cairn.partial"});
    EXPECT_EQ(repair.code, 2);
    EXPECT_THAT(repair.err, HasSubstr("is still being recorded"));
    ::kill(first, SIGINT);
    int status = 0;
    ::waitpid(first, &status, 0);
    EXPECT_EQ(folder.run({"verify", "two.cairn"}).code, 0);
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "3", "--capture", "two.cairn"}).code, 0)
        << "it is free again";
}

TEST_F(Files, InterruptedRunsEndProperly) {
    for (const int signal : {SIGINT, SIGTERM}) {
        const pid_t child = start(folder,
                                  {"simulate", "s.json", "--steps", "1000000000", "--threads", "1", "--capture",
                                   "i.cairn", "--trace", "i.csv", "--stats", "i.json"},
                                  folder / "i.cairn.partial");
        ::usleep(50'000);
        ::kill(child, signal);
        int status = 0;
        ::waitpid(child, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal) << "callers are to see what happened";
        EXPECT_THAT(read_text(folder / "err"), HasSubstr("interrupted after step "));
        const Outcome verify = folder.run({"verify", "i.cairn"});
        EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
        const core::Capture recorded = core::read_capture(folder / "i.cairn");
        const std::vector<std::string> rows = lines_of(read_text(folder / "i.csv"));
        EXPECT_EQ(rows.size(), 1 + 2 * (recorded.steps.size() + 1)) << "a row for each body and step";
        EXPECT_THAT(read_text(folder / "i.json"), HasSubstr("\"steps\": " + std::to_string(recorded.steps.size())));
        for (const char* name : {"i.cairn", "i.csv", "i.json"}) {
            std::filesystem::remove(folder / name);
        }
        std::filesystem::remove(folder / "err");
        EXPECT_EQ(listing(folder), (std::vector<std::string>{"c.cairn", "other.json", "s.json"}));
    }
}

// What was tested by then is worth having, and what was not is no pass.
TEST_F(Files, AnInterruptedTestReportsWhatItHasFound) {
    std::filesystem::create_directory(folder / "t");
    const std::string ball =
        R"({"cairn": 1, "bodies": [{"name": "b", "shape": {"sphere": {"radius": 1}}, "can_sleep": false, "gravity_scale": 0}],
 "expect": [{"awake": {"most": MOST}, "always": 1000000000}]})";
    for (const auto& [name, most] : {std::pair("0.json", "0"), {"1.json", "1"}, {"2.json", "1"}}) {
        std::string text = ball;
        write_text(folder / "t" / name, text.replace(text.find("MOST"), 4, most));
    }
    const pid_t child =
        start(folder, {"test", "t", "--jobs", "2", "--junit", "i.xml", "--json", "i.json"}, folder / "0.failed.cairn");
    ::kill(child, SIGTERM);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    EXPECT_THAT(read_text(folder / "i.xml"), HasSubstr("tests=\"3\" failures=\"1\" errors=\"2\""));
    EXPECT_THAT(read_text(folder / "i.json"), HasSubstr("\"error\": \"interrupted\""));
    EXPECT_THAT(read_text(folder / "i.json"), HasSubstr("the awake is 1"));
    EXPECT_THAT(read_text(folder / "i.json"), ::testing::Not(HasSubstr("\"ok\": true")));
    EXPECT_EQ(read_text(folder / "err"), "");
}

TEST_F(Files, AReportThatCannotBeWrittenKeepsNoOtherBack) {
    write_text(folder / "e.json", R"({"cairn": 1, "bodies": [{"shape": {"sphere": {"radius": 1}}}],
 "expect": [{"body": 0, "height": {"most": 0}, "always": 5}]})");
    Outcome outcome = folder.run({"test", "e.json", "--junit", "/dev/full", "--json", "e2.json", "--report", "e.html"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(read_text(folder / "e2.json"), HasSubstr("\"ok\": true"));
    EXPECT_THAT(read_text(folder / "e.html"), HasSubstr("e.json"));
    outcome = folder.run({"verify", "c.cairn", "--junit", "/dev/full", "--json", "v.json"});
    EXPECT_EQ(outcome.code, 3);
    EXPECT_THAT(read_text(folder / "v.json"), HasSubstr("\"ok\": true"));
}

TEST_F(Files, ClosedStandardStreamsAreNoFiles) {
    // Without care the capture would get the number of a stream, and what is printed would go into it.
    for (const char* closed : {"<&-", ">&-", "2>&-", "<&- >&- 2>&-"}) {
        const std::string call = "cd '" + folder.path().string() +
                                 "' && '" CAIRN_PROGRAM "' simulate s.json --steps 5 " +
                                 "--set name=other --capture closed.cairn " + closed;
        (void)std::system(call.c_str());
        EXPECT_EQ(folder.run({"verify", "closed.cairn"}).code, 0) << closed;
        std::filesystem::remove(folder / "closed.cairn");
    }
    const std::string call = "cd '" + folder.path().string() + "' && '" CAIRN_PROGRAM "' check s.json >&- 2>/dev/null";
    const int status = std::system(call.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 3) << "nobody has read the answer";
}

TEST_F(Files, ALinkToItselfIsNotReplaced) {
    std::filesystem::create_symlink("loop", folder / "loop");
    expect_rejected({"simulate", "s.json", "--steps", "2", "--trace", "loop"});
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "loop"));
}

TEST_F(Files, AKilledRecordingIsRepaired) {
    const pid_t child = start(folder, {"simulate", "s.json", "--steps", "1000000000", "--capture", "k.cairn"},
                              folder / "k.cairn.partial");
    for (int i = 0; i < 1000 && std::filesystem::file_size(folder / "k.cairn.partial") < 20'000; ++i) {
        ::usleep(10'000);
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(std::filesystem::exists(folder / "k.cairn"));
    EXPECT_EQ(folder.run({"verify", "k.cairn.partial"}).code, 1) << "it is incomplete";
    const std::size_t steps = core::read_capture(folder / "k.cairn.partial").steps.size();
    EXPECT_GT(steps, 0u);
    const Outcome repair = folder.run({"repair", "k.cairn.partial"});
    EXPECT_EQ(repair.code, 0) << repair.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "k.cairn.partial"));
    EXPECT_EQ(folder.run({"verify", "k.cairn"}).code, 0);
    EXPECT_EQ(core::read_capture(folder / "k.cairn").steps.size(), steps);
}

TEST_F(Files, RepairTrimsWhatIsDamaged) {
    ASSERT_EQ(folder.run({"simulate", "s.json", "--steps", "200", "--capture", "d.cairn"}).code, 0);
    const std::string whole = read_text(folder / "d.cairn");
    std::string damaged = whole;
    damaged[whole.size() * 2 / 3] = static_cast<char>(damaged[whole.size() * 2 / 3] ^ 0x55);
    write_text(folder / "d.cairn", damaged);
    EXPECT_EQ(folder.run({"verify", "d.cairn"}).code, 2);
    EXPECT_EQ(folder.run({"repair", "d.cairn", "--out", "r.cairn"}).code, 0);
    EXPECT_EQ(read_text(folder / "d.cairn"), damaged);
    const Outcome verify = folder.run({"verify", "r.cairn"});
    EXPECT_EQ(verify.code, 0) << verify.out << verify.err;
    EXPECT_LT(core::read_capture(folder / "r.cairn").steps.size(), 200u);
    // Garbage behind the end goes; what is whole stays as it is; what is no capture is rejected.
    write_text(folder / "g.cairn", whole + "and some more");
    EXPECT_EQ(folder.run({"repair", "g.cairn"}).code, 0);
    EXPECT_EQ(read_text(folder / "g.cairn"), whole);
    EXPECT_EQ(folder.run({"repair", "g.cairn"}).code, 0);
    EXPECT_EQ(read_text(folder / "g.cairn"), whole);
    expect_rejected({"repair", "s.json"});
    expect_rejected({"repair", "-"});
}

TEST_F(Files, InputsAreRegularFilesOrStandardInput) {
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    write_text(folder / "zero.json", R"({"cairn": 1, "include": ["/dev/zero"]})");
    for (const char* verb : {"check", "query", "sweep", "hull", "verify", "repair"}) {
        expect_rejected({verb, "pipe"}); // nobody writes to it: this would wait for ever
        expect_rejected({verb, "/dev/zero"});
    }
    expect_rejected({"check", "zero.json"});
    expect_rejected({"simulate", "pipe", "--steps", "1"});
}

TEST_F(Files, ReadingCanBeConfined) {
    std::filesystem::create_directory(folder / "in");
    write_text(folder / "in" / "a.json", R"({"cairn": 1, "include": ["../s.json"]})");
    write_text(folder / "in" / "b.json", R"({"cairn": 1, "include": ["sub/c.json"]})");
    std::filesystem::create_directory(folder / "in" / "sub");
    write_text(folder / "in" / "sub" / "c.json", ball);
    std::filesystem::create_symlink("../../s.json", folder / "in" / "sub" / "link.json");
    write_text(folder / "in" / "d.json", R"({"cairn": 1, "include": ["sub/link.json"]})");
    write_text(folder / "in" / "e.json", R"({"cairn": 1, "bodies": [{"shape": {"hull": {"mesh": "../m.obj"}}}]})");
    write_text(folder / "m.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    EXPECT_EQ(folder.run({"check", "in/a.json", "in/b.json", "in/d.json", "in/e.json"}).code, 0);
    EXPECT_EQ(folder.run({"check", "--confined", "in/b.json"}).code, 0);
    for (const char* scene : {"in/a.json", "in/d.json", "in/e.json"}) {
        const Outcome outcome = folder.run({"check", "--confined", scene});
        EXPECT_EQ(outcome.code, 2) << scene;
        EXPECT_THAT(outcome.err, HasSubstr(std::string(scene) + ":1:"));
        EXPECT_THAT(outcome.err, HasSubstr("outside the scene's folder"));
    }
    EXPECT_EQ(folder.run({"simulate", "in/a.json", "--steps", "1", "--confined"}).code, 2);
}

TEST_F(Files, APathIsAPathAndBuiltinScenesAreNamed) {
    for (const std::vector<std::string>& call : {std::vector<std::string>{"check", "tower.json"},
                                                 {"simulate", "tower", "--steps", "1"},
                                                 {"verify", "tower.json"}}) {
        const Outcome outcome = folder.run(call);
        EXPECT_EQ(outcome.code, 2) << call[0];
        EXPECT_THAT(outcome.err, HasSubstr("builtin:tower")) << "says how the shipped one is named";
    }
    EXPECT_EQ(folder.run({"check", "builtin:tower"}).code, 0);
    EXPECT_EQ(folder.run({"simulate", "builtin:tower", "--steps", "1"}).code, 0);
    for (const char* name : {"builtin:towr", "builtin:", "builtin:../scenes/tower", "builtin:scene.schema"}) {
        const Outcome outcome = folder.run({"check", name});
        EXPECT_EQ(outcome.code, 2) << name;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
    }
}

TEST_F(Files, DashIsTheStandardInput) {
    Outcome outcome = folder.run({"check", "-"}, ball);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "standard input: ok, 2 bodies\n");
    outcome = folder.run({"check", "-"}, "{\"cairn\": 1,\n \"gravty\": 1}");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("error: standard input:2:2: "));
    EXPECT_EQ(folder.run({"check", "-", "-"}, ball).code, 2);
    EXPECT_EQ(folder.run({"simulate", "-", "--steps", "1"}, ball).code, 0);
    EXPECT_EQ(folder.run({"verify", "-"}, capture).code, 0);
    EXPECT_EQ(folder.run({"diff", "c.cairn", "-"}, capture).code, 0);
    EXPECT_EQ(folder.run({"export", "-", "--csv", "-"}, capture).out,
              folder.run({"export", "c.cairn", "--csv", "-"}).out);
    outcome = folder.run({"hull", "-", "--json"}, "# points\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("\"input_points\":4"));
    const std::string mesh = folder.run({"hull", "-"}, "0 0 0\n1 0 0\n0 1 0\n0 0 1\n").out;
    EXPECT_EQ(folder.run({"hull", "-"}, mesh).code, 0) << "a mesh is recognised";
    EXPECT_THAT(folder.run({"decompose", "-", "--out", "-"}, "ply\nformat ascii 1.0\nend_header\n").err,
                HasSubstr("standard input:3:11: the mesh has no vertices"));
    EXPECT_THAT(folder.run({"hull", "-"}, "solid\n").err, HasSubstr("standard input:1:"));
    EXPECT_THAT(folder.run({"hull", "-"}, "v 0 0\n").err, HasSubstr("standard input:1:"));
    // As a pipe, which cannot be read twice: a capture is sought through.
    const std::string call = "cat '" + (folder / "c.cairn").string() + "' | '" CAIRN_PROGRAM "' verify - > '" +
                             (folder / "out").string() + "'";
    EXPECT_EQ(std::system(call.c_str()), 0);
    EXPECT_THAT(read_text(folder / "out"), HasSubstr("standard input: ok, 5 steps"));
}

TEST_F(Files, DashIsTheStandardOutput) {
    const Outcome recorded = folder.run({"simulate", "s.json", "--steps", "5", "--capture", "-"});
    EXPECT_EQ(recorded.code, 0);
    EXPECT_EQ(recorded.out, capture);
    EXPECT_THAT(folder.run({"simulate", "s.json", "--steps", "1", "--trace", "-"}).out,
                ::testing::StartsWith("step,time"));
    EXPECT_THAT(folder.run({"export", "c.cairn", "--gltf", "-"}).out, ::testing::StartsWith("glTF"));
    EXPECT_THAT(folder.run({"verify", "c.cairn", "--junit", "-"}).out, ::testing::StartsWith("<?xml"));
    EXPECT_THAT(folder.run({"verify", "c.cairn", "--json", "-"}).out, ::testing::StartsWith("{"));
    EXPECT_FALSE(std::filesystem::exists(folder / "-"));
}

TEST_F(Files, ExportSetsAndSaysWhatIsCutOff) {
    const Outcome still = folder.run({"export", "s.json", "--to", "30", "--csv", "-", "--set", "gravity.2=0"});
    EXPECT_EQ(still.code, 0) << still.err;
    EXPECT_THAT(still.out, HasSubstr("\n30,0.5,0,0,0,2,")) << "and times are round";
    EXPECT_THAT(still.out, HasSubstr(",ball\n")) << "with the names of bodies";
    EXPECT_EQ(folder.run({"export", "c.cairn", "--csv", "-", "--set", "gravity.2=0"}).code, 2);
    ASSERT_EQ(folder.run({"simulate", "s.json", "--steps", "300", "--capture", "l.cairn"}).code, 0);
    const std::string whole = read_text(folder / "l.cairn");
    write_text(folder / "l.cairn", whole.substr(0, whole.size() - 50));
    const Outcome cut = folder.run({"export", "l.cairn", "--csv", "l.csv"});
    EXPECT_EQ(cut.code, 1);
    EXPECT_THAT(cut.err, HasSubstr("cut off after step "));
    EXPECT_TRUE(std::filesystem::exists(folder / "l.csv"));
    EXPECT_EQ(folder.run({"export", "l.cairn", "--csv", "l.csv", "--to", "100"}).code, 0)
        << "a part is what was asked for";
}

TEST_F(Files, ScenesAreNamedAsSuch) {
    const Outcome outcome = folder.run({"verify", "s.json"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("is a text and no capture"));
}

TEST_F(Files, PicturesArePngFiles) {
    expect_rejected({"render", "s.json", "--step", "1", "--out", "a.jpg"});
    expect_rejected({"render", "s.json", "--step", "1", "--out", "a"});
}

TEST_F(Files, QuietAndJson) {
    EXPECT_EQ(folder.run({"check", "s.json", "--quiet"}).out, "");
    EXPECT_EQ(folder.run({"verify", "c.cairn", "--quiet"}).out, "");
    EXPECT_EQ(folder.run({"diff", "c.cairn", "c.cairn", "--quiet"}).out, "");
    EXPECT_EQ(folder.run({"simulate", "s.json", "--steps", "2", "--quiet"}).err, "");
    ASSERT_EQ(folder.run({"simulate", "s.json", "--steps", "5", "--set", "gravity.2=-1", "--capture", "b.cairn"}).code,
              0);
    EXPECT_NE(folder.run({"diff", "c.cairn", "b.cairn", "--quiet"}).out, "") << "failures are printed";
    const Outcome check = folder.run({"check", "s.json", "gone.json", "--json", "-"});
    EXPECT_EQ(check.code, 2);
    EXPECT_THAT(check.out, HasSubstr("\"ok\": true"));
    EXPECT_THAT(check.out, HasSubstr("\"ok\": false"));
    const Outcome diff = folder.run({"diff", "c.cairn", "b.cairn", "--json", "-"});
    EXPECT_EQ(diff.code, 1);
    EXPECT_THAT(diff.out, HasSubstr("\"same\": false"));
    EXPECT_THAT(diff.out, HasSubstr("\"first_difference\": 0"));
}

TEST_F(Files, CapturesOfOtherScenesAreNotTheSame) {
    // Another name moves nothing.
    ASSERT_EQ(folder.run({"simulate", "s.json", "--steps", "5", "--set", "name=other", "--capture", "n.cairn"}).code,
              0);
    const Outcome outcome = folder.run({"diff", "c.cairn", "n.cairn"});
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.out, HasSubstr("DIFFER in their scenes"));
    EXPECT_THAT(outcome.out, HasSubstr("the name"));
    EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("same, ")));
}

TEST_F(Files, HelpIsAVerb) {
    EXPECT_EQ(folder.run({"help"}).out, folder.run({"--help"}).out);
    EXPECT_THAT(folder.run({"help", "simulate"}).out, HasSubstr("--trace"));
    expect_rejected({"help", "nothing"});
}

TEST_F(Files, JunitIsWellFormedWhateverNamesAre) {
    const std::string name = "bad \xff\xc3 name.cairn";
    write_text(folder / name, capture);
    const Outcome outcome = folder.run({"verify", name, "--junit", "j.xml"});
    EXPECT_EQ(outcome.code, 0);
    const std::string xml = read_text(folder / "j.xml");
    EXPECT_THAT(xml, HasSubstr("name=\"bad ?? name.cairn\""));
    EXPECT_THAT(xml, ::testing::ContainsRegex("time=\"[0-9]+\\.[0-9][0-9][0-9]\""));
}

} // namespace
} // namespace cairn::cli
