#include "app/core/base/error.h"
#include "app/core/scene/show/camera_path.h"
#include "app/ui/film/film.h"
#include "app/ui/film/film_of_run.h"
#include "tests/core/capture/test_scenes.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <iterator>

namespace cairn::ui {
namespace {

using core::testing::TemporaryFolder;

render::Camera camera_at(float x) {
    render::Camera camera;
    camera.eye.x = x;
    return camera;
}

TEST(CameraTrack, TellsWhereTheCameraWasAtAStep) {
    CameraTrack track;
    EXPECT_TRUE(track.empty());
    track.note(10, camera_at(1.0f));
    track.note(10, camera_at(2.0f)); // two pictures of one step: the later one counts
    track.note(14, camera_at(3.0f));
    EXPECT_EQ(track.at(3).eye.x, 2.0f); // never seen: the first one
    EXPECT_EQ(track.at(10).eye.x, 2.0f);
    EXPECT_EQ(track.at(13).eye.x, 2.0f);
    EXPECT_EQ(track.at(14).eye.x, 3.0f);
    EXPECT_EQ(track.at(99).eye.x, 3.0f);
    track.note(12, camera_at(4.0f)); // the world went back
    EXPECT_EQ(track.at(14).eye.x, 4.0f);
    EXPECT_EQ(track.at(11).eye.x, 2.0f);
}

TEST(CameraTrack, FollowsThePathOfTheScene) {
    core::Segment run;
    core::Scene scene;
    scene.settings.hz = 50.0f;
    scene.show.path = {{0.0f, {0, -10, 2}, {0, 0, 2}}, {1.0f, {8, -10, 2}, {0, 0, 2}}};
    for (std::uint64_t step = 1; step <= 60; ++step) {
        core::CaptureStep& each = run.steps.emplace_back(core::CaptureStep{step, {}, 0});
        if (step == 26) { // after half a second steps are half as long
            physics::SetSettings change;
            change.settings.hz = 100.0f;
            each.commands.push_back(change);
        }
    }
    run.scene = std::make_shared<core::Scene>(scene);
    const CameraTrack track = cameras_of(run);
    EXPECT_EQ(track.at(0).eye.x, 0.0f);
    EXPECT_NEAR(track.at(25).eye.x, 4.0f, 1e-4f);
    EXPECT_NEAR(track.at(50).eye.x, core::camera_at(scene.show.path, 0.75).eye.x, 1e-4f);
    scene.show.path.clear();
    run.scene = std::make_shared<core::Scene>(scene);
    EXPECT_EQ(cameras_of(run).at(50).eye, scene.camera.eye);
}

render::Image picture(int width, int height, std::uint8_t shade) {
    render::Image image;
    image.width = width;
    image.height = height;
    image.pixels.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 4, shade);
    return image;
}

TEST(FilmWriter, NumbersPictures) {
    const TemporaryFolder folder;
    const auto writer = make_film_writer(FilmKind::pictures, folder / "film", 8, 6, 30);
    for (int i = 0; i < 3; ++i) {
        writer->add(picture(8, 6, static_cast<std::uint8_t>(80 * i)));
    }
    writer->finish();
    EXPECT_EQ(writer->path(), folder / "film");
    const render::Image third = render::read_image(folder / "film" / "00003.png");
    EXPECT_EQ(third.width, 8);
    EXPECT_EQ(third.height, 6);
    EXPECT_EQ(third.pixels[0], 160);
}

TEST(FilmWriter, LeavesNothingBehindUnlessItIsFinished) {
    const TemporaryFolder folder;
    {
        const auto writer = make_film_writer(FilmKind::pictures, folder / "half", 8, 6, 30);
        writer->add(picture(8, 6, 1));
        EXPECT_TRUE(std::filesystem::exists(folder / "half"));
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "half"));
    if (ffmpeg_is_there()) {
        {
            const auto writer = make_film_writer(FilmKind::video, folder / "video", 32, 32, 30);
            writer->add(picture(32, 32, 1));
        }
        EXPECT_TRUE(std::filesystem::is_empty(folder / ""));
    }
}

TEST(FilmWriter, SaysWhatIsWrong) {
    const TemporaryFolder folder;
    { // a file where a folder should be
        const auto writer = make_film_writer(FilmKind::pictures, folder / "film", 8, 6, 30);
        writer->add(picture(8, 6, 1));
        writer->finish();
    }
    EXPECT_THROW(make_film_writer(FilmKind::pictures, folder / "film" / "00001.png" / "below", 8, 6, 30),
                 core::InputError);
    const char* path = std::getenv("PATH");
    const std::string before = path != nullptr ? path : "";
    setenv("PATH", (folder / "").c_str(), 1);
    EXPECT_FALSE(ffmpeg_is_there());
    EXPECT_THROW(make_film_writer(FilmKind::gif, folder / "gif", 8, 6, 30), core::InputError);
    setenv("PATH", before.c_str(), 1);
}

TEST(FilmWriter, GifsAndVideosOfOddSizesAreWritten) {
    if (!ffmpeg_is_there()) {
        GTEST_SKIP() << "needs ffmpeg";
    }
    const TemporaryFolder folder;
    for (const FilmKind kind : {FilmKind::gif, FilmKind::video}) {
        const auto writer = make_film_writer(kind, folder / "odd", 33, 21, 25);
        for (int i = 0; i < 10; ++i) {
            writer->add(picture(33, 21, static_cast<std::uint8_t>(20 * i)));
        }
        writer->finish();
        EXPECT_GT(std::filesystem::file_size(writer->path()), 100u);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / ""), {}), 2); // and no logs
}

} // namespace
} // namespace cairn::ui
