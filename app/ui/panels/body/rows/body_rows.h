// Rows that the sections of a body have in common.
#pragma once

#include "app/ui/text/frame_text.h"
#include "app/ui/widgets/widgets.h"
#include "physics/base/math.h"
#include "physics/world/frame_state.h"

#include <optional>

namespace cairn::ui {

// Three fields for an orientation.
class TurnRow {
  public:
    // The fields are `id` with .x, .y and .z. `same`: it is still the orientation of the frame before. True when it was
    // changed.
    bool operator()(Widgets& widgets, const char* id, const char* help, physics::Quat& orientation, bool same);

  private:
    glm::vec3 degrees_{0.0f}; // while a field is dragged: the angles of a quaternion may jump
    bool editing_ = false;
};

// "body 3" where it has no name.
FrameText listed_name(const physics::FrameState& frame, std::size_t place);

// As the body is drawn awake, linear.
glm::vec3 shown_colour(const physics::BodyModel& model, const physics::BodyState& body);

// A switch for what a thing may have or not, and its rows while it has it. True if anything has changed. `fresh`: what
// it has at first.
template <class T, class Rows>
bool optional_rows(Widgets& w, const char* id, const char* title, const char* help, std::optional<T>& value,
                   const T& fresh, const Rows& rows) {
    bool has = value.has_value();
    const bool switched = w.toggle(id, title, has, help);
    if (switched) {
        value = has ? std::optional<T>(fresh) : std::nullopt;
    }
    return (value && rows(*value)) || switched;
}

} // namespace cairn::ui
