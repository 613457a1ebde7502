// Counts what the test program allocates, for the test that a settled frame allocates nothing.
#pragma once

namespace cairn::render::tests {

long allocation_count(); // calls of operator new since the start, on all threads

} // namespace cairn::render::tests
