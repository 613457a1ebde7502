// The open scene as a file: where it is kept, whether there is anything to save, and what keeps work from being lost.
#pragma once

#include "app/ui/context/context.h"
#include "app/ui/dialogs/file_dialog.h"
#include "app/ui/document/autosave.h"
#include "app/ui/document/file_watch.h"
#include "app/ui/text/paths.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Document : Part {
    std::filesystem::path file; // scene or capture last opened or saved; empty: a new scene
    std::string name;           // of the scene, as the file says it; may be empty
    std::string title;          // for people: the name, else that of the file
    OpenFile watched;
    std::uint64_t saved = 0;              // edit version that the file holds, see core::EditHistory::version
    std::uint64_t saved_path = 0;         // the same of the camera path, see SceneShown::path_edits
    bool on_disk_too = false;             // the file has been changed by somebody else since
    bool was_saved = false;               // since it was loaded: restarting goes back to the file
    std::vector<physics::BodyId> in_file; // its bodies, in the file's order
    std::vector<Autosave::Found> lost;    // work of programs that are no more, still to be asked about
    Autosave autosave{state_folder() / "unsaved"};
};

// Another one for all that a file would hold otherwise: edits of the world, and of how it is shown.
std::uint64_t work_version(const Context& ctx);
bool has_unsaved_edits(const Context& ctx); // of the world alone
bool has_unsaved_work(const Context& ctx);
core::SceneShow show_now(const Context& ctx); // how the scene is to be opened, as a file would say it

// After a world was loaded from that file, of which `files` are read; or from none.
void note_opened(Context& ctx, const std::filesystem::path& file, const std::vector<std::filesystem::path>& files);

// Where the file dialog offers to go.
std::vector<FileDialog::Place> file_places(bool saving);

// Does it at once where there is no unsaved work; else once it has been saved, or the person does not want to keep it.
// `what` is about to happen: "Restarting".
void before_loss(Context& ctx, const std::string& what, std::function<void(Context&)> then);
void quit_safely(Context& ctx);

// To the file that it came from, if that is the person's to change; else asks where. `then` (may be empty) once saved.
void save(Context& ctx, std::function<void(Context&)> then = {});
void save_as(Context& ctx, std::function<void(Context&)> then = {});

} // namespace cairn::ui
