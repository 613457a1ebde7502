// Contacts of polytopes answered from the direction of a moment ago: believed only where they are proved.
#include "physics/query/manifold/face_contact.h"
#include "tests/physics/query/oracle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace cairn::physics {
namespace {

using oracle::Random;

std::vector<Shape> polytope_shapes() {
    Random random(10);
    auto points = std::make_shared<std::vector<Vec3>>();
    for (int i = 0; i < 40; ++i) {
        points->push_back(Vec3(random.direction()));
    }
    return {oracle::make(Box{Vec3(1.0f)}), oracle::make(Diamond{1.0f}), oracle::make(PointSet{points}),
            oracle::make(Box{Vec3(3.0f, 0.25f, 0.25f)}), oracle::make(Box{Vec3(3, 3, 0.05f)})};
}

double deepest(const Candidates& c) {
    double d = 1e30;
    for (int i = 0; i < c.count; ++i) {
        d = std::min(d, c.points[i].separation);
    }
    return d;
}

struct Posed {
    Shape a, b;
    Transform pa, pb;
};

// The pair at a signed distance of about `distance`, m.
void bring(Posed& p, double distance) {
    const DistanceResult d = signed_distance(p.a, p.pa, p.b, p.pb);
    p.pb.position -= d.normal * (d.distance - float(distance));
}

// A world direction as each of the shapes keeps it.
struct Kept {
    DVec3 by_a, by_b;
};

Kept kept(const Posed& p, const DVec3& by_a, const DVec3& by_b) {
    return {apply_inverse_rotation(frame_of(p.pa).rotation, by_a),
            apply_inverse_rotation(frame_of(p.pb).rotation, by_b)};
}

// Asks with directions that may be anything, and holds what is claimed against the distance.
FaceAnswer ask(const Posed& p, const Kept& towards, double speculative, Candidates& points, PairDistance& nearest) {
    const CorePair pair = core_pair(p.a, p.b, relative_frame(frame_of(p.pa), frame_of(p.pb)));
    const double smaller = std::min(double(p.a.bounding_radius), double(p.b.bounding_radius));
    const double tolerance = preference_of_size * smaller;
    const FaceAnswer answer =
        contact_of_faces(pair, towards.by_a, towards.by_b, speculative, tolerance, points, nearest);
    const double truth = double(signed_distance(p.a, p.pa, p.b, p.pb).distance);
    const double rounding = 1e-6 * pair.size;
    switch (answer) {
    case FaceAnswer::unknown:
        break;
    case FaceAnswer::apart:
        EXPECT_GT(truth, speculative - rounding);
        EXPECT_LE(nearest.distance, truth + rounding);
        break;
    case FaceAnswer::contact: {
        const double allowance = 2.0 * tolerance + 4.0 * preference_of_depth * std::abs(truth) + rounding;
        EXPECT_GT(points.count, 0);
        EXPECT_NEAR(deepest(points), truth, allowance);
        break;
    }
    }
    return answer;
}

// Directions that lead to a face from which the way out is longer than the shortest are the control: without the proof
// they would be the answer.
TEST(FaceContact, IsProvedBeforeItIsBelieved) {
    const int pairs = oracle::count(30000);
    Random random(12);
    const std::vector<Shape> shapes = polytope_shapes();
    std::map<FaceAnswer, int> answers;
    int misled = 0;
    for (int i = 0; i < pairs; ++i) {
        Posed p;
        p.a = shapes[random.below(int(shapes.size()))];
        p.b = shapes[random.below(int(shapes.size()))];
        const double smaller = std::min(double(p.a.bounding_radius), double(p.b.bounding_radius));
        p.pa = {Vec3(random.direction() * 10.0), random.orientation()};
        p.pb = {p.pa.position, random.orientation()};
        const DVec3 u = random.direction();
        p.pb.position -= Vec3(u * oracle::separation_along(p.a, p.pa, p.b, p.pb, u));
        const double depth = std::pow(10.0, random.between(-4.0, 0.0)) * smaller;
        bring(p, random.below(3) == 0 ? 0.05 * depth : -depth);
        const Vec3 right = signed_distance(p.a, p.pa, p.b, p.pb).normal;
        const DVec3 off = random.direction() * std::pow(10.0, random.between(-5.0, 1.0));
        const DVec3 guess = glm::normalize(DVec3(right) + off);
        Candidates points;
        PairDistance nearest;
        // Now and then B looks elsewhere.
        const DVec3 other = random.below(4) == 0 ? glm::normalize(guess + 0.3 * random.direction()) : guess;
        const FaceAnswer answer = ask(p, kept(p, guess, other), 0.02 * smaller, points, nearest);
        ASSERT_FALSE(HasFailure()) << i << " depth " << depth;
        ++answers[answer];
        const double slabs = oracle::separation_along(p.a, p.pa, p.b, p.pb, guess);
        misled += answer == FaceAnswer::unknown && slabs < -1.5 * depth - 0.01;
    }
    EXPECT_GT(answers[FaceAnswer::contact], pairs / 10);
    EXPECT_GT(answers[FaceAnswer::apart], pairs / 1000);
    EXPECT_GT(answers[FaceAnswer::unknown], pairs / 10);
    EXPECT_GT(misled, pairs / 20);
}

// Pairs that lean, slide and rock against each other as in a heap: nearly all contacts are answered by memory.
TEST(FaceContact, HoldsWhileBodiesLean) {
    const int pairs = oracle::count(1000);
    Random random(13);
    const std::vector<Shape> shapes = polytope_shapes();
    std::map<FaceAnswer, int> answers;
    for (int i = 0; i < pairs; ++i) {
        Posed p;
        p.a = shapes[random.below(int(shapes.size()))];
        p.b = shapes[random.below(int(shapes.size()))];
        p.pa = {Vec3(random.direction() * 10.0), random.orientation()};
        p.pb = {p.pa.position, random.orientation()};
        const DVec3 axis = random.direction() * 1e-3;
        const Quat rock(1.0f, float(axis.x), float(axis.y), float(axis.z));
        const Vec3 slide(random.direction() * 1e-3);
        Kept before;
        for (int step = 0; step < 10; ++step) {
            p.pb.orientation = normalized(rock * p.pb.orientation);
            p.pb.position += slide;
            bring(p, random.between(-0.004, 0.005));
            if (step > 0) {
                Candidates points;
                PairDistance nearest;
                ++answers[ask(p, before, 0.02, points, nearest)];
                ASSERT_FALSE(HasFailure()) << i << " step " << step;
            }
            const DVec3 normal(signed_distance(p.a, p.pa, p.b, p.pb).normal);
            before = kept(p, normal, normal);
        }
    }
    EXPECT_GT(answers[FaceAnswer::contact], pairs * 9 * 3 / 4) << answers[FaceAnswer::unknown] << " unknown";
}

// Bodies that tumble turn by several degrees against each other in a step. The features of both are found again where
// each has kept the direction in its own frame; by one frame's alone many are not.
TEST(FaceContact, HoldsWhileBodiesTurn) {
    const int pairs = oracle::count(1000);
    Random random(14);
    const std::vector<Shape> shapes = polytope_shapes();
    std::map<FaceAnswer, int> answers, by_one_frame;
    for (int i = 0; i < pairs; ++i) {
        Posed p;
        p.a = shapes[random.below(int(shapes.size()))];
        p.b = shapes[random.below(int(shapes.size()))];
        p.pa = {Vec3(random.direction() * 10.0), random.orientation()};
        p.pb = {p.pa.position, random.orientation()};
        bring(p, random.between(-0.002, 0.002));
        const DVec3 normal(signed_distance(p.a, p.pa, p.b, p.pb).normal);
        const Kept before = kept(p, normal, normal);
        const DVec3 half_turn = random.direction() * 0.03;
        const Quat turn(1.0f, float(half_turn.x), float(half_turn.y), float(half_turn.z));
        p.pb.orientation = normalized(turn * p.pb.orientation);
        bring(p, random.between(-0.002, 0.002));
        Candidates points;
        PairDistance nearest;
        ++answers[ask(p, before, 0.02, points, nearest)];
        ++by_one_frame[ask(p, kept(p, normal, normal), 0.02, points, nearest)];
        ASSERT_FALSE(HasFailure()) << i;
    }
    EXPECT_GT(answers[FaceAnswer::contact], pairs / 2);
    EXPECT_LT(answers[FaceAnswer::unknown], by_one_frame[FaceAnswer::unknown] * 4 / 5);
}

} // namespace
} // namespace cairn::physics
