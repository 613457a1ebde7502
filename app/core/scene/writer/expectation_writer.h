// The text of a scene's zones and expectations.
#pragma once

#include "app/core/scene/scene.h"
#include "app/core/scene/values/json_text.h"

namespace cairn::core {

// An entry of "zones" and one of "expect".
std::string zone_text(const Zone& zone);
std::string expectation_text(const Expectation& expectation);
// The list as the file's member "expect" holds it.
std::string expectations_text(const Scene& scene);

void write_zone(WrappedText& out, const Zone& zone);
void write_expectation(WrappedText& out, const Expectation& expectation);

} // namespace cairn::core
