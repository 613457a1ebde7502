#include "app/lab/known_bugs/queries/advancement.h"

#include "app/core/query/question.h"
#include "app/lab/known_bugs/support/backdrop.h"
#include "app/lab/known_bugs/support/engine_side.h"
#include "app/lab/steps/placing.h"
#include "app/lab/steps/wording.h"

#include <algorithm>

namespace cairn::core::lab::known_bugs {

using physics::DistanceResult;
using physics::Shape;
using physics::ShapeKind;
using physics::Sweep;
using physics::ToiStatus;
using physics::Transform;
using physics::Vec3;

namespace {

constexpr int known_bug_steps = 10;
constexpr int most_shown = 20; // each step has a difference of its own, which takes a millisecond to work out

// In the frame of the body. Of round shapes points all over their surface.
std::vector<Vec3> points_of(const Shape& shape, const Sweep& sweep) {
    std::vector<Vec3> points;
    if (shape.kind == ShapeKind::hull) {
        points = shape.hull->vertices;
    } else if (shape.kind == ShapeKind::box) {
        for (int i = 0; i < 8; ++i) {
            points.push_back(shape.half_extents * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
        }
    } else {
        points = tessellate(shape, 16).positions;
    }
    for (Vec3& point : points) {
        point = to_world(sweep.shape_pose, point);
    }
    return points;
}

// No point of the body moves faster, whatever the direction.
float tip_speed(const Shape& shape, const Sweep& sweep) {
    return glm::length(sweep.angular_velocity) * (glm::length(sweep.shape_pose.position) + shape.bounding_radius);
}

struct Fastest {
    Vec3 at{0.0f}; // world
    float speed = 0.0f;
};

// The point that truly runs fastest along the direction.
Fastest fastest(const std::vector<Vec3>& points, const Sweep& sweep, float time, const Vec3& direction) {
    const Transform pose = body_pose_at(sweep, time);
    Fastest best;
    for (const Vec3& point : points) {
        const Vec3 arm = physics::rotate(pose.orientation, point);
        const float speed = glm::dot(direction, glm::cross(sweep.angular_velocity, arm));
        if (speed > best.speed) {
            best = {pose.position + arm, speed};
        }
    }
    return best;
}

std::string speed_text(float speed) {
    return reading_text(double(speed)) + " m/s";
}

// One body's share of the bound, and where the article's falls short.
struct Share {
    const Shape& shape;
    const Sweep& sweep;
    std::vector<Vec3> points;
    float sign; // of the normal, along which this body closes

    float of_known_bug(const Vec3& normal) const {
        return greatest_speed(points, sweep.angular_velocity, sign * normal);
    }
    void report(LabStep& step, const std::string& name, float time, const Vec3& normal) const {
        const Fastest truly = fastest(points, sweep, time, sign * normal);
        const float believed = of_known_bug(normal);
        add_reading(step, "of " + name + ", article", speed_text(believed));
        add_reading(step, "of " + name + ", truly", speed_text(truly.speed));
        if (believed < 0.999f * truly.speed) {
            step.sentence += " But a point of " + name + " runs at " + speed_text(truly.speed) +
                             " along the normal, and the article finds " + speed_text(believed) + ".";
            const double length = 0.5 * double(shape.bounding_radius);
            step.world.dots.push_back({DVec3(truly.at), Role::wrong, speed_text(truly.speed)});
            draw_direction(step.world, DVec3(truly.at), DVec3(sign * normal), length, Role::wrong);
        }
    }
};

} // namespace

float greatest_speed(const std::vector<Vec3>& local_points, const Vec3& angular_velocity, const Vec3& direction) {
    float most = 0.0f;
    for (std::size_t i = 1; i < local_points.size(); ++i) {
        most = std::max(most, glm::dot(direction, glm::cross(angular_velocity, local_points[i])));
    }
    return most;
}

Advanced advance(const LabPair& pair, const AdvancementRules& rules, float target, StepReport& report) {
    const Share share_a{pair.a, pair.sweep_a, points_of(pair.a, pair.sweep_a), 1.0f};
    const Share share_b{pair.b, pair.sweep_b, points_of(pair.b, pair.sweep_b), -1.0f};
    const double arrow = 0.4 * double(std::min(pair.a.bounding_radius, pair.b.bounding_radius));
    const int most = rules.gives_up ? known_bug_steps : patience;
    float time = 0.0f;
    for (int round = 1; round <= most; ++round) {
        report.round(round);
        const Transform pose_a = shape_pose_at(pair.sweep_a, double(time)),
                        pose_b = shape_pose_at(pair.sweep_b, double(time));
        const DistanceResult nearest = signed_distance(pair.a, pose_a, pair.b, pose_b);
        const Vec3 normal = nearest.normal;
        LabStep& step = report.step("", "going on", double(time));
        add_reading(step, "time", seconds(double(time)));
        add_reading(step, "distance", length_text(double(nearest.distance)));
        draw_nearest(step, nearest.point_a, nearest.point_b, normal, arrow);
        if (nearest.distance <= target) {
            step.sentence = "At " + seconds(double(time)) + " the shapes " +
                            (nearest.distance < -10.0f * target ? "are " + length_text(-double(nearest.distance)) +
                                                                      " inside each other: a hit, too late."
                                                                : std::string("touch: a hit."));
            step.status = "stops: hit";
            if (nearest.distance < -10.0f * target) {
                step.world.dots.push_back({DVec3(nearest.point_a), Role::wrong, {}});
            }
            return {Advanced::Outcome::hit, time};
        }
        step.sentence =
            "At " + seconds(double(time)) + " the shapes are " + length_text(double(nearest.distance)) + " apart.";
        const Vec3 closing = pair.sweep_a.linear_velocity - pair.sweep_b.linear_velocity;
        const float spin = rules.mixed_frames ? share_a.of_known_bug(normal) + share_b.of_known_bug(normal)
                                              : tip_speed(pair.a, pair.sweep_a) + tip_speed(pair.b, pair.sweep_b);
        const float speed = glm::dot(closing, normal) + spin;
        add_reading(step, "normal", reading_text(DVec3(normal)));
        add_reading(step, "closing, at most", speed_text(speed));
        if (speed <= 0.0f) {
            step.sentence += " They do not close along the normal: no hit.";
            step.status = "stops: no hit";
            return {Advanced::Outcome::miss, time};
        }
        const float ahead = (nearest.distance - 0.5f * target) / speed;
        step.sentence += " They close at " + speed_text(speed) + " at most, so that nothing can touch for " +
                         seconds(double(ahead)) + ".";
        if (rules.mixed_frames) {
            share_a.report(step, pair.name_a, time, normal);
            share_b.report(step, pair.name_b, time, normal);
        }
        time += ahead;
        if (time > pair.duration) {
            step.sentence += " That is beyond the end: no hit.";
            step.status = "stops: no hit";
            return {Advanced::Outcome::miss, time};
        }
        if (rules.gives_up && round == known_bug_steps) {
            step.sentence += " That was the tenth step, and the last: the article answers that there is no hit.";
            step.status = "stops: no hit";
            step.world.strokes.push_back(
                {DVec3(nearest.point_a), DVec3(nearest.point_b), Role::wrong, false, "not looked at"});
            return {Advanced::Outcome::miss, time};
        }
    }
    return {Advanced::Outcome::runs_out, time};
}

namespace {

// A hit is late if the shapes are inside each other by then.
bool late(const LabPair& pair, float time, float target) {
    return signed_distance(pair.a, shape_pose_at(pair.sweep_a, double(time)), pair.b,
                           shape_pose_at(pair.sweep_b, double(time)))
               .distance < -10.0f * target;
}

LabRun run(const LabPair& pair, const AdvancementRules& rules) {
    LabRun run;
    StepReport report(most_shown);
    report.stand_before([&pair](double time) { return backdrop_of(pair, time); });
    // As far apart as the engine may call a hit.
    const physics::ToiSettings settings = impact_settings(pair.a, pair.b);
    const float target = settings.target + settings.tolerance;
    const Advanced answer = advance(pair, rules, target, report);
    const ToiStatus truth = engine_impact(pair).status;
    const bool meet = truth == ToiStatus::hit || truth == ToiStatus::initial;
    switch (answer.outcome) {
    case Advanced::Outcome::hit:
        run.answer = "The article's answer: they meet after " + seconds(double(answer.time)) + ".";
        run.failed = late(pair, answer.time, target) && !late(pair, 0.0f, target);
        break;
    case Advanced::Outcome::miss:
        run.answer = "The article's answer: no hit.";
        run.failed = meet;
        break;
    case Advanced::Outcome::runs_out:
        run.answer = "The article's answer: none; stopped after " + std::to_string(patience) + " steps, at " +
                     seconds(double(answer.time)) + ".";
        run.failed = true;
        break;
    }
    run.steps = report.take();
    return run;
}

} // namespace

LabRun run_mixed_frames(const LabPair& pair) {
    AdvancementRules rules;
    rules.mixed_frames = true;
    return run(pair, rules);
}

LabRun run_gives_up(const LabPair& pair) {
    AdvancementRules rules;
    rules.gives_up = true;
    return run(pair, rules);
}

} // namespace cairn::core::lab::known_bugs
