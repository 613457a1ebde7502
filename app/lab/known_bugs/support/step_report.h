// Steps as an algorithm goes: sentences, numbers and marks that several versions of this folder have in common.
#pragma once

#include "app/lab/known_bugs/support/difference.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace cairn::core::lab::known_bugs {

// A loop that does not end is cut off after this many rounds, and that is its outcome.
inline constexpr int patience = 1000;

// How a boolean test ends.
enum class Answer : std::uint8_t { hit, miss, runs_on };

std::string answer_text(Answer answer); // "they overlap", "they are apart", "nothing: ..."

// Keeps steps, but of a loop that goes on for long only so many rounds, and its last step, which says what is left out.
class StepReport {
  public:
    // `most_rounds` of a loop are shown.
    explicit StepReport(int most_rounds = 60) : most_rounds_(most_rounds) {}

    // Steps until the next call belong to this round of a loop, which counts from 1; 0 is before or after a loop.
    void round(int number);

    // What the steps from here on are shown against, at a time of the sweep, s.
    using Backdrop = std::function<std::shared_ptr<const Figure>(double time)>;
    void stand_before(Backdrop backdrop) { backdrop_ = std::move(backdrop); }

    // A new step, at a time of the sweep, s. The reference is good until the next one.
    LabStep& step(std::string sentence, std::string status, double time = 0.0);

    // All of them, once; at least one was begun.
    std::vector<LabStep> take();

  private:
    void show_the_last();

    std::vector<LabStep> steps_;
    LabStep not_shown_; // of the last round
    int most_rounds_;
    Backdrop backdrop_;
    int round_ = 0;
};

std::string reading_text(double value);   // three digits
std::string length_text(double value);    // with its unit, in millimetres if it is small
std::string reading_text(const DVec3& v); // "(1, 0, -2.5)"

// "1·2·3"
std::string names(std::span<const Vertex> vertices);

// All its points, edges and triangles.
void draw_simplex(Figure& figure, std::span<const Vertex> simplex, Role role = Role::simplex);

// Where a support point lies in the difference, and of what points of the bodies it is made.
void draw_newest(LabStep& step, const Vertex& vertex);

// An arrow of a fixed length, m; nothing for a direction that has none, or is no number.
void draw_direction(Figure& figure, const DVec3& from, const DVec3& direction, double length,
                    Role role = Role::direction);

void add_reading(LabStep& step, std::string name, std::string value);

} // namespace cairn::core::lab::known_bugs
