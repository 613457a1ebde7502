// The open scene as a file: where it is kept, whether there is anything to save, and what keeps work from being lost.
#pragma once

#include "app/ui/document/autosave.h"
#include "app/ui/document/file_dialog.h"
#include "app/ui/document/question.h"
#include "app/ui/file_watch.h"
#include "app/ui/paths.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace cairn::ui {

struct App;

struct Document {
    std::filesystem::path file; // scene or capture last opened or saved; empty: a new scene
    std::string name;           // of the scene, as the file says it; may be empty
    std::string title;          // for people: the name, else that of the file
    OpenFile watched;
    std::uint64_t saved = 0;              // edit version that the file holds, see core::EditHistory::version
    bool on_disk_too = false;             // the file has been changed by somebody else since
    bool was_saved = false;               // since it was loaded: restarting goes back to the file
    std::vector<physics::BodyId> in_file; // its bodies, in the file's order
    std::vector<Autosave::Found> lost;    // work of programs that are no more, still to be asked about
    Autosave autosave{state_folder() / "unsaved"};
    FileDialog dialog;
    Question question;

    bool modal() const { return question.open() || dialog.is_open(); } // nothing else is to be done
};

bool has_unsaved_work(const App& app);

// After a world was loaded from that file, of which `files` are read; or from none.
void note_opened(App& app, const std::filesystem::path& file, const std::vector<std::filesystem::path>& files);

void new_scene(App& app); // asks first, like all that follows but saving
void choose_and_open(App& app);
void open_safely(App& app, const std::filesystem::path& path);
void restart_safely(App& app);
void reload_safely(App& app);
void quit_safely(App& app);
// Does it at once where there is no unsaved work; else once it has been saved, or the person does not want to keep it.
// `what` is about to happen: "Restarting".
void before_loss(App& app, const std::string& what, std::function<void(App&)> then);

// To the file that it came from, if that is the person's to change; else asks where. `then` (may be empty) once saved.
void save(App& app, std::function<void(App&)> then = {});
void save_as(App& app, std::function<void(App&)> then = {});

// Once a frame: autosaves, and asks about work that was lost.
void follow_document(App& app);
// The dialog and the question, over everything else.
void draw_document(App& app);
// True if one of them is open: it has all keys.
bool document_key(App& app, int key);

} // namespace cairn::ui
