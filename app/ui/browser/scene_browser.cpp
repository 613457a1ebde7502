#include "app/ui/browser/scene_browser.h"

#include "app/ui/browser/thumbnails.h"
#include "app/ui/document/scene_list.h"
#include "app/ui/input/key_codes.h"
#include "app/ui/opening/opening.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/text/fuzzy.h"

#include <algorithm>
#include <cstdint>
#include <imgui_internal.h>
#include <imgui_stdlib.h>

namespace cairn::ui {

namespace {

enum Group { recent, own, gallery, shipped };
constexpr const char* group_names[] = {"Recent", "My scenes", "Gallery", "More built-in scenes"};

void fill_browser(Context& ctx) {
    SceneBrowser& browser = ctx.get<SceneBrowser>();
    SceneList& list = ctx.get<SceneList>();
    list.listed = false; // files may have come
    list_scenes_once(ctx);
    browser.items.clear();
    const auto listed = [&](const std::filesystem::path& path) -> const core::SceneFile* {
        for (const auto* group : {&list.own, &list.shipped}) {
            for (const core::SceneFile& file : *group) {
                if (file.path == path) {
                    return &file;
                }
            }
        }
        return nullptr;
    };
    const auto add = [&](const std::filesystem::path& path, const core::SceneFile* file, int group) {
        SceneBrowser::Item item;
        item.path = path;
        item.title = file != nullptr && !file->name.empty() ? file->name : path.stem().string();
        item.description = file != nullptr ? file->description : "";
        item.group = group;
        browser.items.push_back(std::move(item));
    };
    std::error_code error;
    for (const std::string& path : ctx.get<Remembered>().recent) {
        if (std::filesystem::is_regular_file(path, error)) {
            add(path, listed(path), recent);
        }
    }
    for (const core::SceneFile& file : list.own) {
        add(file.path, &file, own);
    }
    for (const std::string_view name : gallery_scenes()) {
        for (const core::SceneFile& file : list.shipped) {
            if (file.path.stem() == name) {
                add(file.path, &file, gallery);
            }
        }
    }
    for (const core::SceneFile& file : list.shipped) {
        if (std::ranges::find(gallery_scenes(), file.path.stem().string()) == gallery_scenes().end()) {
            add(file.path, &file, shipped);
        }
    }
}

void look_up(SceneBrowser& browser) {
    const std::vector<SceneBrowser::Item>& items = browser.items;
    browser.look_up(items.size(), [&](std::size_t i) -> std::optional<int> {
        const SceneBrowser::Item& item = items[i];
        if (!browser.typed.empty() &&
            std::ranges::find(items, item.path, &SceneBrowser::Item::path) != items.begin() + i) {
            return std::nullopt; // who searches wants each file once
        }
        return found_score(browser.typed, item.title,
                           item.title + ' ' + item.path.stem().string() + ' ' + item.description);
    });
}

void choose(Context& ctx, const SceneBrowser::Item& item) {
    const std::filesystem::path path = item.path;
    ctx.get<SceneBrowser>().open = false;
    open_safely(ctx, path);
}

// As much of the text as fits, with three dots where some is missing.
std::string elided(const std::string& text, float room) {
    if (ImGui::CalcTextSize(text.c_str()).x <= room) {
        return text;
    }
    std::string shorter = text;
    while (!shorter.empty()) {
        do { // whole characters
            shorter.pop_back();
        } while (!shorter.empty() && (static_cast<unsigned char>(shorter.back()) & 0x80) != 0 &&
                 (static_cast<unsigned char>(text[shorter.size()]) & 0xc0) == 0x80);
        if (ImGui::CalcTextSize((shorter + "…").c_str()).x <= room) {
            break;
        }
    }
    return shorter + "…";
}

void card(Context& ctx, std::size_t place, float width) {
    SceneBrowser& browser = ctx.get<SceneBrowser>();
    Widgets& w = ctx.widgets;
    const SceneBrowser::Item& item = browser.items[browser.found[place]];
    const float s = w.scale, picture_height = width * 9.0f / 16.0f, line = ImGui::GetTextLineHeight();
    // In the gallery with two lines on what to try.
    const bool tries = item.group == gallery && browser.typed.empty();
    const ImVec2 size(width, picture_height + line * (tries ? 3.0f : 1.0f) + 8.0f * s);
    ImGui::PushID(static_cast<int>(place));
    const bool pressed = ImGui::InvisibleButton("card", size);
    const bool hovered = ImGui::IsItemHovered(), seen = ImGui::IsItemVisible(), chosen = place == browser.chosen;
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    w.mark("browser." + item.path.stem().string() + (item.group == recent ? ".recent" : ""));
    if (chosen) {
        w.mark("browser.chosen");
        if (browser.moved) {
            ImGui::SetScrollHereY();
            browser.moved = false;
        }
    }
    if (seen) { // pictures are made for what is looked at
        const ImVec2 corner(high.x, low.y + picture_height);
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddRectFilled(low, corner, theme::packed(ImVec4(0.17f, 0.197f, 0.237f, 1.0f)), 4.0f * s);
        std::string words;
        if (item.path.extension() == ".cairn") {
            words = "Capture";
        } else {
            const Thumbnails::Picture& picture = browser.thumbnails->of(item.path);
            if (picture.status == Thumbnails::Status::ready) {
                draw->AddImageRounded(
                    reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(picture.texture.name())), // NOLINT
                    low, corner, ImVec2(0, 0), ImVec2(1, 1), IM_COL32_WHITE, 4.0f * s);
            } else {
                words = picture.status == Thumbnails::Status::waiting ? "…" : "Cannot be read";
                if (hovered && !picture.problem.empty()) {
                    w.tip(picture.problem);
                }
            }
        }
        const ImVec2 words_size = ImGui::CalcTextSize(words.c_str());
        draw->AddText(ImVec2(0.5f * (low.x + high.x - words_size.x), low.y + 0.5f * (picture_height - words_size.y)),
                      theme::packed(theme::muted), words.c_str());
        if (chosen || hovered) {
            draw->AddRect(low, corner, theme::packed(theme::accent, chosen ? 1.0f : 0.5f), 4.0f * s, 0, 2.0f * s);
        }
        draw->AddText(ImVec2(low.x + 2.0f * s, corner.y + 4.0f * s), theme::packed(theme::text),
                      elided(item.title, width - 4.0f * s).c_str());
        if (tries) {
            const ImVec4 lines(low.x, corner.y + 4.0f * s + line, high.x, high.y);
            draw->AddText(ImGui::GetFont(), ImGui::GetFontSize(), ImVec2(lines.x + 2.0f * s, lines.y),
                          theme::packed(theme::muted), what_to_try(item.description).c_str(), nullptr, width - 4.0f * s,
                          &lines);
        }
        if (hovered) {
            w.tip((item.description.empty() ? item.title : item.description) + "\n" + item.path.string());
        }
    }
    ImGui::PopID();
    if (pressed) {
        choose(ctx, item);
    }
}

} // namespace

const std::array<std::string_view, 12>& gallery_scenes() {
    static constexpr std::array<std::string_view, 12> names{
        "car",      "domino_run", "wrecking_ball", "house_of_cards", "marble_run",       "curtain", "piston_engine",
        "ragdolls", "gears",      "cup",           "crane",          "suspension_bridge"};
    return names;
}

std::string what_to_try(std::string_view description) {
    constexpr std::string_view mark = "Try: ";
    const std::size_t at = description.rfind(mark);
    std::string text(at == std::string_view::npos ? std::string_view() : description.substr(at + mark.size()));
    if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
        text[0] = static_cast<char>(text[0] - 'a' + 'A');
    }
    return text;
}

void open_browser(Context& ctx) {
    SceneBrowser& browser = ctx.get<SceneBrowser>();
    if (browser.open) {
        browser.open = false;
        return;
    }
    browser.show();
    fill_browser(ctx);
    if (browser.thumbnails != nullptr) {
        browser.thumbnails->look_again();
    }
}

bool browser_key(Context& ctx, int key) {
    SceneBrowser& browser = ctx.get<SceneBrowser>();
    if (!browser.open) {
        return false;
    }
    look_up(browser);
    const auto columns = static_cast<std::size_t>(std::max(browser.columns, 1));
    switch (key) {
    case key_escape:
        browser.open = false;
        break;
    case key_enter:
        if (browser.chosen < browser.found.size()) {
            choose(ctx, browser.items[browser.found[browser.chosen]]);
        }
        break;
    case key_right:
        browser.go(browser.chosen + 1);
        break;
    case key_left:
        browser.go(browser.chosen > 0 ? browser.chosen - 1 : 0);
        break;
    case key_down:
        browser.go(browser.chosen + columns);
        break;
    case key_up:
        browser.go(browser.chosen >= columns ? browser.chosen - columns : 0);
        break;
    default:
        break; // the field has it
    }
    return true;
}

void draw_browser(Context& ctx) {
    SceneBrowser& browser = ctx.get<SceneBrowser>();
    if (!browser.open || browser.thumbnails == nullptr) {
        return;
    }
    Widgets& w = ctx.widgets;
    const float s = w.scale;
    const glm::vec2 window = ctx.window_size();
    const ImVec2 size(std::min(900.0f * s, window.x - 24.0f * s), std::min(640.0f * s, window.y - 24.0f * s));
    ImGui::SetNextWindowPos(ImVec2(0.5f * window.x, 0.5f * window.y), ImGuiCond_Always, ImVec2(0.5f, 0.5f));
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(1.0f);
    ImGui::SetNextWindowFocus();
    if (ImGui::Begin("browser", nullptr, fixed_window | ImGuiWindowFlags_NoScrollbar)) {
        w.next_keeps_keyboard();
        ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
        ImGui::InputTextWithHint("##browser.search", "Search scenes; arrow keys choose, Enter opens", &browser.typed);
        w.mark("browser.search");
        look_up(browser);
        ImGui::BeginChild("browser.cards");
        const float gap = 12.0f * s, room = ImGui::GetContentRegionAvail().x;
        // Two beside each other however large the text is, so that more than one is seen.
        browser.columns = std::max(2, static_cast<int>((room + gap) / (196.0f * s + gap)));
        const float width = (room + gap) / static_cast<float>(browser.columns) - gap;
        int group = -1, in_row = 0;
        for (std::size_t place = 0; place < browser.found.size(); ++place) {
            const SceneBrowser::Item& item = browser.items[browser.found[place]];
            if (browser.typed.empty() && item.group != group) {
                group = item.group;
                in_row = 0;
                w.muted(group_names[group], false);
            }
            if (in_row > 0) {
                ImGui::SameLine(0.0f, gap);
            }
            card(ctx, place, width);
            in_row = (in_row + 1) % browser.columns;
        }
        if (browser.found.empty()) {
            w.muted("No scene matches the search.");
        }
        ImGui::EndChild();
        w.mark_window("browser");
        const bool elsewhere =
            ImGui::IsMouseClicked(0) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows);
        if (elsewhere && !ImGui::IsWindowAppearing()) {
            browser.open = false;
        }
    }
    ImGui::End();
}

} // namespace cairn::ui
