#include "app/ui/widgets/icons/icon.h"

namespace cairn::ui {

void draw_icon(ImDrawList& out, Icon icon, const ImVec2& centre, float r, float stroke, ImU32 ink) {
    const auto at = [&](float x, float y) { return ImVec2(centre.x + x * r, centre.y + y * r); };
    switch (icon) {
    case Icon::play:
        out.AddTriangleFilled(at(-0.75f, -1), at(1, 0), at(-0.75f, 1), ink);
        break;
    case Icon::play_back:
        out.AddTriangleFilled(at(0.75f, -1), at(-1, 0), at(0.75f, 1), ink);
        break;
    case Icon::pause:
        out.AddRectFilled(at(-0.85f, -1), at(-0.25f, 1), ink);
        out.AddRectFilled(at(0.25f, -1), at(0.85f, 1), ink);
        break;
    case Icon::what_if: // a way that parts
        out.AddLine(at(-1, 0.6f), at(1, 0.6f), ink, stroke);
        out.AddLine(at(-0.7f, 0.6f), at(0.1f, -0.6f), ink, stroke);
        out.AddLine(at(0.1f, -0.6f), at(1, -0.6f), ink, stroke);
        break;
    case Icon::hurry:
        out.AddTriangleFilled(at(-1, -0.9f), at(0, 0), at(-1, 0.9f), ink);
        out.AddTriangleFilled(at(0, -0.9f), at(1, 0), at(0, 0.9f), ink);
        break;
    case Icon::more:
        for (const float x : {-0.8f, 0.0f, 0.8f}) {
            out.AddCircleFilled(at(x, 0), 1.2f * stroke, ink);
        }
        break;
    case Icon::brush: // its hair at the lower left
        out.AddLine(at(1, -1), at(-0.1f, 0.1f), ink, 1.3f * stroke);
        out.AddTriangleFilled(at(-0.35f, -0.25f), at(0.3f, 0.4f), at(-1, 1), ink);
        break;
    case Icon::step:
        out.AddTriangleFilled(at(-0.95f, -1), at(0.45f, 0), at(-0.95f, 1), ink);
        out.AddRectFilled(at(0.5f, -1), at(0.95f, 1), ink);
        break;
    case Icon::step_back:
        out.AddTriangleFilled(at(0.95f, -1), at(-0.45f, 0), at(0.95f, 1), ink);
        out.AddRectFilled(at(-0.95f, -1), at(-0.5f, 1), ink);
        break;
    case Icon::restart:
        out.PathArcTo(centre, r, -1.2f, 3.6f, 20);
        out.PathStroke(ink, 0, stroke);
        out.AddTriangleFilled(at(-0.35f, -1.0f), at(0.55f, -1.55f), at(0.55f, -0.45f), ink);
        break;
    case Icon::undo:
    case Icon::redo: {
        const float way = icon == Icon::undo ? 1.0f : -1.0f;
        out.AddLine(at(-0.8f * way, -0.35f), at(0.3f * way, -0.35f), ink, stroke);
        out.PathArcTo(at(0.3f * way, 0.3f), 0.65f * r, -1.5708f, -1.5708f + way * 3.1416f, 12);
        out.PathStroke(ink, 0, stroke);
        out.AddLine(at(0.3f * way, 0.95f), at(-0.4f * way, 0.95f), ink, stroke);
        out.AddTriangleFilled(at(-1.1f * way, -0.35f), at(-0.35f * way, -0.95f), at(-0.35f * way, 0.25f), ink);
        break;
    }
    case Icon::record:
        out.AddCircleFilled(centre, r, ink, 24);
        break;
    case Icon::stop:
        out.AddRectFilled(at(-0.85f, -0.85f), at(0.85f, 0.85f), ink, 0.9f * stroke);
        break;
    case Icon::help: {
        const ImVec2 size = ImGui::CalcTextSize("?");
        out.AddText(ImVec2(centre.x - 0.5f * size.x, centre.y - 0.5f * size.y), ink, "?");
        break;
    }
    case Icon::camera:
        out.AddRect(at(-1.1f, -0.6f), at(1.1f, 0.9f), ink, 1.2f * stroke, 0, stroke);
        out.AddCircle(at(0, 0.15f), 0.42f * r, ink, 16, stroke);
        out.AddRectFilled(at(-0.4f, -1.0f), at(0.4f, -0.6f), ink);
        break;
    case Icon::reset:
        out.PathArcTo(centre, 0.8f * r, -1.2f, 3.6f, 16);
        out.PathStroke(ink, 0, stroke);
        break;
    case Icon::fold_left:
        out.AddTriangleFilled(at(0.6f, -1), at(-0.8f, 0), at(0.6f, 1), ink);
        break;
    case Icon::fold_right:
        out.AddTriangleFilled(at(-0.6f, -1), at(0.8f, 0), at(-0.6f, 1), ink);
        break;
    case Icon::unfold:
        for (const float y : {-0.8f, 0.0f, 0.8f}) {
            out.AddLine(at(-1, y), at(1, y), ink, stroke);
        }
        break;
    }
}

} // namespace cairn::ui
