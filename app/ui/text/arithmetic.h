// Numbers as people type them into fields: "2*9.81", "-1/3 + 2".
#pragma once

#include <optional>
#include <string_view>

namespace cairn::ui {

// Numbers with + - * / and brackets, by the usual precedence; nullopt for what is no such thing. Too large or divided
// by zero: infinite.
std::optional<double> arithmetic(std::string_view text);

} // namespace cairn::ui
