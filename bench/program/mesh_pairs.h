// The experiment that the author of an interactive GJK demo has published, repeated with our algorithms.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::bench {

// What is compared: the published times, our three algorithms, and the yes-or-no query that the engine offers.
inline constexpr std::size_t source_column = 0;
inline constexpr std::size_t algorithm_columns = 4;
std::string_view algorithm_column(std::size_t i); // name, 0 .. algorithm_columns - 1

struct SourceTables {
    struct Mesh {
        std::string name;
        std::size_t vertices = 0, edges = 0, faces = 0;
        double build = 0.0; // us, from points to a shape ready for queries
    };
    struct Pair { // a positive test of two shapes
        std::string name;
        std::size_t vertices = 0; // of both
        double source = 0.0;      // us
        std::vector<double> ours; // us, by algorithm_column
    };
    struct Heap { // 4 kinds x n of each in one place: bounds, broadphase and a query for every pair
        int n = 0;
        std::size_t shapes = 0, pairs = 0;
        double source = 0.0;      // ms
        std::vector<double> ours; // ms
    };
    std::vector<Mesh> meshes;
    std::vector<Pair> pairs;
    std::vector<Heap> heaps;

    // Answers that were not "overlapping" though the inner balls of the two shapes overlap; must be 0.
    std::size_t queries = 0, wrong = 0;
};

// `quick`: a single repetition on a few poses, and the heaps up to n = 4. `progress` hears the share that is done,
// 0..1.
SourceTables measure_source_tables(bool quick, const std::function<void(double)>& progress);

} // namespace cairn::bench
