// What the plots show: the figures of every step that is known, by the lines of the history that it belongs to. Pure.
#pragma once

#include "app/core/figures/figures.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cairn::ui {

using core::Figure;
using core::StepFigures;

// A stretch of one way through the history, oldest first.
using Course = std::vector<const StepFigures*>;

class PlotHistory {
  public:
    // Of a step that is known already the first figures stay.
    void add(const std::vector<StepFigures>& figures);
    void clear() { of_line_.clear(); }
    std::size_t size() const; // of all lines

    // Sets `course` to the steps of a line and of those that it comes from, at the times from..to (s).
    void follow(std::span<const core::History::Line> lines, std::size_t line, double from, double to,
                Course& course) const;
    // The last known step of a line, or of those that it comes from; nullptr: there is none.
    const StepFigures* last(std::span<const core::History::Line> lines, std::size_t line) const;

  private:
    std::vector<std::vector<StepFigures>> of_line_; // by step
};

// The first of them not before that time.
std::size_t since(const Course& course, double time);

// Calls `at(time)` for each time that the figure rises from at most the threshold to above it, oldest first; returns
// how often that was.
std::size_t crossings(const Course& course, Figure figure, float threshold, const std::function<void(double)>& at);

// Comma-separated: step, time and the figures; one line for each step. `names` are the heads of the columns, `scale`
// turns the figures' units into those of the names. `other`: another way, whose figures at the same steps get columns
// that begin with `other_name`; empty cells where it has none. May be empty, then there are no such columns.
std::string csv_of(const Course& course, std::span<const Figure> figures, std::span<const char* const> names,
                   float scale, const Course& other = {}, const std::string& other_name = {});

} // namespace cairn::ui
