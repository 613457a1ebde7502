#include "app/core/base/build_facts.h"

namespace cairn::core {

const char* const program_version = CAIRN_VERSION;
const char* const data_from_program = CAIRN_DATA_FROM_PROGRAM;
const char* const source_data = CAIRN_SOURCE_DATA;

} // namespace cairn::core
