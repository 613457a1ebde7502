// One cell of the comparison: a pair of shapes at many poses, all at the same signed distance, in the form that each
// library wants. What belongs to a library is made beforehand, so that only its query is timed.
#pragma once

#include "bench/queries/poses.h"

#include <functional>
#include <memory>
#include <optional>

namespace benchmark {
class State;
}

namespace cairn::bench {

struct ShapePair {
    std::string name;
    physics::Shape a, b;
};

struct Case {
    std::shared_ptr<const ShapePair> shapes;
    std::string name;      // "shallow 0.01 m"
    double distance = 0.0; // m, signed, of every pose
    std::vector<PosedPair> poses;
};

enum class Kind {
    yes_no,          // do they overlap?
    separating,      // a depth and its direction; asked only where they overlap
    signed_distance, // distance or depth, with closest points
    manifold,        // all contact points
    special,         // all contact points, by a method for this pair of kinds of shapes alone
    aside,           // shown, but compared with nothing: warm queries, and libraries helped out by us
};

// What a library said about a pose. The normal is unit, from A to B.
struct Answer {
    bool overlapping = false;
    std::optional<double> distance; // m, signed
    glm::dvec3 normal{0.0};
};

struct Method {
    std::string name;
    Kind kind;
    bool ours = false;
    std::function<void(benchmark::State&)> measure; // one iteration = `questions` questions
    std::size_t questions = 0;
    std::function<Answer(std::size_t)> answer; // for pose i of the case; empty if not asked for accuracy
};

void add_ours(std::vector<Method>& methods, const std::shared_ptr<const Case>& c);
void add_libccd(std::vector<Method>& methods, const std::shared_ptr<const Case>& c);
void add_bullet(std::vector<Method>& methods, const std::shared_ptr<const Case>& c);

} // namespace cairn::bench
