#include "app/ui/window/shown_panels.h"

namespace cairn::ui {

void ShownPanels::add(const void* values, std::size_t size) {
    const auto* bytes = static_cast<const std::byte*>(values);
    if (now_.size() + size > now_.capacity()) { // both, and seldom: a frame of a window at rest allocates nothing
        now_.reserve(2 * (now_.size() + size));
        last_.reserve(now_.capacity());
    }
    now_.insert(now_.end(), bytes, bytes + size);
}

bool ShownPanels::change_to(const ImDrawData& panels) {
    now_.clear();
    bool unknown = false;
    add(panels.DisplayPos);
    add(panels.DisplaySize);
    add(panels.FramebufferScale);
    for (int i = 0; i < panels.CmdListsCount; ++i) {
        const ImDrawList& list = *panels.CmdLists[i];
        for (const ImDrawCmd& command : list.CmdBuffer) { // one by one: there may be gaps between the members
            add(command.ClipRect);
            add(command.TextureId);
            add(command.VtxOffset);
            add(command.IdxOffset);
            add(command.ElemCount);
            unknown = unknown || command.UserCallback != nullptr;
        }
        add(list.IdxBuffer.Data, sizeof(ImDrawIdx) * static_cast<std::size_t>(list.IdxBuffer.Size));
        add(list.VtxBuffer.Data, sizeof(ImDrawVert) * static_cast<std::size_t>(list.VtxBuffer.Size));
        // Where one list ends and the next begins.
        add(list.CmdBuffer.Size);
        add(list.IdxBuffer.Size);
        add(list.VtxBuffer.Size);
    }
    const bool changed = unknown || now_ != last_;
    now_.swap(last_);
    return changed;
}

} // namespace cairn::ui
