// What only the build knows.
#pragma once

namespace cairn::core {

extern const char* const program_version;
// Where scenes and assets are: from an installed program's own folder, and in the source tree.
extern const char* const data_from_program;
extern const char* const source_data;

} // namespace cairn::core
