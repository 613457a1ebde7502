// The few kinds of control that all panels are made of, and the record of where each one is on the screen.
#pragma once

#include "app/ui/text/frame_text.h"
#include "app/ui/widgets/icons/icon.h"
#include "app/ui/widgets/theme.h"

#include <cstdint>
#include <functional>
#include <glm/glm.hpp>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::ui {

struct Rectangle { // window units, origin at the top left
    float x = 0.0f, y = 0.0f, width = 0.0f, height = 0.0f;
};

// A window whose place and size the program decides.
inline constexpr ImGuiWindowFlags fixed_window = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                                 ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoMove |
                                                 ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;

// A number that a person can change: what it means, its unit and its limits. Dragging stops at the limits; a typed
// number counts once the field is left, and is rejected with a message when it is none or lies beyond them.
struct NumberSpec {
    const char* unit = "";
    float low = 0.0f, high = 1.0f;
    float speed = 0.01f;         // per pixel dragged
    const char* format = "%.2f"; // of the number alone
    const char* help = "";       // one sentence
    bool logarithmic = false;
    const char* note = ""; // more for the tooltip, on lines of its own
    bool exact = false;    // shown with as many digits as it has
    unsigned mixed = 0;    // bit i: field i stands for several numbers that differ; any that is typed is a change
};

// Without a name for tests and help; in the accent colour where it is lit.
bool plain_button(const char* label, ImVec2 size, bool lit);

class Widgets {
  public:
    Fonts fonts;
    float scale = 1.0f;

    void begin_frame() {
        frame_memory::reset();
        ++frame_;
        tight_.clear();
        shown_tip_.clear();
    }
    // Names the last item. Only what is really visible is kept: a test or a tutorial may point at it.
    void mark(std::string_view name);
    void mark(std::string_view name, const Rectangle& rectangle);
    void mark_window(std::string_view name); // the current one
    // Where it is; nullptr if it is not to be seen in this frame.
    const Rectangle* place(std::string_view name) const;
    // Calls with name and rectangle, by name.
    template <class Visit>
    void visit_marks(Visit&& visit) const {
        for (const auto& [name, mark] : marks_) {
            if (mark.frame == frame_) {
                visit(name, mark.rectangle);
            }
        }
    }

    // What this frame has cut off for lack of room: names or texts. Nothing should be.
    const std::vector<std::string>& tight() const { return tight_; }

    // The sections that were seen, by id: whether they are open. What is set before the first frame is how they begin.
    std::map<std::string, bool, std::less<>>& sections() { return sections_; }

    // Width of the columns of a row "label, value, reset", window units.
    float label_width() const;

    // A tooltip for the last item. Of those that are put together, tip_by() makes only the one that is shown.
    void tip(std::string_view text);
    template <class Make>
    void tip_by(Make&& make) {
        if (wants_tip()) {
            tip(make());
        }
    }
    bool wants_tip() const;
    const std::string& shown_tip() const { return shown_tip_; } // empty if there is none in this frame

    // `open`: at first, until a person has said otherwise.
    bool section(std::string_view id, const char* title, bool open);
    void show_section(std::string_view id) { shown_section_ = id; } // opens it and scrolls to it when it comes
    bool button(const char* id, const char* title, const char* help, float width = 0.0f, bool enabled = true,
                bool lit = false);
    bool icon_button(const char* id, Icon icon, std::string_view help, bool lit = false, bool enabled = true);
    bool toggle(const char* id, const char* title, bool& value, const char* help);

    // Label, value with unit, and where the value is not `standard` a lit label and a reset. True when the value
    // changed; it always stays within the limits.
    bool number(const char* id, const char* label, float& value, const NumberSpec& spec, float standard);
    bool number(const char* id, const char* label, float& value, const NumberSpec& spec); // without reset
    bool whole(const char* id, const char* label, int& value, const NumberSpec& spec, int standard);
    // Three numbers in one row.
    bool vector(const char* id, const char* label, glm::vec3& value, const NumberSpec& spec,
                const glm::vec3* standard = nullptr) {
        return vector_axes(id, label, value, spec, standard) != 0;
    }
    unsigned vector_axes(const char* id, const char* label, glm::vec3& value, const NumberSpec& spec,
                         const glm::vec3* standard = nullptr); // bit i: axis i has changed
    // A toggle in a row like those of numbers.
    bool flag(const char* id, const char* label, bool& value, const NumberSpec& spec, bool standard);
    // A row of a list or of a popup whose text is a person's own: all of it is shown, where ImGui takes what follows ##
    // for an id, with an ellipsis where there is no room.
    bool entry(std::string_view id, std::string_view text, bool chosen, ImGuiSelectableFlags flags = 0);
    bool choice(const char* id, const char* label, int& value, const char* const* names, int count, const char* help);
    bool text(const char* id, const char* hint, std::string& value, float width);

    // The next field has the keyboard whenever nothing else does. ImGui takes it from a field at Enter and Esc, and
    // again for as long as they are held.
    void next_keeps_keyboard();

    // Label and a fact, not editable.
    void fact(const char* label, std::string_view value, const char* help = "");
    void heading(std::string_view text, bool wrapped = false);
    void words(std::string_view text, const ImVec4& colour, bool wrapped = true);
    void muted(std::string_view text, bool wrapped = true) { words(text, theme::muted, wrapped); }
    // As wide as there is room; dim, so that its words can be read. `text` empty: a percentage.
    void progress(const char* id, float share, const char* text = nullptr);

    void reject(std::string why) { rejections_.push_back(std::move(why)); }
    // Why what was typed was rejected, since the last call.
    std::vector<std::string> take_rejections() { return std::exchange(rejections_, {}); }

  private:
    void check_room(std::string_view text, float room);
    bool reset_button(const char* id, float x = 0.0f); // at x in the window, or behind the last item
    float reset_room() const;
    void begin_label(const char* text, bool lit);
    template <class Make>
    void label(const char* text, Make&& help, bool lit) {
        begin_label(text, lit);
        tip_by(help);
        ImGui::SameLine(label_width());
    }
    // The field itself, with the name of its item. `exact` formats are replaced while dragging.
    bool drag_field(const char* name, const char* label, float& value, const NumberSpec& spec, const char* unit,
                    bool whole = false);
    bool number_field(const char* id, const char* label, float& value, const NumberSpec& spec, const float* standard,
                      bool whole = false);
    std::optional<std::string> finished_text(unsigned item);
    bool accept(const char* label, const std::string& text, float& value, const NumberSpec& spec, bool whole);

    // What is being typed into a field, as of `frame`.
    struct Typing {
        unsigned item = 0;
        int frame = 0;
        std::string text;
    };
    Typing typing_;
    std::string shown_tip_;
    std::vector<std::string> rejections_;
    // All that were ever seen: a name costs memory once, not in every frame.
    struct Mark {
        Rectangle rectangle;
        std::uint64_t frame = 0;
    };
    std::map<std::string, Mark, std::less<>> marks_;
    std::uint64_t frame_ = 0;
    std::vector<std::string> tight_;
    std::map<std::string, bool, std::less<>> sections_;
    std::string shown_section_; // by show_section(), until it has come
};

} // namespace cairn::ui
