// The same tosses simulated by Bullet, for a comparison on the same record, cube and measure.
#pragma once

#include "bench/tosses/toss_run.h"

namespace cairn::bench {

// As simulate(), with Bullet's defaults and as many steps between two rows as the setup has substeps. The cube is as
// solid as ours.
std::vector<TossRow> simulate_with_bullet(const Toss& toss, const TossSetup& setup);

} // namespace cairn::bench
