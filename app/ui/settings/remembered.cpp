#include "app/ui/settings/remembered.h"

#include "app/ui/app.h"

#include <algorithm>
#include <array>

namespace cairn::ui {

namespace {

void view_settings(App& app, SettingsArchive& a) {
    ViewOptions& v = app.view_options;
    a.enter("view");
    a.enter("layers");
    for (const DebugLayer& layer : debug_layers()) {
        a.value(layer.name, v.layers.*(layer.shown));
    }
    a.leave();
    a.value("grid", v.grid);
    a.value("textures", v.textures);
    FrameList<std::string_view> colours;
    for (const ColourModeInfo& info : colour_modes()) {
        colours.emplace_back(info.name);
    }
    int mode = static_cast<int>(v.colours);
    a.word("colours", mode, colours);
    v.colours = colour_modes()[static_cast<std::size_t>(mode)].mode;
    a.value("smooth", app.draw.interpolate);
    a.value("occlusion", app.draw.occlusion);
    a.value("shadow_map", app.draw.shadow_map, 0, 16384);
    a.value("shadow_cascades", app.draw.shadow_cascades, 1, 4);
    a.value("msaa", app.draw.msaa, 1, 32);
    a.leave();
}

void spawn_settings(App& app, SettingsArchive& a) {
    SpawnSettings& s = app.spawn;
    FrameList<std::string_view> shapes;
    int shape = 0;
    for (const SpawnShapeInfo& info : spawn_shapes()) {
        if (info.shape == s.shape) {
            shape = static_cast<int>(shapes.size());
        }
        shapes.emplace_back(info.body_name);
    }
    a.enter("spawn");
    a.word("shape", shape, shapes);
    s.shape = spawn_shapes()[static_cast<std::size_t>(shape)].shape;
    a.value("size", s.size, 0.01f, 100.0f);
    a.value("density", s.density, 0.1f, 1e5f);
    a.value("restitution", s.restitution, 0.0f, 1.0f);
    a.value("friction", s.friction, 0.0f, 100.0f);
    a.value("velocity", s.velocity, -1000.0f, 1000.0f);
    a.value("count", s.count, 1, 1000);
    a.value("tumbled", s.tumbled);
    a.value("at_cursor", s.at_cursor);
    a.value("height", s.height, 0.0f, 1000.0f);
    a.value("throw_speed", s.throw_speed, 0.1f, 1000.0f);
    a.leave();
}

// All actions with the keys in force, so that whoever opens the file finds them; what is as in the program is no
// choice.
void keys(SettingsArchive& a, bool reading, std::vector<std::string>& complaints) {
    const auto keys_of = [](const std::vector<KeyBinding>& table, std::string_view id) {
        std::vector<std::string> words;
        for (const KeyBinding& binding : table) {
            if (id == binding.id) {
                words.push_back(binding.key_name);
            }
        }
        return words;
    };
    if (!reading) {
        // Asked for every second, and seldom another answer.
        static std::vector<SettingsArchive::Named> named;
        static std::uint64_t of = 0;
        if (of == keys_revision()) {
            a.value("keys", named);
            return;
        }
        of = keys_revision();
        named.clear();
        for (const KeyBinding& binding : default_key_bindings()) {
            if (named.empty() || named.back().name != binding.id) {
                named.push_back({binding.id, keys_of(key_bindings(), binding.id), ""});
            }
        }
        a.value("keys", named);
        return;
    }
    std::vector<SettingsArchive::Named> named;
    a.value("keys", named);
    const auto usual = [&](const SettingsArchive::Named& n) {
        const std::vector<std::string> standard = keys_of(default_key_bindings(), n.name);
        return !standard.empty() && n.words == standard;
    };
    named.erase(std::remove_if(named.begin(), named.end(), usual), named.end());
    std::vector<KeyChoice> choices;
    for (const SettingsArchive::Named& n : named) {
        choices.push_back({n.name, n.words});
    }
    for (const KeyComplaint& complaint : set_keys(choices)) {
        complaints.push_back(named[complaint.choice].place + ": " + complaint.text);
    }
}

} // namespace

void remember_file(Remembered& remembered, const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error);
    const std::string text = (error ? path : whole.lexically_normal()).string();
    std::vector<std::string>& recent = remembered.recent;
    recent.erase(std::remove(recent.begin(), recent.end(), text), recent.end());
    recent.insert(recent.begin(), text);
    if (recent.size() > most_recent) {
        recent.resize(most_recent);
    }
}

void visit_settings(App& app, SettingsArchive& a, bool reading, std::vector<std::string>& key_complaints) {
    a.enter("");
    int version = 1;
    a.value("version", version, 1, 1);
    a.enter("window");
    a.value("width", app.remembered.width, 0, 16384);
    a.value("height", app.remembered.height, 0, 16384);
    a.leave();
    a.value("recent", app.remembered.recent);
    a.value("tour_seen", app.remembered.tour_seen);
    a.enter("panels"); // whether all of them were hidden is not remembered: who begins shall see them
    a.value("left", app.columns.left);
    bool right = app.columns.right && !app.columns.right_for_selection;
    a.value("right", right);
    if (reading) {
        app.columns.right = right;
    }
    a.value("sections", app.widgets.sections());
    a.leave();
    view_settings(app, a);
    a.enter("film");
    a.value("seconds", app.film.settings.seconds, 0.1f, 600.0f);
    a.value("size", app.film.settings.size, 0, static_cast<int>(film_sizes().size()) - 1);
    static constexpr std::string_view kinds[] = {"video", "gif", "pictures"};
    int kind = static_cast<int>(app.film.settings.kind);
    a.word("kind", kind, kinds);
    app.film.settings.kind = static_cast<FilmKind>(kind);
    a.value("rate", app.film.settings.rate, 1, 240);
    a.value("still", app.film.settings.still);
    a.leave();
    a.enter("drawer");
    a.value("open", app.drawer.open);
    constexpr std::string_view pages[] = {"plots", "log"};
    int page = static_cast<int>(app.drawer.page);
    a.word("page", page, pages);
    app.drawer.page = static_cast<Drawer::Page>(page);
    a.value("span", app.drawer.span, 0, 3);
    a.enter("thresholds");
    for (std::size_t i = 0; i < plot_count; ++i) {
        a.value(plot_id(i), app.drawer.thresholds[i]);
    }
    a.leave();
    a.leave();
    a.enter("capture");
    a.value("always", app.capture.always);
    a.leave();
    a.enter("timeline");
    a.value("rate", app.timeline.rate, 0.1f, TimelineState::fastest);
    for (std::size_t i = 0; i < app.timeline.shown.size(); ++i) {
        a.value(name_of(static_cast<core::MarkKind>(i)), app.timeline.shown[i]);
    }
    a.leave();
    a.enter("sound");
    a.value("on", app.sounds.settings.on);
    a.value("volume", app.sounds.settings.volume, 0.0f, 1.0f);
    a.leave();
    spawn_settings(app, a);
    app.tools.remember(a);
    keys(a, reading, key_complaints);
    a.leave();
}

} // namespace cairn::ui
