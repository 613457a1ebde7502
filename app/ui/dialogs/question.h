// A question that has to be answered before anything else happens.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/dialogs/file_dialog.h"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cairn::ui {

struct Context;

struct Question {
    struct Choice {
        const char* id; // of its button: question.ID
        std::string title;
        std::function<void(Context&)> then; // may be empty, and may ask again
    };
    std::string title, text;
    std::vector<Choice> choices; // the first is what Enter means at first, the last what Esc means; none: no question
    std::size_t chosen = 0;

    bool open() const { return !choices.empty(); }
};

struct Dialogs : Part {
    Question question;
    FileDialog file;
    bool modal() const { return question.open() || file.is_open(); } // nothing else is to be done
};

// One that is open is given its last answer first.
void ask(Context& ctx, Question question);
// The file dialog and the question, over everything else.
void draw_dialogs(Context& ctx);
// True if one of them is open: it has all keys.
bool dialog_key(Context& ctx, int key);

// Covers the window, so that nothing behind is clicked, and begins a window in its middle that is as high as its
// content. To be ended by ImGui::End() whatever it returns, as ImGui's.
bool begin_modal(const char* name, float window_width, float window_height, float width);

} // namespace cairn::ui
