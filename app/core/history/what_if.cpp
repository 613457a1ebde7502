#include "app/core/history/what_if.h"

#include "app/core/report/formats/number_text.h"
#include "physics/world/parameters/parameters.h"

#include <type_traits>
#include <variant>

namespace cairn::core {

using namespace cairn::physics;

namespace {

std::string value_text(const Settings& settings, const Parameter& parameter) {
    return std::visit(
        [&](auto member) {
            const auto& value = settings.*member;
            using Value = std::remove_cvref_t<decltype(value)>;
            std::string text;
            if constexpr (std::is_same_v<Value, bool>) {
                text = value ? "on" : "off";
            } else if constexpr (std::is_same_v<Value, Vec3>) {
                for (int i = 0; i < 3; ++i) {
                    text += i == 0 ? "(" : ", ";
                    append_number(text, value[i]);
                }
                text += ")";
            } else {
                append_number(text, value);
            }
            return text;
        },
        parameter.member);
}

} // namespace

WhatIf::WhatIf(const History& history, std::uint64_t step)
    : branch_(history.current_branch()),
      from_(step),
      end_(history.steps()),
      then_(history.settings_after(branch_, step)) {
}

Command WhatIf::carried(const Command& command, const Settings& now) {
    const auto* set = std::get_if<SetSettings>(&command);
    if (set == nullptr) {
        return command;
    }
    SetSettings carried{now};
    for (const Parameter& parameter : parameters) {
        if (differs(then_, set->settings, parameter)) {
            copy(carried.settings, set->settings, parameter);
        }
    }
    then_ = set->settings;
    return carried;
}

std::string settings_changes(const Settings& before, const Settings& after) {
    std::string text;
    std::size_t count = 0;
    for (const Parameter& parameter : parameters) {
        if (differs(before, after, parameter) && ++count <= 3) {
            text += text.empty() ? "" : ", ";
            text += std::string(parameter.label) + " " + value_text(after, parameter);
        }
    }
    return count > 3 ? text + " and " + std::to_string(count - 3) + " more" : text;
}

} // namespace cairn::core
