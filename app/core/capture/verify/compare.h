// What two states of a world do not have in common, in words and numbers.
#pragma once

#include "physics/world/frame_state.h"
#include "physics/world/state_image.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cairn::core {

struct StateDifference {
    enum class Subject { world, body, contact, joint };
    Subject subject = Subject::world;
    std::uint32_t a = physics::StateImage::none, b = physics::StateImage::none; // slots: of a body or joint, or of both
                                                                                // bodies of a contact
    std::string name;            // of the subject, for people: body 4 "ball"
    std::string field;           // with its unit
    std::string recorded, found; // values
    double size = 0.0;           // of the difference, in that unit; 0 for what is no number
};

// By subject and slot; within a subject in the order of the format. `recorded` and `found` are of the same step.
std::vector<StateDifference> compare(const physics::StateImage& recorded, const physics::StateImage& found);

// The first thing in which two states differ, to the bit, that means something to people: what compare() finds, and
// what the bodies are. In words; empty: there is none.
std::string first_difference(const physics::StateImage& recorded, const physics::StateImage& found);
// The first column of numbers that is not the same to the bit, the engine's own notes among them; empty: there is none.
std::string differing_column(const physics::StateImage& recorded, const physics::StateImage& found);

// body 4 "ball"; by its slot alone where it is not there.
std::string body_name(const physics::StateImage& state, std::uint32_t slot);

// How far two states of the same step have come apart.
struct Deviation {
    std::uint64_t step = 0;
    double position = 0.0, rotation = 0.0; // m, rad: of the body that is furthest off
    std::uint32_t position_body = physics::StateImage::none, rotation_body = physics::StateImage::none; // slots
    double energy_recorded = 0.0, energy_found = 0.0;           // J, kinetic and potential
    double penetration_recorded = 0.0, penetration_found = 0.0; // m, deepest point
    bool same_bodies = true;                                    // else some are only in one of them

    // Of the energies, as a share of what moves: the greater kinetic energy, or a joule where hardly anything does.
    double energy() const;
    double penetration() const { return penetration_found - penetration_recorded; } // m; only deeper is worse
    double kinetic = 0.0;                                                           // J, the greater of both
};
Deviation deviation(const physics::FrameState& recorded, const physics::FrameState& found);

} // namespace cairn::core
