// The manual page and the completions of shells, written from the table that --help shows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cairn::cli {

struct OptionDescription {
    std::vector<std::string> names; // with their dashes; of a positional argument its name
    std::string value;              // as "N"; empty = takes none
    std::string help;
    bool required = false, repeated = false;
};

struct CommandDescription {
    std::string name, help;
    std::string footer; // of the program
    std::vector<OptionDescription> options, positionals;
    std::vector<CommandDescription> verbs;
};

// Page of section 1, in the macros of man(7).
std::string manual_page(const CommandDescription& program, std::string_view version);

std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

// One of those by its name: man, bash, zsh or fish. Throws core::InputError for another.
std::string manual_text(const CommandDescription& program, std::string_view format, std::string_view version);

} // namespace cairn::cli
