// A question that has to be answered before anything else happens.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace cairn::ui {

struct App;

struct Question {
    struct Choice {
        const char* id; // of its button: question.ID
        std::string title;
        std::function<void(App&)> then; // may be empty, and may ask again
    };
    std::string title, text;
    std::vector<Choice> choices; // the first is what Enter means at first, the last what Esc means; none: no question
    std::size_t chosen = 0;

    bool open() const { return !choices.empty(); }
};

// One that is open is given its last answer first.
void ask(App& app, Question question);
void draw_question(App& app);
// True if a question is open: it has all keys.
bool question_key(App& app, int key);

// Covers the window, so that nothing behind is clicked, and begins a window in its middle that is as high as its
// content. To be ended by ImGui::End() whatever it returns, as ImGui's.
bool begin_modal(const char* name, float window_width, float window_height, float width);

} // namespace cairn::ui
