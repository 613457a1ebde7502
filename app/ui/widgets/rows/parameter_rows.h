// Rows for what the tables of parameters hold: one number or switch each, with its sentence, range and default.
#pragma once

#include "app/ui/widgets/widgets.h"
#include "physics/world/frame_state.h"
#include "physics/world/parameters/parameters.h"

namespace cairn::ui {

// "m/s^2" as people write it.
FrameText unit_for_people(std::string_view unit);

// The row's widget is `section` and the key, its reset the same with ".reset". `at_start` is what the scene starts
// with; the tooltip says where that is not the default. True when the value changed.
bool parameter_row(Widgets& widgets, const physics::Parameter& parameter, physics::Settings& settings,
                   const physics::Settings& at_start, std::string_view section = "world.");

// The row's widget is "body." and the key. Asks for the change in `edit`; true if there is one. `mass` is the present
// one, which a definition by density does not state. `mixed`: several bodies are shown, which differ in this.
bool body_parameter_row(Widgets& widgets, const physics::BodyParameter& parameter, const physics::BodyDef& body,
                        float mass, physics::SetBody& edit, bool mixed = false);
// Whether two bodies differ in it.
bool differs(const physics::BodyParameter& parameter, const physics::BodyModel& a, const physics::BodyModel& b);

// Whether a person who looks for `words` means this: they stand in its label, key, group or sentence, in any case.
bool is_meant(const physics::Parameter& parameter, std::string_view words);

} // namespace cairn::ui
