#include "tests/cli/program.h"

#include "tests/shipped_scenes.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace cairn::cli::testing {

namespace {

Outcome run_program(const std::string& program, const std::filesystem::path& folder,
                    const std::vector<std::string>& arguments, const std::string& input) {
    const Folder streams; // not in `folder`: tests look at what is in there
    write_text(streams / "in", input);

    std::vector<std::string> words = {program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    std::vector<char*> environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        if (std::strncmp(*entry, "DISPLAY=", 8) != 0 && std::strncmp(*entry, "WAYLAND_DISPLAY=", 16) != 0) {
            environment.push_back(*entry);
        }
    }
    environment.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, (streams / "in").c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, (streams / "out").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, (streams / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    pid_t child = 0;
    const int failure = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environment.data());
    posix_spawn_file_actions_destroy(&actions);
    if (failure != 0) {
        throw std::runtime_error("cannot run " + program + ": " + std::strerror(failure));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            throw std::runtime_error("the program was lost");
        }
    }
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.out = read_text(streams / "out");
    outcome.err = read_text(streams / "err");
    return outcome;
}

} // namespace

Outcome run(const std::filesystem::path& folder, const std::vector<std::string>& arguments, const std::string& input) {
    return run_program(CAIRN_PROGRAM, folder, arguments, input);
}

Outcome run_bench(const std::filesystem::path& folder, const std::vector<std::string>& arguments) {
    return run_program(CAIRN_BENCH_PROGRAM, folder, arguments, {});
}

std::filesystem::path shipped_scene(const std::string& name) {
    return std::filesystem::path(CAIRN_SOURCE_DIR) / "scenes" / (name + ".json");
}

std::vector<std::filesystem::path> shipped_scenes() {
    return shipped_scene_files();
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

Folder::Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "cairn-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw std::runtime_error("no temporary folder");
    }
    path_ = name;
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

bool is_one_error_line(const std::string& text) {
    return text.rfind("error: ", 0) == 0 && std::count(text.begin(), text.end(), '\n') == 1 && text.back() == '\n';
}

} // namespace cairn::cli::testing
