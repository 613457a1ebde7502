// What a traced query tells is what it does: the answers are the same to the bit with and without a trace, and from the
// events alone the search can be followed to its answer. On over 100,000 pairs of every kind.
#include "app/algorithms/trace.h"

#include "app/algorithms/region_gjk.h"
#include "app/algorithms/sat.h"
#include "physics/query/distance/pair_distance.h"
#include "tests/physics/query/pair_generator.h"
#include "tests/physics/query/sweep_generator.h"
#include "tests/sanitized.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

namespace cairn::algorithms {

using namespace physics;

namespace {

using oracle::Pair;
using oracle::Random;

bool same_bits(float a, float b) {
    return std::memcmp(&a, &b, sizeof a) == 0;
}
bool same_bits(const Vec3& a, const Vec3& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
template <typename Result>
bool same_distance(const Result& a, const Result& b) {
    return a.status == b.status && same_bits(a.distance, b.distance) && same_bits(a.normal, b.normal) &&
           same_bits(a.point_a, b.point_a) && same_bits(a.point_b, b.point_b);
}

// Reads events one after another; the first that does not fit is told once.
class Reader {
  public:
    Reader(const QueryTrace& trace, const CorePair& pair) : trace_(trace), pair_(pair) {}

    std::string trouble; // empty: the trace is consistent
    std::map<trace::GjkStop, int> gjk_stops;
    std::map<trace::EpaStop, int> epa_stops;

    void follow() {
        for (const trace::Event& event : trace_.events) {
            std::visit([this](const auto& e) { take(e); }, event);
            if (!trouble.empty()) {
                return;
            }
        }
        expect(!in_gjk_, "GJK has no end");
        expect(!in_epa_, "EPA has no end");
    }

  private:
    void expect(bool right, const char* what) {
        if (!right && trouble.empty()) {
            trouble = what;
        }
    }
    double eps() const { return 1e-9 * pair_.size; }
    bool is_support(const DVec3& direction, const DVec3& w) const {
        return std::abs(glm::dot(pair_.support(direction).w - w, direction)) <= eps() * glm::length(direction);
    }

    void take(const trace::Simplex& s) {
        expect(s.count >= 1 && s.count <= 4, "a simplex has one to four vertices");
        DVec3 sum(0.0);
        double weights = 0.0;
        for (int i = 0; i < s.count; ++i) {
            sum += s.vertex[i].w * s.weight[i];
            weights += s.weight[i];
            expect(!(s.weight[i] < 0.0), "a weight is negative");
            expect(known_.empty() || known_.count(key(s.vertex[i].w)) == 1, "a vertex was never found");
        }
        expect(std::abs(weights - 1.0) <= 1e-9, "the weights do not add up");
        expect(glm::length(sum - s.nearest) <= 1e-7 * pair_.size, "the weights do not give the nearest point");
        expect(!in_gjk_ || s.distance <= last_distance_ * (1.0 + 1e-12), "a round led away from the origin");
        expect(s.lower <= s.distance + eps(), "the lower bound is above the upper");
        if (!in_gjk_) {
            for (int i = 0; i < s.count; ++i) {
                known_.insert(key(s.vertex[i].w));
            }
        }
        in_gjk_ = true;
        last_distance_ = s.distance;
        last_ = s;
    }
    void take(const trace::Support& s) {
        expect(std::abs(glm::length(s.direction) - 1.0) <= 1e-9, "a direction is not of unit length");
        expect(is_support(s.direction, s.point.w), "a support point is none");
        expect(std::abs(glm::dot(s.direction, s.point.w) + s.bound) <= eps(), "a bound is not the support plane's");
        known_.insert(key(s.point.w));
    }
    void take(const trace::GjkEnd& end) {
        expect(in_gjk_, "GJK ends before it begins");
        expect(end.why != trace::GjkStop::holds_origin || last_.holds_origin, "the simplex does not hold the origin");
        ++gjk_stops[end.why];
        in_gjk_ = false;
        known_.clear();
    }

    void take(const trace::EpaStart& start) {
        vertices_.assign(start.vertex.begin(), start.vertex.end());
        faces_.assign(trace::first_faces.begin(), trace::first_faces.end());
        in_epa_ = true;
        nearest_seen_ = false;
        check_closed();
    }
    void take(const trace::EpaNearest& n) {
        expect(in_epa_, "a face outside EPA");
        expect(has_face(n.face), "the nearest face is not on the polytope");
        for (const int corner : n.face) {
            expect(std::abs(glm::dot(n.normal, vertices_[corner].w) - n.offset) <= 1e-7 * pair_.size,
                   "a corner is off the face's plane");
        }
        expect(is_support(n.normal, n.support.w), "what lies beyond a face is no support point");
        expect(std::abs(glm::dot(n.normal, n.support.w) - n.reach) <= eps(), "the reach is not the support's");
        expect(n.least <= n.reach, "the least bound is not the least");
        next_ = n.support;
        nearest_seen_ = true;
    }
    void take(const trace::EpaExpand& e) {
        expect(nearest_seen_ && e.vertex == int(vertices_.size()), "the new vertex has the wrong number");
        vertices_.push_back(next_);
        for (const auto& face : e.removed) {
            const auto at = std::find_if(faces_.begin(), faces_.end(), [&](const auto& f) { return same(f, face); });
            expect(at != faces_.end(), "a face is removed that is not there");
            if (at != faces_.end()) {
                faces_.erase(at);
            }
        }
        for (std::size_t k = 0; k < e.border.size(); ++k) {
            faces_.push_back({e.border[k], e.border[(k + 1) % e.border.size()], e.vertex});
        }
        if (vertices_.size() < 40) { // of the larger ones only the last
            check_closed();
        }
    }
    void take(const trace::EpaEnd& end) {
        ++epa_stops[end.why];
        if (in_epa_) {
            check_closed();
        }
        in_epa_ = false;
    }
    void take(const trace::EpaPolish& p) {
        expect(p.depth <= p.depth_before * (1.0 + 1e-9), "polishing made it worse");
    }
    template <typename Other>
    void take(const Other&) {}

    // Every edge is passed once each way.
    void check_closed() {
        std::set<std::pair<int, int>> open;
        for (const auto& f : faces_) {
            for (int i = 0; i < 3; ++i) {
                const int p = f[i];
                const int q = f[(i + 1) % 3];
                if (open.erase({q, p}) == 0) {
                    expect(open.insert({p, q}).second, "an edge is passed twice");
                }
            }
        }
        expect(open.empty(), "the polytope is not closed");
    }
    bool has_face(const std::array<int, 3>& face) const {
        return std::any_of(faces_.begin(), faces_.end(), [&](const auto& f) { return same(f, face); });
    }
    static bool same(const std::array<int, 3>& f, const std::array<int, 3>& g) {
        return f == g || f == std::array<int, 3>{g[1], g[2], g[0]} || f == std::array<int, 3>{g[2], g[0], g[1]};
    }
    static std::array<double, 3> key(const DVec3& w) { return {w.x, w.y, w.z}; }

    const QueryTrace& trace_;
    const CorePair& pair_;
    bool in_gjk_ = false, in_epa_ = false, nearest_seen_ = false;
    double last_distance_ = 0.0;
    trace::Simplex last_;
    std::set<std::array<double, 3>> known_;
    std::vector<SupportPoint> vertices_;
    std::vector<std::array<int, 3>> faces_;
    SupportPoint next_;
};

template <typename Event>
const Event* last_of(const QueryTrace& trace) {
    const Event* out = nullptr;
    for (const trace::Event& event : trace.events) {
        if (const auto* e = std::get_if<Event>(&event)) {
            out = e;
        }
    }
    return out;
}

constexpr int rounds_per_kinds = sanitized ? 30 : 2100; // 49 pairs of kinds: 102,900 pairs

class TraceOfPairs : public ::testing::TestWithParam<int> {};

TEST_P(TraceOfPairs, AnswersAreTheSameToTheBitAndFollowFromTheEvents) {
    const oracle::Kind kind = oracle::all_kinds[static_cast<std::size_t>(GetParam())];
    Random random(9100 + GetParam());
    std::map<std::string, int> troubles;
    std::string example;
    std::map<trace::GjkStop, int> gjk_stops;
    std::map<trace::EpaStop, int> epa_stops;
    int closed_forms = 0;
    for (const oracle::Kind other : oracle::all_kinds) {
        for (int round = 0; round < rounds_per_kinds; ++round) {
            const Pair p = oracle::random_pair(kind, other, random);
            const auto expect = [&](bool right, const std::string& what) {
                if (!right && troubles[what]++ == 0) {
                    example += what + "\n" + oracle::describe(p) + "\n";
                }
            };
            const CorePair cores = core_pair(p.a, p.b, relative_frame(frame_of(p.pose_a), frame_of(p.pose_b)));
            const auto follow = [&](const QueryTrace& trace) {
                Reader reader(trace, cores);
                reader.follow();
                expect(reader.trouble.empty(), reader.trouble);
                for (const auto& [stop, n] : reader.gjk_stops) {
                    gjk_stops[stop] += n;
                }
                for (const auto& [stop, n] : reader.epa_stops) {
                    epa_stops[stop] += n;
                }
            };
            {
                QueryTrace trace;
                const DistanceResult plain = signed_distance(p.a, p.pose_a, p.b, p.pose_b);
                const DistanceResult told = signed_distance(p.a, p.pose_a, p.b, p.pose_b, &trace);
                expect(same_distance(plain, told), "signed_distance() differs when it is traced");
                const auto* answer = last_of<trace::Answer>(trace);
                expect(answer != nullptr && float(answer->distance) == told.distance && answer->status == told.status,
                       "the answer of signed_distance() is not the last event");
                closed_forms += last_of<trace::ClosedForm>(trace) != nullptr;
                follow(trace);
            }
            {
                QueryTrace trace;
                const DistanceResult plain = gjk_epa_distance(p.a, p.pose_a, p.b, p.pose_b);
                const DistanceResult told = gjk_epa_distance(p.a, p.pose_a, p.b, p.pose_b, &trace);
                expect(same_distance(plain, told), "gjk_epa_distance() differs when it is traced");
                const auto* answer = last_of<trace::Answer>(trace);
                expect(answer != nullptr && float(answer->distance) == told.distance,
                       "no answer of gjk_epa_distance()");
                const auto* epa = last_of<trace::EpaEnd>(trace);
                const auto* simplex = last_of<trace::Simplex>(trace);
                // The distance is the last simplex's or the depth that EPA ends with; polishing comes after.
                if (answer != nullptr && simplex != nullptr && last_of<trace::EpaPolish>(trace) == nullptr) {
                    const double cores_distance = epa != nullptr ? -std::max(epa->depth, 0.0) : simplex->distance;
                    expect(std::abs(cores_distance - cores.radius - answer->distance) <= 1e-12 * p.size,
                           "the answer is not what the search ends with");
                }
                follow(trace);
            }
            {
                QueryTrace trace;
                const RegionGjkResult plain = region_gjk(p.a, p.pose_a, p.b, p.pose_b);
                const RegionGjkResult told = region_gjk(p.a, p.pose_a, p.b, p.pose_b, &trace);
                expect(plain.status == told.status && plain.iterations == told.iterations,
                       "region_gjk() differs when it is traced");
                const auto* end = last_of<trace::GjkEnd>(trace);
                expect(end != nullptr && end->rounds == told.iterations, "region_gjk() has no end");
                if (end != nullptr && end->why == trace::GjkStop::beyond) {
                    expect(told.status == QueryStatus::separated, "beyond, yet not separated");
                }
                if (end != nullptr && end->why == trace::GjkStop::holds_origin) {
                    expect(told.status == QueryStatus::overlapping,
                           "the origin is held, yet the shapes do not overlap");
                }
            }
            if (sat_answers(p.a) && sat_answers(p.b)) {
                QueryTrace trace;
                const SatResult plain = sat(p.a, p.pose_a, p.b, p.pose_b);
                const SatResult told = sat(p.a, p.pose_a, p.b, p.pose_b, &trace);
                expect(same_distance(plain, told) && plain.axes == told.axes, "sat() differs when it is traced");
                // An axis is that of the features it names: across the face, or across both edges.
                const auto is_of_its_features = [&](const trace::Axis& axis) {
                    const auto across = [&](const Vec3& from, const Vec3& to, bool of_b) {
                        const DVec3 way = of_b ? cores.b_in_a.rotation * DVec3(to - from) : DVec3(to - from);
                        return std::abs(glm::dot(way, axis.normal)) <=
                               1e-5 * p.size; // corners lie off their face's plane by up to 3e-6
                    };
                    if (axis.kind == trace::AxisKind::edges) {
                        const auto [a0, a1] = sat_edge(p.a, axis.feature_a);
                        const auto [b0, b1] = sat_edge(p.b, axis.feature_b);
                        return across(a0, a1, false) && across(b0, b1, true);
                    }
                    const bool of_b = axis.kind == trace::AxisKind::face_b;
                    const std::vector<Vec3> face = of_b ? sat_face(p.b, axis.feature_b) : sat_face(p.a, axis.feature_a);
                    return face.size() >= 3 && across(face[0], face[1], of_b) && across(face[1], face[2], of_b);
                };
                int axes = 0;
                const trace::Axis* best = nullptr;
                for (const trace::Event& event : trace.events) {
                    if (const auto* axis = std::get_if<trace::Axis>(&event)) {
                        ++axes;
                        expect(is_of_its_features(*axis), "an axis is not that of its features");
                        best = axis->best ? axis : best;
                    }
                }
                expect(axes == told.axes, "not every measured axis is told");
                expect(best != nullptr, "no axis is the best");
                if (best != nullptr) {
                    const double measured = -glm::dot(best->normal, cores.support(best->normal).w);
                    expect(std::abs(measured - best->separation) <= 1e-6 * p.size, "an axis measures something else");
                    expect(told.distance >= float(best->separation) - 1e-6f * float(p.size),
                           "the best axis was better");
                }
            }
        }
    }
    for (const auto& [what, count] : troubles) {
        ADD_FAILURE() << what << ": " << count << " pairs";
    }
    if (!example.empty()) {
        ADD_FAILURE() << example.substr(0, 4000);
    }
    // The ways to end that matter have all been seen, so that none of the above held for want of cases.
    EXPECT_GT(gjk_stops[trace::GjkStop::bounds_agree] + gjk_stops[trace::GjkStop::known_point], 0);
    EXPECT_GT(gjk_stops[trace::GjkStop::touching] + gjk_stops[trace::GjkStop::holds_origin], 0);
    EXPECT_GT(epa_stops[trace::EpaStop::proven] + epa_stops[trace::EpaStop::on_boundary], 0);
    EXPECT_GT(closed_forms, 0);
}

std::string kind_name(const ::testing::TestParamInfo<int>& kind) {
    return oracle::name(oracle::all_kinds[static_cast<std::size_t>(kind.param)]);
}
INSTANTIATE_TEST_SUITE_P(Kinds, TraceOfPairs, ::testing::Range(0, int(oracle::all_kinds.size())), kind_name);

TEST(TraceOfSweeps, AnswersAreTheSameToTheBitAndTimePassesOnlyWhileTheShapesAreApart) {
    Random random(9200);
    int advances = 0;
    std::map<trace::CourseKind, int> courses;
    for (int kind = 0; kind < oracle::sweep_kinds; ++kind) {
        for (int round = 0; round < (sanitized ? 10 : 400); ++round) {
            const oracle::SweepPair p = oracle::make_sweep(oracle::SweepKind{kind}, random);
            QueryTrace trace;
            const TimeOfImpact plain = time_of_impact(p.a, p.sweep_a, p.b, p.sweep_b, p.duration, p.settings);
            const TimeOfImpact told = time_of_impact(p.a, p.sweep_a, p.b, p.sweep_b, p.duration, p.settings, &trace);
            ASSERT_TRUE(plain.status == told.status && same_bits(plain.time, told.time) &&
                        same_bits(plain.distance, told.distance) && same_bits(plain.normal, told.normal) &&
                        same_bits(plain.point_a, told.point_a) && plain.iterations == told.iterations &&
                        plain.axis_samples == told.axis_samples)
                << oracle::name_of(oracle::SweepKind{kind}) << " " << round;
            const auto* end = last_of<trace::ToiEnd>(trace);
            ASSERT_NE(end, nullptr);
            EXPECT_EQ(end->status, told.status);
            EXPECT_NEAR(end->time, double(told.time), 1e-6 * double(p.duration));
            double time = 0.0;
            int iterations = 0;
            for (const trace::Event& event : trace.events) {
                if (const auto* balls = std::get_if<trace::Balls>(&event)) {
                    time = balls->miss ? 0.0 : balls->time;
                } else if (const auto* step = std::get_if<trace::Advance>(&event)) {
                    ++iterations;
                    ++advances;
                    ++courses[step->course];
                    EXPECT_GE(step->time, time) << oracle::name_of(oracle::SweepKind{kind}) << " " << round;
                    EXPECT_GE(step->until, step->time);
                    if (step->course != trace::CourseKind::none && step->until > step->time) {
                        // Half way of what is said to be safe the shapes are no nearer than the target.
                        const double half = 0.5 * (step->time + std::min(step->until, double(p.duration)));
                        EXPECT_GE(oracle::distance_at(p, half),
                                  double(p.settings.target) - oracle::distance_slack(p) - double(p.settings.tolerance))
                            << oracle::name_of(oracle::SweepKind{kind}) << " " << round << " at " << half;
                    }
                    time = step->until;
                }
            }
            EXPECT_EQ(iterations, told.iterations);
        }
    }
    EXPECT_GT(advances, sanitized ? 100 : 4000);
    EXPECT_GT(courses[trace::CourseKind::fixed], 0);
    EXPECT_GT(courses[trace::CourseKind::with_a] + courses[trace::CourseKind::with_b], 0);
}

// A check that can fail: a trace with an event left out, or a face too many, is found out.
TEST(TraceReader, FindsWhatIsLeftOut) {
    Random random(9300);
    int tried = 0;
    int found = 0;
    for (int round = 0; round < 200; ++round) {
        const Pair p = oracle::random_pair(oracle::Kind::hull, oracle::Kind::diamond, random);
        const CorePair cores = core_pair(p.a, p.b, relative_frame(frame_of(p.pose_a), frame_of(p.pose_b)));
        QueryTrace trace;
        gjk_epa_distance(p.a, p.pose_a, p.b, p.pose_b, &trace);
        const auto expansion = std::find_if(trace.events.begin(), trace.events.end(), [](const trace::Event& e) {
            return std::holds_alternative<trace::EpaExpand>(e);
        });
        if (expansion == trace.events.end()) {
            continue;
        }
        ++tried;
        std::get<trace::EpaExpand>(*expansion).removed.pop_back();
        Reader reader(trace, cores);
        reader.follow();
        found += !reader.trouble.empty();
    }
    EXPECT_GT(tried, 20);
    EXPECT_EQ(found, tried);
}

} // namespace
} // namespace cairn::algorithms
