// Faulty scenes: each gives one error with the exact place and words that say how to mend it.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ostream>

namespace cairn::core {
namespace {

using testing::TemporaryFolder;

using ::testing::HasSubstr;

std::string error_of(const std::string& text, const std::filesystem::path& folder = ".") {
    try {
        parse_scene(text, "bad.json", folder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

struct Fault {
    const char* name;
    const char* text; // @ marks where the error must point; it is taken out
    const char* words;
};
std::ostream& operator<<(std::ostream& out, const Fault& fault) {
    return out << fault.name;
}

// Splits off the mark: the text without it, and "line:column" of where it stood.
std::pair<std::string, std::string> unmarked(const std::string& marked) {
    const std::size_t at = marked.find('@');
    EXPECT_NE(at, std::string::npos);
    std::size_t line = 1, column = 1;
    for (std::size_t i = 0; i < at; ++i) {
        line += marked[i] == '\n' ? 1 : 0;
        column = marked[i] == '\n' ? 1 : column + ((static_cast<unsigned char>(marked[i]) & 0xc0u) != 0x80u ? 1 : 0);
    }
    return {marked.substr(0, at) + marked.substr(at + 1), std::to_string(line) + ':' + std::to_string(column)};
}

class SceneFault : public ::testing::TestWithParam<Fault> {};

TEST_P(SceneFault, IsLocatedAndExplained) {
    const auto [text, place] = unmarked(GetParam().text);
    const std::string error = error_of(text);
    EXPECT_EQ(error.substr(0, error.find(": ")), "bad.json:" + place) << error;
    EXPECT_THAT(error, HasSubstr(GetParam().words));
    EXPECT_EQ(error.find('\n'), std::string::npos) << "one line: " << error;
    EXPECT_LT(error.size(), 400u) << error;
}

const Fault syntax_faults[] = {
    {"Empty", "@", "the file is empty"},
    {"OnlyComment", "// nothing\n  /* here */  @", "the file is empty"},
    {"NotAnObject", "@[1, 2]", "the scene must be an object"},
    {"JustText", "@hello", "a scene starts with {"},
    {"TrailingComma", "{\"cairn\": 1,\n \"gravity\": [0, 0, -9.81,@]\n}", "one comma too many before this ]"},
    {"TrailingCommaInObject", "{\"cairn\": 1,\n@}", "one comma too many before this }"},
    {"DoubleComma", "{\"cairn\": 1,@, \"name\": \"x\"}", "one comma too many"},
    {"MissingComma", "{\"cairn\": 1\n  @\"name\": \"x\"}", "a comma is missing before this"},
    {"MissingCommaInList", "{\"cairn\": 1, \"gravity\": [0 @0, 1]}", "a comma is missing before this"},
    {"MissingCommaBetweenBodies", "{\"cairn\": 1, \"bodies\": [{} // one\n @{}]}", "a comma is missing"},
    {"MissingColon", "{\"cairn\" @1}", "a colon is missing between the key \"cairn\" and its value"},
    {"NumberAsKey", "{@1: 2}", "a key in double quotes must stand here"},
    {"BareKey", "{@cairn: 1}", "not valid JSON here"},
    {"SingleQuotes", "{@'cairn': 1}", "double quotes"},
    {"NaN", "{\"cairn\": 1, \"gravity\": [0, 0, @NaN]}", "NaN is not a number that a scene can hold"},
    {"Infinity", "{\"cairn\": 1, \"gravity\": [0, 0, @-Infinity]}", "write a finite one"},
    {"Overflow", "{\"cairn\": 1, \"gravity\": [0, 0, @1e39]}", "the number \"1e39\" is too large"},
    {"HugeOverflow", "{\"cairn\": 1, \"gravity\": [0, 0,\n @-123456e999999999]}", "is too large"},
    {"OverflowLastInFile", "@1e999", "is too large"},
    {"HugeInteger", "{\"cairn\": @99999999999999999999999999999999999999}", "this program reads version 1"},
    {"LeadingZero", "{\"cairn\": @01}", "no leading zeros"},
    {"Unit", "{\"cairn\": 1, \"gravity\": [0, 0, @-9.81m]}",
     "malformed value \"-9.81m\"; a number has no leading zeros and no unit"},
    {"LoneMinus", "{\"cairn\": 1, \"gravity\": [0, 0, @-]}", "not valid JSON here"},
    {"HalfWord", "{\"cairn\": 1, \"solver\": {\"sleeping\": @truex}}", "malformed value \"truex\""},
    {"OtherWord", "{\"cairn\": 1, \"solver\": {\"sleeping\": @yes}}", "not valid JSON here"},
    {"UnclosedString", "{\"cairn\": 1,\n \"name\": @\"abc\n}", "this string is not closed"},
    {"UnclosedStringAtEnd", "{\"cairn\": 1, \"name\": @\"abc", "this string is not closed"},
    {"BadEscape", "{\"cairn\": 1, \"name\": \"a\\@q\"}", "bad character in a string"},
    {"BadUtf8", "{\"cairn\": 1, \"name\": \"a@\xff\"}", "ill-formed UTF-8"},
    {"UnclosedObject", "{\"cairn\": 1,\n \"step\": {\"hz\": 60\n@", "the { of line 2, column 10 is not closed"},
    {"UnclosedList", "{\"cairn\": 1, \"gravity\": [0, 0@", "the [ of line 1, column 25 is not closed"},
    {"WrongBracket", "{\"cairn\": 1, \"gravity\": [0, 0, 1@}}", "not valid JSON here"},
    {"UnclosedComment", "{\"cairn\": 1} @/* and so on", "this comment is not closed"},
    {"HalfComment", "{\"cairn\": 1, @/ \"name\": 2}", "a comment starts with"},
    {"MoreAfterTheEnd", "{\"cairn\": 1}\n@{}", "nothing may follow the end of the scene"},
    {"ColumnsCountCharacters", "{\"cairn\": 1, \"name\": \"Würfel 日本\", @oops: 1}", "not valid JSON here"},
};

const Fault meaning_faults[] = {
    {"KeyPosesOutOfOrder",
     "{\"cairn\": 1, \"show\": {\"path\": [{\"time\": 1, \"eye\": [0, -9, 4], \"target\": [0, 0, 0]},\n"
     " {\"time\": @1, \"eye\": [0, 9, 4], \"target\": [0, 0, 0]}]}}",
     "in the order of their times"},
    {"PathAndFollow",
     "{\"cairn\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}}],\n"
     " \"show\": {\"follow\": \"a\", \"path\": @[{\"time\": 1, \"eye\": [0, -9, 4], \"target\": [0, 0, 0]}]}}",
     "leave one out"},
    {"ColourByName", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"colour\": @\"red\"}]}",
     "\"colour\" must be \"#rrggbb\""},
    {"ColourTooShort",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"colour\": @\"#ff80\"}]}",
     "or \"automatic\", not \"#ff80\""},
    {"ColourOfLetters",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"colour\": @\"#ff80g0\"}]}",
     "six hexadecimal digits"},
    {"NoVersion", "@{\"name\": \"x\"}", "the scene needs the key \"cairn\""},
    {"OtherVersion", "{\"cairn\": @2}", "this program reads version 1"},
    {"VersionAsText", "{\"cairn\": @\"1\"}", "this program reads version 1"},
    {"UnknownKey", "{\"cairn\": 1,\n  @\"gravty\": [0,0,0]}",
     "unknown key \"gravty\" in the scene; did you mean \"gravity\"?"},
    {"UnknownKeyFarFromAll", "{\"cairn\": 1, @\"wibble\": 1}", "it can be cairn, "},
    {"MisspeltFriction",
     "{\"cairn\": 1, \"bodies\": [\n {\"shape\": {\"sphere\": {\"radius\": 1}},\n  @\"frictoin\": 1}]}",
     "unknown key \"frictoin\" in a body; did you mean \"friction\"?"},
    {"RepeatedKey", "{\"cairn\": 1,\n \"name\": \"a\",\n @\"name\": \"b\"}",
     "is given twice in the scene; it was first given in line 2"},
    {"NameIsNumber", "{\"cairn\": 1, \"name\": @7}", "\"name\" must be a string, not a number"},
    {"GravityTooShort", "{\"cairn\": 1, \"gravity\": @[0, -9.81]}",
     "must be a list [x, y, z] of three numbers, not one of 2"},
    {"GravityIsNumber", "{\"cairn\": 1, \"gravity\": @-9.81}",
     "must be a list [x, y, z] of three numbers, not a number"},
    {"GravityHoldsText", "{\"cairn\": 1, \"gravity\": [0, 0, @\"down\"]}", "must be a number, not a string"},
    {"GravityAbsurd", "{\"cairn\": 1, \"gravity\": [0, 0, @-1e5]}", "within -10000 .. 10000 m/s^2, not -1e5"},
    {"StepIsNumber", "{\"cairn\": 1, \"step\": @60}", "\"step\" must be an object"},
    {"HzTooSmall", "{\"cairn\": 1, \"step\": {\"hz\": @0}}", "\"hz\" must be within 10 .. 1000 1/s, not 0"},
    {"SubstepsNotWhole", "{\"cairn\": 1, \"step\": {\"substeps\": @4.5}}", "a whole number within 1 .. 64, not 4.5"},
    {"SubstepsTooMany", "{\"cairn\": 1, \"step\": {\"substeps\": @65}}", "a whole number within 1 .. 64, not 65"},
    {"UnknownSolverKey", "{\"cairn\": 1, \"solver\": {@\"sleepin\": true}}", "did you mean \"sleeping\"?"},
    {"SwitchIsNumber", "{\"cairn\": 1, \"solver\": {\"sleeping\": @1}}",
     "\"sleeping\" must be true or false, not a number"},
    {"SlopTooLarge", "{\"cairn\": 1, \"solver\": {\"linear_slop\": @0.5}}", "within 0 .. 0.1 m, not 0.5"},
    {"CameraAtItsTarget", "{\"cairn\": 1, \"camera\": @{\"eye\": [1,2,3], \"target\": [1,2,3]}}", "the same point"},
    {"BodiesIsObject", "{\"cairn\": 1, \"bodies\": @{}}", "\"bodies\" must be a list of bodies, not an object"},
    {"BodyIsNumber", "{\"cairn\": 1, \"bodies\": [@5]}", "a body must be an object"},
    {"BodyWithoutShape", "{\"cairn\": 1, \"bodies\": [\n @{\"name\": \"x\"}]}",
     "a body needs \"shape\", \"shapes\" or \"decomposed\""},
    {"ShapeIsText", "{\"cairn\": 1, \"bodies\": [{\"shape\": @\"sphere\"}]}", "must be an object like {\"sphere\""},
    {"ShapeIsEmpty", "{\"cairn\": 1, \"bodies\": [{\"shape\": @{}}]}", "\"shape\" is empty"},
    {"UnknownShape", "{\"cairn\": 1, \"bodies\": [{\"shape\": {@\"spehre\": {\"radius\": 1}}}]}",
     "did you mean \"sphere\"?"},
    {"TwoKinds",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1},\n @\"box\": {\"half_extents\": "
     "[1,1,1]}}}]}",
     "a shape is of one kind"},
    {"MissingRadius", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": @{}}}]}",
     "\"sphere\" needs the key \"radius\""},
    {"NegativeRadius", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": @-0.5}}}]}",
     "within 0.0001 .. 10000 m, not -0.5"},
    {"AbsurdBox", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"box\": {\"half_extents\": [1, @1e9, 1]}}}]}",
     "within 0.0001 .. 10000 m, not 1e9"},
    {"FlatBox", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"box\": {\"half_extents\": [1, 1, @0]}}}]}",
     "within 0.0001 .. 10000 m, not 0"},
    {"DiamondTooLarge", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"diamond\": {\"scale\": @1e5}}}]}",
     "within 0.0001 .. 10000 m, not 1e5"},
    {"BothShapeAndShapes", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, @\"shapes\": []}]}",
     "not both"},
    {"EmptyShapes", "{\"cairn\": 1, \"bodies\": [{\"shapes\": @[]}]}", "\"shapes\" is empty"},
    {"PlacedShapeWithoutShape", "{\"cairn\": 1, \"bodies\": [{\"shapes\": [@{\"position\": [0,0,0]}]}]}",
     "needs the key \"shape\""},
    {"BothMassAndDensity",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"mass\": 1, @\"density\": 2}]}",
     "\"mass\" or \"density\", not both"},
    {"ZeroMass", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"mass\": @0}]}",
     "\"mass\" must be within"},
    {"InertiaOfNoBody",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"inertia\": @[1, 1, 2.1]}]}",
     "inertia has a moment of 2.0999999, more than the sum of the other two"},
    {"InertiaOfANeedle",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"inertia\": @[1, 1, 1e-6]}]}",
     "less than a millionth of the sum of all three"},
    {"NegativeInertia",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"inertia\": [1, @-1, 1]}]}",
     "\"inertia\" must be within"},
    {"RestitutionAboveOne",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"restitution\": @1.5}]}",
     "within 0 .. 1, not 1.5"},
    {"ZeroQuaternion",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"orientation\": @[0, 0, 0, 0]}]}",
     "length zero"},
    {"ShortQuaternion",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"orientation\": @[1, 0, 0]}]}",
     "[w, x, y, z] of four numbers, not one of 3"},
    {"UnknownType", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"type\": @\"statik\"}]}",
     "did you mean \"static\"?"},
    {"MovingStatic",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"sphere\": {\"radius\": 1}}, "
     "\"linear_velocity\": @[1,0,0]}]}",
     "make it kinematic"},
    {"TooFast",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"linear_velocity\": @[99999,99999,0]}]}",
     "no longer than"},
    {"TooFarAway",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [0, @2e6, 0]}]}",
     "within -1000000 .. 1000000 m"},
    {"NullValue", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"friction\": @null}]}",
     "must be a number, not null"},
    {"HullWithoutPoints", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": @{}}}]}", "needs \"points\" or \"mesh\""},
    {"HullWithBoth", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": @{\"points\": [], \"mesh\": \"a.obj\"}}}]}",
     "not both"},
    {"HullTooFew", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": @{\"points\": [[0,0,0],[1,0,0],[0,1,0]]}}}]}",
     "\"hull\" is not a usable shape"},
    {"HullFlat",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": @{\"points\": [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[2,3,0]]}}}]}",
     "plane"},
    {"HullBadPoint", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": {\"points\": [[0,0,0], @[1,0]]}}}]}",
     "three numbers"},
    {"UnknownPointSet", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": {\"points\": @\"gem\"}}}]}",
     "no point set \"gem\""},
    {"MissingMesh", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": {\"mesh\": @\"nowhere.obj\"}}}]}",
     "cannot be found"},
    {"MeshOfOtherKind", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"hull\": {\"mesh\": @\"gem.dae\"}}}]}",
     "a mesh is an .obj, .stl, .ply, .glb or .gltf file"},
    {"MeshOfNothing", "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": @{}}}]}",
     "needs a \"file\" or \"vertices\" and \"triangles\""},
    {"MeshOfBoth",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": @{\"file\": \"a.obj\", \"vertices\": "
     "[[0,0,0],[1,0,0],[0,1,0]]}}}]}",
     "not both"},
    {"MeshWithoutTriangles",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": @{\"vertices\": "
     "[[0,0,0],[1,0,0],[0,1,0]]}}}]}",
     "needs the key \"triangles\""},
    {"MeshCornerThatIsNotThere",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": {\"vertices\": "
     "[[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0, 1, @3]]}}}]}",
     "there is no vertex 3"},
    {"MeshTriangleOfTwo",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": {\"vertices\": "
     "[[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [@[0, 1]]}}}]}",
     "three corners, not 2"},
    {"MeshFileOfOtherKind",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": {\"file\": @\"gem.dae\"}}}]}",
     "a mesh is an .obj, .stl, .ply, .glb or .gltf file"},
    {"MeshWithoutArea",
     "{\"cairn\": 1, \"bodies\": [{\"type\": \"static\", \"shape\": {\"mesh\": @{\"vertices\": "
     "[[0,0,0],[1,0,0],[0,1,0]], \"triangles\": [[0, 1, 1]]}}}]}",
     "without area"},
    {"MeshThatMoves",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": @{\"mesh\": {\"vertices\": [[0,0,0],[1,0,0],[0,1,0]], \"triangles\": "
     "[[0,1,2]]}}}]}",
     "for static bodies only"},
    {"MissingInclude", "{\"cairn\": 1, \"include\": [\n   @\"nowhere.json\"]}", "cannot be found"},
    {"IncludeIsText", "{\"cairn\": 1, \"include\": @\"walls.json\"}", "\"include\" must be a list of file names"},
    {"RepeatWithoutCount", "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": @{}}]}",
     "needs the key \"count\""},
    {"RepeatWithoutSpacing",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": @{\"count\": [2,1,1]}}]}",
     "needs the key \"spacing\""},
    {"RepeatOfNone",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": [2, @0, 1]}}]}",
     "whole number within 1 .. 1000000, not 0"},
    {"RepeatCountIsNumber",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": @10}}]}",
     "[nx, ny, nz]"},
    {"RepeatTooLarge",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": @[1000, 1000, 2], "
     "\"spacing\": [1,1,1]}}]}",
     "more than 1000000 bodies in all"},
    {"RepeatTooFar",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": [1000, 1, 1], "
     "\"spacing\": @[1e5,1,1]}}]}",
     "farther than 1e6 m"},
    {"JitterNegative",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": [1,1,1], "
     "\"jitter\": @-0.1}}]}",
     "within 0 .. 1000 m, not -0.1"},
    {"SeedNegative",
     "{\"cairn\": 1, \"bodies\": [{\"shape\": {\"sphere\": {\"radius\": 1}}, \"repeat\": {\"count\": [1,1,1], "
     "\"seed\": @-1}}]}",
     "whole number within 0 .. 4294967295"},
};

const auto fault_name = [](const ::testing::TestParamInfo<Fault>& info) { return std::string(info.param.name); };
INSTANTIATE_TEST_SUITE_P(Syntax, SceneFault, ::testing::ValuesIn(syntax_faults), fault_name);
INSTANTIATE_TEST_SUITE_P(Meaning, SceneFault, ::testing::ValuesIn(meaning_faults), fault_name);

// The same, spelt out once, so that the table's own counting cannot hide a shift.
TEST(SceneErrors, ReadAsPromised) {
    EXPECT_EQ(
        error_of(
            "{\n  \"cairn\": 1,\n  \"bodies\": [\n    {\"shape\": {\"sphere\": {\"radius\": 0.5}}, \"frictoin\": 1}\n"
            "  ]\n}\n"),
        "bad.json:4:44: unknown key \"frictoin\" in a body; did you mean \"friction\"?");
}

TEST(SceneErrors, LinesEndInEveryCustom) {
    EXPECT_EQ(error_of("{\r\n\"cairn\": 1,\r\n \"nme\": 1}").substr(0, 13), "bad.json:3:2:");
    EXPECT_EQ(error_of("{\r\"cairn\": 1,\r \"nme\": 1}").substr(0, 13), "bad.json:3:2:");
    EXPECT_EQ(error_of("{ // a\r\n\"cairn\": 1, /* b\r\nc */\r\n \"nme\": 1}").substr(0, 13), "bad.json:4:2:");
}

TEST(SceneErrors, ByteOrderMarkIsNoColumn) {
    EXPECT_EQ(error_of("\xEF\xBB\xBF{\"nme\": 1}").substr(0, 13), "bad.json:1:2:");
    EXPECT_EQ(error_of("\xEF\xBB\xBF{\"cairn\": 1}"), "no error");
    EXPECT_THAT(error_of("\xEF\xBB\xBF"), HasSubstr("bad.json:1:1: the file is empty"));
}

TEST(SceneErrors, ZeroBytesDoNotEndTheText) {
    const std::string text("{\"cairn\": 1}\n\0{\"cairn\": 2}", 26);
    EXPECT_THAT(error_of(text), HasSubstr("bad.json:2:1: there is a zero byte"));
}

TEST(SceneErrors, DeepNestingIsRejectedNotOverrun) {
    const std::string deep = "{\"cairn\": 1, \"name\": " + std::string(1'000'000, '[');
    EXPECT_THAT(error_of(deep), HasSubstr("bad.json:1:85: nested more than 64 levels deep"));
    std::string objects;
    for (int i = 0; i < 100'000; ++i) {
        objects += "{\"a\":";
    }
    EXPECT_THAT(error_of(objects), HasSubstr("nested more than 64 levels deep"));
}

TEST(SceneErrors, ManyUnknownKeysAreNoBurden) {
    std::string text = "{\"cairn\": 1";
    for (int i = 0; i < 100'000; ++i) {
        text += ", \"k" + std::to_string(i) + "\": 1";
    }
    EXPECT_THAT(error_of(text + "}"), HasSubstr("unknown key \"k0\""));
    const std::string long_key = "{\"cairn\": 1, \"" + std::string(1'000'000, 'k') + "\": 1}";
    EXPECT_LT(error_of(long_key).size(), 400u);
}

TEST(SceneErrors, BodiesAreCountedOverRepeatsAndIncludes) {
    const TemporaryFolder folder;
    folder.write("many.json", R"({"cairn": 1, "bodies": [{"shape": {"sphere": {"radius": 1}},
        "repeat": {"count": [1000, 1000, 1], "spacing": [1, 1, 1]}}]})");
    EXPECT_THAT(error_of(R"({"cairn": 1, "include": ["many.json"], "bodies": [
 {"shape": {"sphere": {"radius": 1}}}]})",
                         folder.path()),
                HasSubstr("bad.json:2:2: more than 1000000 bodies in all"));
}

TEST(SceneErrors, FaultyJointsAreLocated) {
    const std::string bodies = R"({"cairn": 1, "bodies": [
{"name": "a", "shape": {"sphere": {"radius": 1}}}, {"name": "b", "shape": {"sphere": {"radius": 1}}},
{"name": "twin", "type": "static", "shape": {"sphere": {"radius": 1}}},
{"name": "twin", "type": "static", "shape": {"sphere": {"radius": 1}}}], "joints": [
)";
    const std::pair<const char*, const char*> faults[] = {
        {R"({"type": @"hing", "b": 0, "anchor": [0,0,0]})", "unknown joint \"hing\"; did you mean \"hinge\"?"},
        {R"(@{"type": "hinge", "anchor": [0,0,0]})", "a joint needs the key \"b\""},
        {R"({"type": "hinge", "b": @4, "anchor": [0,0,0]})", "\"b\" is not the index of a body; the file has 4"},
        {R"({"type": "hinge", "b": @"c", "anchor": [0,0,0]})", "there is no body named \"c\" in this file"},
        {R"({"type": "hinge", "a": @"twin", "b": "b", "anchor": [0,0,0]})",
         "2 bodies are named \"twin\"; use an index"},
        {R"({"type": "hinge", "a": "b", "b": @"b", "anchor": [0,0,0]})", "a joint needs two bodies"},
        {R"(@{"type": "hinge", "a": 2, "b": 3, "anchor": [0,0,0]})", "a joint needs at least one dynamic body"},
        {R"(@{"type": "hinge", "b": "b"})", "a joint needs \"anchor\" in the world"},
        {R"({"type": "hinge", "b": "b", @"anchor": [0,0,0], "anchor_b": [0,0,0]})",
         "\"anchor\" or \"anchor_b\", not both"},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], @"axis": [1,0,0], "frame_a": [1,0,0,0]})", "not both"},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], "axis": @[0,0,0]})", "\"axis\" must not be zero"},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], @"length": 1})",
         "only distance and pulley joints have a \"length\""},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], "limits": @[1]})", "\"limits\" must be [lower, upper]"},
        {R"(@{"type": "hinge", "b": "b", "anchor": [0,0,0], "limits": [1, 0]})",
         "upper limit is 0, must lie within 1 to"},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], "motor": @{"speed": 1}})", "needs the key \"max_force\""},
        {R"(@{"type": "weld", "b": "b", "anchor": [0,0,0], "cone": 1})", "only ball and universal joints have a cone"},
        {R"(@{"type": "hinge", "b": "b", "anchor": [0,0,0], "ratio": 2})", "only gears, racks and pulleys have a"},
        {R"({"type": "ball", "b": "b", "anchor": [0,0,0], @"ground_a": [0,0,1]})", "only a pulley has"},
        {R"(@{"type": "pulley", "a": "a", "b": "b", "ground_a": [0,0,1]})", "a joint needs the key \"ground_b\""},
        {R"(@{"type": "gear", "b": "b"})", "gears, racks and pulleys need two bodies"},
        {R"({"type": "gear", "a": "a", "b": "b", "ratio": @2000})", "\"ratio\""},
        {R"(@{"type": "gear", "a": "a", "b": "b", "ratio": 0})", "ratio is 0, must lie within 0.001"},
        {R"({"type": "gear", "a": "a", "b": "b", "axis_b": @[0,0,0]})", "\"axis_b\" must not be zero"},
        {R"({"type": "hinge", "b": "b", "anchor": [0,0,0], @"axes": {}})",
         "only joints of six degrees of freedom have"},
        {R"({"type": "six_dof", "b": "b", "anchor": [0,0,0], "axes": {"x": @"loose"}})",
         "must be \"locked\", \"free\""},
        {R"({"type": "six_dof", "b": "b", "anchor": [0,0,0], "axes": {"x": @{}}})", "has either"},
        {R"(@{"type": "six_dof", "b": "b", "anchor": [0,0,0], "axes": {"x": {"limits": [2, 1]}}})", "upper limit"},
        {R"(@{"type": "six_dof", "b": "b", "anchor": [0,0,0], "spring": {"hertz": 1}})", "a spring of its own"},
        {R"({"type": "ball", "b": "b", "anchor": [0,0,0], "ignore_within": @9})", "\"ignore_within\""},
        {R"({"type": "ball", "b": "b", "anchor": [0,0,0], "break_force": @-1})", "\"break_force\""},
        {R"(@{"type": "universal", "b": "b", "anchor": [0,0,0], "spring": {"hertz": 1}})", "have no spring"},
    };
    for (const auto& [joint, words] : faults) {
        const auto [text, place] = unmarked(bodies + joint + "]}");
        EXPECT_EQ(error_of(text).substr(0, 10 + place.size()), "bad.json:" + place + ":") << joint;
        EXPECT_THAT(error_of(text), HasSubstr(words)) << joint;
    }
}

TEST(SceneErrors, MissingFileIsNamed) {
    const TemporaryFolder folder;
    try {
        read_scene(folder.path() / "nowhere.json");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("nowhere.json: cannot be opened: No such file"));
    }
    EXPECT_THROW(read_scene(folder.path()), InputError);
}

TEST(SceneErrors, EveryTruncationAndEveryFlippedByteEndsInOneErrorOrAScene) {
    const std::string good = R"({"cairn": 1, "name": "Ä", "step": {"hz": 60}, // c
 "bodies": [{"shape": {"box": {"half_extents": [1, 2e0, 0.5]}}, "position": [-1, 0, 1], "can_sleep": false,
 "repeat": {"count": [2, 1, 1], "spacing": [3, 3, 3]}}, /* d */ {"shapes": [{"shape": {"sphere": {"radius": 1}}}]}]})";
    ASSERT_EQ(error_of(good), "no error");
    int errors = 0;
    for (std::size_t size = 0; size < good.size(); ++size) {
        EXPECT_NE(error_of(good.substr(0, size)), "no error") << size;
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const char c : {'\0', ' ', '"', '{', ']', ',', ':', '9', '-', 'e', '/', '*', '\\', '\n', '\xff', 'x'}) {
            std::string text = good;
            text[i] = c;
            const std::string error = error_of(text);
            errors += error != "no error" ? 1 : 0;
            if (error != "no error") {
                EXPECT_EQ(error.substr(0, 9), "bad.json:") << error;
            }
        }
    }
    EXPECT_GT(errors, 1000);
}

} // namespace
} // namespace cairn::core
