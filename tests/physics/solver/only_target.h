// Vector widths for tests of what must not depend on them.
#pragma once

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <cstdint>

namespace cairn::physics::testing {

// Has Highway take this target until the end of the scope.
class OnlyTarget {
  public:
    explicit OnlyTarget(std::int64_t target) { hwy::GetChosenTarget().Update(target); }
    OnlyTarget(const OnlyTarget&) = delete;
    OnlyTarget& operator=(const OnlyTarget&) = delete;
    ~OnlyTarget() { hwy::GetChosenTarget().DeInit(); }
};

} // namespace cairn::physics::testing
