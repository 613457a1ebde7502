#include "app/ui/settings/settings_file.h"

#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/ui/app.h"
#include "app/ui/paths.h"

#include <cstdlib>
#include <string_view>
#include <system_error>

namespace cairn::ui {

namespace {
constexpr double pause_seconds = 1.0; // between two looks at what has changed
}

std::filesystem::path SettingsFile::usual_path(bool run_of_frames) {
    const char* chosen = std::getenv("CAIRN_SETTINGS");
    if (chosen != nullptr && *chosen != '\0') {
        return std::string_view(chosen) == "off" ? std::filesystem::path() : std::filesystem::path(chosen);
    }
    return run_of_frames ? std::filesystem::path() : settings_path();
}

void SettingsFile::write_text(App& app, std::string& text) {
    text = "// What Cairn remembers between runs. Cairn writes this file: change it while no window is open.\n"
           "// An action has one key or a list of them: \"pause\": [\"P\", \"Ctrl+J\"]; [] is none.\n";
    SettingsWriter writer(text);
    std::vector<std::string> none;
    visit_settings(app, writer, false, none);
}

void SettingsFile::keep_aside(App& app, bool move) const {
    std::filesystem::path aside = path_;
    aside.replace_extension(".broken.json");
    std::error_code error;
    if (move) {
        std::filesystem::rename(path_, aside, error);
    } else {
        std::filesystem::copy_file(path_, aside, std::filesystem::copy_options::overwrite_existing, error);
    }
    if (error) {
        app.log.error(path_.string() + ": cannot be kept as " + aside.filename().string() + ": " + error.message());
    } else if (move) {
        app.log.error("The settings file could not be read: defaults are restored, and the file is kept as " +
                      aside.string());
    } else {
        app.log.warning("The previous settings file is kept as " + aside.string());
    }
}

bool SettingsFile::read(App& app) {
    set_keys({});
    app.remembered.kept = !path_.empty();
    std::error_code error;
    if (path_.empty() || !std::filesystem::exists(path_, error)) {
        return false;
    }
    try {
        SettingsReader reader(core::read_whole_file(path_), path_.string());
        std::vector<std::string> complaints;
        visit_settings(app, reader, true, complaints);
        for (const std::string& problem : reader.problems()) {
            app.log.warning(problem);
        }
        for (const std::string& complaint : complaints) {
            app.log.warning(complaint);
        }
        if (!reader.problems().empty() || !complaints.empty()) {
            keep_aside(app, false);
            return true; // and written anew, without what was left out
        }
    } catch (const core::InputError& problem) {
        app.log.error(problem.what());
        keep_aside(app, true);
        return false;
    }
    write_text(app, seen_);
    written_ = seen_;
    return true;
}

void SettingsFile::follow(App& app) {
    if (path_.empty() || app.log.time() < looked_at_ + pause_seconds) {
        return;
    }
    looked_at_ = app.log.time();
    write_text(app, now_);
    // While something is dragged it changes at every look: it is written once it stays.
    if (now_ == seen_ && now_ != written_) {
        write(app);
    }
    std::swap(seen_, now_);
}

void SettingsFile::write(App& app) {
    if (path_.empty()) {
        return;
    }
    std::string text;
    write_text(app, text);
    if (text == written_) {
        return;
    }
    try {
        std::error_code error;
        std::filesystem::create_directories(path_.parent_path(), error);
        core::replace_file(path_, text);
    } catch (const core::InputError& problem) {
        if (refused_ != problem.what()) { // said once, not every second
            refused_ = problem.what();
            app.log.warning("The settings were not saved: " + refused_);
        }
    }
    written_ = std::move(text);
}

} // namespace cairn::ui
