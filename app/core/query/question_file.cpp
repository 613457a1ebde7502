#include "app/core/query/question_file.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/base/files/text_file.h"

#include <algorithm>

namespace cairn::core {

QuestionFile read_question_file(const std::filesystem::path& file) {
    const bool piped = file == "-";
    QuestionFile out;
    out.name = piped ? "standard input" : file.string();
    out.folder = piped ? std::filesystem::path() : file.parent_path();
    const std::string text = read_whole_file(piped ? standard_input_file() : file);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string line = text.substr(begin, end - begin);
        begin = end + 1;
        ++out.line_count;
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
            out.lines.push_back({std::move(line), out.line_count});
        }
    }
    if (out.lines.empty()) {
        throw InputError(Location{out.name, 0, 0}, "holds no question");
    }
    return out;
}

Question read_question(const QuestionFile& file, const QuestionLine& line) {
    try {
        return read_question(question_document(line.text, file.name), file.folder);
    } catch (const InputError& error) {
        // Questions know the columns of their line, and not which line of the file it is.
        throw InputError(Location{file.name, line.number, std::max<std::size_t>(1, error.location().column)},
                         error.message());
    }
}

std::string title_of(const Question& question, const QuestionLine& line) {
    return question.id.empty() ? "line " + std::to_string(line.number) : question.id;
}

} // namespace cairn::core
