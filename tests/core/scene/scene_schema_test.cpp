// scene.schema.json says what the parser does: the same keys, ranges, defaults and needs.
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/values/scene_keys.h"

#include <cmath>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

namespace cairn::core {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using Pointer = json::json_pointer;

const json& schema() {
    static const json loaded = json::parse(read_whole_file(CAIRN_SOURCE_DIR "/scenes/scene.schema.json"));
    return loaded;
}

// An object of the format: where the schema describes it, which keys the parser takes, and a valid scene with one in
// it.
struct Described {
    const char* name;
    const char* in_schema;
    std::span<const std::string_view> keys;
    const char* scene;
    const char* in_scene;
};

std::ostream& operator<<(std::ostream& out, const Described& described) {
    return out << described.name;
}

#define BODY(text) R"({"cairn": 1, "bodies": [)" text "]}"
#define JOINT(text) R"({"cairn": 1, "bodies": [{"shape": {"sphere": {"radius": 1}}}], "joints": [)" text "]}"

const Described objects[] = {
    {"scene", "", scene_keys, R"({"cairn": 1})", ""},
    {"step", "/$defs/step", step_keys, R"({"cairn": 1, "step": {}})", "/step"},
    {"solver", "/$defs/solver", solver_keys, R"({"cairn": 1, "solver": {}})", "/solver"},
    {"camera", "/$defs/camera", camera_keys, R"({"cairn": 1, "camera": {}})", "/camera"},
    {"show", "/$defs/show", show_keys, R"({"cairn": 1, "show": {}})", "/show"},
    {"camera_key", "/$defs/camera_key", camera_key_keys,
     R"({"cairn": 1, "show": {"path": [{"time": 0, "eye": [0, -9, 4], "target": [0, 0, 0]}]}})", "/show/path/0"},
    {"label", "/$defs/label", label_keys, R"({"cairn": 1, "show": {"labels": [{"text": "a"}]}})", "/show/labels/0"},
    {"body", "/$defs/body", body_keys, BODY(R"({"shape": {"sphere": {"radius": 1}}})"), "/bodies/0"},
    {"body_shape", "/$defs/body/properties/shapes/items", body_shape_keys,
     BODY(R"({"shapes": [{"shape": {"sphere": {"radius": 1}}}]})"), "/bodies/0/shapes/0"},
    {"repeat", "/$defs/repeat", repeat_keys,
     BODY(R"({"shape": {"sphere": {"radius": 1}}, "repeat": {"count": [1, 1, 1]}})"), "/bodies/0/repeat"},
    {"sphere", "/$defs/shape/properties/sphere", sphere_keys, BODY(R"({"shape": {"sphere": {"radius": 1}}})"),
     "/bodies/0/shape/sphere"},
    {"box", "/$defs/shape/properties/box", box_keys, BODY(R"({"shape": {"box": {"half_extents": [1, 1, 1]}}})"),
     "/bodies/0/shape/box"},
    {"capsule", "/$defs/shape/properties/capsule", capsule_keys,
     BODY(R"({"shape": {"capsule": {"radius": 1, "half_height": 1}}})"), "/bodies/0/shape/capsule"},
    {"cylinder", "/$defs/shape/properties/cylinder", cylinder_keys,
     BODY(R"({"shape": {"cylinder": {"radius": 1, "half_height": 1}}})"), "/bodies/0/shape/cylinder"},
    {"cone", "/$defs/shape/properties/cone", cone_keys, BODY(R"({"shape": {"cone": {"radius": 1, "height": 1}}})"),
     "/bodies/0/shape/cone"},
    {"diamond", "/$defs/shape/properties/diamond", diamond_keys, BODY(R"({"shape": {"diamond": {}}})"),
     "/bodies/0/shape/diamond"},
    {"hull", "/$defs/shape/properties/hull", hull_keys,
     BODY(R"({"shape": {"hull": {"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]}}})"), "/bodies/0/shape/hull"},
    {"heightfield", "/$defs/shape/properties/heightfield", heightfield_keys,
     BODY(R"({"type": "static", "shape": {"heightfield": {"heights": [[0, 0], [0, 1]]}}})"),
     "/bodies/0/shape/heightfield"},
    {"mesh", "/$defs/shape/properties/mesh", mesh_keys,
     BODY(R"({"type": "static", "shape": {"mesh": {"vertices": [[0,0,0],[0.001,0,0],[0,0.001,0],[0,0,0.001]],
              "triangles": [[0,1,2],[0,1,3],[1,2,3]], "materials": [{}, {}], "triangle_materials": [0, 1, 1]}}})"),
     "/bodies/0/shape/mesh"},
    {"mesh_material", "/$defs/shape/properties/mesh/properties/materials/items", mesh_material_keys,
     BODY(R"({"type": "static", "shape": {"mesh": {"vertices": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]],
              "materials": [{"name": "ice"}], "triangle_materials": [0]}}})"),
     "/bodies/0/shape/mesh/materials/0"},
    {"decomposed", "/$defs/body/properties/decomposed", decomposed_keys,
     BODY(R"({"decomposed": {"vertices": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]],
                             "triangles": [[0,2,1],[0,1,3],[1,2,3],[0,3,2]]}})"),
     "/bodies/0/decomposed"},
    {"joint", "/$defs/joint", joint_keys, JOINT(R"({"type": "distance", "b": 0})"), "/joints/0"},
    {"joint_axes", "/$defs/joint/properties/axes", axis_names,
     JOINT(R"({"type": "six_dof", "b": 0, "anchor": [0,0,0], "axes": {}})"), "/joints/0/axes"},
    {"joint_axis", "/$defs/joint_axis/oneOf/1", joint_axis_keys,
     JOINT(R"({"type": "six_dof", "b": 0, "anchor": [0,0,0], "axes": {"x": {"limits": [0, 1]}}})"), "/joints/0/axes/x"},
    {"joint_motor", "/$defs/joint_motor", joint_motor_keys,
     JOINT(R"({"type": "distance", "b": 0, "motor": {"speed": 1, "max_force": 1}})"), "/joints/0/motor"},
    {"joint_spring", "/$defs/joint_spring", joint_spring_keys,
     JOINT(R"({"type": "distance", "b": 0, "spring": {"hertz": 1}})"), "/joints/0/spring"},
};
#undef JOINT
#undef BODY

std::set<std::string> names(std::span<const std::string_view> keys) {
    return {keys.begin(), keys.end()};
}

std::set<std::string> members_of(const json& object) {
    std::set<std::string> result;
    for (const auto& [key, value] : object.items()) {
        result.insert(key);
    }
    return result;
}

std::string error_of_scene(const json& scene) {
    try {
        parse_scene(scene.dump(), "s.json", ".");
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

class SceneSchema : public ::testing::TestWithParam<Described> {
  protected:
    const json& description() const { return schema().at(Pointer(GetParam().in_schema)); }
    json scene() const { return json::parse(GetParam().scene); }
    json scene_with(const std::string& key, const json& value) const {
        json changed = scene();
        changed[Pointer(GetParam().in_scene)][key] = value;
        return changed;
    }
};

TEST_P(SceneSchema, HasTheParsersKeys) {
    ASSERT_EQ(error_of_scene(scene()), "no error");
    EXPECT_EQ(members_of(description().at("properties")), names(GetParam().keys));
    EXPECT_EQ(description().at("additionalProperties"), json(false));
    EXPECT_THAT(error_of_scene(scene_with("no_such_key", 1)), HasSubstr("unknown key"));
    for (const auto& [key, property] : description().at("properties").items()) {
        EXPECT_TRUE(property.contains("description") || property.contains("$ref")) << key;
        // Whatever the parser thinks of the value, it knows the key.
        EXPECT_THAT(error_of_scene(scene_with(key, nullptr)), Not(HasSubstr("unknown key"))) << key;
    }
}

TEST_P(SceneSchema, HasTheParsersRanges) {
    for (const auto& [key, property] : description().at("properties").items()) {
        const bool list = property.value("type", "") == "array";
        const json range = list ? property.at("items") : property;
        if (!range.contains("minimum")) {
            continue;
        }
        const bool whole = range.at("type") == "integer";
        const auto value = [&](double number) -> json {
            const json one = whole ? json(static_cast<std::int64_t>(number)) : json(number);
            return list ? json::array({one, 1, 1}) : one;
        };
        const double low = range.at("minimum").get<double>(), high = range.at("maximum").get<double>();
        const auto next = [&](double from, double direction) {
            return whole ? from + direction
                         : static_cast<double>(
                               std::nextafter(static_cast<float>(from), static_cast<float>(direction) * HUGE_VALF));
        };
        for (const double inside : {low, high}) {
            EXPECT_THAT(error_of_scene(scene_with(key, value(inside))), Not(HasSubstr(" within ")))
                << key << ' ' << inside;
        }
        for (const double outside : {next(low, -1.0), next(high, 1.0)}) {
            EXPECT_THAT(error_of_scene(scene_with(key, value(outside))), HasSubstr('"' + key + "\" must be "))
                << outside;
        }
    }
}

TEST_P(SceneSchema, HasTheParsersDefaults) {
    const Scene plain = parse_scene(scene().dump(), "s.json", ".");
    for (const auto& [key, property] : description().at("properties").items()) {
        if (!property.contains("default") || key == "bodies") {
            continue;
        }
        Scene spelt_out;
        ASSERT_NO_THROW(spelt_out = parse_scene(scene_with(key, property.at("default")).dump(), "s.json", ".")) << key;
        EXPECT_TRUE(spelt_out == plain) << key;
    }
}

TEST_P(SceneSchema, NeedsWhatTheParserNeeds) {
    const json required = description().value("required", json::array());
    const json object = scene().at(Pointer(GetParam().in_scene));
    for (const auto& [key, value] : object.items()) {
        json without = scene();
        without[Pointer(GetParam().in_scene)].erase(key);
        const bool needed = std::find(required.begin(), required.end(), json(key)) != required.end();
        if (needed) {
            EXPECT_THAT(error_of_scene(without), HasSubstr("needs the key \"" + key + '"'));
        } else if (!description().contains("oneOf") && !description().contains("minProperties")) {
            EXPECT_EQ(error_of_scene(without), "no error") << key;
        }
    }
    for (const json& key : required) {
        EXPECT_TRUE(object.contains(key.get<std::string>())) << key;
    }
}

const auto described_name = [](const ::testing::TestParamInfo<Described>& info) {
    return std::string(info.param.name);
};
INSTANTIATE_TEST_SUITE_P(Objects, SceneSchema, ::testing::ValuesIn(objects), described_name);

TEST(SceneSchemaWords, ShapesAndTypesAreTheParsers) {
    EXPECT_EQ(members_of(schema().at(Pointer("/$defs/shape/properties"))), names(shape_kinds));
    EXPECT_EQ(schema().at(Pointer("/$defs/body/properties/type/enum")).get<std::set<std::string>>(), names(body_types));
    EXPECT_EQ(schema().at(Pointer("/$defs/joint/properties/type/enum")).get<std::set<std::string>>(),
              names(joint_kinds));
    EXPECT_EQ(schema().at(Pointer("/properties/joints/maxItems")), json(max_scene_joints));
    EXPECT_EQ(schema().at(Pointer("/properties/cairn/const")), json(scene_version));
    EXPECT_EQ(schema().at(Pointer("/$defs/points/maxItems")), json(max_hull_points));
    EXPECT_EQ(schema().at(Pointer("/$defs/body/properties/shapes/maxItems")), json(max_shapes_per_body));
}

TEST(SceneSchemaWords, EveryReferenceResolves) {
    int references = 0;
    const std::function<void(const json&)> walk = [&](const json& node) {
        if (node.is_object() && node.contains("$ref") && node["$ref"].is_string()) {
            const std::string target = node["$ref"];
            ASSERT_EQ(target.substr(0, 1), "#");
            EXPECT_TRUE(schema().contains(Pointer(target.substr(1)))) << target;
            ++references;
        }
        for (const json& child : node) {
            if (child.is_structured()) {
                walk(child);
            }
        }
    };
    walk(schema());
    EXPECT_GT(references, 5);
}

} // namespace
} // namespace cairn::core
