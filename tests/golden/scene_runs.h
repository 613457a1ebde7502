// Runs shipped scenes and notes their hashes at fixed steps: what tests and tools/update_hashes.py compare.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace cairn::golden {

// The hash of step 0 tells a changed scene (or another definition of the hash) from a changed step. Sanitised programs
// stop at the second.
inline constexpr std::array<std::uint64_t, 4> checkpoints{0, 100, 300, 1000};

struct Checkpoint {
    std::uint64_t step = 0;
    std::uint32_t bodies = 0, contact_points = 0;
    std::string hash; // 16 hex digits
    friend bool operator==(const Checkpoint&, const Checkpoint&) = default;
};

// The files of scenes/, by name.
std::vector<std::filesystem::path> shipped_scenes();

// Every checkpoint up to `last_step`, of a world made for this run and stepped by `threads` threads. Throws
// std::runtime_error where the world stopped a body, or a contact's impulse is not a number.
std::vector<Checkpoint> run_scene(const std::filesystem::path& scene, int threads, std::uint64_t last_step);

} // namespace cairn::golden
