// What a capture holds beside its commands and hashes is checked, too: whole states, digests, the header, and how the
// file is put together.
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/verify/verification.h"
#include "app/core/runner/runner.h"
#include "tests/core/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <limits>
#include <zstd.h>

namespace cairn::core {
namespace {

using core::testing::TemporaryFolder;
using namespace physics;
using ::testing::HasSubstr;

class CheckedCapture : public ::testing::Test {
  protected:
    CheckedCapture() {
        Runner runner(read_scene(data_folder() / "scenes" / "tower.json"), nullptr, 0);
        runner.start_recording(folder.path() / "a.cairn");
        for (int i = 0; i < 150; ++i) {
            runner.step();
        }
        runner.stop_recording();
        capture = read_capture(folder.path() / "a.cairn");
    }

    struct Changes {
        std::function<void(StateImage&)> state;   // of the first keyframe
        std::function<void(StateDigest&)> digest; // of step 30
        std::function<void(Scene&)> scene;
    };
    // The same capture with changes, and checksums that are right.
    std::filesystem::path changed(const Changes& changes) const {
        Scene scene = capture.header.scene;
        if (changes.scene) {
            changes.scene(scene);
        }
        CaptureWriter writer(folder.path() / "b.cairn", scene, capture.initial_hash);
        auto place = capture.keyframes.begin();
        for (const CaptureStep& step : capture.steps) {
            CaptureStep copy = step;
            if (changes.digest && step.step == 30) {
                auto digest = std::make_shared<StateDigest>(*step.digest);
                changes.digest(*digest);
                copy.digest = digest;
            }
            writer.add(copy);
            if (place != capture.keyframes.end() && place->step == step.step) {
                StateImage image = read_keyframe(capture, *place);
                if (changes.state && place == capture.keyframes.begin()) {
                    changes.state(image);
                }
                writer.add_keyframe(image);
                ++place;
            }
        }
        writer.finish();
        return folder.path() / "b.cairn";
    }
    // What verify says; empty: nothing is wrong.
    std::string complaint(const Changes& changes) const {
        try {
            const Verification result = verify(read_capture(changed(changes)), {});
            return result.divergence ? result.divergence->what : "";
        } catch (const InputError& error) {
            return error.what();
        }
    }

    const TemporaryFolder folder;
    Capture capture;
};

TEST_F(CheckedCapture, WithoutAChangeIsWhole) {
    ASSERT_GE(capture.keyframes.size(), 2u);
    EXPECT_EQ(complaint({}), "");
}

TEST_F(CheckedCapture, EveryWholeStateIsHeldAgainstTheReplay) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::pair<const char*, std::function<void(StateImage&)>>> changes = {
        {"position", [](StateImage& s) { s.bodies.position[3].x += 1e-3f; }},
        {"NaN position", [nan](StateImage& s) { s.bodies.position[3].x = nan; }},
        {"velocity", [](StateImage& s) { s.bodies.linear_velocity[3].z += 1e-6f; }},
        {"NaN velocity", [nan](StateImage& s) { s.bodies.linear_velocity[3].z = nan; }},
        {"orientation", [](StateImage& s) { s.bodies.orientation[3] = Quat(0.0f, 1.0f, 0.0f, 0.0f); }},
        {"position residual", [](StateImage& s) { s.bodies.rest[3] ^= 1u; }},
        {"time below the sleep threshold", [](StateImage& s) { s.bodies.sleep_timer[3] += 0.25f; }},
        {"another kind", [](StateImage& s) { s.bodies.kind[3] = s.bodies.kind[0]; }},
        {"a kind that is not there", [](StateImage& s) { s.bodies.kind[3] = 1'000'000; }},
        {"a column too short", [](StateImage& s) { s.bodies.margin.pop_back(); }},
        {"a generation", [](StateImage& s) { s.bodies.generation[3] += 1; }},
        {"a contact's impulse", [](StateImage& s) { s.points.normal_impulse.at(0) += 1.0f; }},
        {"a contact's normal",
         [](StateImage& s) {
             s.contacts.normal.at(0) = {1.0f, 0.0f, 0.0f};
         }},
        {"settings", [](StateImage& s) { s.settings.gravity.z = -9.0f; }},
        {"hz", [](StateImage& s) { s.settings.hz = 0; }},
        {"time", [](StateImage& s) { s.time += 1.0; }},
        {"the name of a body", [](StateImage& s) { s.kinds[1].name = "another"; }},
    };
    for (const auto& [what, change] : changes) {
        EXPECT_THAT(complaint({change, {}, {}}), HasSubstr("damaged at byte ")) << what;
    }
}

TEST_F(CheckedCapture, EveryDigestIsThatOfItsState) {
    EXPECT_THAT(complaint({{}, [](StateDigest& d) { d.bodies[5] ^= 1u; }, {}}), HasSubstr("the digest of step 30"));
    EXPECT_THAT(complaint({{}, [](StateDigest& d) { d.resting ^= 1u; }, {}}), HasSubstr("the digest of step 30"));
}

TEST_F(CheckedCapture, HeadersWithAbsurdNumbersAreRejected) {
    const std::vector<std::pair<const char*, std::function<void(Scene&)>>> changes = {
        {"hz", [](Scene& s) { s.settings.hz = 0; }},
        {"substeps", [](Scene& s) { s.settings.substeps = 1'000'000'000; }},
        {"gravity", [](Scene& s) { s.settings.gravity.x = std::numeric_limits<float>::quiet_NaN(); }},
        {"camera", [](Scene& s) { s.camera.eye.x = std::numeric_limits<float>::quiet_NaN(); }},
        {"target", [](Scene& s) { s.camera.target.y = std::numeric_limits<float>::infinity(); }},
        {"look", [](Scene& s) { s.camera.target = s.camera.eye; }},
    };
    for (const auto& [what, change] : changes) {
        EXPECT_THROW(read_capture(changed({{}, {}, change})), InputError) << what;
    }
}

// The contents of all frames.
std::vector<std::vector<std::uint8_t>> frames_of(const std::filesystem::path& path) {
    std::vector<std::vector<std::uint8_t>> frames;
    FrameReader reader(path);
    std::vector<std::uint8_t> content;
    while (reader.next([&](std::span<const std::uint8_t> piece, std::uint64_t) {
        content.insert(content.end(), piece.begin(), piece.end());
        return piece.size();
    })) {
        frames.push_back(std::move(content));
        content.clear();
    }
    return frames;
}

TEST_F(CheckedCapture, AWholeStateWithinAFrameOfStepsIsCalledWhatItIs) {
    std::vector<std::vector<std::uint8_t>> frames = frames_of(folder.path() / "a.cairn");
    // Header, steps, whole state: the latter two become one frame.
    ASSERT_GE(frames.size(), 3u);
    frames[1].insert(frames[1].end(), frames[2].begin(), frames[2].end());
    frames.erase(frames.begin() + 2);
    FrameWriter writer(folder.path() / "c.cairn");
    for (const auto& frame : frames) {
        writer.write(frame);
    }
    writer.close();
    try {
        read_capture(folder.path() / "c.cairn");
        ADD_FAILURE() << "it was read";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a keyframe stands behind other records"));
    }
}

TEST_F(CheckedCapture, FramesWithoutAChecksumAreRejected) {
    std::ofstream file(folder.path() / "d.cairn", std::ios::binary);
    for (const auto& frame : frames_of(folder.path() / "a.cairn")) {
        std::vector<char> packed(ZSTD_compressBound(frame.size()));
        packed.resize(ZSTD_compress(packed.data(), packed.size(), frame.data(), frame.size(), 3)); // writes none
        file.write(packed.data(), static_cast<std::streamsize>(packed.size()));
    }
    file.close();
    try {
        read_capture(folder.path() / "d.cairn");
        ADD_FAILURE() << "it was read";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("damaged at byte 0: the frame has no checksum"));
    }
}

} // namespace
} // namespace cairn::core
