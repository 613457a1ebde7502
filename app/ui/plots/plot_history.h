// What the plots show: the metrics of every step that is known, by the branches of the history that it belongs to.
// Pure.
#pragma once

#include "app/core/metrics/step_metrics.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace cairn::ui {

using core::Metric;
using core::StepMetrics;

// A segment of one path through the history, oldest first.
using Samples = std::vector<const StepMetrics*>;

class PlotHistory {
  public:
    // Of a step that is known already the first metrics stay.
    void add(const std::vector<StepMetrics>& metrics);
    void clear() { of_branch_.clear(); }
    std::size_t size() const; // of all branches

    // Sets `samples` to the steps of a branch and of those that it comes from, at the times from..to (s).
    void follow(std::span<const core::History::Branch> branches, std::size_t branch, double from, double to,
                Samples& samples) const;
    // The last known step of a branch, or of those that it comes from; nullptr: there is none.
    const StepMetrics* last(std::span<const core::History::Branch> branches, std::size_t branch) const;

  private:
    std::vector<std::vector<StepMetrics>> of_branch_; // by step
};

// The first of them not before that time.
std::size_t since(const Samples& samples, double time);

// Calls `at(time)` for each time that the metric rises from at most the threshold to above it, oldest first; returns
// how often that was.
std::size_t crossings(const Samples& samples, Metric metric, float threshold, const std::function<void(double)>& at);

// Comma-separated: step, time and the metrics; one branch for each step. `names` are the heads of the columns, `scale`
// turns the metrics' units into those of the names. `other`: another branch, whose metrics at the same steps get
// columns that begin with `other_name`; empty cells where it has none. May be empty, then there are no such columns.
std::string csv_of(const Samples& samples, std::span<const Metric> metrics, std::span<const char* const> names,
                   float scale, const Samples& other = {}, const std::string& other_name = {});

} // namespace cairn::ui
