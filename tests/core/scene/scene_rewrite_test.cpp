// Saving over a file keeps what people wrote there, and always reads back as the scene.
#include "app/core/scene/rewrite/scene_rewrite.h"
#include "tests/core/temporary_folder.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <random>

namespace cairn::core {
namespace {

using testing::TemporaryFolder;
using From = std::vector<std::optional<std::size_t>>;

From same_places(const Scene& scene) {
    From from;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        from.emplace_back(i);
    }
    return from;
}

// As a file that was written from `scene` in that order.
Scene in_order(const Scene& scene, const std::vector<std::size_t>& order) {
    Scene result = scene;
    std::vector<std::uint32_t> place(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
        result.bodies[i] = scene.bodies[order[i]];
        place[order[i]] = static_cast<std::uint32_t>(i);
    }
    for (physics::JointDef& joint : result.joints) {
        joint.body_b.index = place[joint.body_b.index];
        if (joint.body_a) {
            joint.body_a.index = place[joint.body_a.index];
        }
    }
    return result;
}

const std::string chain_text = R"(// A chain, by hand.
{
  "cairn": 1, // the only version
  "name": "Chain",
  "gravity": [0, 0, -5],
  "camera": {"eye": [0, -9, 4]}, /* far enough */
  "point_sets": {"wedge": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]},
  "bodies": [
    // the floor
    {"name": "floor", "type": "static", "shape": {"box": {"half_extents": [5, 5, 0.5]}}}, // flat
    {"name": "brick", "shape": {"box": {"half_extents": [0.1, 0.1, 0.1]}}, "position": [0, 0, 3],
     "repeat": {"count": [3, 1, 1], "spacing": [1, 0, 0]}},
    {"name": "link", "shape": {"sphere": {"radius": 0.2}}, "position": [-2, 0, 3]},
    {"name": "wedge", "shape": {"hull": {"points": "wedge"}}, "position": [-3, 0, 3] /* left of it */}
  ],
  "joints": [
    {"type": "ball", "a": 1, "b": 4, "anchor": [-1, 0, 3]}, // by index
    {"type": "distance", "a": "brick[0]", "b": "brick[1]"}
  ],
  "expect": [{"body": "link", "height": {"least": -1}, "always": 10}]
}
)";

std::string named_chain_text() {
    std::string text = chain_text;
    const std::string by_index = "\"a\": 1, \"b\": 4";
    return text.replace(text.find(by_index), by_index.size(), "\"a\": \"brick[0]\", \"b\": \"link\"");
}

TEST(SceneRewrite, GroundThatWasShapedIsWritten) {
    const std::string text = R"({"cairn": 1, "bodies": [
  {"name": "lawn", "type": "static", // mown
   "shape": {"heightfield": {"heights": [[0, 0.25, 1], [0, 0, 1]], "spacing": 5, "holes": [[1, 0]]}}},
  {"name": "ball", "shape": {"sphere": {"radius": 1}}, "position": [0, 0, 3]} // on the lawn
]})";
    Scene scene = parse_scene(text, "lawn.json", ".");
    auto& field = std::get<physics::HeightField>(scene.bodies[0].shapes[0].geometry);
    auto other = std::make_shared<physics::HeightData>(*field.data);
    other->heights.set(4, 0.125f);
    field.data = std::move(other);
    const RewrittenScene again = rewrite_scene(scene, same_places(scene), text, "lawn.json", ".");
    EXPECT_EQ(parse_scene(again.text, "lawn.json", ".").bodies, scene.bodies);
    EXPECT_NE(again.text.find("0.125"), std::string::npos) << again.text;
    for (const char* kept : {"// mown", "// on the lawn"}) {
        EXPECT_NE(again.text.find(kept), std::string::npos) << again.text;
    }
}

TEST(SceneRewrite, AnUnchangedSceneIsItsTextToTheByte) {
    const Scene scene = parse_scene(named_chain_text(), "chain.json", ".");
    const RewrittenScene again = rewrite_scene(scene, same_places(scene), named_chain_text(), "chain.json", ".");
    EXPECT_EQ(again.text, named_chain_text());
    EXPECT_TRUE(again.lost.empty());
    // But for indices: joints name their bodies.
    EXPECT_EQ(rewrite_scene(scene, same_places(scene), chain_text, "chain.json", ".").text, named_chain_text());
}

TEST(SceneRewrite, BuiltInScenesAreTheirTextsToTheByte) {
    std::size_t same = 0;
    for (const SceneFile& file : list_scenes(data_folder() / "scenes")) {
        std::ifstream in(file.path);
        const std::string text{std::istreambuf_iterator<char>(in), {}};
        const Scene scene = read_scene(file.path);
        const RewrittenScene again =
            rewrite_scene(scene, same_places(scene), text, file.path.string(), file.path.parent_path());
        EXPECT_TRUE(again.lost.empty()) << file.path;
        std::map<std::string, int> bodies;
        for (const physics::BodyDef& body : scene.bodies) {
            ++bodies[body.name];
        }
        const bool unique = std::all_of(scene.joints.begin(), scene.joints.end(), [&](const physics::JointDef& joint) {
            return (!joint.body_a || bodies[scene.bodies[joint.body_a.index].name] == 1) &&
                   bodies[scene.bodies[joint.body_b.index].name] == 1;
        });
        if (unique) { // else bodies get names of their own
            EXPECT_EQ(again.text, text) << file.path;
            ++same;
        }
    }
    EXPECT_GT(same, 25u);
}

TEST(SceneRewrite, OneMemberChangesWhereItStands) {
    Scene scene = parse_scene(chain_text, "chain.json", ".");
    scene.bodies[5].pose.position.z = 4.0f;
    scene.bodies[0].material.friction = 0.9f;
    scene.settings.gravity.z = -9.0f;
    const RewrittenScene again = rewrite_scene(scene, same_places(scene), chain_text, "chain.json", ".");
    std::string expected = named_chain_text();
    const auto replace = [&](const std::string& a, const std::string& b) {
        expected.replace(expected.find(a), a.size(), b);
    };
    replace("[-3, 0, 3] /* left", "[-3, 0, 4] /* left");
    replace("[5, 5, 0.5]}}},", "[5, 5, 0.5]}}, \"friction\": 0.9},");
    replace("[0, 0, -5]", "[0, 0, -9]");
    EXPECT_EQ(again.text, expected);
    EXPECT_TRUE(again.lost.empty());
}

TEST(SceneRewrite, AColourIsWrittenAndTakenBackBesideItsComments) {
    Scene scene = parse_scene(chain_text, "chain.json", ".");
    scene.bodies[5].colour = physics::Colour{255, 128, 0};
    const RewrittenScene coloured = rewrite_scene(scene, same_places(scene), chain_text, "chain.json", ".");
    EXPECT_NE(coloured.text.find("\"colour\": \"#ff8000\" /* left of it */}"), std::string::npos) << coloured.text;
    Scene plain = parse_scene(coloured.text, "chain.json", ".");
    EXPECT_EQ(plain.bodies[5], scene.bodies[5]);
    plain.bodies[5].colour.reset();
    const RewrittenScene again = rewrite_scene(plain, same_places(plain), coloured.text, "chain.json", ".");
    EXPECT_EQ(parse_scene(again.text, "chain.json", ".").bodies[5], plain.bodies[5]);
    EXPECT_NE(again.text.find("\"automatic\" /* left of it */}"), std::string::npos) << again.text;
    EXPECT_TRUE(coloured.lost.empty() && again.lost.empty());
}

TEST(SceneRewrite, JointsFollowTheirBodiesWhenOthersGo) {
    Scene scene = parse_scene(chain_text, "chain.json", ".");
    const From all = same_places(scene);
    // The floor goes: every index is one less.
    scene.bodies.erase(scene.bodies.begin());
    const From from(all.begin() + 1, all.end());
    for (physics::JointDef& joint : scene.joints) {
        --joint.body_a.index;
        --joint.body_b.index;
    }
    const RewrittenScene again = rewrite_scene(scene, from, chain_text, "chain.json", ".");
    EXPECT_NE(again.text.find("\"repeat\""), std::string::npos);
    EXPECT_NE(again.text.find("\"a\": \"brick[0]\", \"b\": \"link\", \"anchor\": [-1, 0, 3]}, // by index"),
              std::string::npos)
        << again.text;
    EXPECT_EQ(again.lost, std::vector<std::string>{"2 comments"}); // those of the floor
    EXPECT_TRUE(parse_scene(again.text, "again", ".") == in_order(scene, again.order)) << again.text;
}

TEST(SceneRewrite, ARepeatThatNoLongerHoldsIsSaid) {
    Scene scene = parse_scene(chain_text, "chain.json", ".");
    scene.bodies[2].pose.position.y = 1.0f;
    const RewrittenScene again = rewrite_scene(scene, same_places(scene), chain_text, "chain.json", ".");
    EXPECT_EQ(again.text.find("\"repeat\""), std::string::npos);
    EXPECT_EQ(again.lost, std::vector<std::string>{"repeat of \"brick\""});
    EXPECT_TRUE(parse_scene(again.text, "again", ".") == scene) << again.text;
}

TEST(SceneRewrite, IncludesStayAsLongAsTheyHold) {
    const TemporaryFolder folder;
    folder.write("floor.json", R"({"cairn": 1, "bodies": [{"name": "floor", "type": "static",
        "shape": {"box": {"half_extents": [5, 5, 0.5]}}}]})");
    const std::string text = R"({
  "cairn": 1,
  "include": ["floor.json"], // from there
  "bodies": [{"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 0, 3]}]
})";
    Scene scene = parse_scene(text, "s", folder.path());
    scene.bodies[1].pose.position.z = 5.0f;
    RewrittenScene again = rewrite_scene(scene, same_places(scene), text, "s", folder.path());
    EXPECT_NE(again.text.find("\"include\": [\"floor.json\"], // from there"), std::string::npos);
    EXPECT_TRUE(again.lost.empty());
    EXPECT_TRUE(parse_scene(again.text, "again", folder.path()) == scene);
    scene.bodies[0].pose.position.z = -1.0f;
    again = rewrite_scene(scene, same_places(scene), text, "s", folder.path());
    EXPECT_EQ(again.lost, (std::vector<std::string>{"include", "1 comment"}));
    EXPECT_TRUE(parse_scene(again.text, "again", folder.path()) == scene) << again.text;
}

TEST(SceneRewrite, ExpectationsOfWhatIsGoneGoAndAreSaid) {
    Scene scene = parse_scene(chain_text, "chain.json", ".");
    From from = same_places(scene);
    scene.bodies.erase(scene.bodies.begin() + 4); // the link
    from.erase(from.begin() + 4);
    scene.joints.erase(scene.joints.begin());
    const RewrittenScene again = rewrite_scene(scene, from, chain_text, "chain.json", ".");
    EXPECT_NE(std::find(again.lost.begin(), again.lost.end(), "1 expectation about what is gone"), again.lost.end());
    Scene expected = in_order(scene, again.order);
    expected.expectations.clear();
    EXPECT_TRUE(parse_scene(again.text, "again", ".") == expected) << again.text;
}

TEST(SceneRewrite, BodiesThatJointsNameGetNamesOfTheirOwn) {
    Scene scene;
    for (int i = 0; i < 3; ++i) {
        physics::BodyDef body;
        body.name = i == 2 ? "" : "link";
        body.shapes = {{physics::Sphere{0.5f}, {}}};
        body.pose.position.x = static_cast<float>(2 * i);
        scene.bodies.push_back(body);
    }
    for (std::uint32_t i = 0; i < 2; ++i) {
        physics::JointDef joint;
        joint.kind = physics::JointKind::distance;
        joint.body_a = {i, 0};
        joint.body_b = {i + 1, 0};
        joint.length = 2.0f;
        scene.joints.push_back(joint);
    }
    const RewrittenScene text = fresh_scene_text(scene, {});
    const Scene again = parse_scene(text.text, "again", ".");
    EXPECT_NE(again.bodies[0].name, again.bodies[1].name);
    EXPECT_FALSE(again.bodies[2].name.empty());
    EXPECT_EQ(text.text.find("\"a\": 0"), std::string::npos) << text.text;
    EXPECT_TRUE(again.joints == scene.joints);
    // Lines that change places in an editor tie the same bodies.
    const std::size_t first = text.text.find("    {\"name\": \"link 1\""),
                      second = text.text.find("    {\"name\": \"link");
    ASSERT_NE(first, std::string::npos);
    ASSERT_EQ(first, second);
    const std::size_t line = text.text.find('\n', first) + 1, next = text.text.find('\n', line) + 1;
    std::string swapped = text.text;
    swapped = swapped.substr(0, first) + text.text.substr(line, next - line) + text.text.substr(first, line - first) +
              text.text.substr(next);
    const Scene other = parse_scene(swapped, "swapped", ".");
    EXPECT_EQ(other.bodies[other.joints[0].body_a.index].name, again.bodies[0].name);
}

TEST(SceneRewrite, ABodyOfTheSameNameIsTheSameBody) {
    Scene scene = parse_scene(named_chain_text(), "chain.json", ".");
    const From nothing(scene.bodies.size());
    const RewrittenScene again = rewrite_scene(scene, nothing, named_chain_text(), "chain.json", ".");
    EXPECT_EQ(again.text, named_chain_text());
}

// Whatever is done to a scene, what is saved over its file is the scene.
TEST(SceneRewrite, AnyEditsReadBackAsTheScene) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        Scene scene = parse_scene(chain_text, "chain.json", ".");
        scene.expectations.clear();
        From from = same_places(scene);
        const auto pick = [&](std::size_t count) {
            return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
        };
        for (std::size_t edit = pick(6); edit > 0 && scene.bodies.size() > 1; --edit) {
            const std::size_t i = pick(scene.bodies.size());
            switch (pick(5)) {
            case 0:
                scene.bodies.erase(scene.bodies.begin() + static_cast<std::ptrdiff_t>(i));
                from.erase(from.begin() + static_cast<std::ptrdiff_t>(i));
                std::erase_if(scene.joints, [&](const auto& j) { return j.body_a.index == i || j.body_b.index == i; });
                for (physics::JointDef& joint : scene.joints) {
                    joint.body_a.index -= joint.body_a.index > i ? 1 : 0;
                    joint.body_b.index -= joint.body_b.index > i ? 1 : 0;
                }
                break;
            case 1:
                scene.bodies[i].pose.position.y += 1.0f;
                break;
            case 2:
                scene.bodies.push_back(scene.bodies[i]); // with the same name
                from.emplace_back();
                break;
            case 3:
                scene.bodies[i].mass = 3.0f;
                scene.bodies[i].density = physics::BodyDef{}.density;
                break;
            default:
                scene.bodies[i].material.restitution = 0.5f;
                if (!scene.joints.empty()) {
                    scene.joints.front().collide = true;
                }
            }
        }
        const RewrittenScene again = rewrite_scene(scene, from, chain_text, "chain.json", ".");
        Scene read = parse_scene(again.text, "again", ".");
        Scene expected = in_order(scene, again.order);
        read.expectations.clear();
        ASSERT_EQ(read.bodies.size(), expected.bodies.size());
        for (std::size_t i = 0; i < read.bodies.size(); ++i) { // names may have been made unique
            expected.bodies[i].name = read.bodies[i].name;
        }
        const auto by_bodies = [](const physics::JointDef& a, const physics::JointDef& b) {
            return std::pair(a.body_a.index, a.body_b.index) < std::pair(b.body_a.index, b.body_b.index);
        };
        std::sort(read.joints.begin(), read.joints.end(), by_bodies);
        std::sort(expected.joints.begin(), expected.joints.end(), by_bodies);
        ASSERT_TRUE(read == expected) << "seed " << seed << again.text;
        ASSERT_TRUE(again.text.starts_with("// A chain")) << "seed " << seed << ": written anew";
    }
}

const std::string shown_text = R"({
  "cairn": 1, "bodies": [
    {"name": "ball", "shape": {"sphere": {"radius": 0.2}}},
    {"name": "box", "shape": {"box": {"half_extents": [1, 1, 1]}}, "position": [3, 0, 0]}],
  "show": {"paused": true, "speed": 0.25, "follow": "ball", "points": [[1, 2, 3]], // what to look at
           "labels": [{"text": "rolls", "body": "ball", "at": [0, 0, 1]}, {"text": "here"}],
           "parameters": ["continuous", "gravity"]}
}
)";

TEST(SceneShown, IsReadAndWritten) {
    const Scene scene = parse_scene(shown_text, "s.json", ".");
    EXPECT_TRUE(scene.show.paused);
    EXPECT_EQ(scene.show.speed, 0.25f);
    EXPECT_EQ(scene.show.follow, "ball");
    EXPECT_EQ(scene.show.points, std::vector{physics::Vec3(1, 2, 3)});
    EXPECT_EQ(scene.show.labels, (std::vector<SceneLabel>{{"rolls", "ball", {0, 0, 1}}, {"here", "", {0, 0, 0}}}));
    EXPECT_EQ(scene.show.parameters, (std::vector<std::string>{"continuous", "gravity"}));
    EXPECT_TRUE(parse_scene(write_scene(scene), "s.json", ".") == scene) << write_scene(scene);
    EXPECT_EQ(rewrite_scene(scene, same_places(scene), shown_text, "s.json", ".").text, shown_text);
}

TEST(SceneShown, ACameraPathIsReadAndWritten) {
    const std::string text = R"({
  "cairn": 1, // a way round
  "show": {"path": [{"time": 0, "eye": [0, -9, 4], "target": [0, 0, 1]},
                    {"time": 2.5, "eye": [9, 0.1, 4], "target": [0, 0, 1]}]}
}
)";
    Scene scene = parse_scene(text, "s.json", ".");
    EXPECT_EQ(scene.show.path,
              (std::vector<CameraKey>{{0.0f, {0, -9, 4}, {0, 0, 1}}, {2.5f, {9, 0.1f, 4}, {0, 0, 1}}}));
    EXPECT_TRUE(parse_scene(write_scene(scene), "s.json", ".") == scene) << write_scene(scene);
    EXPECT_EQ(rewrite_scene(scene, {}, text, "s.json", ".").text, text);
    scene.show.path.push_back({4.0f, {0, 9, 4}, {0, 0, 1}});
    const std::string longer = rewrite_scene(scene, {}, text, "s.json", ".").text;
    EXPECT_TRUE(parse_scene(longer, "s.json", ".") == scene) << longer;
    EXPECT_NE(longer.find("// a way round"), std::string::npos);
}

TEST(SceneShown, WhatIsGoneIsNotShown) {
    Scene scene = parse_scene(shown_text, "s.json", ".");
    scene.bodies.erase(scene.bodies.begin());
    for (const RewrittenScene& written :
         {rewrite_scene(scene, From{1}, shown_text, "s.json", "."), fresh_scene_text(scene, From{1})}) {
        const SceneShow show = parse_scene(written.text, "s.json", ".").show;
        EXPECT_EQ(show.follow, "");
        EXPECT_EQ(show.labels, (std::vector<SceneLabel>{{"here", "", {0, 0, 0}}}));
        EXPECT_EQ(show.speed, 0.25f);
    }
}

} // namespace
} // namespace cairn::core
