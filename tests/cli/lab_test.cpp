// `cairn lab`: what an algorithm does with a pair, as text and as pictures.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

const char* const pairs =
    "\n"
    R"({"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"box":{"half_extents":[1,1,1]}},"position":[3,0.2,0.1]}})"
    "\n"
    R"({"a":{"shape":{"sphere":{"radius":1}}},"b":{"shape":{"sphere":{"radius":1}},"position":[5,0,0]},)"
    R"("motion_b":{"linear":[-3,0,0]},"duration":2})"
    "\n"
    R"({"a":{"shape":{"box":{"half_extents":[1,1,1]}}},"b":{"shape":{"diamond":{"scale":1}},"position":[1,0.2,0.1]},"algorithm":"sat"})"
    "\n";

std::vector<Json> steps_of(const Outcome& outcome) {
    std::vector<Json> list;
    for (const std::string& line : lines_of(outcome.out)) {
        list.push_back(Json::parse(line));
    }
    return list;
}

TEST(LabVerb, TellsEveryStepOfWhatALineAsksFor) {
    const Folder folder;
    write_text(folder / "pairs.jsonl", pairs);
    const auto first = steps_of(folder.run({"lab", "pairs.jsonl"}));
    ASSERT_GE(first.size(), 4u);
    for (std::size_t i = 0; i + 1 < first.size(); ++i) {
        EXPECT_EQ(first[i].at("step"), i + 1);
        EXPECT_EQ(first[i].at("of"), first.size() - 1);
        EXPECT_FALSE(first[i].at("sentence").get<std::string>().empty());
        EXPECT_FALSE(first[i].at("readings").empty());
    }
    EXPECT_EQ(first.back().at("answer"), "separated: 1 m apart");
    EXPECT_EQ(first.back().at("algorithm"), "gjk_epa");
    EXPECT_EQ(steps_of(folder.run({"lab", "pairs.jsonl", "--line", "3"})).back().at("answer"), "hit after 1 s");
    EXPECT_EQ(steps_of(folder.run({"lab", "pairs.jsonl", "--line", "4"})).back().at("algorithm"), "sat");
    EXPECT_EQ(steps_of(folder.run({"lab", "pairs.jsonl", "--algorithm", "region_gjk"})).back().at("answer"),
              "separated");
    EXPECT_EQ(steps_of(folder.run({"lab", "-"}, pairs)).back().at("answer"), "separated: 1 m apart");
}

TEST(LabVerb, ShowsWhereArticlesGoWrongBesideTheEngine) {
    const Folder folder;
    int articles = 0;
    for (const std::string& line : lines_of(folder.run({"lab", "--list"}).out)) {
        const std::string name = line.substr(0, line.find(' '));
        const Outcome outcome = folder.run({"lab", "--algorithm", name});
        if (outcome.code == 2) { // an algorithm of the engine: it needs a pair
            EXPECT_TRUE(is_one_error_line(outcome.err)) << name << outcome.err;
            continue;
        }
        EXPECT_EQ(outcome.code, 0) << name << outcome.err;
        const auto told = steps_of(outcome);
        if (!told.back().contains("verdict")) {
            continue; // a lesson in the plane
        }
        ++articles;
        std::set<bool> failed;
        for (const Json& step : told) {
            if (step.contains("failed")) {
                failed.insert(step.at("failed").get<bool>());
            }
        }
        EXPECT_EQ(failed.size(), 2u) << name << ": the article's version fails and the engine does not";
    }
    EXPECT_EQ(articles, 10);
}

TEST(LabVerb, PolygonsInAPlaneComeFromAFileOfTheirOwn) {
    const Folder folder;
    write_text(folder / "two.json", R"({"a":{"polygon":[[0,0],[1,0],[1,1],[0,1]]},)"
                                    R"("b":{"polygon":[[0,0],[1,0],[0.5,1]],"position":[2,0.25]}})");
    EXPECT_EQ(steps_of(folder.run({"lab", "two.json", "--algorithm", "planar"})).back().at("answer"),
              "separated: 1 m apart");
    write_text(folder / "flat.json", R"({"a":{"polygon":[[0,0],[1,0],[2,0]]},"b":{"polygon":[[0,0],[1,0],[0,1]]}})");
    const Outcome rejected = folder.run({"lab", "flat.json", "--algorithm", "planar"});
    EXPECT_EQ(rejected.code, 2);
    EXPECT_TRUE(is_one_error_line(rejected.err)) << rejected.err;
    EXPECT_THAT(rejected.err, HasSubstr("flat.json:1:"));
}

TEST(LabVerb, RejectsWhatItCannotShow) {
    const Folder folder;
    write_text(folder / "pairs.jsonl", pairs);
    const auto rejected = [&](const std::vector<std::string>& arguments, const std::string& why) {
        std::vector<std::string> all{"lab"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const Outcome outcome = folder.run(all);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(why));
    };
    rejected({}, "no pair: ");
    rejected({"pairs.jsonl", "--algorithm", "gjk"}, "there is no algorithm \"gjk\"");
    rejected({"pairs.jsonl", "--line", "1"}, "pairs.jsonl:1:1: the line is empty");
    rejected({"pairs.jsonl", "--line", "9"}, "has 4 lines, not 9");
    rejected({"pairs.jsonl", "--line", "3", "--algorithm", "sat"}, "polytopes");
    rejected({"pairs.jsonl", "--algorithm", "advancement"}, "duration");
    rejected({"pairs.jsonl", "--algorithm", "mass-on-a-grid"}, "about one body");
    rejected({"pairs.jsonl", "--step", "2"}, "--out");
    rejected({"none.jsonl"}, "none.jsonl");
}

#ifdef CAIRN_GUI
TEST(LabVerb, DrawsEveryStep) {
    const Folder folder;
    write_text(folder / "pairs.jsonl", pairs);
    const Outcome outcome = folder.run({"lab", "pairs.jsonl", "--out", "steps", "--size", "480x320"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const auto told = lines_of(read_text(folder / "steps/steps.jsonl"));
    std::size_t pictures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "steps")) {
        pictures += entry.path().extension() == ".png";
    }
    EXPECT_EQ(pictures + 1, told.size());
    EXPECT_EQ(folder.run({"lab", "pairs.jsonl", "--out", "one.png", "--step", "2", "--size", "480x320"}).code, 0);
    EXPECT_TRUE(std::filesystem::exists(folder / "one.png"));
    const Outcome far = folder.run({"lab", "pairs.jsonl", "--out", "one.png", "--step", "99"});
    EXPECT_EQ(far.code, 2);
    EXPECT_THAT(far.err, HasSubstr("--step 99"));
    const Outcome small = folder.run({"lab", "pairs.jsonl", "--out", "steps", "--size", "64x64"});
    EXPECT_EQ(small.code, 2);
}
#endif

} // namespace
} // namespace cairn::cli
