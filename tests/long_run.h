// Whether a run of the tests may take minutes: what an ordinary one repeats less (./test.sh --long).
#pragma once

#include <cstdlib>
#include <string_view>

namespace cairn {

inline bool long_run() {
    const char* value = std::getenv("CAIRN_LONG");
    return value != nullptr && std::string_view(value) == "1";
}

} // namespace cairn
