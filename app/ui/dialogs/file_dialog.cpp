#include "app/ui/dialogs/file_dialog.h"

#include "app/core/scene/values/file_access.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/text/fuzzy.h"
#include "app/ui/text/paths.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <system_error>
#include <utility>

namespace cairn::ui {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t files_a_page = 10;

} // namespace

void FileDialog::open(Request request) {
    request_ = std::move(request);
    open_ = true;
    result_.reset();
    name_ = request_.name;
    go_to(request_.folder);
}

void FileDialog::ask_again(std::string problem) {
    open_ = true;
    result_.reset();
    list();
    problem_ = std::move(problem);
}

void FileDialog::go_to(const fs::path& folder) {
    std::error_code error;
    const fs::path whole = fs::absolute(folder, error);
    folder_ = (error ? folder : whole).lexically_normal();
    if (!folder_.has_filename() && folder_.has_relative_path()) {
        folder_ = folder_.parent_path(); // "a/b/" is a/b
    }
    list();
}

void FileDialog::list() {
    folder_text_ = folder_.string();
    problem_.clear();
    entries_.clear();
    chosen_.reset();
    shown_for_.reset();
    std::error_code error;
    fs::directory_iterator at(folder_, fs::directory_options::skip_permission_denied, error);
    if (error) {
        // A folder that saving will make is no mistake.
        if (!request_.saving || fs::exists(folder_, error)) {
            problem_ = folder_text_ + ": this folder cannot be listed";
        }
        return;
    }
    for (; !error && at != fs::directory_iterator(); at.increment(error)) {
        Entry entry{at->path().filename().string(), false};
        std::error_code ignored;
        entry.folder = at->is_directory(ignored);
        const bool fits =
            entry.folder || std::ranges::find(request_.endings, core::ending_of(at->path())) != request_.endings.end();
        if (fits && !entry.name.starts_with('.')) {
            entries_.push_back(std::move(entry));
        }
    }
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
        return a.folder != b.folder ? a.folder : lower_case(a.name) < lower_case(b.name);
    });
}

// To open a file, typing narrows the list; who saves may want to see what is there already.
void FileDialog::filter() {
    if (shown_for_ == name_) {
        return;
    }
    shown_for_ = name_;
    shown_.clear();
    const bool all = request_.saving || name_.find('/') != std::string::npos || name_.starts_with('~');
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (all || name_.empty() || has_words(name_, entries_[i].name)) {
            shown_.push_back(i);
        }
    }
    chosen_.reset();
}

fs::path FileDialog::typed_path() const {
    const fs::path path = from_home(name_);
    return (path.is_absolute() ? path : folder_ / path).lexically_normal();
}

void FileDialog::accept() {
    problem_.clear();
    std::error_code error;
    if (name_.empty()) {
        problem_ = request_.saving ? "Give the file a name" : "Choose a file, or type its name";
        return;
    }
    fs::path path = typed_path();
    if (fs::is_directory(path, error)) {
        name_.clear();
        go_to(path);
        return;
    }
    if (!path.has_filename()) {
        problem_ = path.string() + ": there is no such folder";
        return;
    }
    if (request_.saving) {
        if (core::ending_of(path) != request_.endings.front()) {
            path += request_.endings.front();
        }
        if (fs::is_directory(path, error)) {
            problem_ = path.filename().string() + " is a folder";
            return;
        }
        if (path.parent_path() != folder_ && !fs::is_directory(path.parent_path(), error)) {
            problem_ = path.parent_path().string() + ": there is no such folder";
            return;
        }
    } else if (!fs::exists(path, error)) {
        filter();
        if (shown_.size() == 1) { // the only one that what is typed can mean
            name_ = entries_[shown_.front()].name;
            accept();
            return;
        }
        problem_ = path.string() + ": there is no such file";
        return;
    }
    result_ = path;
}

void FileDialog::make_folder() {
    std::error_code error;
    const fs::path path = typed_path();
    if (name_.empty()) {
        problem_ = "Type the name of the new folder first";
    } else if (!fs::create_directories(path, error)) {
        problem_ = path.string() + ": " + (error ? error.message() : "is there already");
    } else {
        name_ = request_.name;
        go_to(path);
    }
}

bool FileDialog::key(int key) {
    if (!open_) {
        return false;
    }
    filter();
    const auto move = [&](std::ptrdiff_t by) {
        if (shown_.empty()) {
            return;
        }
        const auto last = static_cast<std::ptrdiff_t>(shown_.size()) - 1;
        const std::ptrdiff_t at = chosen_ ? static_cast<std::ptrdiff_t>(*chosen_) + by : (by > 0 ? 0 : last);
        chosen_ = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, last));
        moved_ = true;
    };
    switch (key) {
    case key_escape:
        close();
        break;
    case key_enter:
    case key_keypad_enter:
        if (chosen_) {
            name_ = entries_[shown_[*chosen_]].name;
        }
        accept();
        break;
    case key_down:
        move(1);
        break;
    case key_up:
        move(-1);
        break;
    case key_page_down:
        move(files_a_page);
        break;
    case key_page_up:
        move(-static_cast<std::ptrdiff_t>(files_a_page));
        break;
    default:
        break; // the field has it
    }
    return true;
}

void FileDialog::draw_places(Widgets& w, float width, float height) {
    ImGui::BeginChild("files.places", ImVec2(width, height));
    for (const Place& place : request_.places) {
        if (w.entry(place.id, place.title, place.folder == folder_)) {
            go_to(place.folder);
        }
        w.mark("files.place." + place.id);
        w.tip(place.folder.string());
    }
    if (!request_.recent.empty()) {
        w.muted("Recent", false);
    }
    for (std::size_t i = 0; i < request_.recent.size(); ++i) {
        const fs::path path = request_.recent[i];
        if (w.entry(path.string(), path.filename().string(), false)) {
            go_to(path.parent_path());
            name_ = path.filename().string();
            if (!request_.saving) {
                accept();
            }
        }
        w.mark("files.recent." + std::to_string(i));
        w.tip(path.string());
    }
    ImGui::EndChild();
}

void FileDialog::draw_entries(Widgets& w, float height) {
    ImGui::PushStyleColor(ImGuiCol_ChildBg, ImVec4(0, 0, 0, 0.18f));
    ImGui::BeginChild("files.list", ImVec2(0.0f, height), true);
    filter();
    std::optional<std::string> opened;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const Entry& entry = entries_[shown_[i]];
        const bool chosen = chosen_ == i;
        if (w.entry(entry.name, joined(entry.name, entry.folder ? "/" : ""), chosen,
                    ImGuiSelectableFlags_AllowDoubleClick)) {
            chosen_ = i;
            if (entry.folder || ImGui::IsMouseDoubleClicked(0)) {
                opened = entry.name;
            } else if (request_.saving) {
                name_ = entry.name;
            }
        }
        w.mark("files.entry." + entry.name);
        if (chosen && moved_) {
            ImGui::SetScrollHereY();
            moved_ = false;
        }
    }
    if (shown_.empty()) {
        w.muted(entries_.empty() ? "Nothing here." : "Nothing matches what is typed.");
    }
    ImGui::EndChild();
    ImGui::PopStyleColor();
    if (opened) {
        const std::string kept = std::exchange(name_, *opened);
        accept();
        if (request_.saving && !result_) {
            name_ = kept; // went into a folder
        }
    }
}

std::optional<fs::path> FileDialog::draw(Widgets& w, const glm::vec2& window) {
    if (!open_) {
        return std::nullopt;
    }
    const float s = w.scale;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(16.0f * s, 14.0f * s));
    if (begin_modal("files", window.x, window.y, std::min(720.0f * s, window.x - 16.0f * s))) {
        const float spacing = ImGui::GetStyle().ItemSpacing.x, button = 92.0f * s;
        w.heading(request_.title);
        if (w.button("files.up", "Up", "The folder that holds this one.", 48.0f * s, folder_.has_relative_path())) {
            go_to(folder_.parent_path());
        }
        ImGui::SameLine();
        if (w.text("files.folder", "Folder", folder_text_, ImGui::GetContentRegionAvail().x)) {
            go_to(from_home(folder_text_));
        }
        const float height = std::min(300.0f * s, window.y - 220.0f * s);
        draw_places(w, 150.0f * s, height);
        ImGui::SameLine();
        draw_entries(w, height);
        w.next_keeps_keyboard();
        const float room = ImGui::GetContentRegionAvail().x;
        const float beside = room - (request_.saving ? 3.0f : 2.0f) * (button + spacing);
        const bool own_row = beside < 180.0f * s; // of the name, above the buttons
        ImGui::SetNextItemWidth(own_row ? room : beside);
        ImGui::InputTextWithHint("##files.name", request_.saving ? "File name" : "Type a name or a path", &name_);
        w.mark("files.name");
        if (!own_row) {
            ImGui::SameLine();
        }
        if (request_.saving) {
            if (w.button("files.make", "New folder", "Makes a folder of the typed name here.", button)) {
                make_folder();
            }
            ImGui::SameLine();
        }
        if (w.button("files.accept", request_.saving ? "Save" : "Open", "Enter does the same.", button)) {
            if (chosen_ && !request_.saving) {
                name_ = entries_[shown_[*chosen_]].name;
            }
            accept();
        }
        ImGui::SameLine();
        if (w.button("files.cancel", "Cancel", "Esc does the same.", button)) {
            close();
        }
        if (!problem_.empty()) {
            w.words(problem_, theme::bad);
            w.mark("files.problem");
        }
        w.mark_window("files");
    }
    ImGui::End();
    ImGui::PopStyleVar();
    if (result_) {
        close();
    }
    return std::exchange(result_, std::nullopt);
}

} // namespace cairn::ui
