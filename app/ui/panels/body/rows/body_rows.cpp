#include "app/ui/panels/body/rows/body_rows.h"

#include "app/ui/text/number_format.h"
#include "app/ui/widgets/palette.h"

#include <imgui_internal.h>

namespace cairn::ui {

FrameText listed_name(const physics::FrameState& frame, std::size_t place) {
    const std::string& name = frame.models[place]->def.name;
    return name.empty() ? formatted("body %u", frame.bodies[place].id.index) : FrameText(name);
}

glm::vec3 shown_colour(const physics::BodyModel& model, const physics::BodyState& body) {
    return model.def.colour ? core::body_colour(*model.def.colour, 1.0f)
           : body.type == physics::BodyType::fixed
               ? colours::neutral()
               : colours::of_body(hue_of_slot(body.id.index), 1.0f, shade_of_slot(body.id.index));
}

bool TurnRow::operator()(Widgets& w, const char* id, const char* help, physics::Quat& orientation, bool same) {
    if (!editing_ || !same) {
        degrees_ = degrees_per_radian * glm::eulerAngles(orientation);
    }
    const bool turned = w.vector(id, "Rotation", degrees_, {"°", -180.0f, 180.0f, 0.5f, "%.1f", help});
    editing_ = false;
    for (const char* axis : {".x", ".y", ".z"}) {
        editing_ |= ImGui::GetActiveID() == ImGui::GetID(joined("##", id, axis).c_str());
    }
    if (turned) {
        orientation = physics::normalized(glm::quat(degrees_ / degrees_per_radian));
    }
    return turned;
}

} // namespace cairn::ui
