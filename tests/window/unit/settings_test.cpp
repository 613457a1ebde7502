#include "app/core/base/files/text_file.h"
#include "app/ui/context/context.h"
#include "app/ui/screen/drawing.h"
#include "app/ui/screen/layout.h"
#include "app/ui/screen/remembered.h"
#include "app/ui/session/registrations.h"
#include "app/ui/settings/settings_file.h"
#include "app/ui/sound/sounds.h"
#include "app/ui/tools/player/player.h"
#include "app/ui/tools/spawn/spawn.h"
#include "app/ui/tools/tool_box.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cairn::ui {
namespace {

using ::testing::HasSubstr;

class Settings : public ::testing::Test {
  protected:
    Settings() { std::filesystem::create_directories(folder_); }
    ~Settings() override { std::filesystem::remove_all(folder_); }

    void write(const std::string& text) const { core::replace_file(path_, text); }
    std::string text() const { return core::read_whole_file(path_); }
    std::filesystem::path aside() const { return folder_ / "settings.broken.json"; }
    std::string message(std::size_t i) const { return i < ctx_.log.all().size() ? ctx_.log.all()[i].text : ""; }

    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("cairn-settings-" + std::to_string(::getpid()));
    const std::filesystem::path path_ = folder_ / "settings.json";
    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
};

TEST_F(Settings, WhatWasWrittenIsReadAgain) {
    ctx_.view_options.grid = false;
    ctx_.view_options.layers["bounds"] = true;
    ctx_.get<Drawing>().settings.msaa = 2;
    ctx_.get<Sounds>().settings.volume = 0.1f;
    ctx_.get<Spawning>().settings.shape = SpawnShape::diamond;
    ctx_.get<Spawning>().settings.velocity = {1.5f, -2.0f, 0.25f};
    ctx_.get<Spawning>().settings.count = 7;
    ctx_.get<Spawning>().settings.colour = physics::Colour{1, 255, 16};
    ctx_.get<Layout>().right = true;
    ctx_.widgets.sections()["capture"] = true;
    ctx_.get<Remembered>().width = 1000;
    ctx_.get<Remembered>().recent = {"/a \"b\"\\c.json", "/ä\n.json"};
    ctx_.actions.set_keys({{"pause", {"F7", "Ctrl+F7"}}, {"toggle_grid", {}}});
    SettingsFile(path_).write(ctx_);

    WindowContext other{WindowOptions{}, simulation_};
    EXPECT_TRUE(SettingsFile(path_).read(other));
    EXPECT_TRUE(other.log.all().empty()) << other.log.all().front().text;
    EXPECT_FALSE(other.view_options.grid);
    EXPECT_TRUE(other.view_options.layers["bounds"]);
    EXPECT_FALSE(other.view_options.layers["contacts"]);
    EXPECT_EQ(other.get<Drawing>().settings.msaa, 2);
    EXPECT_EQ(other.get<Sounds>().settings.volume, 0.1f);
    EXPECT_EQ(other.get<Spawning>().settings.shape, SpawnShape::diamond);
    EXPECT_EQ(other.get<Spawning>().settings.velocity, ctx_.get<Spawning>().settings.velocity);
    EXPECT_EQ(other.get<Spawning>().settings.count, 7);
    EXPECT_EQ(other.get<Spawning>().settings.colour, ctx_.get<Spawning>().settings.colour);
    EXPECT_TRUE(other.get<Layout>().right);
    EXPECT_TRUE(other.widgets.sections()["capture"]);
    EXPECT_EQ(other.get<Remembered>().width, 1000);
    EXPECT_EQ(other.get<Remembered>().recent, ctx_.get<Remembered>().recent);
    EXPECT_EQ(other.actions.of_key(296, 0), other.actions.find("pause"));
    EXPECT_EQ(other.actions.of_key('P', 0), nullptr);
    EXPECT_EQ(other.key_of("toggle_grid"), "");
    EXPECT_FALSE(std::filesystem::exists(aside()));
}

TEST_F(Settings, ToolsAndThePlayerKeepWhatIsSetOfThem) {
    const std::string said = R"({"version": 1, "tools": {
        "select": {"spring": 3.5}, "move": {"snap": 0.25}, "turn": {"snap": 7.5},
        "throw": {"strength": 0.5, "elevation": 20}, "wand": {"way": "pull", "radius": 7, "acceleration": 90},
        "blast": {"radius": 6, "speed": 33}, "terrain": {"way": "smooth", "radius": 12, "rate": 7.5}, "player": {"shape": "hammer", "speed": 9, "size": 1.5}}})";
    write(said);
    EXPECT_TRUE(SettingsFile(path_).read(ctx_));
    EXPECT_TRUE(ctx_.log.all().empty()) << message(0);
    EXPECT_EQ(ctx_.get<Player>().speed, 9.0f);
    EXPECT_STREQ(player_shapes()[ctx_.get<Player>().shape()].name, "hammer");
    std::filesystem::remove(path_);
    SettingsFile(path_).write(ctx_);
    for (const char* part : {"\"spring\": 3.5", "\"snap\": 0.25", "\"snap\": 7.5", "\"strength\": 0.5",
                             "\"elevation\": 20", "\"way\": \"pull\"", "\"radius\": 7", "\"acceleration\": 90",
                             "\"radius\": 6", "\"speed\": 33", "\"way\": \"smooth\"", "\"radius\": 12", "\"rate\": 7.5",
                             "\"shape\": \"hammer\"", "\"speed\": 9", "\"size\": 1.5"}) {
        EXPECT_THAT(text(), HasSubstr(part));
    }
}

TEST_F(Settings, NoFileIsNoFault) {
    EXPECT_FALSE(SettingsFile(path_).read(ctx_));
    EXPECT_TRUE(ctx_.log.all().empty());
    SettingsFile nowhere{std::filesystem::path()};
    EXPECT_FALSE(nowhere.read(ctx_));
    EXPECT_FALSE(ctx_.get<Remembered>().kept);
    nowhere.write(ctx_);
    EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Settings, ABrokenFileIsKeptAside) {
    const std::string broken = "{\n  \"view\": {\"grid\": false,,}\n}\n";
    write(broken);
    SettingsFile file(path_);
    EXPECT_FALSE(file.read(ctx_));
    EXPECT_TRUE(ctx_.view_options.grid) << "half of a broken file was taken over";
    EXPECT_THAT(message(0), HasSubstr("settings.json:2:26: "));
    EXPECT_THAT(message(1), HasSubstr("defaults are restored"));
    EXPECT_EQ(core::read_whole_file(aside()), broken);
    EXPECT_FALSE(std::filesystem::exists(path_));
    file.write(ctx_);
    WindowContext other{WindowOptions{}, simulation_};
    EXPECT_TRUE(SettingsFile(path_).read(other));
    EXPECT_TRUE(other.log.all().empty());
}

TEST_F(Settings, WhatIsNotAnObjectIsBroken) {
    for (const char* text : {"", "[]", "3", "{\"view\": ", "\xff\xfe"}) {
        write(text);
        WindowContext other{WindowOptions{}, simulation_};
        EXPECT_FALSE(SettingsFile(path_).read(other)) << text;
        EXPECT_FALSE(other.log.all().empty()) << text;
    }
}

TEST_F(Settings, OneWrongValueCostsOnlyItself) {
    const std::string text = "{ // by hand\n"
                             "  \"view\": {\"grid\": \"no\", \"textures\": false, \"msaa\": 99, \"colour\": 1},\n"
                             "  \"spawn\": {\"shape\": \"teapot\", \"velocity\": [1, 2], \"size\": 2},\n"
                             "  \"keys\": {\"pause\": \"/\", \"jump\": [\"K\"], \"restart\": [\"/\"], \"undo\": 4}\n"
                             "}\n";
    write(text);
    SettingsFile file(path_);
    EXPECT_TRUE(file.read(ctx_));
    EXPECT_TRUE(ctx_.view_options.grid);
    EXPECT_FALSE(ctx_.view_options.textures);
    EXPECT_EQ(ctx_.get<Drawing>().settings.msaa, DrawSettings{}.msaa);
    EXPECT_EQ(ctx_.get<Spawning>().settings.shape, SpawnSettings{}.shape);
    EXPECT_EQ(ctx_.get<Spawning>().settings.size, 2.0f);
    EXPECT_EQ(ctx_.actions.of_key('/', 0), ctx_.actions.find("pause"));
    std::vector<std::string> said;
    for (const Message& m : ctx_.log.all()) {
        said.push_back(m.text);
    }
    EXPECT_THAT(said, ::testing::UnorderedElementsAre(
                          HasSubstr("settings.json:2:20: \"grid\" must be true or false; it was left out"),
                          HasSubstr("settings.json:2:53: \"msaa\" must be a whole number from 1 to 32"),
                          HasSubstr("settings.json:2:57: \"colour\" is not known here"),
                          HasSubstr("\"shape\" must be one of "), HasSubstr("\"velocity\" must be a list of three"),
                          HasSubstr("\"undo\" must be a text"), HasSubstr("4:26: unknown action \"jump\""),
                          HasSubstr("4:41: / is already used by \"pause\""), HasSubstr("is kept as ")));
    EXPECT_EQ(core::read_whole_file(aside()), text);
    EXPECT_EQ(this->text(), text) << "it stays until something changes or the program ends";
    file.write(ctx_);
    WindowContext other{WindowOptions{}, simulation_};
    EXPECT_TRUE(SettingsFile(path_).read(other));
    EXPECT_TRUE(other.log.all().empty()) << other.log.all().front().text;
}

TEST_F(Settings, AreWrittenOnceTheyStay) {
    SettingsFile file(path_);
    file.read(ctx_);
    ctx_.log.set_time(10.0);
    file.follow(ctx_); // the first look
    ctx_.log.set_time(10.5);
    file.follow(ctx_);
    EXPECT_FALSE(std::filesystem::exists(path_)) << "written in the middle of a change";
    ctx_.log.set_time(12.0);
    file.follow(ctx_);
    ASSERT_TRUE(std::filesystem::exists(path_));
    const std::string before = text();
    ctx_.get<Spawning>().settings.size = 3.0f;
    ctx_.log.set_time(14.0);
    file.follow(ctx_);
    EXPECT_EQ(text(), before);
    ctx_.get<Spawning>().settings.size = 4.0f; // still dragged
    ctx_.log.set_time(16.0);
    file.follow(ctx_);
    EXPECT_EQ(text(), before);
    ctx_.log.set_time(18.0);
    file.follow(ctx_);
    EXPECT_THAT(text(), HasSubstr("\"size\": 4"));
}

TEST_F(Settings, AFolderThatCannotBeWrittenIsSaidOnce) {
    write("x");
    SettingsFile file(path_ / "settings.json"); // a file in the place of the folder
    file.write(ctx_);
    ASSERT_EQ(ctx_.log.all().size(), 1u);
    EXPECT_THAT(message(0), HasSubstr("The settings were not saved: "));
    ctx_.get<Spawning>().settings.count = 9;
    file.write(ctx_);
    EXPECT_EQ(ctx_.log.all().size(), 1u);
    EXPECT_EQ(ctx_.log.all().front().times, 1);
}

TEST(Remembered, KeepsTheNewestFilesOnce) {
    Remembered r;
    for (int i = 0; i < 20; ++i) {
        remember_file(r, "/scenes/" + std::to_string(i) + ".json");
    }
    remember_file(r, "/scenes/../scenes/12.json");
    EXPECT_EQ(r.recent.size(), most_recent);
    EXPECT_EQ(r.recent[0], "/scenes/12.json");
    EXPECT_EQ(r.recent[1], "/scenes/19.json");
    EXPECT_EQ(std::count(r.recent.begin(), r.recent.end(), "/scenes/12.json"), 1);
}

} // namespace
} // namespace cairn::ui
