// Bytes as text that survives anywhere: RFC 4648, section 4, with padding.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace cairn::core {

std::string base64(std::span<const std::byte> bytes);

// nullopt for what is no such text. The padding may be missing.
std::optional<std::string> from_base64(std::string_view text);

} // namespace cairn::core
