#include "app/ui/context/context.h"
#include "app/ui/input/actions.h"
#include "app/ui/lab/lab.h"
#include "app/ui/lab/lab_state.h"
#include "app/ui/lab/picture/lab_look.h"
#include "app/ui/screen/layout.h"
#include "app/ui/view/labels/labels.h"

#include <algorithm>
#include <cmath>
#include <imgui_internal.h>

namespace cairn::ui {

namespace lab = core::lab;

namespace {

void close_row(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const bool two_bodies = state.has_pair && state.pair.a.bounding_radius > 0.0f;
    w.heading(two_bodies ? joined("Collision lab: ", state.pair.name_a, " and ", state.pair.name_b)
                         : FrameText("Collision lab"));
    const float side = ImGui::GetFrameHeight() + 4.0f * w.scale;
    ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - side);
    if (w.icon_button("lab.close", Icon::fold_right, joined("Close the lab (", ctx.key_of("lab"), ")"))) {
        state.open = false;
    }
}

void question_rows(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const auto count = static_cast<int>(state.questions.lines.size());
    const auto go = [&](int to) {
        state.question = to;
        state.stale = true;
        state.step = 0;
    };
    if (count > 1) {
        const float gap = 4.0f * w.scale, side = ImGui::GetFrameHeight() + 4.0f * w.scale;
        if (w.icon_button("lab.question.back", Icon::step_back, state.lessons ? "Previous lesson" : "Previous question",
                          false, state.question > 0)) {
            go(state.question - 1);
        }
        ImGui::SameLine(0.0f, gap);
        if (w.icon_button("lab.question.next", Icon::step, state.lessons ? "Next lesson" : "Next question", false,
                          state.question + 1 < count)) {
            go(state.question + 1);
        }
        ImGui::SameLine(0.0f, 2.0f * gap);
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.5f * (side - ImGui::GetTextLineHeight()));
        w.muted(formatted("%s %d of %d", state.lessons ? "Lesson" : "Question", state.question + 1, count), false);
        w.mark("lab.question");
    }
    w.heading(state.title, true);
    w.mark("lab.title");
}

void choice_rows(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const auto& all = lab::all_choices();
    static const std::vector<std::string> texts = [&] {
        std::vector<std::string> out;
        for (const lab::Choice& choice : all) {
            const std::string title(choice.title);
            out.push_back(choice.bug != nullptr      ? "Article " + std::to_string(choice.bug->number) + ": " + title
                          : choice.lesson != nullptr ? "2D: " + title
                                                     : title);
        }
        return out;
    }();
    FrameList<const char*> titles, beside;
    beside.push_back("none");
    for (const std::string& text : texts) {
        titles.push_back(text.c_str());
        beside.push_back(text.c_str());
    }
    int chosen = state.choice;
    if (w.choice("lab.algorithm", "Algorithm", chosen, titles.data(), static_cast<int>(titles.size()),
                 "The algorithm run on the pair. A version from an article has the bug that its title names.")) {
        choose_in_lab(ctx, chosen);
    }
    if (state.source != LabSource::preset &&
        w.choice("lab.beside", "Compare with", state.beside, beside.data(), static_cast<int>(beside.size()),
                 "A second algorithm on the same pair.")) {
        state.stale = true;
        state.step = 0;
    }
    const lab::Choice& choice = state.chosen();
    if (choice.brings_its_own() && !choice.takes_no_pair()) {
        bool preset = state.source == LabSource::preset;
        if (w.toggle("lab.preset", "Use its own pair", preset,
                     "A pair on which the article's version fails; otherwise the pair shown in the lab.")) {
            put_on_preset(ctx, preset);
        }
    }
    if (state.source == LabSource::questions) {
        question_rows(ctx);
    }
    if (state.source == LabSource::bodies && choice.algorithm == lab::Algorithm::advancement) {
        if (w.number("lab.look_ahead", "Look ahead", state.look_ahead,
                     {"s", 0.001f, 60.0f, 0.01f, "%.3f",
                      "How long the bodies continue at their velocities, without gravity.", true},
                     1.0f)) {
            state.stale = true;
        }
    }
}

void labels_over(const Context& ctx, const LabView& view, const ImVec2& at, const ImVec2& size) {
    const ImFont& font = *ctx.widgets.fonts.text;
    static LabelLayout layout; // keeps its memory
    const auto size_of = [&](const std::string& text) {
        const ImVec2 s = font.CalcTextSizeA(font.FontSize, 1e9f, 0.0f, text.data(), text.data() + text.size());
        return glm::vec2(s.x, s.y);
    };
    ImDrawList& out = *ImGui::GetWindowDrawList();
    for (const LabelLayout::Placed& placed :
         layout.place(view.list.labels.all(), view.list.camera, {size.x, size.y}, size_of)) {
        write_label(out, font, *placed.label, {at.x + placed.at.x, at.y + placed.at.y},
                    std::max(1.0f, std::round(ctx.window.scale)));
    }
}

// A picture that is turned by dragging and scaled by the wheel: all of them together, since they show the same pair.
void picture(Context& ctx, std::size_t index, const char* name, const char* title, const ImVec2& size) {
    LabState& state = ctx.get<LabState>();
    LabView& view = state.views[index];
    const float ratio = ctx.window.framebuffer_ratio();
    view.wanted = true;
    view.difference = index % 2 == 1;
    view.run = index / 2;
    view.width = static_cast<int>(size.x * ratio);
    view.height = static_cast<int>(size.y * ratio);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton(name, size);
    ctx.widgets.mark(name);
    if (ImGui::IsItemActive()) {
        const ImVec2 moved = ImGui::GetIO().MouseDelta;
        state.yaw -= 0.008f * moved.x / ctx.widgets.scale;
        state.pitch = std::clamp(state.pitch + 0.008f * moved.y / ctx.widgets.scale, -most_lab_pitch, most_lab_pitch);
    }
    if (ImGui::IsItemHovered() && ImGui::GetIO().MouseWheel != 0.0f) {
        state.zoom = std::clamp(state.zoom * std::pow(1.15f, ImGui::GetIO().MouseWheel), 0.2f, 50.0f);
    }
    ImDrawList& out = *ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    if (view.texture != 0) {
        out.AddImage(reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(view.texture)), at, end, ImVec2(0, 1),
                     ImVec2(1, 0));
    } else {
        out.AddRectFilled(at, end, theme::packed(ImVec4(0.17f, 0.197f, 0.237f, 1.0f)));
    }
    ImGui::PushClipRect(at, end, true);
    labels_over(ctx, view, at, size);
    out.AddText(ImVec2(at.x + 6.0f * ctx.widgets.scale, at.y + 4.0f * ctx.widgets.scale),
                theme::packed(ImVec4(0.20f, 0.23f, 0.28f, 1.0f)), title);
    ImGui::PopClipRect();
}

void transport(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const float gap = 4.0f * w.scale;
    const bool any = state.step_count() > 0;
    if (w.icon_button("lab.back", Icon::step_back, joined("One step back (", ctx.key_of("lab_back"), ")"), false,
                      any && state.step > 0)) {
        step_lab(ctx, -1);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("lab.play", state.playing ? Icon::pause : Icon::play, state.playing ? "Stop" : "Play all steps",
                      state.playing, any)) {
        state.playing = !state.playing;
        if (state.playing && state.step + 1 >= state.step_count()) {
            state.step = 0;
        }
        state.next_at = ctx.log.time() + 1.0 / double(state.pace);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("lab.step", Icon::step, joined("One step (", ctx.key_of("lab_step"), ")"), false,
                      any && state.step + 1 < state.step_count())) {
        step_lab(ctx, 1);
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("lab.save", Icon::camera, "Save a picture of every step, and a GIF of them", state.saving >= 0.0f,
                      any && state.saving < 0.0f)) {
        state.save = true;
    }
    ImGui::SameLine(0.0f, gap);
    if (w.icon_button("lab.compare", Icon::more, "Compare the algorithms: how long each takes",
                      state.comparison != nullptr, any && !state.comparison)) {
        begin_comparison(ctx);
    }
    ImGui::SameLine(0.0f, 2.0f * gap);
    int number = static_cast<int>(state.step) + 1;
    const int count = std::max(static_cast<int>(state.step_count()), 1);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    if (ImGui::SliderInt("##lab.scrub", &number, 1, count, formatted("step %%d of %d", count).c_str(),
                         ImGuiSliderFlags_AlwaysClamp) &&
        any) {
        step_lab(ctx, number - 1 - static_cast<int>(state.step));
    }
    w.mark("lab.scrub");
}

void tracer(Context& ctx, std::size_t run, float width) {
    LabState& state = ctx.get<LabState>();
    Widgets& w = ctx.widgets;
    const lab::LabStep* step = state.step_of(run);
    if (step == nullptr) {
        return;
    }
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    if (state.runs.size() > 1) {
        const bool bug = lab::choice_named(state.runs[run].algorithm) != nullptr &&
                         lab::choice_named(state.runs[run].algorithm)->bug != nullptr;
        ImGui::TextColored(state.runs[run].failed ? theme::bad
                           : bug                  ? theme::accent
                                                  : theme::good,
                           "%s", state.runs[run].algorithm.c_str());
    }
    ImGui::TextUnformatted(step->sentence.c_str());
    w.mark(formatted("lab.sentence.%zu", run));
    ImGui::TextColored(theme::accent, "%s", step->status.c_str());
    ImGui::PopTextWrapPos();
    const float left = ImGui::GetCursorPosX();
    for (const lab::Reading& reading : step->readings) {
        ImGui::SetCursorPosX(left);
        ImGui::TextColored(theme::muted, "%s", reading.name.c_str());
        ImGui::SameLine();
        ImGui::SetCursorPosX(left + std::min(130.0f * w.scale, 0.45f * width));
        ImGui::PushTextWrapPos(left + width);
        ImGui::TextUnformatted(reading.value.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::SetCursorPosX(left);
    ImGui::PushTextWrapPos(left + width);
    ImGui::TextColored(state.runs[run].failed ? theme::bad : theme::good, "%s", state.runs[run].answer.c_str());
    ImGui::PopTextWrapPos();
    w.mark(formatted("lab.answer.%zu", run));
}

// The pictures of all runs, one run a row.
void pictures(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    const float s = ctx.widgets.scale, gap = 6.0f * s;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::size_t runs = std::min<std::size_t>(state.runs.size(), 2);
    const float half = std::floor(0.5f * (room.x - gap));
    const float share = (room.y - 250.0f * s) / static_cast<float>(runs) - gap;
    float height = std::clamp(share, 110.0f * s, 0.95f * half);
    if (state.comparison) { // its table needs more of the height than a sentence does
        height = std::min(height, 150.0f * s);
    }
    static constexpr std::array<const char*, 4> names{"lab.bodies", "lab.difference", "lab.bodies.2",
                                                      "lab.difference.2"};
    for (std::size_t run = 0; run < runs; ++run) {
        const char* const title = runs > 1 ? state.runs[run].algorithm.c_str() : "bodies";
        const bool two = shows_difference(state.runs[run]);
        picture(ctx, 2 * run, names[2 * run], title, ImVec2(two ? half : room.x, height));
        if (two) {
            ImGui::SameLine(0.0f, gap);
            picture(ctx, 2 * run + 1, names[2 * run + 1], "Minkowski difference", ImVec2(half, height));
        }
    }
}

// What the choice is about, and of an article what it says and what is right.
void subject(Context& ctx) {
    const lab::Choice& choice = ctx.get<LabState>().chosen();
    ImGui::PushTextWrapPos(0.0f);
    if (choice.bug != nullptr) {
        ImGui::TextColored(theme::muted, "Article: %s", std::string(choice.bug->wrong).c_str());
        ImGui::TextColored(theme::muted, "Correct: %s", std::string(choice.bug->right).c_str());
        if (!ctx.get<LabState>().verdict.empty()) {
            ImGui::TextColored(theme::bad, "%s", ctx.get<LabState>().verdict.c_str());
            ctx.widgets.mark("lab.verdict");
        }
    } else {
        const std::string_view what = choice.lesson != nullptr ? choice.lesson->about : lab::about(*choice.algorithm);
        ImGui::TextColored(theme::muted, "%s", std::string(what).c_str());
    }
    ImGui::PopTextWrapPos();
}

// The step in words and numbers, of two runs side by side.
void tracers(Context& ctx) {
    ImGui::BeginChild("lab.story", ImVec2(0.0f, 0.0f));
    subject(ctx);
    ImGui::Separator();
    const std::size_t runs = std::min<std::size_t>(ctx.get<LabState>().runs.size(), 2);
    const float gap = 6.0f * ctx.widgets.scale, count = static_cast<float>(runs);
    const float column = (ImGui::GetContentRegionAvail().x - gap * (count - 1.0f)) / count;
    const ImVec2 top = ImGui::GetCursorPos();
    for (std::size_t run = 0; run < runs; ++run) {
        ImGui::SetCursorPos(ImVec2(top.x + static_cast<float>(run) * (column + gap), top.y));
        ImGui::BeginGroup();
        tracer(ctx, run, column);
        ImGui::EndGroup();
    }
    ImGui::EndChild();
}

} // namespace

float lab_width(const Context& ctx) {
    if (!ctx.get<LabState>().open || !ctx.get<Layout>().show_ui) {
        return 0.0f;
    }
    const float s = ctx.widgets.scale, window = ctx.window_size().x;
    return std::min(std::max(0.46f * window, 460.0f * s), window - 16.0f * s);
}

void draw_lab(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    for (LabView& view : state.views) {
        view.wanted = false;
    }
    const float width = lab_width(ctx);
    if (!(width > 0.0f)) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale, margin = 8.0f * s;
    const float bottom = ctx.get<Layout>().columns_end;
    ImGui::SetNextWindowPos(ImVec2(ctx.window_size().x - margin - width, margin));
    ImGui::SetNextWindowSize(ImVec2(width, std::max(bottom - 2.0f * margin, 200.0f * s)));
    if (ImGui::Begin("lab", nullptr, fixed_window)) {
        w.mark_window("lab");
        close_row(ctx);
        choice_rows(ctx);
        if (!state.trouble.empty()) {
            w.words(state.trouble, theme::bad);
        }
        if (!state.runs.empty()) {
            pictures(ctx);
            transport(ctx);
            if (state.comparison) {
                draw_comparison(ctx);
            } else {
                tracers(ctx);
            }
        }
    }
    ImGui::End();
}

} // namespace cairn::ui
