#include "app/ui/timeline/branch_graph.h"

#include "app/ui/input/actions.h"
#include "app/ui/timeline/ghosts.h"
#include "app/ui/timeline/past.h"
#include "app/ui/timeline/playback.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace cairn::ui {

namespace {

using Branches = std::vector<core::History::Branch>;

float row_height(const Context& ctx) {
    return ImGui::GetTextLineHeight() + 3.0f * ctx.widgets.scale;
}

std::uint64_t end_of(const Context& ctx, std::size_t index) {
    return index == ctx.simulation.current_branch() ? ctx.simulation.known_steps()
                                                    : ctx.simulation.branches()[index].end;
}

// Up to which step the branch in force has its past on this one; none: it does not come from it.
std::optional<std::uint64_t> part_of_current(const Context& ctx, std::size_t index) {
    const Branches& branches = ctx.simulation.branches();
    std::size_t each = ctx.simulation.current_branch();
    std::uint64_t end = ctx.simulation.known_steps();
    while (each != index) {
        if (each == 0) {
            return std::nullopt;
        }
        end = std::min(end, branches[each].fork);
        each = branches[each].parent;
    }
    return end;
}

// As much of the text as there is room for.
FrameText shortened(std::string_view text, float room) {
    const auto width = [](std::string_view t) { return ImGui::CalcTextSize(t.data(), t.data() + t.size()).x; };
    if (width(text) <= room) {
        return FrameText(text);
    }
    const float dots = width("...");
    while (!text.empty() && width(text) + dots > room) {
        while (text.size() > 1 && (static_cast<unsigned char>(text.back()) & 0xC0u) == 0x80u) {
            text.remove_suffix(1); // a character is kept or left out as a whole
        }
        text.remove_suffix(1);
    }
    return joined(text, "...");
}

FrameText seconds(const Context& ctx, std::uint64_t step) {
    return formatted("%.2f s", static_cast<double>(step) / static_cast<double>(ctx.frame().settings.hz));
}

FrameText description(const Context& ctx, std::size_t index) {
    const core::History::Branch& branch = ctx.simulation.branches()[index];
    const FrameText from =
        index == 0 ? FrameText("Begins with the scene")
                   : joined("Leaves ", name_of_branch(ctx, branch.parent), " at ", seconds(ctx, branch.fork));
    const bool current = index == ctx.simulation.current_branch();
    return joined(name_of_branch(ctx, index), "\n", from, ", ends at ", seconds(ctx, end_of(ctx, index)),
                  current ? "\nThe branch that you are on." : "\nClick to switch to it, Shift+click for ghosts.");
}

// Where the rows of the picture are.
struct Rows {
    std::vector<std::size_t> row_of; // by branch
    float top = 0.0f, height = 1.0f;
    float middle(std::size_t index) const { return top + (static_cast<float>(row_of[index]) + 0.5f) * height; }
};

void draw_branch(const Context& ctx, const TrackScale& scale, const Rows& rows, std::size_t index, bool hovered) {
    const core::History::Branch& branch = ctx.simulation.branches()[index];
    const float s = ctx.widgets.scale, y = rows.middle(index), thick = 2.0f * s;
    const std::uint64_t end = end_of(ctx, index), fork = branch.fork;
    const std::optional<std::uint64_t> shared = part_of_current(ctx, index);
    const ImVec4 apart = hovered ? theme::text : theme::muted;
    const ImVec4& own = shared ? theme::accent : apart;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (index != 0 && scale.shows(fork)) {
        const float x = scale.x_of(fork), from = rows.middle(branch.parent);
        draw->AddLine(ImVec2(x, from), ImVec2(x, y + 0.5f * thick), theme::packed(own), thick);
        draw->AddCircleFilled(ImVec2(x, from), 3.0f * s, theme::packed(own), 12);
    }
    const auto piece = [&](std::uint64_t from, std::uint64_t to, const ImVec4& colour) {
        const bool seen = static_cast<double>(to) >= scale.first &&
                          static_cast<double>(from) <= scale.first + scale.length && to >= from;
        if (seen) {
            draw->AddLine(ImVec2(scale.x_of(from), y), ImVec2(scale.x_of(to), y), theme::packed(colour), thick);
        }
    };
    if (shared) {
        piece(*shared, end, apart);
        piece(fork, *shared, theme::accent);
    } else {
        piece(fork, end, apart);
    }
    if (scale.shows(end)) {
        const ImVec4& colour = shared && *shared == end ? theme::accent : apart;
        draw->AddLine(ImVec2(scale.x_of(end), y - 3.5f * s), ImVec2(scale.x_of(end), y + 3.5f * s),
                      theme::packed(colour), thick);
    }
    const std::uint64_t step = ctx.frame().step;
    if (shared && step <= *shared && (step > fork || index == 0) && scale.shows(step)) {
        draw->AddCircleFilled(ImVec2(scale.x_of(step), y), 4.5f * s, theme::packed(theme::accent), 16);
    }
}

// One row: true where it was clicked.
bool row(Context& ctx, const TrackScale& scale, const Rows& rows, std::size_t index, float width) {
    const float s = ctx.widgets.scale;
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool current = index == ctx.simulation.current_branch();
    const bool clicked =
        ImGui::InvisibleButton(formatted("##timeline.branch.%zu", index + 1).c_str(), ImVec2(width, rows.height));
    ctx.widgets.mark(formatted("timeline.branch.%zu", index + 1));
    const bool hovered = ImGui::IsItemHovered();
    ctx.widgets.tip_by([&] { return description(ctx, index); });
    ImDrawList* draw = ImGui::GetWindowDrawList();
    if (hovered) {
        draw->AddRectFilled(low, ImVec2(low.x + width, low.y + rows.height), theme::packed(theme::text, 0.08f),
                            3.0f * s);
    }
    const ImVec2 mark(low.x + 6.0f * s, rows.middle(index));
    if (current) {
        draw->AddCircleFilled(mark, 3.5f * s, theme::packed(theme::accent), 12);
    } else if (ctx.get<Ghosts>().branch == index) {
        draw->AddCircle(mark, 3.5f * s, theme::packed(theme::text), 12, 1.5f * s);
    }
    const float text = low.x + 14.0f * s;
    float room = scale.low - 8.0f * s - text;
    // Names repeat, as the edits do that they come from: where it leaves tells them apart.
    const FrameText fork = index == 0 ? FrameText() : seconds(ctx, ctx.simulation.branches()[index].fork);
    const float fork_width = ImGui::CalcTextSize(fork.c_str()).x;
    if (index != 0 && room > fork_width + 70.0f * s) {
        draw->AddText(ImVec2(text + room - fork_width, low.y + 1.5f * s), theme::packed(theme::muted), fork.c_str());
        room -= fork_width + 8.0f * s;
    }
    draw->AddText(ImVec2(text, low.y + 1.5f * s), theme::packed(current ? theme::accent : theme::text),
                  shortened(name_of_branch(ctx, index).c_str(), room).c_str());
    draw_branch(ctx, scale, rows, index, hovered);
    return clicked;
}

} // namespace

float TrackScale::x_of(std::uint64_t step) const {
    const double share = std::clamp((static_cast<double>(step) - first) / length, 0.0, 1.0);
    return low + (high - low) * static_cast<float>(share);
}

std::vector<std::size_t> branch_order(std::span<const core::History::Branch> branches) {
    std::vector<std::size_t> order, open;
    if (!branches.empty()) {
        open.push_back(0);
    }
    while (!open.empty()) {
        const std::size_t index = open.back();
        open.pop_back();
        order.push_back(index);
        const std::size_t first = open.size();
        for (std::size_t i = branches.size(); i-- > 1;) {
            if (branches[i].parent == index) {
                open.push_back(i);
            }
        }
        // The last of these is taken next.
        std::stable_sort(open.begin() + static_cast<std::ptrdiff_t>(first), open.end(),
                         [&](std::size_t a, std::size_t b) { return branches[a].fork < branches[b].fork; });
    }
    return order;
}

float branch_graph_height(const Context& ctx) {
    const std::size_t count = ctx.simulation.branches().size();
    if (count < 2) {
        return 0.0f;
    }
    // More of them are scrolled through.
    const float share = 0.16f * ctx.window_size().y / row_height(ctx);
    const auto most = static_cast<std::size_t>(std::clamp(share, 2.0f, 6.0f));
    return static_cast<float>(std::min(count, most)) * row_height(ctx) + 2.0f * ctx.widgets.scale;
}

void branch_graph(Context& ctx, const TrackScale& scale, float width) {
    const std::vector<std::size_t> order = branch_order(ctx.simulation.branches());
    const std::size_t current = ctx.simulation.current_branch();
    std::optional<std::size_t> chosen;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0.0f, 0.0f));
    ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, 6.0f * ctx.widgets.scale);
    if (ImGui::BeginChild("timeline.branches", ImVec2(width, branch_graph_height(ctx)), false,
                          ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoBackground)) {
        Rows rows;
        rows.height = row_height(ctx);
        rows.top = ImGui::GetCursorScreenPos().y;
        rows.row_of.resize(order.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            rows.row_of[order[i]] = i;
        }
        const float inner = ImGui::GetContentRegionAvail().x;
        for (const std::size_t index : order) {
            if (row(ctx, scale, rows, index, inner)) {
                chosen = index;
            }
            if (index == current && ctx.get<TimelineState>().branch_in_view != current) {
                ImGui::SetScrollHereY();
                ctx.get<TimelineState>().branch_in_view = current;
            }
        }
    }
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    if (!chosen || *chosen == current) {
        return;
    }
    Ghosts& ghosts = ctx.get<Ghosts>();
    if (ImGui::GetIO().KeyShift) {
        ghosts.branch = ghosts.branch == chosen ? std::nullopt : chosen;
        ghosts.forget();
    } else {
        take_branch(ctx, *chosen);
    }
}

void take_branch_beside(Context& ctx, int rows) {
    const std::vector<std::size_t> order = branch_order(ctx.simulation.branches());
    const auto at = std::ranges::find(order, ctx.simulation.current_branch()) - order.begin() + rows;
    if (at < 0 || at >= static_cast<std::ptrdiff_t>(order.size())) {
        ctx.log.info(order.size() < 2 ? "The history has one branch" : "There is no branch beyond this one");
        return;
    }
    take_branch(ctx, order[static_cast<std::size_t>(at)]);
    ctx.log.info(joined("Now on ", name_of_branch(ctx, order[static_cast<std::size_t>(at)])).c_str());
}

} // namespace cairn::ui
