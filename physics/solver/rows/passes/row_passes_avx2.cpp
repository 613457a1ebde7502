#include "physics/solver/rows/row_targets.h"

#include <hwy/detect_targets.h>

#undef HWY_TARGET
#define HWY_TARGET HWY_AVX2
#if (HWY_TARGETS & HWY_TARGET) && HWY_TARGET != HWY_STATIC_TARGET
#include "physics/solver/rows/passes/run_rows-inl.h"
#endif
