// The one registry of what can be done. The handler of keys, the overlay of all keys, the tooltips, the command
// palette, the settings file and the page of keys are made from it.
#pragma once

#include "app/ui/input/chord.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

struct Context;

// While keys move the player's body, these mean what they mean to it; all others mean what they always do.
enum class KeyUse { always, player };

struct Action {
    std::string id; // in the settings file: it stays what it is
    std::string title;
    std::vector<std::string> keys;                    // of the program, "Ctrl+Z"
    std::function<void(Context&)> run = {};           // none: it acts for as long as its key is down
    bool repeats = false;                             // acts again on the keyboard's own repetition
    std::function<bool(const Context&)> enabled = {}; // none: always; asked by what shows the action
    bool in_palette = true;                           // else something else there does the same
    const char* group = "";                           // for people; given by Actions::group(), as is the next
    KeyUse use = KeyUse::always;

    bool held() const { return !run; }
};

struct KeyBinding {
    const Action* action;
    int key, modifiers;
    std::string key_name; // "Ctrl+Z"
};

// The keys that a person wants for one action, which take the place of all of the program's for it; none: no key.
struct KeyChoice {
    std::string id;
    std::vector<std::string> keys;
};
struct KeyComplaint {
    std::size_t choice;
    std::string text;
};

struct KeyConflict {
    std::string key;
    const Action* other; // whose it is
};

class Actions {
  public:
    // What is added from here on belongs to this group, which the overlay and the page of keys show together.
    void group(const char* title, KeyUse use = KeyUse::always) {
        group_ = title;
        use_ = use;
    }
    // Throws std::logic_error for an id that is taken, and for keys that are none or are taken. Returns what was added.
    Action& add(Action action);

    // In the order in which people read them.
    const std::vector<std::unique_ptr<Action>>& all() const { return actions_; }
    const Action* find(std::string_view id) const; // nullptr: there is none
    void run(Context& ctx, std::string_view id) const;
    bool enabled(const Context& ctx, std::string_view id) const;

    // The bindings in force: those of the program, but for what set_keys() has changed. An action whose keys were taken
    // away has none.
    const std::vector<KeyBinding>& bindings() const { return bindings_; }
    const std::vector<KeyBinding>& default_bindings() const { return defaults_; }
    // The first binding of an action as text ("Ctrl+S"), for tooltips; empty if it has no key.
    const std::string& key_of(std::string_view id) const;
    // What a key press means; nullptr = nothing. `repeated`: the keyboard's own repetition, which most actions ignore.
    // Flight keys ignore Shift, which makes them fast. `player`: the player's keys come first.
    const Action* of_key(int key, int modifiers, bool repeated = false, bool player = false) const;

    // Puts the program's keys in force and then `choices`, in order. What names no action or no key, or is taken, is
    // left out and reported: one sentence each, with the index of the choice. A key that the program gives to another
    // action goes to the person's choice; that is reported too if the other action then has none.
    std::vector<KeyComplaint> set_keys(const std::vector<KeyChoice>& choices);
    std::uint64_t revision() const { return revision_; } // grows with every set_keys() and add(); at least 1
    // Which of these keys, each the name of one, others have.
    std::vector<KeyConflict> conflicts(const Action& action, const std::vector<std::string>& keys) const;
    // The action has these keys from now on, and nobody else has one of them.
    void assign(const Action& action, const std::vector<std::string>& keys);
    // What is in force as such choices: the actions whose keys differ from the program's.
    std::vector<KeyChoice> changed_keys() const;

  private:
    std::vector<KeyBinding> as_bindings(const Action& action, const std::vector<std::string>& keys) const;
    const Action& known(std::string_view id) const;

    std::vector<std::unique_ptr<Action>> actions_;
    std::vector<KeyBinding> defaults_, bindings_;
    const char* group_ = "";
    KeyUse use_ = KeyUse::always;
    std::uint64_t revision_ = 1;
};

// The keys of one action in such a table.
std::vector<std::string> keys_in(const std::vector<KeyBinding>& table, const Action& action);

// What the mouse does; part of the overlay.
struct MouseBinding {
    const char* gesture;
    const char* description;
};
const std::vector<MouseBinding>& mouse_bindings();

} // namespace cairn::ui
