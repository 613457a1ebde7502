#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/records/scene_records.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace testing;
using ::testing::HasSubstr;

std::vector<char> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::filesystem::path& path, const std::vector<char>& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string rejection(const std::filesystem::path& path) {
    try {
        read_capture(path);
    } catch (const InputError& error) {
        EXPECT_EQ(error.location().file, path.string());
        return error.what();
    }
    ADD_FAILURE() << path << " was accepted";
    return {};
}

std::vector<CaptureStep> made_up_steps(std::uint64_t count) {
    std::vector<CaptureStep> steps;
    for (std::uint64_t i = 1; i <= count; ++i) {
        CaptureStep step{i, {}, i * 0x9e3779b97f4a7c15u, nullptr};
        if (i % 50 == 3) {
            step.commands = full_commands();
        }
        steps.push_back(std::move(step));
    }
    return steps;
}

bool same(const Capture& a, const Capture& b) {
    return a.header.build == b.header.build && a.header.scene == b.header.scene && a.initial_hash == b.initial_hash &&
           a.truncated == b.truncated &&
           std::equal(a.steps.begin(), a.steps.end(), b.steps.begin(), b.steps.end(),
                      [](const CaptureStep& x, const CaptureStep& y) {
                          return x.step == y.step && x.hash == y.hash && x.commands == y.commands;
                      });
}

// Between the places at which a file is cut or changed: prime, to fall on all parts of the structure.
constexpr std::size_t stride = 7;

// A capture file of made-up steps.
void write_capture(const std::filesystem::path& path, const Scene& scene, const std::vector<CaptureStep>& steps) {
    CaptureWriter writer(path, scene, 42);
    for (const CaptureStep& step : steps) {
        writer.add(step);
    }
    writer.finish();
}

TEST(Capture, ComesBackWhole) {
    const TemporaryFolder folder;
    const Scene scene = full_scene();
    const std::vector<CaptureStep> steps = made_up_steps(200);
    write_capture(folder / "a.cairn", scene, steps);
    const Capture capture = read_capture(folder / "a.cairn");
    EXPECT_TRUE(capture.header.scene == scene);
    EXPECT_EQ(capture.header.build, build_name());
    EXPECT_EQ(capture.initial_hash, 42u);
    EXPECT_FALSE(capture.truncated);
    ASSERT_EQ(capture.steps.size(), steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(capture.steps[i].step, steps[i].step);
        EXPECT_EQ(capture.steps[i].hash, steps[i].hash);
        EXPECT_TRUE(capture.steps[i].commands == steps[i].commands);
    }
}

TEST(Capture, IsRecognisedByItsBytesNotByItsName) {
    const TemporaryFolder folder;
    write_capture(folder / "a.json", full_scene(), {});
    EXPECT_TRUE(looks_like_capture(folder / "a.json"));
    std::ofstream(folder / "b.cairn") << "{\"cairn\": 1}";
    EXPECT_FALSE(looks_like_capture(folder / "b.cairn"));
    std::ofstream(folder / "empty.cairn");
    EXPECT_FALSE(looks_like_capture(folder / "empty.cairn"));
    EXPECT_FALSE(looks_like_capture(folder / "missing.cairn"));
    EXPECT_FALSE(looks_like_capture(folder / "."));
}

TEST(Capture, WithoutAnEndHoldsWhatWasFlushed) {
    const TemporaryFolder folder;
    // As after a crash: the file as it is while the writer still runs.
    CaptureWriter writer(folder / "a.cairn", full_scene(), 42);
    const std::vector<CaptureStep> steps = made_up_steps(150);
    for (const CaptureStep& step : steps) {
        writer.add(step);
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "a.cairn")) << "before it is whole";
    const Capture capture = read_capture(folder / "a.cairn.partial");
    EXPECT_TRUE(capture.truncated);
    EXPECT_GE(capture.steps.size(), 120u) << "at most the last frame of 60 steps may be missing";
    EXPECT_LT(capture.steps.size(), 150u);
}

TEST(Capture, CutOffAnywhereLoadsWhatIsWholeOrIsRejected) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    const std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::filesystem::path cut = folder / "cut.cairn";
    std::size_t last = 0, loaded = 0, rejected = 0;
    for (std::size_t size = 0; size < bytes.size(); size += stride) {
        write_bytes(cut, {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
        try {
            const Capture capture = read_capture(cut);
            EXPECT_TRUE(capture.truncated) << "cut at " << size;
            EXPECT_GE(capture.steps.size(), last);
            last = capture.steps.size();
            ++loaded;
        } catch (const InputError& error) {
            EXPECT_EQ(loaded, 0u) << "cut at " << size << ": " << error.what();
            ++rejected;
        }
    }
    EXPECT_GT(loaded, 0u);
    EXPECT_GT(rejected, 0u) << "a cut header cannot be loaded";
    EXPECT_GE(last, 180u);
}

TEST(Capture, FlippedBytesAreFoundWhereverTheyAre) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    const std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::filesystem::path damaged = folder / "damaged.cairn";
    std::size_t rejected = 0, cut = 0;
    const Capture original = read_capture(folder / "a.cairn");
    for (std::size_t at = 0; at < bytes.size(); at += stride) {
        std::vector<char> changed = bytes;
        changed[at] = static_cast<char>(changed[at] ^ 0x10);
        write_bytes(damaged, changed);
        try {
            const Capture capture = read_capture(damaged);
            // A changed length may reach beyond the end of the file: that is not to be told from a cut. And zstd knows
            // bits that mean nothing; then the content must be what it was.
            EXPECT_TRUE(capture.truncated || same(capture, original)) << "byte " << at << " went unnoticed";
            ++cut;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).find("at byte ") != std::string::npos ||
                        std::string(error.what()).find("inside its header") != std::string::npos)
                << error.what();
            ++rejected;
        }
    }
    EXPECT_GT(rejected, 10 * cut) << "of " << bytes.size();
}

TEST(Capture, DamageIsReportedWithItsOffset) {
    const TemporaryFolder folder;
    write_capture(folder / "a.cairn", falling_boxes(), made_up_steps(200));
    std::vector<char> bytes = read_bytes(folder / "a.cairn");
    const std::size_t whole = bytes.size();
    bytes.insert(bytes.end(), {'j', 'u', 'n', 'k', '!', '!', '!', '!'});
    write_bytes(folder / "b.cairn", bytes);
    EXPECT_THAT(rejection(folder / "b.cairn"), HasSubstr("damaged at byte " + std::to_string(whole) + ":"));
}

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

TEST(Capture, PathsThatCannotBeUsedAreNamed) {
    const TemporaryFolder folder;
    EXPECT_THAT(rejection(folder / "missing.cairn"), HasSubstr("cannot be opened"));
    EXPECT_THAT(rejection(folder / "."), HasSubstr("folder"));
    std::ofstream(folder / "empty.cairn");
    EXPECT_THAT(rejection(folder / "empty.cairn"), HasSubstr("empty"));
    EXPECT_THROW(CaptureWriter(folder / "no/such/folder.cairn", falling_boxes(), 1), InputError);
}

TEST(Capture, FullDiskIsReported) {
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "no /dev/full here";
    }
    EXPECT_THROW(CaptureWriter("/dev/full", falling_boxes(), 1), InputError);
}

// Runs the world itself and records what it did.
Capture honest_capture(const std::filesystem::path& path, int steps) {
    const Scene scene = falling_boxes();
    physics::World world = make_world(scene);
    CaptureWriter writer(path, scene, world.hash());
    for (int i = 1; i <= steps; ++i) {
        CaptureStep step;
        step.step = static_cast<std::uint64_t>(i);
        if (i == 10) {
            step.commands.push_back(physics::ApplyImpulse{world.body_ids()[1], {500, 0, 0}, std::nullopt});
        }
        for (const physics::Command& command : step.commands) {
            EXPECT_TRUE(world.apply(command).ok());
        }
        world.step();
        step.hash = world.hash();
        writer.add(step);
    }
    writer.finish();
    return read_capture(path);
}

TEST(Verify, EqualToTheEnd) {
    const TemporaryFolder folder;
    const Capture capture = honest_capture(folder / "a.cairn", 100);
    double last = 0.0;
    const auto divergence = verify_capture(capture, nullptr, [&](double share) {
        EXPECT_GE(share, last);
        last = share;
    });
    EXPECT_FALSE(divergence) << divergence->what;
    EXPECT_DOUBLE_EQ(last, 1.0);
}

TEST(Verify, NamesTheFirstDivergingStep) {
    const TemporaryFolder folder;
    const Capture capture = honest_capture(folder / "a.cairn", 100);

    Capture tampered = capture;
    tampered.steps[36].hash ^= 1;
    auto divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 37u);
    EXPECT_EQ(divergence->found, capture.steps[36].hash);
    EXPECT_EQ(divergence->what, "DIVERGED at step 37: expected " + hash_text(tampered.steps[36].hash) + ", found " +
                                    hash_text(capture.steps[36].hash));

    tampered = capture;
    tampered.steps[9].commands.clear(); // forgets the push
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 10u);

    tampered = capture;
    tampered.header.scene.settings.gravity.z *= 1.0001f;
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_LE(divergence->step, 1u);

    tampered = capture;
    tampered.steps[9].commands = {physics::DestroyBody{{77, 0}}};
    divergence = verify_capture(tampered);
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->step, 10u);
    EXPECT_THAT(divergence->what, HasSubstr("rejected"));
}

TEST(Verify, HashesAreSixteenDigits) {
    EXPECT_EQ(hash_text(0), "0000000000000000");
    EXPECT_EQ(hash_text(0x0123456789abcdefu), "0123456789abcdef");
    EXPECT_EQ(hash_text(~std::uint64_t{0}), "ffffffffffffffff");
}

} // namespace
} // namespace cairn::core
