// A file of questions, one JSON object a line.
#pragma once

#include "app/core/query/question.h"

#include <string>
#include <vector>

namespace cairn::core {

struct QuestionLine {
    std::string text;
    std::size_t number = 1; // of the file, from 1
};

struct QuestionFile {
    std::string name;                // what errors call it
    std::filesystem::path folder;    // where meshes are looked for
    std::vector<QuestionLine> lines; // those that are not blank, one at least
    std::size_t line_count = 0;      // blank ones too
};

// "-" = standard input. Throws InputError for a file that cannot be read or holds no question.
QuestionFile read_question_file(const std::filesystem::path& file);

// Throws InputError, located in the file.
Question read_question(const QuestionFile& file, const QuestionLine& line);

// What the line is called: the text of its "id", else "line 3".
std::string title_of(const Question& question, const QuestionLine& line);

} // namespace cairn::core
