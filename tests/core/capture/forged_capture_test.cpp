// Captures that no recorder writes: each is rejected for what is wrong with it.
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/records/scene_records.h"
#include "tests/core/capture/capture_files.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using ::testing::HasSubstr;

// Frames around hand-made records.
class Forged : public ::testing::Test {
  protected:
    template <class Write>
    std::filesystem::path forge(Write write) {
        const std::filesystem::path path = folder_ / "forged.cairn";
        CborWriter out;
        write(out);
        FrameWriter frames(path);
        frames.write(out.bytes());
        frames.close();
        return path;
    }
    static constexpr auto current = static_cast<std::uint64_t>(capture_version);

    static void header(CborWriter& out, std::uint64_t version, const char* format = "cairn-capture") {
        out.array(2);
        out.text("header");
        out.map(5);
        out.text("format");
        out.text(format);
        out.text("version");
        out.unsigned_integer(version);
        out.text("build");
        out.text("test");
        out.text("initial_hash");
        out.unsigned_integer(1);
        out.text("scene");
        encode(out, falling_boxes());
    }
    static void step(CborWriter& out, std::uint64_t number, std::uint64_t version = current) {
        out.array(2);
        out.text("step");
        out.map(version >= 3 ? 4 : 3);
        out.text("step");
        out.unsigned_integer(number);
        out.text("commands");
        out.array(0);
        out.text("hash");
        out.unsigned_integer(number);
        if (version >= 3) {
            out.text("digest");
            out.null();
        }
    }
    static void end(CborWriter& out, std::uint64_t steps) {
        out.array(2);
        out.text("end");
        out.map(1);
        out.text("steps");
        out.unsigned_integer(steps);
    }

    TemporaryFolder folder_;
};

TEST_F(Forged, ControlIsAccepted) {
    const Capture capture = read_capture(forge([](CborWriter& out) {
        header(out, current);
        step(out, 1);
        step(out, 2);
        end(out, 2);
    }));
    EXPECT_EQ(capture.steps.size(), 2u);
    EXPECT_FALSE(capture.truncated);
}

TEST_F(Forged, TheVersionBeforeStillLoads) {
    const Capture capture = read_capture(forge([](CborWriter& out) {
        header(out, 2);
        step(out, 1, 2);
        end(out, 1);
    }));
    EXPECT_EQ(capture.version, 2);
    EXPECT_EQ(capture.steps.size(), 1u);
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, 2);
                    step(out, 1, 3);
                })),
                HasSubstr("expected a map of 3"));
}

TEST_F(Forged, NewerVersionIsRejectedByName) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) { header(out, current + 1); })),
                HasSubstr("a capture of version " + std::to_string(current + 1)));
    EXPECT_THAT(rejection(forge([](CborWriter& out) { header(out, current + 1); })), HasSubstr("a newer cairn"));
}

TEST_F(Forged, OlderVersionIsRejectedByName) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) { header(out, 1); })), HasSubstr("a capture of version 1"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) { header(out, 1); })), HasSubstr("an older cairn"));
}

TEST_F(Forged, OtherFormatsAreRejected) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) { header(out, current, "other"); })),
                HasSubstr("not a capture of cairn"));
}

TEST_F(Forged, StructureIsEnforced) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) { step(out, 1); })), HasSubstr("starts with its header"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, current);
                    step(out, 2);
                })),
                HasSubstr("step 2 comes where step 1 is due"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, current);
                    end(out, 5);
                })),
                HasSubstr("steps are missing"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, current);
                    end(out, 0);
                    step(out, 1);
                })),
                HasSubstr("follows the end"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, current);
                    out.array(2);
                    out.text("picture");
                    out.map(0);
                })),
                HasSubstr("unknown kind"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, current);
                    out.array(2);
                    out.text("keyframe");
                    out.map(8);
                    out.text("step");
                    out.unsigned_integer(7);
                    for (int i = 0; i < 40; ++i) {
                        out.null();
                    }
                })),
                HasSubstr("a keyframe of step 7 comes after step 0"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    header(out, 2);
                    out.array(2);
                    out.text("keyframe");
                    out.map(0);
                })),
                HasSubstr("unknown kind"));
    EXPECT_THAT(rejection(forge([](CborWriter& out) { out.text("hello"); })), HasSubstr("content byte 0"));
}

TEST_F(Forged, DeepNestingIsRejectedNotRecursedInto) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    for (int i = 0; i < 1000000; ++i) {
                        out.array(1);
                    }
                })),
                HasSubstr("damaged"));
}

// Frames that are larger than what is looked at in one go, whose records have to be found piece by piece.
class LargeFrames : public Forged {
  protected:
    static constexpr std::uint64_t steps = 20000;

    // A capture of two frames of so many steps each. `spoil` gets the content of the second one.
    std::filesystem::path write(const std::function<void(CborWriter&, std::uint64_t step)>& spoil = {}) {
        const std::filesystem::path path = folder_ / "large.cairn";
        FrameWriter frames(path);
        CborWriter out;
        header(out, current);
        frames.write(out.bytes());
        for (const std::uint64_t first : {std::uint64_t{1}, steps + 1}) {
            out.clear();
            for (std::uint64_t i = first; i < first + steps; ++i) {
                if (first > 1 && spoil) {
                    spoil(out, i);
                }
                step(out, i);
            }
            starts_.push_back(std::filesystem::file_size(frames.unfinished()));
            content_ = out.bytes().size();
            frames.write(out.bytes());
        }
        out.clear();
        end(out, 2 * steps);
        frames.write(out.bytes());
        frames.close();
        return path;
    }

    std::vector<std::uintmax_t> starts_; // of the two frames, bytes
    std::size_t content_ = 0;            // bytes of the second one
};

TEST_F(LargeFrames, AreReadWhole) {
    const Capture capture = read_capture(write());
    EXPECT_GT(content_, std::size_t{500} << 10) << "this is not what is to be tested";
    ASSERT_EQ(capture.steps.size(), 2 * steps);
    EXPECT_FALSE(capture.truncated);
    EXPECT_EQ(capture.steps[2 * steps - 1].hash, 2 * steps);
}

TEST_F(LargeFrames, CountOnlyWhenTheyAreWhole) {
    const std::filesystem::path path = write();
    const std::vector<char> bytes = read_bytes(path);
    for (const std::size_t cut : {starts_[1] + 1, (starts_[1] + bytes.size()) / 2, bytes.size() - 40}) {
        write_bytes(path, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut)});
        const Capture capture = read_capture(path);
        EXPECT_TRUE(capture.truncated);
        EXPECT_EQ(capture.steps.size(), steps) << "cut at " << cut;
    }
    // The checksum at the end of a frame counts for what was read long before.
    std::vector<char> changed = bytes;
    changed[(starts_[1] + bytes.size()) / 2] ^= 0x10;
    write_bytes(path, changed);
    EXPECT_THAT(rejection(path), HasSubstr("damaged at byte " + std::to_string(starts_[1])));
}

TEST_F(LargeFrames, TellWhereTheyAreDamaged) {
    std::size_t at = 0;
    const std::filesystem::path path = write([&](CborWriter& out, std::uint64_t number) {
        if (number == 2 * steps - 10) {
            at = out.bytes().size();
            out.unsigned_integer(0);
        }
    });
    EXPECT_THAT(rejection(path), HasSubstr("damaged at byte " + std::to_string(starts_[1])));
    EXPECT_THAT(rejection(path), HasSubstr("content byte " + std::to_string(at) + " "));
}

TEST_F(Forged, DecompressionBombIsRejected) {
    // Zeros compress ten-thousandfold.
    const std::filesystem::path path = folder_ / "bomb.cairn";
    const std::vector<std::uint8_t> zeros(std::size_t{8} << 20);
    FrameWriter writer(path);
    writer.write(zeros);
    writer.write(zeros);
    writer.close();
    EXPECT_LT(std::filesystem::file_size(path), 10000u);
    const auto read_all = [&](std::uint64_t frame_limit, std::uint64_t file_limit) {
        FrameReader reader(path, frame_limit, file_limit);
        std::size_t most = 0;
        const auto wait = [&](std::span<const std::uint8_t> content, std::uint64_t) {
            most = std::max(most, content.size());
            return std::size_t{0};
        };
        while (reader.next(wait)) {
        }
        return most;
    };
    const std::uint64_t frame = zeros.size();
    EXPECT_GE(read_all(frame, 2 * frame), frame) << "at the limit";
    EXPECT_THROW(read_all(frame - 1, 2 * frame), InputError) << "a frame too large";
    EXPECT_THROW(read_all(frame, 2 * frame - 1), InputError) << "a file too large";
    EXPECT_THAT(rejection(path), HasSubstr("damaged at byte 0"));
}

TEST_F(Forged, BillionBodiesAreRejectedByTheirAnnouncement) {
    EXPECT_THAT(rejection(forge([](CborWriter& out) {
                    CborWriter whole;
                    header(whole, current);
                    // The array of bodies is the last member: announce a billion in place of the few.
                    CborWriter few;
                    few.text("bodies");
                    few.array(falling_boxes().bodies.size());
                    const auto at =
                        std::search(whole.bytes().begin(), whole.bytes().end(), few.bytes().begin(), few.bytes().end());
                    ASSERT_NE(at, whole.bytes().end());
                    out.raw(std::span(whole.bytes()).first(static_cast<std::size_t>(at - whole.bytes().begin())));
                    out.text("bodies");
                    out.array(1000000000);
                    out.raw(std::span(whole.bytes())
                                .subspan(static_cast<std::size_t>(at - whole.bytes().begin()) + few.bytes().size()));
                })),
                HasSubstr("more items than"));
}

} // namespace
} // namespace cairn::core
