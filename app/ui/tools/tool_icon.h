// The icon of a tool, drawn into a button.
#pragma once

#include <imgui.h>

namespace cairn::ui {

struct IconPen {
    ImDrawList* draw;
    ImVec2 centre;
    float r, stroke;
    ImU32 ink;

    ImVec2 at(float x, float y) const { return {centre.x + x * r, centre.y + y * r}; }
    void line(float x0, float y0, float x1, float y1) const { draw->AddLine(at(x0, y0), at(x1, y1), ink, stroke); }
    void head(float x, float y, float dx, float dy) const { // an arrow's, pointing along (dx, dy)
        constexpr float length = 0.5f, half = 0.38f;
        draw->AddTriangleFilled(at(x, y), at(x - length * dx - half * dy, y - length * dy + half * dx),
                                at(x - length * dx + half * dy, y - length * dy - half * dx), ink);
    }
    void arc(float x, float y, float radius, float from, float to) const {
        draw->PathArcTo(at(x, y), radius * r, from, to, 20);
        draw->PathStroke(ink, 0, stroke);
    }
};

} // namespace cairn::ui
