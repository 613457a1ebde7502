#include "bench/program/mesh_pairs.h"

#include "app/algorithms/algorithm.h"
#include "app/core/base/random.h"
#include "app/core/report/statistics/statistics.h"
#include "app/core/workers/worker_pool.h"
#include "app/lab/published_meshes.h"
#include "physics/broadphase/broadphase.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <memory>
#include <stdexcept>

namespace cairn::bench {
namespace {

using namespace algorithms;
using namespace physics;

// As the author reports them: a positive test in microseconds, and all shapes forced into one place in milliseconds.
struct SourcePair {
    std::size_t a, b; // into the meshes
    double microseconds;
};
constexpr std::array<SourcePair, 10> source_pairs{{{0, 0, 17.3},
                                                   {0, 1, 58.2},
                                                   {0, 2, 154.1},
                                                   {0, 3, 483.0},
                                                   {1, 1, 110.4},
                                                   {1, 2, 229.5},
                                                   {1, 3, 461.3},
                                                   {2, 2, 292.9},
                                                   {2, 3, 616.5},
                                                   {3, 3, 865.6}}};
struct SourceHeap {
    int n; // of each kind
    double milliseconds;
};
constexpr std::array<SourceHeap, 9> source_heaps{
    {{2, 11.3}, {4, 52.5}, {6, 119.0}, {8, 202.5}, {10, 316.4}, {12, 502.1}, {14, 611.2}, {16, 806.3}, {18, 1038.9}}};

constexpr float half_size = 1.0f; // m, of the meshes
constexpr std::uint64_t seed = 4;

constexpr std::array<std::string_view, algorithm_columns> columns{"gjk_epa", "sat", "region_gjk", "overlap"};

// How much is measured. A round measures every algorithm once, so that a slow moment of the machine hits all.
struct Effort {
    std::size_t poses = 48;
    int rounds = 5;
    double seconds = 0.01; // of each algorithm in each round, at least one pass
    int largest_heap = 18;
};
constexpr Effort full_effort{};
constexpr Effort quick_effort{3, 1, 0.0, 4};

double cpu_seconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Seconds that `work` takes: repeated until `least` seconds are spent.
template <class Work>
double seconds_of(double least, Work&& work) {
    const double start = cpu_seconds();
    double spent = 0.0;
    int count = 0;
    do {
        work();
        ++count;
        spent = cpu_seconds() - start;
    } while (spent < least);
    return spent / count;
}

Shape build(const std::vector<Vec3>& points) {
    auto built = build_shape(PointSet{std::make_shared<const std::vector<Vec3>>(points)});
    if (const auto* error = std::get_if<ShapeError>(&built)) {
        throw std::logic_error("a mesh of the published experiment: " + error->reason);
    }
    return std::move(std::get<Shape>(built));
}

Vec3 in_unit_ball(core::Random& random) {
    for (;;) {
        const Vec3 v(random.signed_unit(), random.signed_unit(), random.signed_unit());
        if (glm::dot(v, v) <= 1.0f) {
            return v;
        }
    }
}

Quat any_orientation(core::Random& random) {
    for (;;) {
        const Quat q(random.signed_unit(), random.signed_unit(), random.signed_unit(), random.signed_unit());
        const float length2 = glm::dot(q, q);
        if (length2 <= 1.0f && length2 > 1e-3f) {
            return normalized(q);
        }
    }
}

struct Placed {
    const Shape* shape;
    Transform pose;
};

bool overlapping(std::size_t column, const Placed& a, const Placed& b) {
    if (column == all_query_algorithms.size()) {
        return overlap(*a.shape, a.pose, *b.shape, b.pose);
    }
    const auto answer = query_pair(all_query_algorithms[column], *a.shape, a.pose, *b.shape, b.pose);
    return answer && (answer->status == QueryStatus::overlapping || answer->status == QueryStatus::touching);
}

struct Kind {
    const char* name;
    std::vector<Vec3> points;
    Shape shape;
};

class Measurement {
  public:
    Measurement(const Effort& effort, const std::function<void(double)>& progress)
        : effort_(effort), progress_(progress), executor_(core::make_worker_pool(1)) {
        kinds_ = {{"cube", core::lab::cube_mesh(half_size), {}},
                  {"cone", core::lab::cone_mesh(half_size), {}},
                  {"cylinder", core::lab::cylinder_mesh(half_size), {}},
                  {"sphere", core::lab::sphere_mesh(half_size), {}}};
        for (Kind& kind : kinds_) {
            kind.shape = build(kind.points);
        }
    }

    SourceTables run() {
        measure_meshes();
        for (const SourcePair& pair : source_pairs) {
            measure_pair(pair);
            advance(2.0 * static_cast<double>(kinds_[pair.a].points.size() * kinds_[pair.b].points.size()) / 500.0);
        }
        for (const SourceHeap& heap : source_heaps) {
            if (heap.n <= effort_.largest_heap) {
                measure_heap(heap);
                advance(heap.n * heap.n);
            }
        }
        return std::move(tables_);
    }

  private:
    // Shares by how long things take, roughly: the separating axis test of two spheres and the large heaps.
    void advance(double work) {
        done_ += work;
        progress_(std::min(1.0, done_ / 3300.0));
    }

    void measure_meshes() {
        for (const Kind& kind : kinds_) {
            std::vector<double> rounds;
            rounds.reserve(static_cast<std::size_t>(effort_.rounds));
            for (int round = 0; round < effort_.rounds; ++round) {
                rounds.push_back(seconds_of(effort_.seconds, [&kind] { build(kind.points); }));
            }
            const ConvexHull& hull = *kind.shape.hull;
            tables_.meshes.push_back(
                {kind.name, hull.vertices.size(), hull.edges.size(), hull.faces.size(), 1e6 * core::median(rounds)});
        }
    }

    // Seconds of `pass(column)` by column: medians of the rounds.
    template <class Pass>
    std::vector<double> compare(Pass&& pass) const {
        std::array<std::vector<double>, algorithm_columns> rounds;
        for (int round = 0; round < effort_.rounds; ++round) {
            for (std::size_t column = 0; column < algorithm_columns; ++column) {
                rounds[column].push_back(seconds_of(effort_.seconds, [&] { pass(column); }));
            }
        }
        std::vector<double> medians;
        medians.reserve(rounds.size());
        for (const std::vector<double>& values : rounds) {
            medians.push_back(core::median(values));
        }
        return medians;
    }

    void count(bool hit) {
        ++tables_.queries;
        tables_.wrong += hit ? 0 : 1;
    }

    void measure_pair(const SourcePair& source) {
        const Kind& a = kinds_[source.a];
        const Kind& b = kinds_[source.b];
        core::Random random(seed);
        std::vector<std::array<Placed, 2>> poses;
        for (std::size_t i = 0; i < effort_.poses; ++i) {
            // The inner balls overlap, from touching to one centre in the other: a positive test whoever looks.
            const float reach = 0.999f * (a.shape.inner_radius + b.shape.inner_radius);
            poses.push_back({Placed{&a.shape, {Vec3(0.0f), any_orientation(random)}},
                             Placed{&b.shape, {in_unit_ball(random) * reach, any_orientation(random)}}});
        }
        const std::vector<double> seconds = compare([&](std::size_t column) {
            for (const auto& [first, second] : poses) {
                count(overlapping(column, first, second));
            }
        });
        SourceTables::Pair row;
        row.name = std::string(a.name) + '-' + b.name;
        row.vertices = a.points.size() + b.points.size();
        row.source = source.microseconds;
        for (const double s : seconds) {
            row.ours.push_back(1e6 * s / static_cast<double>(poses.size()));
        }
        tables_.pairs.push_back(std::move(row));
    }

    void measure_heap(const SourceHeap& source) {
        core::Random random(seed);
        std::vector<Placed> heap;
        for (int i = 0; i < source.n; ++i) {
            for (const Kind& kind : kinds_) {
                // Within half of the smallest inner radius: all overlap all.
                const Vec3 position = in_unit_ball(random) * (0.5f * least_inner_radius());
                heap.push_back({&kind.shape, {position, any_orientation(random)}});
            }
        }
        SourceTables::Heap row;
        row.n = source.n;
        row.shapes = heap.size();
        row.source = source.milliseconds;
        std::vector<PairKey> pairs;
        const std::vector<double> seconds = compare([&](std::size_t column) {
            Broadphase broadphase;
            for (std::size_t i = 0; i < heap.size(); ++i) {
                broadphase.add(static_cast<std::uint32_t>(i), bounds(*heap[i].shape, heap[i].pose), true);
            }
            broadphase.find_new_pairs(*executor_, pairs);
            for (const PairKey pair : pairs) {
                count(overlapping(column, heap[first_of(pair)], heap[second_of(pair)]));
            }
        });
        row.pairs = pairs.size();
        if (row.pairs != row.shapes * (row.shapes - 1) / 2) {
            tables_.wrong += row.shapes * (row.shapes - 1) / 2 - row.pairs;
        }
        for (const double s : seconds) {
            row.ours.push_back(1e3 * s);
        }
        tables_.heaps.push_back(std::move(row));
    }

    float least_inner_radius() const {
        float least = kinds_.front().shape.inner_radius;
        for (const Kind& kind : kinds_) {
            least = std::min(least, kind.shape.inner_radius);
        }
        return least;
    }

    const Effort& effort_;
    const std::function<void(double)>& progress_;
    std::unique_ptr<Executor> executor_;
    std::vector<Kind> kinds_;
    SourceTables tables_;
    double done_ = 0.0;
};

} // namespace

std::string_view algorithm_column(std::size_t i) {
    return columns.at(i);
}

SourceTables measure_source_tables(bool quick, const std::function<void(double)>& progress) {
    return Measurement(quick ? quick_effort : full_effort, progress).run();
}

} // namespace cairn::bench
