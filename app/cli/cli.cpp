#include "app/cli/cli.h"

#include "app/cli/options/described_app.h"
#include "app/cli/options/options.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/capture/capture.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

namespace cairn::cli {
namespace {

int print_help(const CLI::App& app, const std::string& verb) {
    const CLI::App* about = &app;
    if (!verb.empty()) {
        const auto verbs = app.get_subcommands([](const CLI::App*) { return true; });
        const auto found = std::ranges::find_if(verbs, [&](const CLI::App* each) { return each->get_name() == verb; });
        if (found == verbs.end()) {
            throw core::InputError("there is no verb " + verb + " (see `cairn help`)");
        }
        about = *found;
    }
    const std::string text = about->help(about == &app ? "" : "cairn");
    std::fputs(text.c_str(), stdout);
    return exit_success;
}

int parse_and_run(int argc, char** argv) {
    CLI::App app("Cairn, a rigid-body sandbox. Without a verb it opens the window.", "cairn");
    Arguments arguments;
    Action action;
    app.set_version_flag("--version", core::build_name());
    app.require_subcommand(0, 1);
    app.get_formatter()->column_width(36);
    app.footer("SCENE is a file, builtin:NAME for one that ships with the program, or - for the standard input.\n"
               "Exit codes: 0 success; 1 the check failed; 2 bad input or usage; 3 the machine cannot (no display, no\n"
               "OpenGL, no memory, a full disk).");
    app.add_subcommand("help", "This text; `cairn help VERB`: that of a verb")->allow_extras();

    add_window(app, arguments, action);
    add_runs(app, arguments, action);
    add_checks(app, arguments, action);
    add_shapes(app, arguments, action);
    add_bench(app, arguments, action);
    // For the packages: hidden from --help, and from what it writes.
    std::string format;
    CLI::App* manual = app.add_subcommand("manual", "Write the manual page or the completion of a shell")->group("");
    manual->add_option("FORMAT", format, "man, bash, zsh or fish")->required()->type_name("");
    manual->callback([&] {
        action = [&] {
            const std::string text = manual_text(described(app), format, core::build_name());
            std::fwrite(text.data(), 1, text.size(), stdout);
            return int{exit_success};
        };
    });
    if (argc > 1 && std::string_view(argv[1]) == "help" && (argc < 3 || argv[2][0] != '-')) {
        return print_help(app, argc > 2 ? argv[2] : "");
    }
    if (!parse(app, argc, argv)) {
        return exit_success;
    }
    if (!app.get_subcommands().empty()) {
        for (const CLI::Option* option : app.get_options()) {
            if (option->count() > 0) {
                throw core::InputError(option->get_name() +
                                       " is given before the verb, where it belongs to the window: put it after `" +
                                       app.get_subcommands().front()->get_name() + '`');
            }
        }
    }
    return action();
}

} // namespace

void print_error(const std::string& message) {
    std::fputs((one_line("error: " + message) + '\n').c_str(), stderr);
}

std::string shell_quoted(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + '\'';
}

std::string one_line(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            c = ' ';
        }
    }
    return text;
}

int run_guarded(const std::function<int()>& work) {
    int code = exit_bad_input;
    try {
        code = work();
    } catch (const core::Interrupted& interrupted) {
        core::end_by_signal(interrupted.signal);
    } catch (const core::OutputError& error) {
        print_error(error.what());
        code = exit_machine;
    } catch (const core::InputError& error) {
        print_error(error.what());
    } catch (const core::MachineError& error) {
        print_error(error.what());
        code = exit_machine;
    } catch (const std::filesystem::filesystem_error& error) {
        print_error(error.what());
    } catch (const std::bad_alloc&) {
        print_error("there is not enough memory for this");
        code = exit_machine;
    } catch (const std::exception& error) {
        print_error(std::string("unexpected: ") + error.what());
        code = exit_machine;
    }
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
        print_error(std::string("the standard output cannot be written: ") + std::strerror(errno));
        code = code == exit_success ? exit_machine : code;
    }
    return code;
}

int run(int argc, char** argv) {
    return run_guarded([&] { return parse_and_run(argc, argv); });
}

} // namespace cairn::cli
