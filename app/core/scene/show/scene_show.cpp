#include "app/core/scene/show/scene_show.h"

#include "app/core/scene/values/json_text.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>

namespace cairn::core {

namespace {

bool has_body(const std::vector<physics::BodyDef>& bodies, const std::string& name) {
    return std::ranges::any_of(bodies, [&](const physics::BodyDef& body) { return body.name == name; });
}

std::string read_body_name(const Document& document, const Node& node, const std::vector<physics::BodyDef>& bodies) {
    std::string name = read_string(document, node, node.key);
    if (name.empty() || !has_body(bodies, name)) {
        document.fail(node, "there is no body named " + in_quotes(name));
    }
    return name;
}

SceneLabel read_label(const Document& document, const Node& node, const std::vector<physics::BodyDef>& bodies) {
    const ObjectReader reader(document, node, "a label", label_keys);
    SceneLabel label;
    const Node& text = reader.require("text");
    label.text = read_string(document, text, "text");
    if (label.text.empty()) {
        document.fail(text, "a label needs a text");
    }
    if (const Node* value = reader.find("body")) {
        label.body = read_body_name(document, *value, bodies);
    }
    reader.take("at", label.at, read_vector, coordinate_range);
    return label;
}

CameraKey read_camera_key(const Document& document, const Node& node, const std::vector<CameraKey>& before) {
    const ObjectReader reader(document, node, "a key pose", camera_key_keys);
    CameraKey key;
    const Node& time = reader.require("time");
    key.time = read_number(document, time, "time", camera_time_range);
    if (!before.empty() && !(key.time > before.back().time)) {
        document.fail(time, "key poses come in the order of their times, each at another");
    }
    key.eye = read_vector(document, reader.require("eye"), "eye", coordinate_range);
    key.target = read_vector(document, reader.require("target"), "target", coordinate_range);
    if (key.eye == key.target) {
        document.fail(node, "the camera's eye and target are the same point");
    }
    return key;
}

std::string list_text(const std::vector<std::string>& entries, bool lines) {
    std::string text;
    for (const std::string& entry : entries) {
        text += (text.empty() ? "[" : ",") + std::string(lines ? "\n      " : text.empty() ? "" : " ") + entry;
    }
    return text + (lines ? "\n    ]" : "]");
}

} // namespace

SceneShow read_show(const Document& document, const Node& node, const std::vector<physics::BodyDef>& bodies) {
    const ObjectReader reader(document, node, "\"show\"", show_keys);
    SceneShow show;
    reader.take("paused", show.paused, read_boolean);
    reader.take("speed", show.speed, read_number, show_speed_range);
    if (const Node* value = reader.find("follow")) {
        show.follow = read_body_name(document, *value, bodies);
    }
    if (const Node* list = reader.find("path")) {
        for (const Node* key : expect_list(document, *list, "path", "key poses")) {
            show.path.push_back(read_camera_key(document, *key, show.path));
        }
        if (!show.path.empty() && !show.follow.empty()) {
            document.fail(*list, "the camera cannot go along a path and follow a body; leave one out");
        }
    }
    if (const Node* list = reader.find("points")) {
        for (const Node* point : expect_list(document, *list, "points", "points [x, y, z]")) {
            show.points.push_back(read_vector(document, *point, "a point", coordinate_range));
        }
    }
    if (const Node* list = reader.find("labels")) {
        for (const Node* label : expect_list(document, *list, "labels", "labels")) {
            show.labels.push_back(read_label(document, *label, bodies));
        }
    }
    if (const Node* list = reader.find("parameters")) {
        expect_list(document, *list, "parameters", "keys");
        std::vector<std::string_view> known;
        for (const physics::Parameter& p : physics::parameters) {
            known.push_back(p.key);
        }
        for (const Node* key : document.children(*list)) {
            show.parameters.push_back(read_string(document, *key, "a parameter"));
            if (std::ranges::find(known, show.parameters.back()) == known.end()) {
                document.fail(*key, "unknown parameter " + in_quotes(show.parameters.back()) + ";" +
                                        suggestion(show.parameters.back(), known));
            }
        }
    }
    return show;
}

std::string show_text(const SceneShow& show) {
    const SceneShow plain;
    std::string text = "{";
    const auto add = [&](std::string_view key, const std::string& value) {
        text += (text.size() == 1 ? "\n    \"" : ",\n    \"") + std::string(key) + "\": " + value;
    };
    if (show.paused) {
        add("paused", "true");
    }
    if (show.speed != plain.speed) {
        add("speed", float_text(show.speed));
    }
    if (!show.follow.empty()) {
        add("follow", json_text(show.follow));
    }
    if (!show.path.empty()) {
        std::vector<std::string> path;
        for (const CameraKey& key : show.path) {
            path.push_back("{\"time\": " + float_text(key.time) + ", \"eye\": " + json_text(key.eye) +
                           ", \"target\": " + json_text(key.target) + '}');
        }
        add("path", list_text(path, true));
    }
    if (!show.points.empty()) {
        std::vector<std::string> points;
        for (const physics::Vec3& point : show.points) {
            points.push_back(json_text(point));
        }
        add("points", list_text(points, false));
    }
    if (!show.labels.empty()) {
        std::vector<std::string> labels;
        for (const SceneLabel& label : show.labels) {
            labels.push_back("{\"text\": " + json_text(label.text) +
                             (label.body.empty() ? "" : ", \"body\": " + json_text(label.body)) +
                             (label.at == physics::Vec3(0.0f) ? "" : ", \"at\": " + json_text(label.at)) + '}');
        }
        add("labels", list_text(labels, true));
    }
    if (!show.parameters.empty()) {
        std::vector<std::string> keys;
        for (const std::string& key : show.parameters) {
            keys.push_back(json_text(key));
        }
        add("parameters", list_text(keys, false));
    }
    return text + (text.size() == 1 ? "}" : "\n  }");
}

void keep_known(SceneShow& show, const std::vector<physics::BodyDef>& bodies) {
    if (!show.follow.empty() && !has_body(bodies, show.follow)) {
        show.follow.clear();
    }
    std::erase_if(show.labels,
                  [&](const SceneLabel& label) { return !label.body.empty() && !has_body(bodies, label.body); });
}

} // namespace cairn::core
