// `cairn lab FILE --table`: what is in the table and on the page, for files of questions and for scenes. Nothing here
// looks at how long anything took.
#include "tests/cli/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace cairn::cli {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr const char* header =
    "set,pair,placing,algorithm,vertices,shape_a,shape_b,vertices_a,vertices_b,build_us,build_spread_us,query_us,"
    "query_spread_us,iterations,status,distance,toi,exponent,refusal";
constexpr std::size_t growth_rows = 5 * 3 * 4; // sizes, placings, algorithms that answer at one moment

constexpr const char* questions =
    R"({"id": 12, "a": {"shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0.9]},
 "b": {"shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}}})";

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text + '\n';
}

// Three questions and a blank line.
std::string some_questions() {
    return one_line(questions) + "\n" + one_line(R"({"id": "a, </script>", "a": {"shape": {"diamond": {"scale": 1}}},
                        "b": {"shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}, "position": [3, 0, 0]},
                        "motion_a": {"linear": [4, 0, 0]}, "duration": 1})") +
           one_line(R"({"a": {"shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}},
                        "b": {"shape": {"box": {"half_extents": [0.5, 0.5, 0.5]}}, "position": [0.9, 0.2, 0.1]}})");
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else {
            cells.back() += c;
        }
    }
    return cells;
}

using Row = std::map<std::string, std::string>;

std::vector<Row> rows_of(const std::string& csv) {
    std::vector<Row> rows;
    const std::vector<std::string> lines = lines_of(csv), names = cells_of(header);
    EXPECT_FALSE(lines.empty());
    EXPECT_EQ(lines.empty() ? "" : lines.front(), header);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> cells = cells_of(lines[i]);
        EXPECT_EQ(cells.size(), names.size()) << lines[i];
        Row& row = rows.emplace_back();
        for (std::size_t k = 0; k < std::min(cells.size(), names.size()); ++k) {
            row[names[k]] = cells[k];
        }
    }
    return rows;
}

std::vector<Row> of_set(const std::vector<Row>& rows, const std::string& set) {
    std::vector<Row> out;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(out),
                 [&](const Row& row) { return row.at("set") == set; });
    return out;
}

// All that must be the same however fast the machine is.
std::vector<Row> without_times(std::vector<Row> rows) {
    for (Row& row : rows) {
        for (const char* column : {"build_us", "build_spread_us", "query_us", "query_spread_us", "exponent"}) {
            row.erase(column);
        }
    }
    return rows;
}

TEST(LabTable, HasEveryPairAndTheGrowthSeries) {
    const Folder folder;
    write_text(folder / "q.jsonl", some_questions());
    const Outcome outcome = folder.run({"lab", "q.jsonl", "--table", "t.csv"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "3 pairs and 15 of the growth series, 73 rows\n");
    const std::vector<Row> rows = rows_of(read_text(folder / "t.csv"));
    const std::vector<Row> pairs = of_set(rows, "pairs"), growth = of_set(rows, "growth");
    EXPECT_EQ(pairs.size(), 4u + 5u + 4u);
    EXPECT_EQ(growth.size(), growth_rows);
    EXPECT_EQ(rows.size(), pairs.size() + growth.size());
    std::set<std::string> names;
    for (const Row& row : pairs) {
        names.insert(row.at("pair"));
        EXPECT_EQ(row.at("placing"), "");
        EXPECT_EQ(row.at("exponent"), "");
        EXPECT_NE(row.at("build_us"), "");
        const bool rejected = row.at("algorithm") == "sat" && row.at("shape_a") == "sphere";
        EXPECT_EQ(row.at("refusal").find("two polytopes") != std::string::npos, rejected);
        EXPECT_EQ(row.at("query_us").empty(), rejected);
        EXPECT_EQ(row.at("status").empty(), rejected);
        EXPECT_EQ(row.at("vertices").empty(), row.at("shape_a") == "sphere");
        EXPECT_EQ(row.at("toi").empty(), row.at("algorithm") != "advancement");
    }
    EXPECT_EQ(names, (std::set<std::string>{"12", "a, </script>", "line 4"}));
    std::map<std::string, std::set<std::string>> sizes;
    for (const Row& row : growth) {
        sizes[row.at("algorithm") + ' ' + row.at("placing")].insert(row.at("vertices"));
        EXPECT_NE(row.at("exponent"), "");
    }
    EXPECT_EQ(sizes.size(), 12u);
    for (const auto& [series, vertices] : sizes) {
        EXPECT_EQ(vertices, (std::set<std::string>{"16", "64", "256", "1024", "4096"})) << series;
    }
}

TEST(LabTable, AnswersAreThoseOfQueryAndTheSameTwice) {
    const Folder folder;
    write_text(folder / "q.jsonl", some_questions());
    std::vector<std::vector<Row>> tables;
    for (int turn = 0; turn < 2; ++turn) {
        const Outcome outcome = folder.run({"lab", "-", "--table", "-"}, some_questions());
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        tables.push_back(rows_of(outcome.out));
    }
    EXPECT_EQ(without_times(tables[0]), without_times(tables[1]));
    const Outcome asked = folder.run({"query", "q.jsonl"});
    ASSERT_EQ(asked.code, 0) << asked.err;
    std::vector<Row> engine, advancement;
    for (const Row& row : of_set(tables[0], "pairs")) {
        if (row.at("algorithm") == "engine") {
            engine.push_back(row);
        } else if (row.at("algorithm") == "advancement") {
            advancement.push_back(row);
        }
    }
    const std::vector<std::string> answers = lines_of(asked.out);
    ASSERT_EQ(engine.size(), answers.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        const Json answer = Json::parse(answers[i]);
        EXPECT_EQ(engine[i].at("status"), answer.at("status"));
        EXPECT_EQ(std::stof(engine[i].at("distance")), answer.at("distance").get<float>());
        EXPECT_EQ(engine[i].at("iterations"), std::to_string(answer.at("iterations").get<int>()));
        if (answer.contains("toi")) {
            ASSERT_EQ(advancement.size(), 1u);
            EXPECT_EQ(std::stof(advancement[0].at("toi")), answer.at("toi").get<float>());
            EXPECT_EQ(advancement[0].at("status"), answer.at("toi_status"));
            EXPECT_EQ(advancement[0].at("iterations"), std::to_string(answer.at("toi_iterations").get<int>()));
        }
    }
}

TEST(LabTable, OfASceneHasWhatIsNearAtTheStep) {
    const Folder folder;
    write_text(folder / "s.json", R"({"cairn": 1, "gravity": [0, 0, -10], "bodies": [
        {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [5, 5, 0.5]}}, "position": [0, 0, -0.5]},
        {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 0.75]}]})");
    Outcome outcome = folder.run({"lab", "s.json", "--table", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(of_set(rows_of(outcome.out), "pairs").empty()) << "25 cm above the floor";
    outcome = folder.run({"lab", "s.json", "--table", "-", "--step", "60"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::vector<Row> pairs = of_set(rows_of(outcome.out), "pairs");
    ASSERT_GE(pairs.size(), 4u);
    for (const Row& row : pairs) {
        EXPECT_EQ(row.at("pair"), "floor and ball");
    }
}

TEST(LabTable, OfAnEmptySceneIsTheGrowthSeriesAlone) {
    const Folder folder;
    write_text(folder / "empty.json", R"({"cairn": 1, "bodies": []})");
    const Outcome outcome = folder.run({"lab", "empty.json", "--table", "t.csv", "--page", "p.html"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "0 pairs and 15 of the growth series, 60 rows\n");
    const std::vector<Row> rows = rows_of(read_text(folder / "t.csv"));
    EXPECT_EQ(rows.size(), growth_rows);
    EXPECT_EQ(of_set(rows, "growth").size(), growth_rows);
    EXPECT_THAT(read_text(folder / "p.html"), ::testing::Not(HasSubstr("Time by algorithm")));
}

TEST(LabTable, WithoutAFileIsOfTheMeshesOfTheDemo) {
    const Folder folder;
    const Outcome outcome = folder.run({"lab", "--table", "-"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    std::map<std::string, std::string> vertices, statuses;
    for (const Row& row : of_set(rows_of(outcome.out), "pairs")) {
        EXPECT_EQ(row.at("refusal"), "") << "hulls are for all algorithms";
        vertices[row.at("pair")] = row.at("vertices");
        if (row.at("algorithm") == "sat") {
            statuses[row.at("pair")] = row.at("status");
        }
    }
    EXPECT_EQ(vertices.size(), 30u);
    EXPECT_EQ(vertices["cube-cube apart"], "16");
    EXPECT_EQ(vertices["cone-cylinder touching"], "97");
    EXPECT_EQ(vertices["sphere-sphere overlapping"], "964");
    for (const auto& [pair, status] : statuses) {
        const std::string placing = pair.substr(pair.find(' ') + 1);
        EXPECT_EQ(status, placing == "apart" ? "separated" : placing) << pair;
    }
}

TEST(LabTable, ABadLineIsToldWhereItIs) {
    const Folder folder;
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {some_questions() + "{\"a\": 1}\n", "q.jsonl:5:7: "},
        {some_questions() + "\n\n{\"a\": }\n", "q.jsonl:7:7: "},
        {some_questions() + "[1]\n", "q.jsonl:5:1: "},
        {some_questions() + R"({"a": {"shape": {"sphere": {"radius": -1}}}, "b": {"shape": {"sphere": {}}}})",
         "q.jsonl:5:39: "},
        {"\n \n", "q.jsonl: holds no question"},
    };
    for (const auto& [text, where] : mistakes) {
        write_text(folder / "q.jsonl", text);
        const Outcome outcome = folder.run({"lab", "q.jsonl", "--table", "t.csv"});
        EXPECT_EQ(outcome.code, 2) << where;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr("error: " + where));
        EXPECT_FALSE(std::filesystem::exists(folder / "t.csv"));
    }
    write_text(folder / "bad.json", "{\"cairn\": 1,\n \"bodies\": [{}]}");
    const Outcome outcome = folder.run({"lab", "bad.json", "--table", "t.csv"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr("bad.json:2:"));
}

TEST(LabTable, WordsThatDoNotBelongTogetherAreRejected) {
    const Folder folder;
    write_text(folder / "q.jsonl", some_questions());
    const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
        {{"lab", "--table", "t.csv", "--step", "3"}, "--step is for scenes"},
        {{"lab", "q.jsonl", "--page", "p.html"}, "--table"},
        {{"lab", "q.jsonl", "--step", "3"}, "--out"},
        {{"lab", "q.jsonl", "--table", "t.csv", "--step", "3"}, "--step is for scenes"},
        {{"lab", "q.jsonl", "--table", "t.csv", "--line", "1"}, "--line"},
        {{"lab", "q.jsonl", "--table", "t.csv", "--algorithm", "sat"}, "--algorithm"},
        {{"lab", "q.jsonl", "--table", "-", "--page", "-"}, "standard output"},
        {{"lab", "gone.jsonl", "--table", "t.csv"}, "gone.jsonl: "},
    };
    for (const auto& [words, what] : mistakes) {
        const Outcome outcome = folder.run(words);
        EXPECT_EQ(outcome.code, 2) << what;
        EXPECT_TRUE(is_one_error_line(outcome.err)) << outcome.err;
        EXPECT_THAT(outcome.err, HasSubstr(what));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "t.csv"));
}

// The page is whole in itself: its data is JSON that holds the table, and it asks for nothing from elsewhere.
TEST(LabTable, PageHoldsTheTable) {
    const Folder folder;
    write_text(folder / "q.jsonl", some_questions());
    const Outcome outcome = folder.run({"lab", "q.jsonl", "--table", "t.csv", "--page", "p.html"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const std::string page = read_text(folder / "p.html");
    const std::string start = "const data = ";
    const std::size_t begin = page.find(start) + start.size();
    const Json data = Json::parse(page.substr(begin, page.find(";\n", begin) - begin)).at("table");
    const std::vector<std::string> names = cells_of(header);
    EXPECT_EQ(data.at("columns"), Json(names));
    const std::vector<Row> rows = rows_of(read_text(folder / "t.csv"));
    ASSERT_EQ(data.at("rows").size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (std::size_t k = 0; k < names.size(); ++k) {
            const Json& cell = data.at("rows").at(i).at(k);
            const std::string& text = rows[i].at(names[k]);
            if (cell.is_number()) {
                EXPECT_EQ(cell.get<double>(), std::stod(text)) << names[k];
            } else {
                EXPECT_EQ(cell.is_null() ? Json("") : cell, Json(text)) << names[k];
            }
        }
    }
    EXPECT_EQ(data.at("rows").at(0).at(1), "12") << "a name is no number";
    ASSERT_EQ(data.at("charts").size(), 2u);
    for (const Json& chart : data.at("charts")) {
        for (const char* key : {"x", "y", "colour"}) {
            EXPECT_THAT(names, ::testing::Contains(chart.at(key).get<std::string>()));
        }
    }
    EXPECT_TRUE(data.at("charts").at(0).at("log_x"));
    EXPECT_TRUE(data.at("charts").at(0).at("log_y"));
    EXPECT_THAT(data.at("charts").at(0).at("note").get<std::string>(), HasSubstr("overlapping: gjk_epa "));
    // One script, one end of it, whatever the questions are called.
    EXPECT_EQ(page.find("</script>"), page.rfind("</script>"));
    EXPECT_EQ(page.substr(page.size() - 8), "</html>\n");
    EXPECT_EQ(page.find("http"), std::string::npos);
    EXPECT_EQ(page.find("src="), std::string::npos);
}

} // namespace
} // namespace cairn::cli
