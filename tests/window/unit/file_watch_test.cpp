#include "app/core/base/files/text_file.h"
#include "app/ui/context/context.h"
#include "app/ui/document/file_watch.h"
#include "app/ui/opening/drop.h"
#include "app/ui/opening/opening.h"
#include "app/ui/opening/scene_loading.h"
#include "app/ui/session/registrations.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace cairn::ui {
namespace {

using ::testing::HasSubstr;

class Files : public ::testing::Test {
  protected:
    Files() { std::filesystem::create_directories(folder_); }
    ~Files() override { std::filesystem::remove_all(folder_); }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return folder_ / name;
    }
    std::string last_message() const { return ctx_.log.all().empty() ? "" : ctx_.log.all().back().text; }

    const std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("cairn-files-" + std::to_string(::getpid()));
    core::Simulation simulation_{core::Scene{}, nullptr, core::Simulation::Place::caller};
    WindowContext ctx_{WindowOptions{}, simulation_};
};

TEST_F(Files, AChangeIsToldOnceItStays) {
    const auto path = write("a.json", "1");
    FileWatch watch;
    watch.look_at(path);
    EXPECT_FALSE(watch.changed());
    write("a.json", "12");
    EXPECT_FALSE(watch.changed()) << "it may still be written";
    write("a.json", "123");
    EXPECT_FALSE(watch.changed()) << "it was";
    EXPECT_TRUE(watch.changed());
    EXPECT_FALSE(watch.changed()) << "told once";
    std::filesystem::remove(path);
    EXPECT_FALSE(watch.changed());
    EXPECT_FALSE(watch.changed()) << "gone is not changed";
    write("a.json", "1234");
    EXPECT_FALSE(watch.changed());
    EXPECT_TRUE(watch.changed()) << "editors write another file and rename it";
}

TEST_F(Files, AnIncludedFileOrAMeshThatChangesIsReadAgain) {
    const std::string tetra = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    const auto mesh = write("t.obj", tetra);
    const auto part = write("part.json", R"({"cairn":1,"bodies":[{"shape":{"sphere":{"radius":1}}}]})");
    const auto scene = write("scene.json", R"({"cairn":1,"include":["part.json"],
        "bodies":[{"shape":{"hull":{"mesh":"t.obj"}},"position":[5,0,0]}]})");
    ASSERT_TRUE(open_file(ctx_, scene)) << last_message();
    double now = 0.0;
    const auto look = [&] {
        for (int i = 0; i < 3; ++i) {
            ctx_.log.set_time(now += 1.0);
            follow_open_file(ctx_);
        }
        while (ctx_.get<Rereading>().loading != nullptr) { // it is read on a thread of its own
            ctx_.get<Rereading>().loading->wait(std::chrono::seconds(1));
            follow_open_file(ctx_);
        }
        simulation_.update(0.0);
    };
    look();
    const std::size_t messages = ctx_.log.all().size();
    look();
    EXPECT_EQ(ctx_.log.all().size(), messages) << "nothing has changed";
    write("part.json", R"({"cairn":1,"bodies":[{"shape":{"sphere":{"radius":1}}},
        {"shape":{"sphere":{"radius":1}},"position":[0,5,0]}]})");
    look();
    EXPECT_EQ(last_message(), "part.json has changed: reloaded");
    EXPECT_EQ(simulation_.current().bodies.size(), 3u);
    const float mass = simulation_.current().models.back()->mass;
    write("t.obj", tetra + "v 2 2 2\n");
    look();
    EXPECT_EQ(last_message(), "t.obj has changed: reloaded");
    EXPECT_GT(simulation_.current().models.back()->mass, 2.0f * mass);
    // A mistake is told once, and mended where it is.
    write("part.json", "{");
    look();
    EXPECT_THAT(last_message(), HasSubstr("part.json:1:"));
    const std::size_t told = ctx_.log.all().size();
    look();
    EXPECT_EQ(ctx_.log.all().size(), told);
    write("part.json", R"({"cairn":1,"bodies":[]})");
    look();
    EXPECT_EQ(last_message(), "part.json has changed: reloaded");
    EXPECT_EQ(simulation_.current().bodies.size(), 1u);
    // What it no longer includes is not watched.
    write("scene.json", R"({"cairn":1,"bodies":[]})");
    look();
    EXPECT_EQ(last_message(), "scene.json has changed: reloaded");
    const std::size_t before = ctx_.log.all().size();
    write("part.json", "{ ");
    look();
    EXPECT_EQ(ctx_.log.all().size(), before);
}

// Hulls that take their time hold nothing up, and what comes in the meantime prevails.
TEST_F(Files, TheWorldGoesOnWhileItsFileIsReadAgain) {
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    const auto scene = write("scene.json", R"({"cairn":1,"bodies":[{"shape":{"sphere":{"radius":1}}}]})");
    ASSERT_TRUE(open_file(ctx_, scene)) << last_message();
    std::string vertices, triangles;
    constexpr int side = 60; // a sheet with waves
    for (int i = 0; i < side * side; ++i) {
        const int x = i % side, y = i / side;
        vertices += (i > 0 ? ",[" : "[") + std::to_string(x) + "," + std::to_string(y) + "," +
                    std::to_string((x * x + 3 * y * x + y) % 7) + "]";
        if (x + 1 < side && y + 1 < side) {
            const std::string a = std::to_string(i), d = std::to_string(i + side + 1);
            triangles += (triangles.empty() ? "[" : ",[") + a + "," + std::to_string(i + 1) + "," + d + "],[" + a +
                         "," + d + "," + std::to_string(i + side) + "]";
        }
    }
    write("scene.json", R"({"cairn":1,"bodies":[{"decomposed":{"concavity":0.001,"vertices":[)" + vertices +
                            R"(],"triangles":[)" + triangles + "]}}]}");
    double now = 0.0;
    for (int i = 0; i < 3; ++i) {
        ctx_.log.set_time(now += 1.0);
        follow_open_file(ctx_);
    }
    ASSERT_NE(ctx_.get<Rereading>().loading, nullptr);
    EXPECT_EQ(simulation_.current().bodies.size(), 1u) << "as before";
    // Another scene is opened: this one is given up.
    ASSERT_TRUE(open_file(ctx_, write("other.json", R"({"cairn":1,"name":"Other"})"))) << last_message();
    EXPECT_EQ(ctx_.get<Rereading>().loading, nullptr);
    EXPECT_EQ(simulation_.scene().name, "Other");
}

TEST_F(Files, DroppedPointsBecomeABody) {
    drop_file(ctx_, write("Tetra.XYZ", "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"));
    simulation_.update(0.0);
    ASSERT_EQ(simulation_.current().bodies.size(), 1u) << last_message();
    EXPECT_EQ(simulation_.current().models[0]->def.name, "Tetra");
    EXPECT_NEAR(simulation_.current().models[0]->mass, 1000.0f / 6.0f, 0.1f) << "density of the Spawn panel";
    EXPECT_EQ(simulation_.undo_what(), "Drop Tetra.XYZ");
}

TEST_F(Files, WhatCannotBeDroppedIsSaid) {
    drop_file(ctx_, write("a.obj", "v 0 0 0\nv 1 nonsense 0\n"));
    EXPECT_THAT(last_message(), HasSubstr("a.obj:2:"));
    drop_file(ctx_, write("a.png", "x"));
    EXPECT_THAT(last_message(), HasSubstr("a.png: drop a scene"));
    drop_file(ctx_, write("a.json", "{"));
    EXPECT_THAT(last_message(), HasSubstr("a.json:1:"));
    drop_file(ctx_, folder_ / "none.obj");
    EXPECT_THAT(last_message(), HasSubstr("none.obj"));
    simulation_.update(0.0);
    EXPECT_TRUE(simulation_.current().bodies.empty());
    for (const Message& message : ctx_.log.all()) {
        EXPECT_EQ(message.severity, Severity::error) << message.text;
    }
}

} // namespace
} // namespace cairn::ui
