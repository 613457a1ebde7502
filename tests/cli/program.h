// Runs the real program in a folder of its own and keeps what it said.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::cli::testing {

struct Outcome {
    int code = -1; // exit code; -1 = killed by a signal
    std::string out, err;
};

// Runs `cairn ARGUMENTS` in `folder`, without a display. `input` becomes its standard input.
Outcome run(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
            const std::string& input = {});
// The same of `cairn-bench`.
Outcome run_bench(const std::filesystem::path& folder, const std::vector<std::string>& arguments);

std::filesystem::path shipped_scene(const std::string& name); // scenes/NAME.json
std::vector<std::filesystem::path> shipped_scenes();          // all of them, without the schema

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, const std::string& text);
std::vector<std::string> lines_of(const std::string& text);

// A folder of its own for one test, removed with all that is in it.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    Outcome run(const std::vector<std::string>& arguments, const std::string& input = {}) const {
        return testing::run(path_, arguments, input);
    }

  private:
    std::filesystem::path path_;
};

// Exactly one line on standard error, and it starts with "error: ".
bool is_one_error_line(const std::string& text);

} // namespace cairn::cli::testing
