#include "app/cli/options/manual.h"

#include "app/cli/options/verbs.h"
#include "app/core/base/error.h"
#include "app/core/base/joined_words.h"

#include <algorithm>
#include <cstddef>

namespace cairn::cli {
namespace {

bool takes_file(const OptionDescription& option) {
    const std::string& value = option.value;
    return value.starts_with("F.") || value == "DIR" || value == "FOLDER";
}

// Text of a manual page. A hyphen that is typed must not become a dash, and a line may not begin with a control
// character.
std::string roff(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) {
            out += "\\&";
        }
        if (c == '\\') {
            out += "\\e";
        } else if (c == '-') {
            out += "\\-";
        } else {
            out += c;
        }
    }
    return out;
}

std::string upper(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

std::string synopsis(const std::string& program, const CommandDescription& command) {
    std::string out = ".B " + roff(program) + "\n[\\fIoptions\\fR]";
    for (const OptionDescription& positional : command.positionals) {
        const std::string name = "\\fI" + roff(positional.names.front()) + "\\fR" + (positional.repeated ? "..." : "");
        out += positional.required ? ' ' + name : " [" + name + ']';
    }
    return out + '\n';
}

void add_options(std::string& out, const CommandDescription& command) {
    for (const OptionDescription& positional : command.positionals) {
        out += ".TP\n\\fI" + roff(positional.names.front()) + "\\fR\n" + roff(positional.help) + '\n';
    }
    for (const OptionDescription& option : command.options) {
        out += ".TP\n";
        for (const std::string& name : option.names) {
            out += (name == option.names.front() ? "" : ", ") + std::string("\\fB") + roff(name) + "\\fR";
        }
        if (!option.value.empty()) {
            out += " \\fI" + roff(option.value) + "\\fR";
        }
        out += '\n' + roff(option.help) + (option.required ? " (required)" : "") + '\n';
    }
}

// The same inside a specification of zsh's _arguments and _describe, which give colons and brackets a meaning.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == ':' || c == '[' || c == ']' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

std::vector<std::string> option_names(const CommandDescription& command) {
    std::vector<std::string> out;
    for (const OptionDescription& option : command.options) {
        out.insert(out.end(), option.names.begin(), option.names.end());
    }
    return out;
}

// Names of options after which a word follows, by whether it is the name of a file.
std::vector<std::string> names_with_value(const CommandDescription& command, bool file) {
    std::vector<std::string> out;
    for (const OptionDescription& option : command.options) {
        if (!option.value.empty() && takes_file(option) == file) {
            out.insert(out.end(), option.names.begin(), option.names.end());
        }
    }
    return out;
}

void add_bash_case(std::string& out, const std::string& pattern, const CommandDescription& command,
                   const std::vector<std::string>& words) {
    out += "    " + pattern + ")\n        options=" + shell_quoted(core::joined_words(option_names(command), {}, " ")) +
           '\n';
    out += "        with_value=" +
           shell_quoted(' ' + core::joined_words(names_with_value(command, false), {}, " ") + ' ') + '\n';
    if (!words.empty()) {
        out += "        words=" + shell_quoted(core::joined_words(words, {}, " ")) + '\n';
    }
    out += "        ;;\n";
}

void add_zsh_arguments(std::string& out, const CommandDescription& command, const std::string& indent) {
    for (const OptionDescription& option : command.options) {
        for (const std::string& name : option.names) {
            std::string one = name + '[' + zsh_text(option.help) + ']';
            if (!option.value.empty()) {
                one += ':' + zsh_text(option.value) + ':' + (takes_file(option) ? "_files" : " ");
            }
            out += indent + shell_quoted((option.repeated ? "*" : "") + one) + " \\\n";
        }
    }
}

} // namespace

std::string manual_page(const CommandDescription& program, std::string_view version) {
    std::string out = ".\\\" Written by the program from the table that its --help shows.\n.TH " +
                      roff(upper(program.name)) + " 1 \"\" " + '"' + roff(version.substr(0, version.find(','))) +
                      "\" \"User Commands\"\n";
    // What stands before the first full stop, as whatis(1) wants it.
    const std::string summary = program.help.substr(0, program.help.find('.'));
    const std::size_t comma = summary.find(", ");
    out += ".SH NAME\n" + roff(program.name) + " \\- " +
           roff(comma == std::string::npos ? summary : summary.substr(comma + 2)) + '\n';
    out += ".SH SYNOPSIS\n" + synopsis(program.name, program);
    for (const CommandDescription& verb : program.verbs) {
        out += ".br\n" + synopsis(program.name + ' ' + verb.name, verb);
    }
    out += ".SH DESCRIPTION\n" + roff(program.help) + '\n';
    out += ".SH OPTIONS\n";
    add_options(out, program);
    out += ".SH COMMANDS\n";
    for (const CommandDescription& verb : program.verbs) {
        out += ".SS " + roff(program.name + ' ' + verb.name) + '\n' + roff(verb.help) + '\n';
        add_options(out, verb);
    }
    if (!program.footer.empty()) {
        const std::string_view heading = "Exit codes: ";
        const bool codes = program.footer.starts_with(heading);
        out += codes ? ".SH EXIT STATUS\n" : ".SH NOTES\n";
        out += roff(codes ? std::string_view(program.footer).substr(heading.size()) : program.footer) + '\n';
    }
    return out;
}

std::string bash_completion(const CommandDescription& program) {
    std::vector<std::string> verbs;
    for (const CommandDescription& verb : program.verbs) {
        verbs.push_back(verb.name);
    }
    const std::string function = '_' + program.name;
    std::string out =
        "# Completion of " + program.name +
        " for bash. Written by the program from the table that its --help shows.\n" + function +
        "() {\n    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb=''\n"
        "    local options='' with_value='' words='' i\n    COMPREPLY=()\n"
        "    for ((i = 1; i < COMP_CWORD; ++i)); do\n        case ${COMP_WORDS[i]} in\n        " +
        core::joined_words(verbs, {}, " | ") +
        ")\n            verb=${COMP_WORDS[i]}\n            break\n            ;;\n        esac\n    done\n"
        "    case $verb in\n";
    for (const CommandDescription& verb : program.verbs) {
        add_bash_case(out, verb.name, verb, {});
    }
    add_bash_case(out, "*", program, verbs);
    out += "    esac\n"
           "    [[ -n $before && $with_value == *\" $before \"* ]] && return\n"
           "    if [[ $current == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
           "        return\n"
           "    fi\n"
           "    compopt -o filenames 2>/dev/null\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\"; compgen -f -- \"$current\")\n"
           "}\ncomplete -F " +
           function + ' ' + program.name + '\n';
    return out;
}

std::string zsh_completion(const CommandDescription& program) {
    std::string out = "#compdef " + program.name + "\n# Written by the program from the table that its --help shows.\n";
    out += "local -a verbs\nverbs=(\n";
    for (const CommandDescription& verb : program.verbs) {
        out += "    " + shell_quoted(zsh_text(verb.name) + ':' + zsh_text(verb.help)) + '\n';
    }
    out += ")\nlocal verb=${words[(r)(" + core::joined_words(program.verbs, &CommandDescription::name, "|") +
           ")]}\ncase $verb in\n";
    for (const CommandDescription& verb : program.verbs) {
        out += verb.name + ")\n    _arguments \\\n";
        add_zsh_arguments(out, verb, "        ");
        out += "        '*:file:_files'\n    ;;\n";
    }
    out += "*)\n    _arguments \\\n";
    add_zsh_arguments(out, program, "        ");
    out += "        '*:file:_files'\n    ((CURRENT == 2)) && _describe verb verbs\n    ;;\nesac\n";
    return out;
}

std::string fish_completion(const CommandDescription& program) {
    std::string out =
        "# Completion of " + program.name + " for fish. Written by the program from the table that its --help shows.\n";
    const auto add = [&](const CommandDescription& command, const std::string& condition) {
        for (const OptionDescription& option : command.options) {
            out += "complete -c " + program.name + " -n " + shell_quoted(condition);
            for (const std::string& name : option.names) {
                out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            }
            if (!option.value.empty()) {
                out += takes_file(option) ? " -r -F" : " -x";
            }
            out += " -d " + shell_quoted(option.help) + '\n';
        }
    };
    add(program, "__fish_use_subcommand");
    for (const CommandDescription& verb : program.verbs) {
        out += "complete -c " + program.name + " -n __fish_use_subcommand -a " + verb.name + " -d " +
               shell_quoted(verb.help) + '\n';
    }
    for (const CommandDescription& verb : program.verbs) {
        add(verb, "__fish_seen_subcommand_from " + verb.name);
    }
    return out;
}

std::string manual_text(const CommandDescription& program, std::string_view format, std::string_view version) {
    if (format == "man") {
        return manual_page(program, version);
    }
    if (format == "bash") {
        return bash_completion(program);
    }
    if (format == "zsh") {
        return zsh_completion(program);
    }
    if (format == "fish") {
        return fish_completion(program);
    }
    throw core::InputError("\"" + std::string(format) + "\" is no format of the manual: man, bash, zsh or fish");
}

} // namespace cairn::cli
