#include "app/core/scene/writer/scene_writer.h"

#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/writer/body_writer.h"
#include "app/core/scene/writer/expectation_writer.h"
#include "app/core/scene/writer/joint_writer.h"

#include <variant>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::Vec3;

// Key and value of the parameters in one object of the file.
std::vector<std::pair<std::string_view, std::string>> parameter_members(const physics::Settings& settings,
                                                                        std::string_view section, bool everything) {
    struct Text {
        const physics::Settings& settings;
        std::string_view key;

        std::string operator()(bool physics::Settings::*member) const { return settings.*member ? "true" : "false"; }
        std::string operator()(int physics::Settings::*member) const { return std::to_string(settings.*member); }
        std::string operator()(float physics::Settings::*member) const { return json_text(settings.*member, key); }
        std::string operator()(Vec3 physics::Settings::*member) const { return json_text(settings.*member, key); }
    };
    static const physics::Settings defaults;
    std::vector<std::pair<std::string_view, std::string>> members;
    for (const physics::Parameter& p : physics::parameters) {
        if (p.section != section) {
            continue;
        }
        std::string text = std::visit(Text{settings, p.key}, p.member);
        // Compared as texts, which differ for -0.0 and 0.
        if (everything || text != std::visit(Text{defaults, p.key}, p.member)) {
            members.emplace_back(p.key, std::move(text));
        }
    }
    return members;
}

// A member that is a list, after the members so far; left out where the list is empty.
template <typename Entry, typename Write>
void append_list(std::string& text, std::string_view key, const std::vector<Entry>& entries, const Write& write) {
    if (!entries.empty()) {
        text += ",\n  \"" + std::string(key) + "\": ";
        append_entries(text, entries, write);
    }
}

// The lines of the header, each without its final comma.
std::vector<std::string> header_lines(const Scene& scene, bool everything) {
    std::vector<std::string> lines{"\"cairn\": " + std::to_string(scene_version)};
    const auto line = [&](std::string_view key, const std::string& value) {
        lines.push_back('"' + std::string(key) + "\": " + value);
    };
    const auto object = [&](std::string_view key, const std::vector<std::pair<std::string_view, std::string>>& list) {
        if (list.empty()) {
            return;
        }
        std::string text;
        const std::size_t indent = 2 + key.size() + 5;
        WrappedText out(text, indent);
        ObjectText members(out);
        for (const auto& [name, value] : list) {
            members.add(name, value);
        }
        members.end();
        line(key, text);
    };
    if (everything || !scene.name.empty()) {
        line("name", json_text(scene.name));
    }
    if (everything || !scene.description.empty()) {
        line("description", json_text(scene.description));
    }
    for (const std::string_view section : {"", "step", "solver"}) {
        const auto members = parameter_members(scene.settings, section, everything);
        if (!section.empty()) {
            object(section, members);
            continue;
        }
        for (const auto& [key, value] : members) {
            line(key, value);
        }
    }
    std::vector<std::pair<std::string_view, std::string>> list;
    const SceneCamera camera;
    if (everything || !same_bits(scene.camera.eye, camera.eye)) {
        list.emplace_back("eye", json_text(scene.camera.eye, "eye"));
    }
    if (everything || !same_bits(scene.camera.target, camera.target)) {
        list.emplace_back("target", json_text(scene.camera.target, "target"));
    }
    object("camera", list);
    return lines;
}

} // namespace

std::string full_header_text(const Scene& scene) {
    std::string text = "{";
    for (const std::string& line : header_lines(scene, true)) {
        text += (text.size() == 1 ? "" : ",") + line;
    }
    return text + '}';
}

std::vector<std::pair<std::string_view, std::string>>
changed_parameters(const physics::Settings& before, const physics::Settings& after, std::string_view section) {
    const auto then = parameter_members(before, section, true);
    auto now = parameter_members(after, section, true);
    std::vector<std::pair<std::string_view, std::string>> changed;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (now[i].second != then[i].second) {
            changed.push_back(std::move(now[i]));
        }
    }
    return changed;
}

std::string write_scene(const Scene& scene) {
    std::string text = "{\n";
    for (const std::string& line : header_lines(scene, false)) {
        text += "  " + line + ",\n";
    }
    const PointSetNames names(scene);
    if (!names.sets().empty()) {
        text += "  \"point_sets\": {";
        for (std::size_t i = 0; i < names.sets().size(); ++i) {
            text += i == 0 ? "\n    " : ",\n    ";
            WrappedText out(text, 5);
            out.add('"' + *names.name(names.sets()[i]) + "\":");
            write_points(out, *names.sets()[i]);
        }
        text += "\n  },\n";
    }
    text += "  \"bodies\": ";
    append_entries(text, scene.bodies,
                   [&](WrappedText& out, const BodyDef& body) { write_body(out, body, names, false); });
    const BodyReferences references(scene.bodies);
    append_list(text, "joints", scene.joints,
                [&](WrappedText& out, const physics::JointDef& joint) { write_joint(out, joint, references, false); });
    append_list(text, "zones", scene.zones, write_zone);
    append_list(text, "expect", scene.expectations, write_expectation);
    if (!(scene.show == SceneShow{})) {
        text += ",\n  \"show\": " + show_text(scene.show);
    }
    text += "\n}\n";
    return text;
}

} // namespace cairn::core
