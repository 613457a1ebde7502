#include "app/ui/plots/drawer.h"

#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/plots/plot_panel.h"
#include "app/ui/screen/layout.h"
#include "app/ui/settings/archive/settings_archive.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

bool tab(Context& ctx, const char* id, const char* title, Drawer::Page page) {
    const bool lit = ctx.get<Drawer>().page == page;
    ImGui::PushStyleColor(ImGuiCol_Button, lit ? ImVec4(0.26f, 0.30f, 0.36f, 1.0f) : ImVec4(0, 0, 0, 0));
    ImGui::PushStyleColor(ImGuiCol_Text, lit ? theme::text : theme::muted);
    const bool pressed = ctx.widgets.button(id, title, "");
    ImGui::PopStyleColor(2);
    return pressed;
}

FrameText clock_of(double seconds) {
    return formatted("%2d:%04.1f", static_cast<int>(seconds / 60.0), std::fmod(seconds, 60.0));
}

bool contains(const std::string& text, const std::string& word) {
    return std::search(text.begin(), text.end(), word.begin(), word.end(), [](unsigned char a, unsigned char b) {
               return std::tolower(a) == std::tolower(b);
           }) != text.end();
}

void copy_log(Context& ctx) {
    std::string text;
    const auto& messages = ctx.log.all();
    Drawer& drawer = ctx.get<Drawer>();
    for (const std::size_t i : drawer.shown) {
        const Message& m = messages[i];
        text += joined(clock_of(m.at), "  ", severity_names[static_cast<std::size_t>(m.severity)], "  ", m.text);
        text += m.times > 1 ? "  (" + std::to_string(m.times) + " times)\n" : "\n";
    }
    ImGui::SetClipboardText(text.c_str());
    ctx.log.info(std::to_string(drawer.shown.size()) + (drawer.shown.size() == 1 ? " line" : " lines") + " copied");
}

void log_page(Context& ctx) {
    Drawer& d = ctx.get<Drawer>();
    Widgets& w = ctx.widgets;
    const float s = w.scale;
    const auto& messages = ctx.log.all();
    d.shown.clear();
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const Message& m = messages[i];
        const bool wanted = m.severity == Severity::error     ? d.errors
                            : m.severity == Severity::warning ? d.warnings
                                                              : d.notes;
        if (wanted && contains(m.text, d.filter)) {
            d.shown.push_back(i);
        }
    }
    const float copy = 60.0f * s;
    w.text("log.filter", "Filter", d.filter, std::max(ImGui::GetContentRegionAvail().x - 320.0f * s, 80.0f * s));
    ImGui::SameLine();
    w.toggle("log.errors", "Errors", d.errors, "Errors.");
    ImGui::SameLine();
    w.toggle("log.warnings", "Warnings", d.warnings, "Warnings of the engine and the program.");
    ImGui::SameLine();
    w.toggle("log.notes", "Notes", d.notes, "Notes on what was done.");
    ImGui::SameLine(std::max(ImGui::GetContentRegionMax().x - copy, ImGui::GetCursorPosX()));
    if (w.button("log.copy", "Copy", "Copies the lines below to the clipboard.", copy, !d.shown.empty())) {
        copy_log(ctx);
    }
    ImGui::BeginChild("log.lines");
    const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1.0f;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(d.shown.size()), ImGui::GetTextLineHeightWithSpacing());
    while (clipper.Step()) {
        for (int line = clipper.DisplayStart; line < clipper.DisplayEnd; ++line) {
            const Message& m = messages[d.shown[static_cast<std::size_t>(line)]];
            ImGui::PushFont(w.fonts.mono);
            ImGui::TextColored(theme::muted, "%s", clock_of(m.at).c_str());
            ImGui::PopFont();
            ImGui::SameLine();
            const ImVec4 colour = m.severity == Severity::error     ? theme::bad
                                  : m.severity == Severity::warning ? theme::accent
                                                                    : theme::text;
            ImGui::TextColored(colour, "%s", m.text.c_str());
            w.tip(m.text);
            if (m.times > 1) {
                ImGui::SameLine();
                ImGui::TextColored(theme::muted, "%d times", m.times);
            }
        }
    }
    if (d.shown.empty()) {
        w.muted(messages.empty() ? "The log is empty." : "Nothing matches the filter.", false);
    } else if (at_end) {
        ImGui::SetScrollHereY(1.0f);
    }
    ImGui::EndChild();
}

} // namespace

void toggle_drawer(Context& ctx, Drawer::Page page) {
    Drawer& d = ctx.get<Drawer>();
    d.open = !d.open || d.page != page || !ctx.get<Layout>().show_ui;
    d.page = page;
    ctx.get<Layout>().show_ui |= d.open;
    if (d.open) {
        ctx.camera.fit = CameraControl::Fit::glide;
    }
}

void place_drawer(Context& ctx, float left, float right) {
    Drawer& d = ctx.get<Drawer>();
    const float s = ctx.widgets.scale, margin = 8.0f * s;
    const float window = ctx.window_size().x, high = ctx.window_size().y;
    const float height = std::min(236.0f * s, 0.42f * high);
    d.under_columns = right - left < 340.0f * s;
    d.place = d.under_columns ? Rectangle{margin, high - margin - height, window - 2.0f * margin, height}
                              : Rectangle{left, high - margin - height, right - left, height};
}

void draw_drawer(Context& ctx) {
    Drawer& d = ctx.get<Drawer>();
    if (!d.open) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale;
    ImGui::SetNextWindowPos(ImVec2(d.place.x, d.place.y));
    ImGui::SetNextWindowSize(ImVec2(d.place.width, d.place.height));
    if (ImGui::Begin("drawer", nullptr,
                     fixed_window | ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing)) {
        w.mark("drawer", d.place);
        if (tab(ctx, "drawer.plots", "Plots", Drawer::Page::plots)) {
            d.page = Drawer::Page::plots;
        }
        ImGui::SameLine(0.0f, 2.0f * s);
        if (tab(ctx, "drawer.log", "Log", Drawer::Page::log)) {
            d.page = Drawer::Page::log;
        }
        ImGui::SameLine();
        if (d.page == Drawer::Page::plots) {
            plot_controls(ctx);
        }
        const float side = ImGui::GetFrameHeight();
        ImGui::SameLine(ImGui::GetContentRegionMax().x - side);
        const char* action = d.page == Drawer::Page::plots ? "plots" : "log";
        if (w.button("drawer.close", "×", joined("Close (", ctx.key_of(action), ")").c_str(), side)) {
            d.open = false;
        }
        if (d.page == Drawer::Page::plots) {
            plot_page(ctx);
        } else {
            log_page(ctx);
        }
    }
    ImGui::End();
}

void Drawer::remember(Context&, SettingsArchive& a) {
    a.enter("drawer");
    a.value("open", open);
    constexpr std::string_view pages[] = {"plots", "log"};
    int index = static_cast<int>(page);
    a.word("page", index, pages);
    page = static_cast<Page>(index);
    a.value("span", span, 0, 3);
    a.enter("thresholds");
    for (std::size_t i = 0; i < plot_count; ++i) {
        a.value(plot_id(i), thresholds[i]);
    }
    a.leave();
    a.leave();
}

} // namespace cairn::ui
