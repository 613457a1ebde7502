// What a command line parser knows, as plain text. For the one file that includes the parser.
#pragma once

#include "app/cli/options/manual.h"

#include <CLI/CLI.hpp>

namespace cairn::cli {

// Hidden verbs and options, those of an empty group, are left out.
inline CommandDescription described(const CLI::App& app) {
    CommandDescription out;
    out.name = app.get_name();
    out.help = app.get_description();
    out.footer = app.get_footer();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_group().empty()) {
            continue;
        }
        OptionDescription one;
        one.help = option->get_description();
        one.required = option->get_required();
        one.repeated = option->get_expected_max() > 1;
        if (option->get_positional()) {
            one.names.push_back(option->get_name(true));
            out.positionals.push_back(one);
            continue;
        }
        for (const std::string& name : option->get_snames()) {
            one.names.push_back("-" + name);
        }
        for (const std::string& name : option->get_lnames()) {
            one.names.push_back("--" + name);
        }
        if (option->get_items_expected_max() > 0) {
            // What the parser appends of its checks ("N:INT in [0 - 256]") is no name.
            const std::string type = option->get_type_name();
            one.value = type.substr(0, type.find(':'));
        }
        if (!option->get_default_str().empty()) {
            one.help += " (default: " + option->get_default_str() + ')';
        }
        out.options.push_back(one);
    }
    for (const CLI::App* verb : app.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); })) {
        out.verbs.push_back(described(*verb));
    }
    return out;
}

} // namespace cairn::cli
