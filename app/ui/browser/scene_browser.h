// The window with all scenes, their pictures and the files last opened.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/widgets/search_list.h"

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct Context;
class Thumbnails;

struct SceneBrowser : Part, SearchList {
    struct Item {
        std::filesystem::path path;
        std::string title, description;
        int group = 0; // of group_names
    };
    Thumbnails* thumbnails = nullptr; // of the window, which outlives this

    std::vector<Item> items; // made when it opens
    int columns = 1;
};

// The shipped scenes that people are to see first, by the names of their files.
const std::array<std::string_view, 12>& gallery_scenes();
// What a scene's description says is to be tried, as a sentence of its own: "Take out a card." Empty: nothing.
std::string what_to_try(std::string_view description);

void open_browser(Context& ctx); // closes it if it is open
void draw_browser(Context& ctx);
// True if the browser has used this key press.
bool browser_key(Context& ctx, int key);

void scenes_panel(Context& ctx);

} // namespace cairn::ui
