#include "app/ui/settings/settings_file.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/ui/context/context.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/settings/archive/settings_archive.h"
#include "app/ui/text/paths.h"

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace cairn::ui {

namespace {
constexpr double pause_seconds = 1.0; // between two looks at what has changed

// All actions with the keys in force, so that whoever opens the file finds them; what is as in the program is no
// choice.
void visit_keys(Actions& actions, SettingsArchive& a, SettingsFile::KeyTable& known,
                std::vector<std::string>& complaints) {
    if (!a.reading()) {
        if (known.revision != actions.revision()) {
            known = {{}, actions.revision()};
            for (const auto& action : actions.all()) {
                known.keys.push_back({action->id, keys_in(actions.bindings(), *action), ""});
            }
        }
        a.value("keys", known.keys);
        return;
    }
    std::vector<SettingsArchive::Named> named;
    a.value("keys", named);
    std::erase_if(named, [&](const SettingsArchive::Named& n) {
        const Action* action = actions.find(n.name);
        return action != nullptr && n.words == keys_in(actions.default_bindings(), *action);
    });
    std::vector<KeyChoice> choices;
    for (const SettingsArchive::Named& n : named) {
        choices.push_back({n.name, n.words});
    }
    for (const KeyComplaint& complaint : actions.set_keys(choices)) {
        complaints.push_back(named[complaint.choice].place + ": " + complaint.text);
    }
}

// The whole file. Reading adds to `key_complaints` which keys could not be had.
void visit_settings(Context& ctx, SettingsArchive& a, SettingsFile::KeyTable& known,
                    std::vector<std::string>& key_complaints) {
    a.enter("");
    int version = 1;
    a.value("version", version, 1, 1);
    ctx.parts.visit([&](Part& part) { part.remember(ctx, a); });
    visit_keys(ctx.actions, a, known, key_complaints);
    a.leave();
}

} // namespace

std::filesystem::path SettingsFile::usual_path(bool run_of_frames) {
    const char* chosen = std::getenv("CAIRN_SETTINGS");
    if (chosen != nullptr && *chosen != '\0') {
        return std::string_view(chosen) == "off" ? std::filesystem::path() : std::filesystem::path(chosen);
    }
    return run_of_frames ? std::filesystem::path() : settings_path();
}

void SettingsFile::write_text(Context& ctx, std::string& text) {
    text = "// What Cairn remembers between runs. Cairn writes this file: change it while no window is open.\n"
           "// An action has one key or a list of them: \"pause\": [\"P\", \"Ctrl+J\"]; [] is none.\n";
    SettingsWriter writer(text);
    std::vector<std::string> none;
    visit_settings(ctx, writer, key_table_, none);
}

void SettingsFile::keep_aside(Context& ctx, bool move) const {
    std::filesystem::path aside = path_;
    aside.replace_extension(".broken.json");
    std::error_code error;
    if (move) {
        std::filesystem::rename(path_, aside, error);
    } else {
        std::filesystem::copy_file(path_, aside, std::filesystem::copy_options::overwrite_existing, error);
    }
    if (error) {
        ctx.log.error(path_.string() + ": cannot be kept as " + aside.filename().string() + ": " + error.message());
    } else if (move) {
        ctx.log.error("The settings file could not be read: defaults are restored, and the file is kept as " +
                      aside.string());
    } else {
        ctx.log.warning("The previous settings file is kept as " + aside.string());
    }
}

bool SettingsFile::read(Context& ctx) {
    ctx.actions.set_keys({});
    ctx.get<Remembered>().kept = !path_.empty();
    std::error_code error;
    if (path_.empty() || !std::filesystem::exists(path_, error)) {
        return false;
    }
    try {
        SettingsReader reader(core::read_whole_file(path_), path_.string());
        std::vector<std::string> complaints;
        visit_settings(ctx, reader, key_table_, complaints);
        for (const std::string& problem : reader.problems()) {
            ctx.log.warning(problem);
        }
        for (const std::string& complaint : complaints) {
            ctx.log.warning(complaint);
        }
        if (!reader.problems().empty() || !complaints.empty()) {
            keep_aside(ctx, false);
            return true; // and written anew, without what was left out
        }
    } catch (const core::InputError& problem) {
        ctx.log.error(problem.what());
        keep_aside(ctx, true);
        return false;
    }
    write_text(ctx, seen_);
    written_ = seen_;
    return true;
}

void SettingsFile::follow(Context& ctx) {
    if (path_.empty() || ctx.log.time() < looked_at_ + pause_seconds) {
        return;
    }
    looked_at_ = ctx.log.time();
    write_text(ctx, now_);
    // While something is dragged it changes at every look: it is written once it stays.
    if (now_ == seen_ && now_ != written_) {
        write(ctx);
    }
    std::swap(seen_, now_);
}

void SettingsFile::write(Context& ctx) {
    if (path_.empty()) {
        return;
    }
    std::string text;
    write_text(ctx, text);
    if (text == written_) {
        return;
    }
    try {
        std::error_code error;
        std::filesystem::create_directories(path_.parent_path(), error);
        core::replace_file(path_, text);
    } catch (const core::InputError& problem) {
        if (rejected_ != problem.what()) { // said once, not every second
            rejected_ = problem.what();
            ctx.log.warning("The settings were not saved: " + rejected_);
        }
    }
    written_ = std::move(text);
}

} // namespace cairn::ui
