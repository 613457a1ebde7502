// Where the program keeps a person's files (XDG base directories).
#pragma once

#include <filesystem>
#include <string>

namespace cairn::ui {

// $XDG_DATA_HOME/cairn/KIND (default ~/.local/share/cairn/KIND): scenes, captures, screenshots. Not created here.
std::filesystem::path user_folder(const std::string& kind);
// "~" and what begins with "~/" in the home folder.
std::filesystem::path from_home(const std::filesystem::path& path);
// A bare file name belongs into user_folder(kind); a path with a folder, or none at all, is taken as it is,
// from_home().
std::filesystem::path in_user_folder(const std::filesystem::path& path, const std::string& kind);
// The other way round: what a person reads and in_user_folder() understands.
std::string name_in_user_folder(const std::filesystem::path& path, const std::string& kind);
// $XDG_STATE_HOME/cairn (default ~/.local/state/cairn): window layout. Not created here.
std::filesystem::path state_folder();
// $XDG_CONFIG_HOME/cairn/settings.json (default ~/.config/cairn/settings.json).
std::filesystem::path settings_path();

// "name-20260102-030405", and "name-20260102-030405-2" when it is asked for again within that second: a file stem that
// does not collide with earlier ones. On the main thread.
std::string dated_name(const std::string& name);

// Letters, digits, '-' and '_' of a title, lower case, for use in file names; never empty.
std::string file_stem(const std::string& title);

// Absolute, without "." and "..".
std::filesystem::path whole_path(const std::filesystem::path& path);

} // namespace cairn::ui
