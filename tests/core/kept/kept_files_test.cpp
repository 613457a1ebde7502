// Files of the cache folder: found again, never believed when damaged, and bounded.
#include "app/core/kept/kept_files.h"

#include "app/core/base/files/text_file.h"
#include "tests/core/temporary_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

namespace cairn::core {
namespace {

using testing::TemporaryFolder;
namespace fs = std::filesystem;

struct KeptFilesTest : ::testing::Test {
    TemporaryFolder folder;
    KeptFiles files{folder / "things", "cairn things 1\n", 1000};

    std::vector<fs::path> there() const {
        std::vector<fs::path> paths;
        if (fs::is_directory(folder / "things")) {
            for (const auto& entry : fs::directory_iterator(folder / "things")) {
                paths.push_back(entry.path());
            }
        }
        return paths;
    }
};

TEST_F(KeptFilesTest, GiveBackWhatTheyWereGiven) {
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    EXPECT_TRUE(there().empty()) << "looking makes nothing";
    const std::string bytes("a\0b\xff", 4);
    files.keep({1, 2}, bytes);
    files.keep({2, 1}, "");
    EXPECT_EQ(files.find({1, 2}), bytes);
    EXPECT_EQ(files.find({2, 1}), "");
    EXPECT_EQ(files.find({1, 3}), std::nullopt);
    files.keep({1, 2}, "other");
    EXPECT_EQ(files.find({1, 2}), "other");
    EXPECT_EQ(there().size(), 2u);
}

TEST_F(KeptFilesTest, NothingDamagedIsBelieved) {
    files.keep({1, 2}, "payload");
    ASSERT_EQ(there().size(), 1u);
    const fs::path path = there()[0];
    const std::string whole = read_whole_file(path);
    const auto write = [&](const std::string& text) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    };
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string damaged = whole;
        damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
        write(damaged);
        EXPECT_EQ(files.find({1, 2}), std::nullopt) << i;
        write(whole.substr(0, i));
        EXPECT_EQ(files.find({1, 2}), std::nullopt) << i;
    }
    write(whole + "x");
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    write(std::string(5000, 'x')); // larger than all may be
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    write(whole);
    EXPECT_EQ(files.find({1, 2}), "payload");
    // Of another version, and under the name of another content.
    EXPECT_EQ(KeptFiles(folder / "things", "cairn things 2\n", 1000).find({1, 2}), std::nullopt);
    files.keep({3, 4}, "another");
    const fs::path other = there()[0] == path ? there()[1] : there()[0];
    fs::copy_file(other, path, fs::copy_options::overwrite_existing);
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    // A folder where the file would be.
    fs::remove(path);
    fs::create_directories(path / "inside");
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    files.keep({1, 2}, "payload");
    EXPECT_EQ(files.find({1, 2}), std::nullopt);
    EXPECT_EQ(files.find({3, 4}), "another");
}

TEST_F(KeptFilesTest, WhatWasNotUsedForLongestGoes) {
    const auto wait = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    for (std::uint64_t i = 0; i < 3; ++i) {
        files.keep({i, 0}, std::string(250, 'x'));
        wait();
    }
    EXPECT_TRUE(files.find({0, 0})); // used
    wait();
    files.keep({3, 0}, std::string(250, 'x'));
    EXPECT_TRUE(files.find({0, 0}));
    EXPECT_FALSE(files.find({1, 0}));
    EXPECT_TRUE(files.find({2, 0}));
    EXPECT_TRUE(files.find({3, 0}));
    for (std::uint64_t i = 10; i < 30; ++i) {
        files.keep({i, 0}, std::string(1 + 13 * i, 'x'));
        std::uintmax_t bytes = 0;
        for (const fs::path& path : there()) {
            bytes += fs::file_size(path);
        }
        EXPECT_LE(bytes, 1000u);
        EXPECT_TRUE(files.find({i, 0}));
        wait();
    }
    files.keep({50, 0}, std::string(1000, 'x')); // would push out everything, and itself
    EXPECT_FALSE(files.find({50, 0}));
    EXPECT_TRUE(files.find({29, 0}));
}

TEST_F(KeptFilesTest, AreNoneWhereTheyAreSwitchedOffOrNoneCanBe) {
    files.keep({1, 2}, "payload");
    ::setenv("CAIRN_CACHE", "off", 1);
    EXPECT_FALSE(files.find({1, 2}));
    files.keep({3, 4}, "payload");
    ::setenv("CAIRN_CACHE", "on", 1);
    EXPECT_TRUE(files.find({1, 2}));
    EXPECT_FALSE(files.find({3, 4}));
    ::unsetenv("CAIRN_CACHE");
    folder.write("closed", "");
    const KeptFiles closed(folder / "closed" / "things", "cairn things 1\n", 1000);
    closed.keep({1, 2}, "payload");
    EXPECT_FALSE(closed.find({1, 2}));
}

} // namespace
} // namespace cairn::core
