// Chooses a file to open or to save: folders, typing, places and the files last opened.
#pragma once

#include "app/ui/widgets/widgets.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

class FileDialog {
  public:
    struct Place {
        std::string id, title; // its button is files.place.ID
        std::filesystem::path folder;
    };
    struct Request {
        bool saving = false;
        std::string title;                // "Save scene as"
        std::filesystem::path folder;     // to begin with
        std::string name;                 // of the file, to begin with
        std::vector<std::string> endings; // of the files shown, with the dot; a name to save under gets the first
        std::vector<Place> places;
        std::vector<std::string> recent; // files
        std::function<void(Context&, const std::filesystem::path&)> then;
    };
    void open(Request request);
    // The last request once more, with what was typed for it and why that would not do.
    void ask_again(std::string problem);
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    // Draws it, if it is open. Returns the file once one is chosen; then it is closed. For saving the file may exist.
    std::optional<std::filesystem::path> draw(Widgets& widgets, const glm::vec2& window);
    // True if it is open: it has all keys.
    bool key(int key);
    const Request& request() const { return request_; }

  private:
    struct Entry {
        std::string name;
        bool folder = false;
    };
    void go_to(const std::filesystem::path& folder);
    void list();
    void filter();
    void accept(); // what is typed
    void make_folder();
    std::filesystem::path typed_path() const;
    void draw_places(Widgets& widgets, float width, float height);
    void draw_entries(Widgets& widgets, float height);

    Request request_;
    bool open_ = false;
    std::filesystem::path folder_;
    std::string folder_text_, name_, problem_;
    std::vector<Entry> entries_;
    std::vector<std::size_t> shown_; // of the entries, those that fit what is typed
    std::optional<std::string> shown_for_;
    std::optional<std::size_t> chosen_; // in `shown_`
    bool moved_ = false;                // the chosen one must come into view
    std::optional<std::filesystem::path> result_;
};

} // namespace cairn::ui
