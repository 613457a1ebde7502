// The schema and the documentation say what the table of parameters says. With CAIRN_WRITE_TEXTS=1 in the environment
// these tests write the two files' parts instead, and then hold.
#include "app/core/base/files/text_file.h"
#include "app/core/report/report.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/world/parameters/parameters.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <set>
#include <string>

namespace cairn::core {
namespace {

using physics::BodyDef;
using physics::BodyParameter;
using physics::Parameter;
using physics::Settings;

constexpr const char* schema_file = CAIRN_SOURCE_DIR "/scenes/scene.schema.json";
constexpr const char* page_file = CAIRN_SOURCE_DIR "/docs/reference/scene-format.md";

struct Default {
    std::string operator()(bool Settings::*member) const { return Settings{}.*member ? "true" : "false"; }
    std::string operator()(int Settings::*member) const { return std::to_string(Settings{}.*member); }
    std::string operator()(float Settings::*member) const { return float_text(Settings{}.*member); }
    std::string operator()(physics::Vec3 Settings::*member) const {
        const physics::Vec3 v = Settings{}.*member;
        return "[" + float_text(v.x) + ", " + float_text(v.y) + ", " + float_text(v.z) + "]";
    }
    std::string operator()(bool BodyDef::*member) const { return BodyDef{}.*member ? "true" : "false"; }
    std::string operator()(float BodyDef::*member) const { return float_text(BodyDef{}.*member); }
    std::string operator()(float physics::Material::*member) const { return float_text(BodyDef{}.material.*member); }
    std::string operator()(std::optional<float> BodyDef::*) const { return ""; } // there is none
};

template <class Row>
std::string default_of(const Row& row) {
    return std::visit(Default{}, row.member);
}

const char* json_type(const Parameter& p) {
    return p.is_switch() ? "boolean" : p.is_whole() ? "integer" : "number";
}
const char* json_type(const BodyParameter& p) {
    return p.is_switch() ? "boolean" : "number";
}
bool is_vector(const Parameter& p) {
    return std::holds_alternative<physics::Vec3 Settings::*>(p.member);
}
bool is_vector(const BodyParameter&) {
    return false;
}

// The member that describes the parameter, with its first line's indentation and without a comma.
template <class Row>
std::string property_text(const Row& p, std::size_t indent) {
    const std::string in(indent, ' ');
    std::string text = in + '"' + std::string(p.key) + "\": {\n";
    text += in + "  \"description\": \"" + std::string(p.sentence);
    text += p.unit.empty() ? "\"" : " In " + std::string(p.unit) + ".\"";
    const std::string low = "\"minimum\": " + float_text(p.least), high = "\"maximum\": " + float_text(p.greatest);
    if (is_vector(p)) {
        text += ",\n" + in + "  \"type\": \"array\",\n" + in + "  \"items\": {\"type\": \"number\", " + low + ", " +
                high + "},\n" + in + "  \"minItems\": 3,\n" + in + "  \"maxItems\": 3";
    } else {
        text += ",\n" + in + "  \"type\": \"" + json_type(p) + '"';
        if (!p.is_switch()) {
            text += ",\n" + in + "  " + low + ",\n" + in + "  " + high;
        }
    }
    if (const std::string standard = default_of(p); !standard.empty()) {
        text += ",\n" + in + "  \"default\": " + standard;
    }
    return text + '\n' + in + '}';
}

// What stands from the first `from` after each of `anchors` in turn up to the next `to`.
struct Part {
    std::size_t begin = 0, end = 0;
};
Part part_of(const std::string& text, std::initializer_list<std::string> anchors, const std::string& to) {
    std::size_t at = 0;
    for (const std::string& anchor : anchors) {
        at = text.find(anchor, at);
        if (at == std::string::npos) {
            ADD_FAILURE() << "there is no " << anchor;
            return {};
        }
        at += anchor.size();
    }
    const std::size_t end = text.find(to, at);
    if (end == std::string::npos) {
        ADD_FAILURE() << "there is no end: " << to;
        return {};
    }
    return {at, end};
}

class ParameterTexts : public ::testing::Test {
  protected:
    void expect_part(const char* file, std::initializer_list<std::string> anchors, const std::string& to,
                     const std::string& expected) {
        std::string text = read_whole_file(file);
        const Part part = part_of(text, anchors, to);
        if (std::getenv("CAIRN_WRITE_TEXTS") != nullptr && part.end > 0) {
            write_text_file(file, text.replace(part.begin, part.end - part.begin, expected));
            return;
        }
        EXPECT_EQ(text.substr(part.begin, part.end - part.begin), expected)
            << file
            << " says otherwise than physics/world/parameters/parameters.h. To write it anew, run this test with "
            << "CAIRN_WRITE_TEXTS=1 in the environment";
    }
};

TEST_F(ParameterTexts, SchemaOfTheStepIsTheTables) {
    for (const std::string section : {"step", "solver"}) {
        std::string properties;
        for (const Parameter& p : physics::parameters) {
            if (p.section == section) {
                properties += (properties.empty() ? "" : ",\n") + property_text(p, 8);
            }
        }
        expect_part(schema_file, {"\n  \"$defs\": {", "\n    \"" + section + "\": {\n", "\"properties\": {\n"},
                    "\n      },\n      \"additionalProperties\"", properties);
    }
    for (const Parameter& p : physics::parameters) {
        if (p.section.empty()) {
            const std::string text = property_text(p, 4), head = text.substr(0, text.find('\n'));
            expect_part(schema_file, {"\n  \"properties\": {", head}, "\n    }",
                        text.substr(head.size(), text.size() - head.size() - 6));
        }
    }
}

TEST_F(ParameterTexts, SchemaOfBodiesIsTheTables) {
    for (const BodyParameter& p : physics::body_parameters) {
        const std::string text = property_text(p, 8), head = '\n' + text.substr(0, text.find('\n'));
        expect_part(schema_file, {"\n  \"$defs\": {", "\n    \"body\": {\n", head}, "\n        }",
                    text.substr(head.size() - 1, text.size() - head.size() + 1 - 10));
    }
}

std::string range_text(float low, float high, std::string_view unit) {
    std::string text = float_text(low) + ".." + float_text(high);
    std::string shown(unit);
    for (const auto& [plain, raised] : {std::pair{"^2", "²"}, {"^3", "³"}}) {
        if (const std::size_t at = shown.find(plain); at != std::string::npos) {
            shown.replace(at, 2, raised);
        }
    }
    return text + (shown.empty() ? "" : " " + shown);
}

template <class Row>
std::string table_row(const Row& p, const std::string& key) {
    const std::string standard = default_of(p);
    return "| `" + key + "` | " + (is_vector(p) ? "`[x, y, z]`, each " : "") +
           (p.is_switch() ? "true, false" : range_text(p.least, p.greatest, p.unit)) + " | " +
           (standard.empty() ? "by density" : standard) + " | " + std::string(p.sentence) + " |\n";
}

constexpr const char* table_head = "| key | range | default | meaning |\n|---|---|---|---|\n";

TEST_F(ParameterTexts, PageHasTheTableOfTheStep) {
    std::string table = table_head;
    for (const Parameter& p : physics::parameters) {
        table += table_row(p, (p.section.empty() ? "" : std::string(p.section) + '.') + std::string(p.key));
    }
    expect_part(page_file, {"<!-- parameters of the step -->\n"}, "<!-- end -->", table);
}

TEST_F(ParameterTexts, PageHasTheTableOfBodies) {
    std::string table = table_head;
    for (const BodyParameter& p : physics::body_parameters) {
        table += table_row(p, std::string(p.key));
    }
    expect_part(page_file, {"<!-- parameters of a body -->\n"}, "<!-- end -->", table);
}

// Sentences are read by people: whole, and not two alike. A default outside its range could not be written down.
TEST(Parameters, AreSoundRows) {
    std::set<std::string_view> sentences, labels;
    const auto sound = [&](const auto& p) {
        EXPECT_GE(p.sentence.size(), 20u) << p.key;
        EXPECT_EQ(p.sentence.back(), '.') << p.key;
        EXPECT_EQ(p.sentence.find('"'), std::string_view::npos) << p.key << ": would need escaping in JSON";
        EXPECT_TRUE(sentences.insert(p.sentence).second) << p.key;
        EXPECT_TRUE(labels.insert(p.label).second) << p.key;
        EXPECT_FALSE(p.label.empty() || p.label.size() > 13) << p.key << ": the panel has no room for this label";
        EXPECT_LT(p.least, p.greatest) << p.key;
        EXPECT_GT(p.step, 0.0f) << p.key;
    };
    for (const Parameter& p : physics::parameters) {
        sound(p);
        EXPECT_TRUE(p.section.empty() || p.section == "step" || p.section == "solver") << p.key;
        EXPECT_LT(static_cast<std::size_t>(p.group), physics::parameter_group_names.size()) << p.key;
        EXPECT_EQ(physics::find_parameter(p.section, p.key), &p);
    }
    for (const BodyParameter& p : physics::body_parameters) {
        sound(p);
        EXPECT_EQ(physics::find_body_parameter(p.key), &p);
    }
    EXPECT_EQ(physics::find_parameter("step", "contact_hertz"), nullptr);
    for (std::size_t group = 0; group < physics::parameter_group_names.size(); ++group) {
        EXPECT_TRUE(std::any_of(physics::parameters.begin(), physics::parameters.end(),
                                [&](const Parameter& p) { return static_cast<std::size_t>(p.group) == group; }))
            << physics::parameter_group_names[group] << " is an empty group";
    }
}

} // namespace
} // namespace cairn::core
