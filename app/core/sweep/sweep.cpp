#include "app/core/sweep/sweep.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/base/text_hash.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace cairn::core {

namespace {

constexpr std::array<std::string_view, 6> sweep_keys{"cairn_sweep", "name", "scene", "steps", "parameters", "expect"};
constexpr std::array<std::string_view, 4> range_keys{"from", "to", "count", "scale"};
constexpr std::int64_t max_sweep_steps = 1'000'000'000;
constexpr Range any_number{-1e30f, 1e30f, ""};

// {"from": 1, "to": 16, "count": 5, "scale": "log"}
std::vector<std::string> range_values(const Document& document, const Node& node) {
    const ObjectReader object(document, node, "a range", range_keys);
    const auto from = static_cast<double>(read_number(document, object.require("from"), "from", any_number));
    const auto to = static_cast<double>(read_number(document, object.require("to"), "to", any_number));
    const std::int64_t count = read_integer(document, object.require("count"), "count", 1, max_sweep_values);
    bool log = false;
    if (const Node* scale = object.find("scale")) {
        const std::string word = read_string(document, *scale, "scale");
        if (word != "linear" && word != "log") {
            document.fail(*scale, "\"scale\" is \"linear\" or \"log\"");
        }
        log = word == "log";
    }
    if (log && !(from > 0.0 && to > 0.0)) {
        document.fail(node, "a range of scale \"log\" has ends above zero");
    }
    if (count == 1 && from != to) {
        document.fail(node, "a range of one value has equal ends");
    }
    std::vector<std::string> values;
    for (std::int64_t i = 0; i < count; ++i) {
        const double share = count == 1 ? 0.0 : static_cast<double>(i) / static_cast<double>(count - 1);
        double value = log ? from * std::pow(to / from, share) : from + (to - from) * share;
        value = i + 1 == count ? to : value;
        values.push_back(float_text(static_cast<float>(value)));
    }
    return values;
}

std::vector<std::string> parameter_values(const Document& document, const Node& node) {
    if (node.kind == NodeKind::object) {
        return range_values(document, node);
    }
    if (node.kind != NodeKind::array || node.child_count == 0 || node.child_count > max_sweep_values) {
        document.fail(node, "the values of " + in_quotes(node.key) + " are a list of 1 to " +
                                std::to_string(max_sweep_values) +
                                R"(, or a range as {"from": 1, "to": 16, "count": 5, "scale": "log"})");
    }
    std::vector<std::string> values;
    for (const Node* value : document.children(node)) {
        std::string text(document.text().substr(value->begin, value->end - value->begin));
        std::ranges::replace_if(
            text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
        values.push_back(std::move(text));
    }
    return values;
}

void read_parameters(const Document& document, const Node& node, Sweep& sweep) {
    if (node.kind != NodeKind::object || node.child_count == 0 || node.child_count > max_sweep_parameters) {
        document.fail(node, "\"parameters\" is an object of 1 to " + std::to_string(max_sweep_parameters) +
                                R"( members, as {"step.substeps": [2, 4, 8]})");
    }
    std::size_t runs = 1;
    for (const Node* member : document.children(node)) {
        SweepParameter parameter{std::string(member->key), parameter_values(document, *member)};
        for (const SweepParameter& other : sweep.parameters) {
            if (other.path == parameter.path) {
                document.fail_at_key(*member, in_quotes(member->key) + " is there twice");
            }
        }
        runs *= parameter.values.size();
        if (runs > max_sweep_runs) {
            document.fail_at_key(*member, "the sweep has more than " + std::to_string(max_sweep_runs) + " runs");
        }
        const Node* value = member->kind == NodeKind::array ? document.first(*member) : nullptr;
        for (const std::string& text : parameter.values) {
            try {
                Scene tried = sweep.scene;
                set_value(tried, parameter.path + '=' + text);
            } catch (const InputError& error) {
                document.fail(value != nullptr ? *value : *member, error.what());
            }
            value = value != nullptr ? document.next(*value) : nullptr;
        }
        sweep.parameters.push_back(std::move(parameter));
    }
}

std::uint64_t digest_of(const Sweep& sweep) {
    TextHash digest;
    const auto add = [&](std::string_view word) {
        digest.add(word);
        digest.end_word();
    };
    Scene moving = sweep.scene;
    moving.show = {};
    if (!sweep.expect) { // what is expected of it changes no metric
        moving.zones.clear();
        moving.expectations.clear();
    }
    add(write_scene(moving));
    add(std::to_string(sweep.steps));
    for (const SweepParameter& parameter : sweep.parameters) {
        add(parameter.path);
        for (const std::string& value : parameter.values) {
            add(value);
        }
        add({});
    }
    return digest.value();
}

} // namespace

std::size_t Sweep::run_count() const {
    std::size_t runs = 1;
    for (const SweepParameter& parameter : parameters) {
        runs *= parameter.values.size();
    }
    return runs;
}

std::vector<std::string> Sweep::values_of(std::size_t run) const {
    std::vector<std::string> values(parameters.size());
    for (std::size_t p = parameters.size(); p-- > 0;) {
        const std::vector<std::string>& all = parameters[p].values;
        values[p] = all[run % all.size()];
        run /= all.size();
    }
    return values;
}

Scene Sweep::scene_of(std::size_t run) const {
    Scene made = scene;
    const std::vector<std::string> values = values_of(run);
    for (std::size_t p = 0; p < parameters.size(); ++p) {
        set_value(made, parameters[p].path + '=' + values[p]);
    }
    return made;
}

Sweep read_sweep(const std::filesystem::path& path) {
    const std::string text = read_whole_file(path);
    const Document document(text, path.string());
    const ObjectReader object(document, document.root(), "a sweep", sweep_keys);
    read_integer(document, object.require("cairn_sweep"), "cairn_sweep", sweep_version, sweep_version);
    Sweep sweep;
    const Node& scene = object.require("scene");
    const std::filesystem::path named = read_string(document, scene, "scene");
    sweep.scene_file = named.is_absolute() ? named : path.parent_path() / named;
    if (!std::filesystem::exists(sweep.scene_file)) {
        sweep.scene_file = find_scene(named); // a shipped one, by its name
    }
    if (!std::filesystem::exists(sweep.scene_file)) {
        document.fail(scene, "there is no scene " + in_quotes(named.string()));
    }
    sweep.scene = read_scene(sweep.scene_file);
    const Node* name = object.find("name");
    sweep.name = name != nullptr ? read_string(document, *name, "name") : sweep.scene.name;
    sweep.steps =
        static_cast<std::uint64_t>(read_integer(document, object.require("steps"), "steps", 1, max_sweep_steps));
    if (const Node* expect = object.find("expect")) {
        sweep.expect = read_boolean(document, *expect, "expect");
        if (sweep.expect && sweep.scene.expectations.empty()) {
            document.fail(*expect, "nothing is expected of the scene");
        }
    }
    read_parameters(document, object.require("parameters"), sweep);
    sweep.digest = digest_of(sweep);
    return sweep;
}

} // namespace cairn::core
