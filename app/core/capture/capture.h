// Captures: what happened, step by step, so that it can be replayed to the bit. Format:
// docs/reference/capture-format.md.
#pragma once

#include "app/core/capture/command_list.h"
#include "app/core/capture/records/surfaces.h"
#include "app/core/scene/scene.h"
#include "physics/world/command.h"
#include "physics/world/state_image.h"
#include "physics/world/world.h"

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cairn::core {

inline constexpr int capture_version = 4;
inline constexpr int oldest_capture_version = 2; // that can be read

struct CaptureHeader {
    std::string build; // version and compiler of the program that recorded
    Scene scene;       // whole, self-contained: hull points instead of mesh files
};

// One step: the commands applied before it, in order, and the hash after it.
struct CaptureStep {
    std::uint64_t step = 0;
    CommandList commands;
    std::uint64_t hash = 0;
    std::shared_ptr<const physics::StateDigest> digest = nullptr; // of the same state; none: nobody took it
};

// Where a whole state stands in the file: the one after `step`.
struct KeyframePlace {
    std::uint64_t step = 0;
    std::uint64_t offset = 0; // bytes
};

struct Capture {
    CaptureHeader header;
    std::filesystem::path path;             // that it was read from
    int version = capture_version;          // of that file
    std::uint64_t initial_hash = 0;         // step 0, before any command
    std::shared_ptr<FileSurfaces> surfaces; // of the file, if it was read from one
    std::deque<CaptureStep> steps;          // consecutive from step 1; they may be many, and are never moved
    std::vector<KeyframePlace> keyframes;   // by step
    bool truncated = false;                 // the file was never finished or is cut off: what is whole was loaded
};

// Writes a capture while it happens, into the file F.partial, which becomes F with finish(): a crash loses at most the
// last frame. Throws InputError naming the path; OutputError where the disk is full.
class CaptureWriter {
  public:
    CaptureWriter(const std::filesystem::path& path, const Scene& scene, std::uint64_t initial_hash);
    ~CaptureWriter(); // the file goes if finish() was not called
    CaptureWriter(const CaptureWriter&) = delete;
    CaptureWriter& operator=(const CaptureWriter&) = delete;

    // Steps come in order from 1 on. The bytes reach the file every so many steps, see
    // docs/reference/capture-format.md.
    void add(const CaptureStep& step);
    // The world as it is after the step that was added last. Readers can go on from there. Returns how many bytes it
    // is before compression.
    std::size_t add_keyframe(const physics::StateImage& state);
    void finish(); // ends the file and forces it to the disk
    // Leaves the unfinished file as it is, and gives its path; empty: there is none, or it holds no step.
    std::filesystem::path keep();
    std::uint64_t steps() const;
    const std::filesystem::path& path() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// Throws InputError with the byte offset of the first damage, or the version that this program cannot read.
Capture read_capture(const std::filesystem::path& path);

// What is whole at the start of a file that may be damaged behind that; `truncated` then. Throws InputError where not
// even the header is.
struct PartialCapture {
    Capture capture;
    std::uint64_t whole_bytes = 0; // of the file
};
PartialCapture read_whole_part(const std::filesystem::path& path);

struct Divergence {
    std::uint64_t step = 0;
    std::uint64_t expected = 0, found = 0;
    std::string what; // one sentence
};

// Applies commands in order: `applied` gets those that the world takes, `rejected` the errors of the others.
template <class Applied, class Rejected>
void apply_commands(physics::World& world, const CommandList& commands, const Applied& applied,
                    const Rejected& rejected) {
    for (const physics::Command& command : commands) {
        if (const physics::CommandResult result = world.apply(command); result.ok()) {
            applied(command);
        } else {
            rejected(result.error);
        }
    }
}

// Takes a world that stands before the step through it: the commands in order, then the step. Why the first command
// that the world rejected was rejected, with the number of the step; empty: none was.
std::string replay_step(physics::World& world, const CaptureStep& step);

// One of the capture's keyframes, from its file. Throws InputError as read_capture, and if the file is another by now.
physics::StateImage read_keyframe(const Capture& capture, const KeyframePlace& place);

// The last one up to that step; none: there is none.
const KeyframePlace* keyframe_before(const std::vector<KeyframePlace>& places, std::uint64_t step);

// Sets the world to the keyframe. Throws InputError as read_keyframe, and for a keyframe that is no state of a world.
void load_keyframe(physics::World& world, const Capture& capture, const KeyframePlace& place);

// A world as it is after that step of the capture, at most the last: from the nearest keyframe before it. What this
// program computes from there may differ from what was recorded: `divergence`, if given, gets the first step from the
// keyframe on that does. Throws InputError.
physics::World world_at(const Capture& capture, std::uint64_t step, physics::Executor* executor = nullptr,
                        std::optional<Divergence>* divergence = nullptr);

// Does the file start like a capture (whatever its name)? Only its first bytes are read: it may still be damaged.
bool looks_like_capture(const std::filesystem::path& path);
// The same, or a damaged one by its name: its reader says what is wrong with it.
bool is_meant_as_capture(const std::filesystem::path& path);
// Does it start like a text, such as a scene? To say what was named in a capture's place.
bool looks_like_text(const std::filesystem::path& path);

// The sentence and numbers for a step whose hash differs.
Divergence divergence_at(std::uint64_t step, std::uint64_t expected, std::uint64_t found, const std::string& cause);

// Hashes as they are printed everywhere: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

// Version and compiler of this program, as captures name it.
std::string build_name();

// Replays and compares the hash of every step; nullopt = equal to the end. `progress` (0..1) may be empty. Throws
// InputError when the world rejects the capture's scene.
std::optional<Divergence> verify_capture(const Capture& capture, physics::Executor* executor = nullptr,
                                         const std::function<void(double)>& progress = {});

} // namespace cairn::core
