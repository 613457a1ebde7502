// The tables of the comparison, in Markdown.
#pragma once

#include "bench/queries/accuracy.h"

#include <memory>
#include <string>
#include <vector>

namespace cairn::bench {

struct Measured {
    std::shared_ptr<const Case> c;
    std::vector<Method> methods;
    std::vector<std::vector<double>> nanoseconds; // per method and repetition, per question; empty = not measured
    std::vector<Accuracy> accuracies;             // per method, if looked at
};

double median(std::vector<double> values);

// Times of the cells of one pair of shapes, and ours as ratios to the best of the others.
std::string times_table(const std::vector<const Measured*>& cells);
// How right the answers were.
std::string accuracy_table(const std::vector<const Measured*>& cells);
// In how many cells each of our queries is faster than the best of the others, and where it does worst.
std::string summary(const std::vector<std::unique_ptr<Measured>>& cells);

// What is wrong with our own answers, or with the poses; empty if nothing is. `tolerance` in m.
std::string faults(const std::vector<std::unique_ptr<Measured>>& cells, double tolerance);

} // namespace cairn::bench
