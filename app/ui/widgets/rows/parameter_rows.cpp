#include "app/ui/widgets/rows/parameter_rows.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <imgui_internal.h>

namespace cairn::ui {

namespace {

using physics::BodyDef;
using physics::Settings;
using physics::Vec3;

FrameText format_of(float step) {
    int decimals = 0;
    while (decimals < 6 && step * std::pow(10.0f, static_cast<float>(decimals)) < 0.999f) {
        ++decimals;
    }
    return formatted("%%.%df", decimals);
}

// What NumberSpec points to.
struct RowTexts {
    FrameText unit, format, help, note;
};

template <class Row>
RowTexts texts_of(const Row& p) {
    return {unit_for_people(p.unit), format_of(p.step), FrameText(p.sentence), FrameText()};
}

template <class Row>
NumberSpec spec_of(const Row& p, const RowTexts& texts) {
    // Two pixels for the smallest change that matters: slow enough to hit it, fast enough for a range of hundreds.
    const float per_pixel = p.logarithmic ? 0.005f * (p.greatest - p.least) / std::log(p.greatest / p.least) : 0.5f;
    NumberSpec spec;
    spec.unit = texts.unit.c_str();
    spec.low = p.least;
    spec.high = p.greatest;
    spec.speed = p.logarithmic ? per_pixel : per_pixel * p.step;
    spec.format = texts.format.c_str();
    spec.help = texts.help.c_str();
    spec.note = texts.note.c_str();
    spec.logarithmic = p.logarithmic;
    return spec;
}

FrameText value_text(const Settings& settings, const physics::Parameter& p) {
    struct Text {
        const Settings& s;
        FrameText operator()(bool Settings::*m) const { return FrameText(s.*m ? "on" : "off"); }
        FrameText operator()(int Settings::*m) const { return formatted("%d", s.*m); }
        FrameText operator()(float Settings::*m) const { return formatted("%.7g", static_cast<double>(s.*m)); }
        FrameText operator()(Vec3 Settings::*m) const {
            const Vec3 v = s.*m;
            return formatted("(%.7g, %.7g, %.7g)", static_cast<double>(v.x), static_cast<double>(v.y),
                             static_cast<double>(v.z));
        }
    };
    const FrameText text = std::visit(Text{settings}, p.member), unit = unit_for_people(p.unit);
    return unit.empty() ? text : joined(text, " ", unit);
}

FrameText lower(std::string_view text) {
    FrameText out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return out;
}

} // namespace

FrameText unit_for_people(std::string_view unit) {
    FrameText out(unit);
    for (const auto& [plain, raised] : {std::pair{"^2", "²"}, {"^3", "³"}}) {
        if (const std::size_t at = out.find(plain); at != std::string::npos) {
            out.replace(at, 2, raised);
        }
    }
    return out;
}

bool parameter_row(Widgets& w, const physics::Parameter& p, Settings& settings, const Settings& at_start,
                   std::string_view section) {
    static const Settings defaults;
    RowTexts texts = texts_of(p);
    if (physics::differs(at_start, defaults, p)) {
        texts.note = joined("This scene starts with ", value_text(at_start, p), ".\n");
    }
    texts.note += joined("In files: ", p.section, p.section.empty() ? "" : ".", p.key);
    NumberSpec spec = spec_of(p, texts);
    spec.exact = true;

    struct Row {
        Widgets& w;
        const FrameText id, label;
        const NumberSpec& spec;
        Settings& settings;

        bool operator()(bool Settings::*m) const {
            return w.flag(id.c_str(), label.c_str(), settings.*m, spec, defaults.*m);
        }
        bool operator()(int Settings::*m) const {
            return w.whole(id.c_str(), label.c_str(), settings.*m, spec, defaults.*m);
        }
        bool operator()(float Settings::*m) const {
            return w.number(id.c_str(), label.c_str(), settings.*m, spec, defaults.*m);
        }
        bool operator()(Vec3 Settings::*m) const {
            return w.vector(id.c_str(), label.c_str(), settings.*m, spec, &(defaults.*m));
        }
    };
    return std::visit(Row{w, joined(section, p.key), FrameText(p.label), spec, settings}, p.member);
}

namespace {

// A switch counts as 0 or 1, a mass as what the body has, stated or not.
float value_of(const physics::BodyParameter& p, const BodyDef& body, float mass) {
    float out = mass;
    with_value(p, body, [&]<typename Value>(const Value& value) {
        if constexpr (!std::is_same_v<Value, std::optional<float>>) {
            out = static_cast<float>(value);
        }
    });
    return out;
}

} // namespace

bool differs(const physics::BodyParameter& p, const physics::BodyModel& a, const physics::BodyModel& b) {
    return value_of(p, a.def, a.mass) != value_of(p, b.def, b.mass);
}

bool body_parameter_row(Widgets& w, const physics::BodyParameter& p, const BodyDef& body, float mass,
                        physics::SetBody& edit, bool mixed) {
    const RowTexts texts = texts_of(p);
    NumberSpec spec = spec_of(p, texts);
    const FrameText id = joined("body.", p.key), label(p.label);
    if (const auto* change = std::get_if<std::optional<bool> physics::SetBody::*>(&p.change)) {
        bool value = body.*std::get<bool BodyDef::*>(p.member);
        ImGui::PushItemFlag(ImGuiItemFlags_MixedValue, mixed);
        const bool changed = w.toggle(id.c_str(), label.c_str(), value, texts.help.c_str());
        ImGui::PopItemFlag();
        if (mixed) {
            w.mark(joined(id, ".mixed"));
        }
        if (changed) {
            edit.** change = value;
        }
        return changed;
    }
    const auto* change = std::get_if<std::optional<float> physics::SetBody::*>(&p.change);
    if (change == nullptr) {
        return false; // fixed when the body was made
    }
    float value = value_of(p, body, mass);
    if (std::holds_alternative<std::optional<float> BodyDef::*>(p.member)) {
        // Masses go from a grain's to a mountain's: a pixel is a hundredth of what there is.
        spec.logarithmic = false;
        spec.speed = std::max(0.01f * value, p.least);
        spec.format = "%.5g";
    }
    spec.mixed = mixed ? 1 : 0;
    if (!w.number(id.c_str(), label.c_str(), value, spec)) {
        return false;
    }
    edit.** change = value;
    return true;
}

bool is_meant(const physics::Parameter& p, std::string_view words) {
    if (words.empty()) {
        return true;
    }
    const FrameText text = lower(joined(p.label, "\n", p.key, "\n", p.sentence, "\n",
                                        physics::parameter_group_names[static_cast<std::size_t>(p.group)]));
    return text.find(lower(words)) != FrameText::npos;
}

} // namespace cairn::ui
