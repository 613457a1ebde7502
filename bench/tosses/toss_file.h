// Recorded tosses of a cube onto a board, as a table of comma-separated values.
#pragma once

#include "physics/base/math.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::bench {

// One instant of a body, recorded or simulated.
struct TossRow {
    physics::Transform pose;              // of the centre of the cube; the board is the plane z = 0
    physics::Vec3 linear_velocity{0.0f};  // m/s
    physics::Vec3 angular_velocity{0.0f}; // rad/s, world frame
};

struct Toss {
    long number = 0;           // as in the file
    std::vector<TossRow> rows; // two or more, evenly spaced in time; the first is the release
};

// Columns of the file, in this order: the toss, the step within it (0, 1, 2, ... without a gap), then a TossRow.
inline constexpr std::string_view toss_header = "toss,step,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";

// Throws core::InputError with line and column for anything that is not such a table. `name` stands in messages.
std::vector<Toss> parse_tosses(std::string_view text, const std::string& name);
std::vector<Toss> read_tosses(const std::filesystem::path& path);

} // namespace cairn::bench
