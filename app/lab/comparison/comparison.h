// How fast each algorithm answers: chosen pairs, and pairs of hulls of more and more vertices. Measured one row at a
// time, so that a window can show it grow.
#pragma once

#include "app/lab/tracers/algorithms.h"
#include "physics/geometry/geometry.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core::lab {

struct ComparedPair {
    std::string name;
    LabPair pair;                             // queries at one moment are asked where its sweep begins
    physics::Geometry geometry_a, geometry_b; // what its shapes are built from
    std::string placing;                      // of the growth series, see growth_pairs(); else empty
};

// Of several samples, each long enough for the clock: the middle one, and how far the middle half of them reaches.
struct Timing {
    double median = 0.0; // us
    double spread = 0.0; // us, from the lower to the upper quartile
};

struct ComparisonRow {
    std::string pair, placing; // as of the pair
    Algorithm algorithm = Algorithm::gjk_epa;
    std::string_view shape_a, shape_b;                 // "box"
    std::optional<std::size_t> vertices_a, vertices_b; // round shapes have none
    Timing build;                                      // of both shapes from their geometries
    std::string rejection; // why the algorithm does not answer the pair; then nothing of what follows is set
    Timing query;          // one answer, from nothing
    int iterations = 0;    // rounds of support points; axes of SAT; closest points of the advancement
    std::string_view status;
    std::optional<double> distance; // m, negative is depth; of those that measure one at one moment
    std::optional<double> impact;   // s, of the advancement where the shapes meet

    std::optional<std::size_t> vertices() const; // of both shapes; none if either is round
};

// time ~ vertices^exponent
struct Growth {
    Algorithm algorithm = Algorithm::gjk_epa;
    std::string placing; // empty: all of them together
    double exponent = 0.0;
};

// The algorithms that get a row for the pair: all that answer at one moment, rejected or not; the advancement where the
// pair moves.
std::vector<Algorithm> compared_algorithms(const LabPair& pair);

class Comparison {
  public:
    explicit Comparison(std::vector<ComparedPair> pairs);

    std::size_t row_count() const { return tasks_.size(); } // that there will be
    const std::vector<ComparisonRow>& rows() const { return rows_; }
    // Measures one more row on the calling thread and nothing else; false if none is left. That takes some
    // milliseconds, and longer only where building the shapes or one query does: a fifth of a second for two hulls of
    // 2048 points. All in a row that is no time is the same whenever and wherever it is measured.
    bool measure_next();

  private:
    struct Task {
        std::size_t pair = 0;
        Algorithm algorithm = Algorithm::gjk_epa;
    };
    Timing build_time(const ComparedPair& pair);

    std::vector<ComparedPair> pairs_;
    std::vector<Task> tasks_;
    std::vector<ComparisonRow> rows_;
    // What was built last, since pairs at several placings follow each other.
    std::optional<std::pair<physics::Geometry, physics::Geometry>> built_;
    Timing built_in_;
};

// Fits to the rows that have a placing, of those whose vertices are known: for each algorithm one of each placing, and
// one of all. An algorithm with answers for fewer than two numbers of vertices gets none.
std::vector<Growth> growth_of(const std::vector<ComparisonRow>& rows);

} // namespace cairn::core::lab
