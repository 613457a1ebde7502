// The standard input as a file: "-" among the arguments of the command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace cairn::core {

// As large as a capture may be, compressed.
inline constexpr std::uint64_t max_standard_input_bytes = std::uint64_t{1} << 30;

// A path at which the standard input can be read as any file, from any place in it and as often as needed: all of it
// has been read then, into memory where it is a pipe. Throws InputError where it is too large or cannot be read.
std::filesystem::path standard_input_file(std::uint64_t limit = max_standard_input_bytes);

// A path in words for people: "standard input" for the one above.
std::string shown_name(const std::filesystem::path& path);

// Why what is no regular file is not read.
inline constexpr const char* not_regular = "is no regular file; write - to read the standard input";

} // namespace cairn::core
