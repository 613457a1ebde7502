// Scenes on disk: saving whole, listing, and finding what ships with the program.
#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/scene.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace cairn::core {
namespace {

using testing::TemporaryFolder;

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Scene one_ball() {
    return parse_scene(R"({"cairn": 1, "name": "Ball", "bodies": [{"shape": {"sphere": {"radius": 0.5}}}]})", "t", ".");
}

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

class Environment {
  public:
    Environment(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
    ~Environment() { ::unsetenv(name_); }

  private:
    const char* name_;
};

TEST(SceneFiles, SavedScenesComeBack) {
    const TemporaryFolder folder;
    const fs::path path = folder.path() / "ball.json";
    save_scene(one_ball(), path);
    EXPECT_TRUE(read_scene(path) == one_ball());
    EXPECT_EQ(files_in(folder.path()), 1u) << "no temporary file stays";
}

TEST(SceneFiles, SavingKeepsModeAndFollowsLinks) {
    const TemporaryFolder folder;
    const fs::path path = folder.write("real/ball.json", "old");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    fs::create_symlink("real/ball.json", folder.path() / "link.json");
    save_scene(one_ball(), folder.path() / "link.json");
    EXPECT_TRUE(fs::is_symlink(folder.path() / "link.json"));
    EXPECT_TRUE(read_scene(path) == one_ball());
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST(SceneFiles, NewFilesFollowTheUmask) {
    const TemporaryFolder folder;
    const ::mode_t before = ::umask(027);
    save_scene(one_ball(), folder.path() / "new.json");
    ::umask(before);
    EXPECT_EQ(fs::status(folder.path() / "new.json").permissions(),
              fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
}

TEST(SceneFiles, FailedSavesNameThePathAndKeepTheOldFile) {
    const TemporaryFolder folder;
    const auto error_of = [](const Scene& scene, const fs::path& path) -> std::string {
        try {
            save_scene(scene, path);
        } catch (const InputError& error) {
            return error.what();
        }
        return "no error";
    };
    EXPECT_THAT(error_of(one_ball(), folder.path() / "no/such/folder.json"),
                HasSubstr("no/such/folder.json: cannot be written: No such file"));
    EXPECT_THAT(error_of(one_ball(), folder.path()), HasSubstr("is a folder"));
    const fs::path path = folder.write("kept.json", "old");
    Scene broken = one_ball();
    broken.settings.gravity.z = HUGE_VALF;
    EXPECT_THAT(error_of(broken, path), HasSubstr("kept.json: not saved: \"gravity\" is not finite"));
    EXPECT_EQ(read_whole_file(path), "old");
    EXPECT_EQ(files_in(folder.path()), 1u);
}

TEST(SceneFiles, ListsScenesByNameAndNothingElse) {
    const TemporaryFolder folder;
    folder.write("z.json", R"({"cairn": 1, "name": "Alpha", "description": "First line.\nSecond line."})");
    folder.write("a.json", R"({"cairn": 1, "name": "Beta"})");
    folder.write("unnamed.json", R"({"cairn": 1})");
    folder.write("scene.schema.json", "{}");
    folder.write("notes.txt", "no scene");
    folder.write("parts/walls.json", R"({"cairn": 1})");
    folder.write("broken.json", "{\"cairn\": 1,");
    const std::vector<SceneFile> files = list_scenes(folder.path());
    ASSERT_EQ(files.size(), 4u);
    EXPECT_EQ(files[0].name, "Alpha");
    EXPECT_EQ(files[0].description, "First line.");
    EXPECT_EQ(files[0].path, folder.path() / "z.json");
    EXPECT_EQ(files[1].name, "Beta");
    EXPECT_EQ(files[2].name, "broken");
    EXPECT_THAT(files[2].description, HasSubstr("broken.json:1:13: the file ends too early"));
    EXPECT_EQ(files[3].name, "unnamed");
    EXPECT_THROW(list_scenes(folder.path() / "nowhere"), InputError);
}

TEST(SceneFiles, DataFolderIsFound) {
    ::unsetenv("CAIRN_DATA");
    EXPECT_TRUE(fs::equivalent(data_folder(), CAIRN_SOURCE_DIR));
    const TemporaryFolder folder;
    {
        const Environment chosen("CAIRN_DATA", folder.path().c_str());
        EXPECT_THROW(data_folder(), InputError); // a wrong choice is not passed over in silence
        fs::create_directory(folder.path() / "scenes");
        EXPECT_EQ(data_folder(), folder.path());
    }
    const Environment empty("CAIRN_DATA", "");
    EXPECT_TRUE(fs::equivalent(data_folder(), CAIRN_SOURCE_DIR));
}

TEST(SceneFiles, ShippedScenesAreValidAndTitled) {
    const std::vector<SceneFile> files = list_scenes(CAIRN_SOURCE_DIR "/scenes");
    for (const SceneFile& file : files) {
        Scene scene;
        ASSERT_NO_THROW(scene = read_scene(file.path)) << file.path;
        EXPECT_FALSE(scene.name.empty()) << file.path;
        EXPECT_FALSE(scene.description.empty()) << file.path;
        EXPECT_FALSE(scene.bodies.empty()) << file.path;
        EXPECT_TRUE(parse_scene(write_scene(scene), "written", ".") == scene) << file.path;
    }
    EXPECT_GE(files.size(), 1u);
}

} // namespace
} // namespace cairn::core
