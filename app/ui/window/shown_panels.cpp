#include "app/ui/window/shown_panels.h"

#include "physics/base/hash.h"

#include <cstddef>
#include <functional>
#include <string_view>

namespace cairn::ui {

bool ShownPanels::change_to(const ImDrawData& panels) {
    std::uint64_t now = 0;
    bool unknown = false;
    const auto add_bytes = [&](const void* values, std::size_t size) {
        const std::string_view bytes(static_cast<const char*>(values), size);
        now = physics::mix_bits(now + std::hash<std::string_view>()(bytes));
    };
    const auto add = [&](const auto& value) { add_bytes(&value, sizeof value); };
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
        add_bytes(list.IdxBuffer.Data, sizeof(ImDrawIdx) * static_cast<std::size_t>(list.IdxBuffer.Size));
        add_bytes(list.VtxBuffer.Data, sizeof(ImDrawVert) * static_cast<std::size_t>(list.VtxBuffer.Size));
    }
    const bool changed = unknown || now != last_;
    last_ = now;
    return changed;
}

} // namespace cairn::ui
