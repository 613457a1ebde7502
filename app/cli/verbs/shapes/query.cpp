#include "app/cli/options/verbs.h"
#include "app/cli/verbs/shapes/query_line.h"
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <utility>

namespace cairn::cli {
namespace {

// Answers lines one by one, in their order.
class Answers {
  public:
    Answers(std::string name, Path folder) : name_(std::move(name)), folder_(std::move(folder)) {}

    void add(std::string_view line) {
        ++number_;
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) {
            return;
        }
        all_valid_ &= answer_query(line, number_, name_, folder_, answer_);
        std::fwrite(answer_.data(), 1, answer_.size(), stdout);
    }
    bool all_valid() const { return all_valid_; }

  private:
    std::string name_;
    Path folder_;
    std::size_t number_ = 0;
    bool all_valid_ = true;
    std::string answer_;
};

constexpr std::size_t longest_line = std::size_t{64} << 20; // bytes; two hulls of a million points each take half

// Of the standard input, without its end; false where that ends.
bool next_line(std::string& line) {
    line.clear();
    for (int c = std::getc(stdin); c != EOF; c = std::getc(stdin)) {
        if (c == '\n') {
            return true;
        }
        if (line.size() == longest_line) {
            throw core::InputError(core::Location{"standard input", 0, 0},
                                   "has a line of more than " + std::to_string(longest_line >> 20) + " MiB");
        }
        line += static_cast<char>(c);
    }
    return !line.empty();
}

} // namespace

int run_query(const QueryArguments& arguments) {
    if (arguments.file == "-") {
        // Whoever asks one line at a time gets each answer before the next question.
        Answers answers("standard input", ".");
        for (std::string line; next_line(line);) {
            answers.add(line);
            std::fflush(stdout);
        }
        if (std::ferror(stdin) != 0) {
            throw core::InputError(core::Location{"standard input", 0, 0},
                                   std::string("cannot be read: ") + std::strerror(errno));
        }
        return answers.all_valid() ? exit_success : exit_check_failed;
    }
    const std::string text = core::read_whole_file(arguments.file);
    Answers answers(arguments.file.string(), arguments.file.parent_path());
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        answers.add(std::string_view(text).substr(begin, end - begin));
        begin = end + 1;
    }
    return answers.all_valid() ? exit_success : exit_check_failed;
}

} // namespace cairn::cli
