#include "app/lab/comparison/comparison.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"
#include "app/core/query/question.h"
#include "app/core/report/statistics/statistics.h"
#include "app/lab/steps/placing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <stdexcept>

namespace cairn::core::lab {

using physics::Shape;
using physics::ShapeKind;
using physics::Transform;

namespace {

constexpr std::size_t samples = 9;        // odd: the median is one of them
constexpr double least_sample_us = 200.0; // thousands of times what reading the clock takes

// Microseconds that `work` takes.
template <class Work>
Timing time_of(Work&& work) {
    using Clock = std::chrono::steady_clock;
    std::size_t batch = 1; // between two looks at the clock, which would count for much beside a short query
    const auto sample = [&] {
        const auto start = Clock::now();
        double spent = 0.0;
        std::size_t count = 0;
        do {
            for (std::size_t i = 0; i < batch; ++i) {
                work();
            }
            count += batch;
            spent = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
        } while (spent < least_sample_us);
        return spent / static_cast<double>(count);
    };
    const double first = sample(); // also wakes caches and predictors; it does not count
    batch = std::max<std::size_t>(1, static_cast<std::size_t>(least_sample_us / std::max(first, 1e-3)));
    std::vector<double> times;
    times.reserve(samples);
    for (std::size_t i = 0; i < samples; ++i) {
        times.push_back(sample());
    }
    std::ranges::sort(times);
    return {median(times), percentile(times, 0.75) - percentile(times, 0.25)};
}

std::string_view name_of(ShapeKind kind) {
    static constexpr std::array<std::string_view, 7> names = {"sphere", "box",  "capsule", "cylinder",
                                                              "cone",   "hull", "mesh"};
    return names[static_cast<std::size_t>(kind)];
}

std::optional<std::size_t> vertices_of(const Shape& shape) {
    switch (shape.kind) {
    case ShapeKind::box:
        return 8;
    case ShapeKind::hull:
        return shape.hull->vertices.size();
    default:
        return std::nullopt;
    }
}

void build(const physics::Geometry& geometry) {
    if (const auto built = physics::build_shape(geometry);
        const auto* error = std::get_if<physics::ShapeError>(&built)) {
        throw std::invalid_argument(error->reason);
    }
}

struct Answer {
    int iterations = 0;
    std::string_view status;
    std::optional<double> distance, impact;
};

// The engine's own calls, without a trace.
class Asker {
  public:
    Asker(Algorithm algorithm, const LabPair& pair)
        : algorithm_(algorithm),
          pair_(pair),
          pose_a_(shape_pose_at(pair.sweep_a, 0.0)),
          pose_b_(shape_pose_at(pair.sweep_b, 0.0)),
          settings_(impact_settings(pair.a, pair.b)) {}

    Answer ask() const {
        switch (algorithm_) {
        case Algorithm::gjk_epa:
            return of(physics::gjk_epa_distance(pair_.a, pose_a_, pair_.b, pose_b_));
        case Algorithm::engine:
            return of(physics::signed_distance(pair_.a, pose_a_, pair_.b, pose_b_));
        case Algorithm::sat: {
            const algorithms::SatResult r = algorithms::sat(pair_.a, pose_a_, pair_.b, pose_b_);
            return {r.axes, core::name_of(r.status), double(r.distance), {}};
        }
        case Algorithm::region_gjk: {
            const algorithms::RegionGjkResult r = algorithms::region_gjk(pair_.a, pose_a_, pair_.b, pose_b_);
            return {r.iterations, core::name_of(r.status), {}, {}};
        }
        case Algorithm::advancement:
            break;
        }
        const physics::TimeOfImpact r =
            physics::time_of_impact(pair_.a, pair_.sweep_a, pair_.b, pair_.sweep_b, pair_.duration, settings_);
        const bool meet = r.status == physics::ToiStatus::hit || r.status == physics::ToiStatus::initial;
        return {r.iterations, core::name_of(r.status), {}, meet ? std::optional(double(r.time)) : std::nullopt};
    }

  private:
    static Answer of(const physics::DistanceResult& r) {
        return {r.gjk_iterations + r.epa_iterations, core::name_of(r.status), double(r.distance), {}};
    }

    Algorithm algorithm_;
    const LabPair& pair_;
    Transform pose_a_, pose_b_;
    physics::ToiSettings settings_;
};

} // namespace

std::optional<std::size_t> ComparisonRow::vertices() const {
    return vertices_a && vertices_b ? std::optional(*vertices_a + *vertices_b) : std::nullopt;
}

std::vector<Algorithm> compared_algorithms(const LabPair& pair) {
    std::vector<Algorithm> out;
    for (const Algorithm algorithm : all_algorithms) {
        if (algorithm != Algorithm::advancement || !rejection(algorithm, pair)) {
            out.push_back(algorithm);
        }
    }
    return out;
}

Comparison::Comparison(std::vector<ComparedPair> pairs) : pairs_(std::move(pairs)) {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
        for (const Algorithm algorithm : compared_algorithms(pairs_[i].pair)) {
            tasks_.push_back({i, algorithm});
        }
    }
    rows_.reserve(tasks_.size());
}

Timing Comparison::build_time(const ComparedPair& pair) {
    if (!built_ || built_->first != pair.geometry_a || built_->second != pair.geometry_b) {
        built_in_ = time_of([&] {
            build(pair.geometry_a);
            build(pair.geometry_b);
        });
        built_.emplace(pair.geometry_a, pair.geometry_b);
    }
    return built_in_;
}

bool Comparison::measure_next() {
    if (rows_.size() == tasks_.size()) {
        return false;
    }
    const Task& task = tasks_[rows_.size()];
    const ComparedPair& compared = pairs_[task.pair];
    const LabPair& pair = compared.pair;
    ComparisonRow row;
    row.pair = compared.name;
    row.placing = compared.placing;
    row.algorithm = task.algorithm;
    row.shape_a = name_of(pair.a.kind);
    row.shape_b = name_of(pair.b.kind);
    row.vertices_a = vertices_of(pair.a);
    row.vertices_b = vertices_of(pair.b);
    row.build = build_time(compared);
    if (auto reason = rejection(task.algorithm, pair)) {
        row.rejection = std::move(*reason);
    } else {
        const Asker asker(task.algorithm, pair);
        const Answer answer = asker.ask();
        row.iterations = answer.iterations;
        row.status = answer.status;
        row.distance = answer.distance;
        row.impact = answer.impact;
        volatile int sink = 0; // so that no answer goes unused
        row.query = time_of([&] { sink = asker.ask().iterations; });
    }
    rows_.push_back(std::move(row));
    return true;
}

std::vector<Growth> growth_of(const std::vector<ComparisonRow>& rows) {
    std::vector<std::string> placings;
    for (const ComparisonRow& row : rows) {
        if (!row.placing.empty() && std::ranges::find(placings, row.placing) == placings.end()) {
            placings.push_back(row.placing);
        }
    }
    placings.emplace_back(); // all of them
    std::vector<Growth> out;
    for (const Algorithm algorithm : all_algorithms) {
        for (const std::string& placing : placings) {
            std::vector<double> vertices, times;
            for (const ComparisonRow& row : rows) {
                const bool wanted = placing.empty() ? !row.placing.empty() : row.placing == placing;
                if (wanted && row.algorithm == algorithm && row.vertices() && row.rejection.empty()) {
                    vertices.push_back(static_cast<double>(*row.vertices()));
                    times.push_back(row.query.median);
                }
            }
            const auto [least, most] = std::ranges::minmax_element(vertices);
            if (least != most && *least < *most) {
                out.push_back({algorithm, placing, growth_exponent(vertices, times)});
            }
        }
    }
    return out;
}

} // namespace cairn::core::lab
