// What a person expects of the scene from the next step on, for as long as the panel says.
#pragma once

#include "app/ui/context/context.h"

namespace cairn::ui {

struct ExpectationSettings : Part {
    float seconds = 5.0f; // for which something is expected from here on
};

enum class SelectionExpectation { rest, upright, place, touch, no_touch };
void expect_of_selection(Context& ctx, SelectionExpectation what);
void expect_at_most(Context& ctx, core::Measure measure, double most);
struct PointOfBody {
    physics::BodyId body;
    physics::Vec3 local{0.0f};
};
void expect_distance(Context& ctx, const PointOfBody& from, const PointOfBody& to, double distance);
// Those that the scene's file does not hold yet, into it.
void write_expectations(Context& ctx);

void expectations_panel(Context& ctx);

} // namespace cairn::ui
