// What a query does, kept to be shown: the events of the engine's queries and of the separating axis test.
#pragma once

#include "physics/query/gjk/observer.h"

#include <utility>

namespace cairn::algorithms {

namespace trace {

using namespace physics::trace;

enum class AxisKind : std::uint8_t { face_a, face_b, edges };

// An axis that is measured. What the probes rule out before is not reported.
struct Axis {
    AxisKind kind = AxisKind::face_a;
    physics::DVec3 normal{0.0}; // unit, from A to B
    double separation = 0.0;    // along it: exact if `best`, else an upper bound that is no better than the best
    std::uint32_t feature_a = 0, feature_b = 0; // face or edge; of a face's axis one of them counts
    bool best = false;                          // better than all before
};

enum class WitnessFrom : std::uint8_t {
    axis,     // the features that the best axis belongs to
    features, // all features that the best axis leaves in question were compared
};

struct SatEnd {
    int axes = 0;                       // measured
    std::uint64_t faces = 0, pairs = 0; // that there are, pairs of edges
    WitnessFrom witness = WitnessFrom::axis;
};

using Event = std::variant<Simplex, Support, GjkEnd, EpaStart, EpaNearest, EpaExpand, EpaEnd, EpaPolish, ClosedForm,
                           Answer, Axis, SatEnd, Balls, Advance, ToiEnd>;

} // namespace trace

// Records all events that are reported to it.
class QueryTrace final : public physics::QueryObserver {
  public:
    std::vector<trace::Event> events;

    void on(physics::trace::Event event) override {
        std::visit([this](auto&& e) { events.emplace_back(std::forward<decltype(e)>(e)); }, std::move(event));
    }
};

} // namespace cairn::algorithms
