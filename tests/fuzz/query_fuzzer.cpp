// Lines of `cairn query`: each is answered by one line.
#include "app/cli/verbs/shapes/query_line.h"
#include "tests/fuzz/input.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text(reinterpret_cast<const char*>(data), size);
    text = text.substr(0, text.find('\n'));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) {
        return 0; // never asked
    }
    std::string answer;
    cairn::cli::answer_query(text, 1, "input", cairn::fuzz::empty_folder(), answer);
    if (answer.empty() || std::count(answer.begin(), answer.end(), '\n') != 1 || answer.back() != '\n') {
        std::fprintf(stderr, "the answer is not one line\n");
        std::abort();
    }
    return 0;
}
