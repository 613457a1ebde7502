// What each verb takes and does. The verbs throw core::InputError for bad input and core::MachineError for what the
// machine cannot do; cli.cpp turns both into one line and an exit code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cairn::cli {

// A contract with scripts: these numbers stay.
enum ExitCode : int {
    exit_success = 0,
    exit_check_failed = 1, // diverged, differs, an answer is invalid
    exit_bad_input = 2,    // files or usage
    exit_machine = 3,      // no display, no GL, no memory
};

using Path = std::filesystem::path;

struct Size {
    int width = 1280, height = 720; // pixels
};

struct WindowArguments {
    Path file; // empty = the default scene
    std::optional<int> frames;
    Path screenshot, stats, shaders, capture;
    std::optional<Size> size;        // unset = that of the last window
    std::optional<std::uint64_t> at; // of a capture: the step to begin with
    int threads = 0;                 // 0 = as many as there are cores
    std::optional<int> msaa;         // unset = those of the quality
    std::optional<int> resolution;   // percent; unset = that of the quality
    std::string quality;             // empty = as in the last run, at first what the machine draws fluently
};
int run_window(const WindowArguments& arguments);

// Of all verbs that read scenes and take time.
struct RunArguments {
    std::vector<std::string> set; // PATH=VALUE, of scenes
    bool confined = false;        // scenes include nothing from outside their folder
    bool quiet = false;           // nothing is printed but errors and failures
    int threads = 0;              // 0 = as many as there are cores
};

struct SimulateArguments : RunArguments {
    Path scene;
    std::uint64_t steps = 0;
    Path trace, stats, capture; // empty = not wanted
};
int run_simulate(const SimulateArguments& arguments);

// How pictures without a window are to look.
struct PictureArguments {
    Size size;
    std::vector<std::string> layers;
    std::string colours;     // what colours mean; empty = the usual
    std::string quality;     // empty = high
    std::optional<int> msaa; // unset = those of the quality
};

struct RenderArguments : RunArguments {
    Path file; // scene or capture
    std::uint64_t step = 0;
    Path out;
    PictureArguments picture;
};
int run_render(const RenderArguments& arguments);

// Of verbs that check several files and report on each.
struct ReportArguments {
    int jobs = 0;             // files at once; 0 = as many as there are cores, or 1 where `threads` is given
    Path junit, report, json; // empty = not wanted
};

struct VerifyArguments : ReportArguments {
    std::vector<Path> captures;
    int threads = 0;       // each simulates on; 0 = all cores for one capture, else 1
    std::string tolerance; // empty = every hash must be the same
    bool rebless = false;
    bool quiet = false; // captures that are as recorded are not printed
};
int run_verify(const VerifyArguments& arguments);

struct DiffArguments {
    Path a, b;
    Path report, json; // empty = not wanted
    bool quiet = false;
    int threads = 0;
};
int run_diff(const DiffArguments& arguments);

struct ExportArguments : RunArguments {
    Path file;                       // capture or scene
    std::uint64_t from = 0;          // first step
    std::optional<std::uint64_t> to; // last step; unset = the capture's last
    std::uint64_t every = 1;         // of the data: each so many-th step, and the last
    float precision = 0.001f;        // m, of glTF: how far any point may be from where it was
    int rate = 60;                   // of films: pictures per second
    Path csv, gltf, mp4, gif;        // empty = not wanted
    PictureArguments picture;        // of films
};
int run_export(const ExportArguments& arguments);

struct SweepArguments {
    Path file;
    std::string shard;       // "I/N"; empty = all runs
    std::vector<Path> merge; // tables of shards to put together instead of making runs
    Path out = ".";          // folder that gets the files
    bool times = false;      // with columns of how long steps took
    bool again = false;      // make runs anew that are in the file already
    bool quiet = false;
    int threads = 0; // each runs one world at a time
};
int run_sweep(const SweepArguments& arguments);

struct CheckArguments {
    std::vector<Path> scenes;
    bool confined = false, quiet = false;
    Path json; // empty = not wanted
};
int run_check(const CheckArguments& arguments);

struct TestArguments : RunArguments, ReportArguments {
    std::vector<Path> scenes; // files or folders
    Path out = ".";           // folder that gets captures and pictures of failures
};
int run_test(const TestArguments& arguments);

struct BisectArguments : RunArguments {
    Path scene;
    std::string path;                // of the value that changes, as in --set
    double good = 0.0, bad = 0.0;    // with which everything that is expected is met, and with which it is not
    std::optional<double> precision; // how near the two come; unset = a thousandth of where they started
    Path json;                       // empty = not wanted
};
int run_bisect(const BisectArguments& arguments);

struct RepairArguments {
    Path capture;
    Path out; // empty = in its place
    bool quiet = false;
};
int run_repair(const RepairArguments& arguments);

struct HullArguments {
    Path points; // "-" = standard input
    bool json = false;
};
int run_hull(const HullArguments& arguments);

struct DecomposeArguments {
    Path mesh; // "-" = standard input
    Path out;  // .json, .obj or "-"
    Path json; // empty = not wanted
    double concavity = 0.05;
    std::size_t max_hulls = 1000, max_vertices = 64;
    bool quiet = false;
    int threads = 0; // 0 = as many as there are cores
};
int run_decompose(const DecomposeArguments& arguments);

struct QueryArguments {
    Path file; // JSON lines; "-" = standard input
};
int run_query(const QueryArguments& arguments);

struct LabArguments {
    Path file;              // a line of `cairn query`; "-" = standard input, empty = what the algorithm brings itself
    std::uint64_t line = 0; // of the file; 0 = the first that is not blank
    std::string algorithm;  // empty = what the line asks for
    Path out;               // a folder that gets a picture of every step; empty = the steps as text
    std::uint64_t step =
        0; // draw this one alone, into the file `out`; 0 = all. With `table`: of the scene; 0 = its start
    Size size;
    bool list = false; // the algorithms there are, instead
    Path table, page;  // all algorithms on all pairs of the file, which may be a scene, instead; empty = not wanted
};
int run_lab(const LabArguments& arguments);
int run_lab_table(const LabArguments& arguments); // app/cli/verbs/shapes/lab_table.cpp

struct BenchArguments {
    std::vector<Path> scenes; // files, or bench/NAME of a scene or series made in memory; empty = all that are shipped
    std::uint64_t steps = 300;
    int threads = 0;
    Path json;  // empty = not wanted
    Path write; // a folder that gets the scenes as files, instead of measuring them; empty = not wanted
};
int run_bench(const BenchArguments& arguments);

// `error: MESSAGE` on standard error, on one line whatever the message holds.
void print_error(const std::string& message);
// Without control characters, which names may hold: a terminal would obey them.
std::string one_line(std::string text);

// Between single quotes of a shell.
std::string shell_quoted(std::string_view text);

} // namespace cairn::cli
