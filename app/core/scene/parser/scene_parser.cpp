#include "app/core/scene/parser/file_parser.h"

#include "app/core/base/files/text_file.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/core/scene/parser/scene_joints.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace cairn::core {

using physics::BodyDef;
using physics::Vec3;

Scene FileParser::parse_scene() {
    const ObjectReader top(document_, document_.root(), "the scene", scene_keys);
    const std::size_t first_body = reading_.bodies.size(), first_joint = reading_.joints.size();
    const Node& version = top.require("cairn");
    if (version.kind != NodeKind::number || !version.is_integer || version.integer != scene_version) {
        document_.fail(version, "\"cairn\" is the version of the format; this program reads version " +
                                    std::to_string(scene_version));
    }
    Scene scene;
    if (const Node* node = top.find("$schema")) {
        read_string(document_, *node, "$schema");
    }
    top.take("name", scene.name, read_string);
    top.take("description", scene.description, read_string);
    parse_parameters(top, "", scene.settings);
    if (const Node* node = top.find("step")) {
        parse_parameters(ObjectReader(document_, *node, "\"step\"", step_keys), "step", scene.settings);
    }
    if (const Node* node = top.find("solver")) {
        parse_parameters(ObjectReader(document_, *node, "\"solver\"", solver_keys), "solver", scene.settings);
    }
    if (const Node* node = top.find("camera")) {
        const ObjectReader camera(document_, *node, "\"camera\"", camera_keys);
        camera.take("eye", scene.camera.eye, read_vector, coordinate_range);
        camera.take("target", scene.camera.target, read_vector, coordinate_range);
        if (scene.camera.eye == scene.camera.target) {
            document_.fail(*node, "the camera's eye and target are the same point");
        }
    }
    if (const Node* node = top.find("point_sets")) {
        shapes_.parse_point_sets(*node);
    }
    if (const Node* node = top.find("include")) {
        for (const Node* file : expect_list(document_, *node, "include", "file names")) {
            include(*file);
        }
    }
    if (const Node* node = top.find("bodies")) {
        for (const Node* body : expect_list(document_, *node, "bodies", "bodies")) {
            parse_body(*body, true);
        }
    }
    if (const Node* node = top.find("joints")) {
        expect_list(document_, *node, "joints", "joints");
        if (node->child_count > max_scene_joints - reading_.joints.size()) {
            document_.fail(*node, "more than " + std::to_string(max_scene_joints) + " joints in all, with includes");
        }
        JointReader reader(document_, reading_.bodies, first_body);
        for (const Node* joint : document_.children(*node)) {
            reading_.joints.push_back(reader.read(*joint));
        }
    }
    if (const Node* node = top.find("zones")) {
        read_zones(document_, *node, scene);
    }
    if (const Node* node = top.find("show")) {
        scene.show = read_show(document_, *node, reading_.bodies);
    }
    if (const Node* node = top.find("expect"); node != nullptr && reading_.expectations) {
        read_expectations(
            document_, *node, reading_.bodies, first_body, reading_.joints, first_joint,
            [this](const Node& file) { return read_reference(file); }, scene);
    }
    return scene;
}

void FileParser::parse_parameter(const Node& node, const physics::Parameter& p, physics::Settings& settings) {
    const auto read = [&]<typename Value>(Value physics::Settings::*member) {
        if constexpr (std::is_same_v<Value, bool>) {
            settings.*member = read_boolean(document_, node, p.key);
        } else if constexpr (std::is_same_v<Value, int>) {
            settings.*member = static_cast<int>(read_integer(document_, node, p.key, static_cast<std::int64_t>(p.least),
                                                             static_cast<std::int64_t>(p.greatest)));
        } else if constexpr (std::is_same_v<Value, float>) {
            settings.*member = read_number(document_, node, p.key, range_of(p));
        } else {
            settings.*member = read_vector(document_, node, p.key, range_of(p));
        }
    };
    std::visit(read, p.member);
}

void FileParser::parse_parameters(const ObjectReader& object, std::string_view section, physics::Settings& settings) {
    for (const physics::Parameter& p : physics::parameters) {
        if (p.section != section) {
            continue;
        }
        if (const Node* value = object.find(p.key)) {
            parse_parameter(*value, p, settings);
        }
    }
}

void FileParser::include(const Node& node) {
    const std::string name = read_string(document_, node, "include");
    if (name.empty()) {
        document_.fail(node, "\"include\" takes file names, not an empty string");
    }
    const std::filesystem::path path = (folder_ / name).lexically_normal();
    const std::filesystem::path canonical =
        reading_.shapes.access.find(document_, node, path, "included file").canonical;
    if (std::ranges::find(reading_.open_files, canonical) != reading_.open_files.end()) {
        std::string chain;
        for (const std::filesystem::path& open : reading_.open_files) {
            chain += open.filename().string() + " -> ";
        }
        document_.fail(node, "the file includes itself: " + chain + canonical.filename().string());
    }
    if (reading_.open_files.size() >= max_include_depth) {
        document_.fail(node, "includes are nested more than " + std::to_string(max_include_depth) + " deep");
    }
    if (++reading_.included_files > max_included_files) {
        document_.fail(node, "more than " + std::to_string(max_included_files) + " files are included");
    }
    std::string text;
    try {
        text = read_whole_file(path);
    } catch (const InputError& problem) {
        document_.fail(node, "the included file " + in_quotes(path.string()) + " " + problem.message());
    }
    const Document included(text, path.string());
    reading_.open_files.push_back(canonical);
    FileParser(included, path.parent_path(), reading_).parse_scene();
    reading_.open_files.pop_back();
}

// What is expected of that scene is of no account here, and so two scenes may name each other.
Expectation::Reference FileParser::read_reference(const Node& node) {
    constexpr std::string_view builtin = "builtin:";
    Expectation::Reference reference{read_string(document_, node, "of")};
    std::error_code error;
    std::filesystem::path path = (folder_ / reference.file).lexically_normal();
    try {
        if (reference.file.starts_with(builtin)) {
            path = builtin_scene(reference.file.substr(builtin.size()));
        } else {
            reading_.shapes.access.note(path);
            const std::filesystem::path canonical = std::filesystem::canonical(path, error);
            if (!error && !reading_.shapes.access.allows(canonical)) {
                throw InputError("lies outside the scene's folder, to which the reading is confined");
            }
        }
        reference.path = std::filesystem::absolute(path).string();
        reference.scene =
            std::make_shared<const Scene>(read_scene(path, {!reading_.shapes.access.confined_to.empty(), false}));
    } catch (const InputError& problem) {
        document_.fail(node, "the scene " + in_quotes(reference.file) + " cannot be compared with: " + problem.what());
    }
    return reference;
}

Scene scene_from_document(const Document& document, const std::filesystem::path& folder,
                          const std::filesystem::path& file, std::vector<std::filesystem::path>* files,
                          const SceneReading& how) {
    Reading reading;
    reading.shapes.access.named = files;
    reading.shapes.executor = how.executor;
    reading.shapes.progress = how.progress;
    reading.expectations = how.expectations;
    if (how.confined) {
        std::error_code error;
        reading.shapes.access.confined_to = std::filesystem::canonical(folder.empty() ? "." : folder, error);
        if (error) {
            throw InputError({folder.string(), 0, 0}, "cannot be looked at: " + error.message());
        }
    }
    if (!file.empty()) {
        reading.open_files.push_back(file);
    }
    Scene scene = FileParser(document, folder, reading).parse_scene();
    scene.bodies = std::move(reading.bodies);
    scene.joints = std::move(reading.joints);
    return scene;
}

BodyDef body_from_document(const Document& document, const std::filesystem::path& folder) {
    Reading reading;
    FileParser(document, folder, reading).parse_body(document.root(), false);
    return std::move(reading.bodies.front());
}

Scene excerpt_from_document(const Document& document, const std::filesystem::path& folder) {
    const Node& root = document.root();
    const bool one_body = root.kind == NodeKind::object && document.member(root, "cairn") == nullptr &&
                          (document.member(root, "shape") != nullptr || document.member(root, "shapes") != nullptr);
    if (!one_body && root.kind != NodeKind::array) {
        return scene_from_document(document, folder, {});
    }
    Reading reading;
    FileParser parser(document, folder, reading);
    if (one_body) {
        parser.parse_body(root, true);
    }
    for (const Node* node = one_body ? nullptr : document.first(root); node != nullptr; node = document.next(*node)) {
        parser.parse_body(*node, true);
    }
    Scene scene;
    scene.bodies = std::move(reading.bodies);
    return scene;
}

physics::JointDef joint_from_document(const Document& document, const Scene& scene) {
    return JointReader(document, scene.bodies, 0).read(document.root());
}

SceneTitle title_from_document(const Document& document) {
    SceneTitle title;
    if (const Node* node = document.member(document.root(), "name"); node != nullptr) {
        title.name = node->string;
    }
    if (const Node* node = document.member(document.root(), "description"); node != nullptr) {
        title.description = node->string;
    }
    return title;
}

} // namespace cairn::core
