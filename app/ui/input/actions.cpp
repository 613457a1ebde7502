#include "app/ui/input/actions.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace cairn::ui {

namespace {

// Whether two bindings answer to the same press: flight keys ignore Shift.
bool same_press(const KeyBinding& a, const KeyBinding& b) {
    const int ignored = a.action->held() || b.action->held() ? modifier_shift : 0;
    return a.action->use == b.action->use && a.key == b.key && (a.modifiers & ~ignored) == (b.modifiers & ~ignored);
}

const KeyBinding* taken_by(const std::vector<KeyBinding>& table, const KeyBinding& binding) {
    const auto found = std::ranges::find_if(table, [&](const KeyBinding& other) { return same_press(binding, other); });
    return found == table.end() ? nullptr : &*found;
}

} // namespace

Action& Actions::add(Action action) {
    if (find(action.id) != nullptr) {
        throw std::logic_error("two actions are called " + action.id);
    }
    action.group = group_;
    action.use = use_;
    Action* added = actions_.emplace_back(std::make_unique<Action>(std::move(action))).get();
    for (const std::string& text : added->keys) {
        const auto chord = parse_chord(text);
        if (!chord) {
            throw std::logic_error(text + " is no key");
        }
        KeyBinding binding{added, chord->first, chord->second, chord_text(chord->first, chord->second)};
        if (taken_by(defaults_, binding) != nullptr) {
            throw std::logic_error(text + " belongs to two actions");
        }
        bindings_.push_back(binding);
        defaults_.push_back(std::move(binding));
    }
    ++revision_;
    return *added;
}

const Action* Actions::find(std::string_view id) const {
    const auto found = std::ranges::find_if(actions_, [&](const auto& a) { return a->id == id; });
    return found == actions_.end() ? nullptr : found->get();
}

const Action& Actions::known(std::string_view id) const {
    const Action* action = find(id);
    if (action == nullptr) {
        throw std::logic_error("no action is called " + std::string(id));
    }
    return *action;
}

void Actions::run(Context& ctx, std::string_view id) const {
    const Action& action = known(id);
    if (action.run) {
        action.run(ctx);
    }
}

bool Actions::enabled(const Context& ctx, std::string_view id) const {
    const Action& action = known(id);
    return !action.enabled || action.enabled(ctx);
}

const std::string& Actions::key_of(std::string_view id) const {
    for (const KeyBinding& binding : bindings_) {
        if (binding.action->id == id) {
            return binding.key_name;
        }
    }
    known(id);
    static const std::string none;
    return none;
}

const Action* Actions::of_key(int key, int modifiers, bool repeated, bool player) const {
    for (const KeyUse use : {KeyUse::player, KeyUse::always}) {
        for (const KeyBinding& binding : bindings_) {
            const Action& action = *binding.action;
            const int wanted = action.held() ? modifiers & ~modifier_shift : modifiers;
            if (action.use == use && (use == KeyUse::always || player) && binding.key == key &&
                binding.modifiers == wanted && (action.repeats || !repeated)) {
                return &action;
            }
        }
    }
    return nullptr;
}

std::vector<KeyComplaint> Actions::set_keys(const std::vector<KeyChoice>& choices) {
    ++revision_;
    std::vector<KeyBinding> chosen; // what people say, which goes before what the program says
    std::vector<std::pair<const Action*, std::size_t>> replaced; // with the choice
    std::vector<KeyComplaint> complaints;
    const auto choice_of = [&](const Action* action) {
        return std::ranges::find_if(replaced, [&](const auto& r) { return r.first == action; });
    };
    for (std::size_t i = 0; i < choices.size(); ++i) {
        const KeyChoice& choice = choices[i];
        const Action* action = find(choice.id);
        if (action == nullptr) {
            complaints.push_back({i, "unknown action \"" + choice.id + "\""});
            continue;
        }
        if (choice_of(action) != replaced.end()) {
            complaints.push_back({i, "the keys of \"" + choice.id + "\" are given twice"});
            continue;
        }
        replaced.emplace_back(action, i);
        for (const std::string& text : choice.keys) {
            const auto chord = parse_chord(text);
            if (!chord) {
                complaints.push_back(
                    {i, "\"" + text + "\" is not a key; write it like \"P\", \"F5\" or \"Ctrl+Shift+Z\""});
                continue;
            }
            KeyBinding binding{action, chord->first, chord->second, chord_text(chord->first, chord->second)};
            if (const KeyBinding* taken = taken_by(chosen, binding)) {
                complaints.push_back({i, binding.key_name + " is already used by \"" + taken->action->id + "\""});
                continue;
            }
            chosen.push_back(std::move(binding));
        }
    }
    // In the order of the actions, whose first binding is the one that is shown.
    bindings_.clear();
    for (const auto& action : actions_) {
        const auto of_this = [&](const KeyBinding& binding) { return binding.action == action.get(); };
        if (choice_of(action.get()) != replaced.end()) {
            std::ranges::copy_if(chosen, std::back_inserter(bindings_), of_this);
            continue;
        }
        const KeyBinding* lost = nullptr;
        const std::size_t before = bindings_.size();
        for (const KeyBinding& standard : defaults_) {
            if (of_this(standard)) {
                if (taken_by(chosen, standard) == nullptr) {
                    bindings_.push_back(standard);
                } else if (lost == nullptr) {
                    lost = &standard;
                }
            }
        }
        if (lost != nullptr && bindings_.size() == before) {
            const Action* taker = taken_by(chosen, *lost)->action;
            complaints.push_back({choice_of(taker)->second, lost->key_name + " is now \"" + taker->id + "\", and \"" +
                                                                action->id + "\" has no key"});
        }
    }
    return complaints;
}

std::vector<KeyBinding> Actions::as_bindings(const Action& action, const std::vector<std::string>& keys) const {
    std::vector<KeyBinding> all;
    for (const std::string& key : keys) {
        if (const auto chord = parse_chord(key)) {
            all.push_back({&action, chord->first, chord->second, chord_text(chord->first, chord->second)});
        }
    }
    return all;
}

std::vector<KeyConflict> Actions::conflicts(const Action& action, const std::vector<std::string>& keys) const {
    std::vector<KeyConflict> found;
    for (const KeyBinding& wanted : as_bindings(action, keys)) {
        for (const KeyBinding& binding : bindings_) {
            if (binding.action != &action && same_press(binding, wanted)) {
                found.push_back({binding.key_name, binding.action});
            }
        }
    }
    return found;
}

void Actions::assign(const Action& action, const std::vector<std::string>& keys) {
    const std::vector<KeyBinding> wanted = as_bindings(action, keys);
    std::vector<KeyChoice> choices;
    for (const auto& each : actions_) {
        std::vector<std::string> left;
        for (const KeyBinding& binding : each.get() == &action ? wanted : bindings_) {
            if (binding.action == each.get() && (each.get() == &action || taken_by(wanted, binding) == nullptr)) {
                left.push_back(binding.key_name);
            }
        }
        if (left != keys_in(defaults_, *each)) {
            choices.push_back({each->id, std::move(left)});
        }
    }
    set_keys(choices);
}

std::vector<KeyChoice> Actions::changed_keys() const {
    std::vector<KeyChoice> changed;
    for (const auto& action : actions_) {
        std::vector<std::string> keys = keys_in(bindings_, *action);
        if (keys != keys_in(defaults_, *action)) {
            changed.push_back({action->id, std::move(keys)});
        }
    }
    return changed;
}

std::vector<std::string> keys_in(const std::vector<KeyBinding>& table, const Action& action) {
    std::vector<std::string> keys;
    for (const KeyBinding& binding : table) {
        if (binding.action == &action) {
            keys.push_back(binding.key_name);
        }
    }
    return keys;
}

const std::vector<MouseBinding>& mouse_bindings() {
    static const std::vector<MouseBinding> table = {
        {"Left click, Shift + click", "Select a body; add or remove one"},
        {"Left drag on a body", "Drag it on a spring; wheel: nearer, farther"},
        {"Left drag on the background", "Box selection (Shift: add to it)"},
        {"Right drag", "Orbit about the point under the cursor"},
        {"Middle drag, Shift + right drag", "Pan"},
        {"Wheel", "Zoom towards the cursor"},
        {"Drop a file", "Open a scene or a capture; a mesh becomes a body"},
    };
    return table;
}

} // namespace cairn::ui
