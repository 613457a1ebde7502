#include "app/ui/panels/body/body_rows.h"

#include "app/ui/text/number_format.h"

#include <imgui_internal.h>

namespace cairn::ui {

bool TurnRow::operator()(Widgets& w, const char* id, const char* help, physics::Quat& orientation, bool same) {
    if (!editing_ || !same) {
        degrees_ = degrees_per_radian * glm::eulerAngles(orientation);
    }
    const bool turned = w.vector(id, "Rotation", degrees_, {"°", -180.0f, 180.0f, 0.5f, "%.0f", help});
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
