// Bytes as text that survives anywhere: RFC 4648, section 4, with padding.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace cairn::core {

std::string base64(std::span<const std::byte> bytes);

} // namespace cairn::core
