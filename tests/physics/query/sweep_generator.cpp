#include "tests/physics/query/sweep_generator.h"

#include "physics/query/distance/pair_distance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace cairn::physics::oracle {
namespace {

Vec3 narrowed(const DVec3& v) {
    return Vec3(v);
}

Shape any_shape(Random& random, double size) {
    const auto part = [&] { return float(size * random.between(0.2, 1.0)); };
    switch (random.below(7)) {
    case 0:
        return make(Sphere{part()});
    case 1:
        return make(Box{Vec3(part(), part(), part())});
    case 2:
        return make(Capsule{part(), part()});
    case 3:
        return make(Cylinder{part(), part()});
    case 4:
        return make(Cone{part(), part()});
    case 5:
        return make(Diamond{part()});
    default: {
        auto points = std::make_shared<std::vector<Vec3>>();
        const int n = 6 + random.below(40);
        for (int i = 0; i < n; ++i) {
            points->push_back(narrowed(random.direction() * (size * random.between(0.5, 1.0))));
        }
        return make(PointSet{points});
    }
    }
}

Shape round_shape(Random& random) {
    const float r = float(random.between(0.1, 1.0));
    const float h = float(random.between(0.1, 1.5));
    switch (random.below(4)) {
    case 0:
        return make(Sphere{r});
    case 1:
        return make(Capsule{r, h});
    case 2:
        return make(Cylinder{r, h});
    default:
        return make(Cone{r, h});
    }
}

Shape needle(Random& random, double size) {
    const float length = float(size);
    const float thin = std::max(1.1e-4f, float(size * random.log_between(1e-3, 1e-2)));
    switch (random.below(4)) {
    case 0:
        return make(Box{Vec3(length, thin, thin)});
    case 1:
        return make(Capsule{thin, length});
    case 2:
        return make(Cylinder{thin, length});
    default:
        return make(Cone{thin, 2.0f * length});
    }
}

double reach_of(const Shape& shape, const Sweep& sweep) {
    return double(shape.bounding_radius) + double(glm::length(sweep.shape_pose.position));
}

// Sets B's velocity so that in the middle of the duration, give or take, its centre passes A's at `miss` metres.
void aim(SweepPair& p, Random& random, const DVec3& from, double miss) {
    const DVec3 along = glm::normalize(-from);
    DVec3 aside = glm::cross(along, random.direction());
    aside = glm::normalize(aside);
    const double when = double(p.duration) * random.between(0.2, 1.2);
    const DVec3 relative = (aside * miss - from) / when;
    p.sweep_b.start.position = p.sweep_a.start.position + narrowed(from);
    p.sweep_b.linear_velocity = p.sweep_a.linear_velocity + narrowed(relative);
}

DVec3 spin(Random& random, double most) {
    return random.direction() * random.log_between(1e-2, most);
}

// Moves B along `n` until the distance at the start is `gap`, as far as floats can.
void set_gap(SweepPair& p, const DVec3& n, double gap) {
    for (int i = 0; i < 40; ++i) {
        const double error = gap - distance_at(p, 0.0);
        const Vec3 step = narrowed(n * error);
        if (std::abs(error) < 1e-7 || p.sweep_b.start.position + step == p.sweep_b.start.position) {
            return;
        }
        p.sweep_b.start.position += step;
    }
}

void make_any(SweepPair& p, Random& random) {
    const double size_a = random.log_between(1e-3, 100.0);
    const double size_b = std::clamp(size_a * random.log_between(1e-3, 1e3), 1e-3, 100.0);
    p.a = any_shape(random, size_a);
    p.b = any_shape(random, size_b);
    p.duration = float(random.log_between(1e-3, 1.0));
    if (random.below(2) == 0) {
        p.sweep_a.shape_pose = {narrowed(random.direction() * (size_a * random.unit())), random.orientation()};
        p.sweep_b.shape_pose = {narrowed(random.direction() * (size_b * random.unit())), random.orientation()};
    }
    const double reach = reach_of(p.a, p.sweep_a) + reach_of(p.b, p.sweep_b);
    p.sweep_a.start.position = narrowed(random.direction() * random.log_between(1e-3, 100.0));
    p.sweep_a.linear_velocity = narrowed(random.direction() * random.log_between(1e-2, 250.0));
    p.sweep_a.angular_velocity = narrowed(spin(random, 1000.0));
    p.sweep_b.angular_velocity = narrowed(spin(random, 1000.0));
    const double far = std::min(reach * random.log_between(0.5, 10.0), 500.0 * double(p.duration) + reach);
    aim(p, random, random.direction() * far, reach * random.between(0.0, 1.2));
}

void make_passing_beams(SweepPair& p, Random& random) {
    const Shape beam = make(Box{Vec3(3.0f, 0.25f, 0.25f)});
    p.a = beam;
    p.b = beam;
    p.duration = float(random.between(0.02, 0.5));
    p.sweep_a.angular_velocity = narrowed(spin(random, 300.0));
    p.sweep_b.angular_velocity = narrowed(spin(random, 300.0));
    p.sweep_a.linear_velocity = narrowed(random.direction() * random.between(0.0, 50.0));
    aim(p, random, random.direction() * random.between(1.0, 12.0), random.between(0.0, 6.5));
}

void make_beam_and_floor(SweepPair& p, Random& random) {
    p.a = make(Box{Vec3(50.0f, 50.0f, 1.0f)});
    p.b = make(Box{Vec3(3.0f, 0.25f, 0.25f)});
    p.sweep_a.start.orientation = identity_orientation;
    p.duration = float(random.between(0.01, 0.3));
    p.sweep_b.start.position = Vec3(0.0f, 0.0f, float(random.between(2.0, 6.0)));
    p.sweep_b.linear_velocity = narrowed(random.direction() * random.between(0.0, 40.0));
    p.sweep_b.angular_velocity = narrowed(spin(random, 300.0));
}

void make_rolling(SweepPair& p, Random& random) {
    p.a = make(Box{Vec3(20.0f, 20.0f, 1.0f)});
    p.b = round_shape(random);
    p.sweep_a.start.orientation = identity_orientation;
    p.duration = float(random.between(0.01, 1.0));
    const double s = std::sqrt(0.5);
    // Lying along x, standing, or tilted a little.
    const int stance = random.below(3);
    glm::dquat q = stance == 0 ? glm::dquat(s, 0.0, s, 0.0) : glm::dquat(1.0, 0.0, 0.0, 0.0);
    if (stance == 2) {
        q = glm::angleAxis(random.log_between(1e-4, 0.3), random.direction()) * q;
    }
    p.sweep_b.start.orientation = Quat(float(q.w), float(q.x), float(q.y), float(q.z));
    p.sweep_b.start.position = Vec3(0.0f, 0.0f, 5.0f);
    set_gap(p, DVec3(0, 0, 1), 1e-3 + random.log_between(1e-5, 1e-1));
    const double speed = random.log_between(0.1, 20.0);
    p.sweep_b.linear_velocity =
        Vec3(0.0f, float(speed), float(random.between(-1.0, 1.0) * random.log_between(1e-4, 1)));
    // Rolling without slipping, with or without some wobble.
    p.sweep_b.angular_velocity = Vec3(float(-speed / double(p.b.radius)), 0.0f, 0.0f);
    if (random.below(2) == 0) {
        p.sweep_b.angular_velocity += narrowed(spin(random, 3.0));
    }
}

void make_needles(SweepPair& p, Random& random) {
    const double size = random.log_between(0.05, 20.0);
    p.a = random.below(2) == 0 ? needle(random, size) : any_shape(random, size);
    p.b = needle(random, size * random.log_between(0.1, 10.0));
    p.duration = float(random.log_between(1e-3, 0.3));
    p.sweep_a.angular_velocity = narrowed(spin(random, 100.0));
    p.sweep_b.angular_velocity = narrowed(spin(random, 100.0));
    const double reach = reach_of(p.a, p.sweep_a) + reach_of(p.b, p.sweep_b);
    aim(p, random, random.direction() * (reach * random.between(0.2, 2.0)), reach * random.between(0.0, 0.6));
}

void make_parting(SweepPair& p, Random& random) {
    p.a = any_shape(random, 1.0);
    p.b = any_shape(random, random.log_between(0.1, 10.0));
    p.duration = float(random.log_between(1e-3, 0.5));
    const DVec3 n = random.direction();
    p.sweep_b.start.position = narrowed(n * 20.0);
    // On the target, within the tolerance, or just outside it.
    const std::array<double, 4> gaps{1e-3, 1e-3 + 1e-6, 1e-3 + 1.25e-4, 1e-3 + 3e-4};
    set_gap(p, n, gaps[random.below(4)]);
    const DVec3 apart = n * (random.below(3) == 0 ? 0.0 : random.log_between(1e-3, 100.0));
    p.sweep_b.linear_velocity = narrowed(apart + random.direction() * random.log_between(1e-3, 1.0));
    if (random.below(3) != 0) {
        p.sweep_a.angular_velocity = narrowed(spin(random, 50.0));
        p.sweep_b.angular_velocity = narrowed(spin(random, 50.0));
    }
}

void make_overlapping(SweepPair& p, Random& random) {
    const double size = random.log_between(1e-2, 100.0);
    p.a = any_shape(random, size);
    p.b = any_shape(random, size * random.log_between(0.1, 1.0));
    p.duration = float(random.log_between(1e-3, 0.5));
    p.sweep_b.start.position = narrowed(random.direction() * (random.unit() * double(p.a.inner_radius)));
    p.sweep_a.linear_velocity = narrowed(random.direction() * random.log_between(1e-2, 100.0));
    p.sweep_a.angular_velocity = narrowed(spin(random, 100.0));
}

void make_many_turns(SweepPair& p, Random& random) {
    p.a = any_shape(random, random.log_between(0.1, 3.0));
    p.b = any_shape(random, random.log_between(0.1, 3.0));
    p.duration = float(random.between(0.2, 1.0));
    p.sweep_a.angular_velocity = narrowed(random.direction() * random.log_between(30.0, 1000.0));
    p.sweep_b.angular_velocity = narrowed(random.direction() * random.log_between(30.0, 1000.0));
    const double reach = reach_of(p.a, p.sweep_a) + reach_of(p.b, p.sweep_b);
    p.sweep_b.start.position = narrowed(random.direction() * (reach * random.between(0.7, 1.1)));
    p.sweep_b.linear_velocity = narrowed(random.direction() * random.log_between(1e-2, 5.0));
}

void make_spinning_disc(SweepPair& p, Random& random) {
    const float r = float(random.between(0.5, 3.0));
    const float thin = float(random.log_between(0.01, 0.3));
    const int kind = random.below(3);
    p.b = kind == 0 ? make(Cylinder{r, thin}) : kind == 1 ? make(Box{Vec3(r, r, thin)}) : make(Diamond{r});
    p.a = random.below(2) == 0 ? make(Box{Vec3(20.0f, 20.0f, 1.0f)}) : any_shape(random, 1.0);
    p.sweep_a.start.orientation = identity_orientation;
    p.sweep_b.start.orientation = identity_orientation;
    p.duration = float(random.between(0.1, 1.0));
    p.sweep_b.start.position = Vec3(0.0f, 0.0f, 8.0f);
    const double rate = random.log_between(10.0, 1000.0);
    p.sweep_b.angular_velocity = Vec3(0.0f, 0.0f, float(rate));
    if (random.below(2) == 0) {
        p.sweep_b.angular_velocity += narrowed(random.direction() * (rate * random.log_between(1e-6, 1e-2)));
    }
    set_gap(p, DVec3(0, 0, 1), 1.25e-3 + random.log_between(1e-5, 3e-2));
    p.sweep_b.linear_velocity =
        Vec3(float(random.between(-1.0, 1.0)), 0.0f, float(random.between(-1.0, 1.0) * random.log_between(1e-5, 1e-1)));
}

void make_meshing(SweepPair& p, Random& random) {
    const auto block = [&] {
        return make(Box{
            Vec3(float(random.between(0.3, 3.0)), float(random.between(0.1, 1.0)), float(random.between(0.1, 1.0)))});
    };
    p.a = block();
    p.b = block();
    p.duration = float(random.between(0.1, 1.0));
    const DVec3 axis = random.direction();
    const double rate = random.log_between(10.0, 500.0);
    p.sweep_a.angular_velocity = narrowed(axis * rate);
    // Turning together, against each other, or nearly so.
    const double sense = random.below(2) == 0 ? 1.0 : -1.0;
    p.sweep_b.angular_velocity =
        narrowed((axis + random.direction() * random.log_between(1e-6, 1e-1)) * (sense * rate));
    const double reach = reach_of(p.a, p.sweep_a) + reach_of(p.b, p.sweep_b);
    const DVec3 out = glm::normalize(glm::cross(axis, random.direction()));
    p.sweep_b.start.position = narrowed(out * (reach * random.between(0.6, 1.0)));
    p.sweep_b.linear_velocity = narrowed(out * -random.log_between(1e-3, 1.0));
}

void make_bullets(SweepPair& p, Random& random) {
    p.a = make(Box{Vec3(float(random.between(1.0, 10.0)), float(random.between(1.0, 10.0)),
                        float(random.log_between(1e-3, 0.1)))});
    p.b = any_shape(random, random.log_between(1e-3, 0.1));
    p.duration = float(random.log_between(1e-3, 0.2));
    p.sweep_a.angular_velocity = narrowed(spin(random, 30.0));
    p.sweep_b.angular_velocity = narrowed(spin(random, 1000.0));
    const double speed = random.between(50.0, 500.0);
    aim(p, random, random.direction() * (speed * double(p.duration) * random.between(0.1, 1.0)),
        random.between(0.0, 12.0));
}

void make_sinking(SweepPair& p, Random& random) {
    make_passing_beams(p, random);
    p.a = any_shape(random, 1.0);
    p.b = any_shape(random, random.log_between(0.1, 3.0));
    p.settings.target = float(-random.log_between(1e-3, 2e-2));
    p.settings.tolerance = 5e-4f;
    const double reach = reach_of(p.a, p.sweep_a) + reach_of(p.b, p.sweep_b);
    aim(p, random, random.direction() * (reach * random.between(0.8, 3.0)), reach * random.between(0.0, 0.8));
}

} // namespace

std::string name_of(SweepKind kind) {
    constexpr std::array<const char*, sweep_kinds> names{
        "any",         "passing_beams", "beam_and_floor", "rolling", "needles", "parting",
        "overlapping", "many_turns",    "spinning_disc",  "meshing", "bullets", "sinking"};
    return names[static_cast<std::size_t>(kind)];
}

SweepPair make_sweep(SweepKind kind, Random& random) {
    SweepPair p;
    p.sweep_a.start.orientation = random.orientation();
    p.sweep_b.start.orientation = random.orientation();
    switch (kind) {
    case SweepKind::any:
        make_any(p, random);
        break;
    case SweepKind::passing_beams:
        make_passing_beams(p, random);
        break;
    case SweepKind::beam_and_floor:
        make_beam_and_floor(p, random);
        break;
    case SweepKind::rolling:
        make_rolling(p, random);
        break;
    case SweepKind::needles:
        make_needles(p, random);
        break;
    case SweepKind::parting:
        make_parting(p, random);
        break;
    case SweepKind::overlapping:
        make_overlapping(p, random);
        break;
    case SweepKind::many_turns:
        make_many_turns(p, random);
        break;
    case SweepKind::spinning_disc:
        make_spinning_disc(p, random);
        break;
    case SweepKind::meshing:
        make_meshing(p, random);
        break;
    case SweepKind::bullets:
        make_bullets(p, random);
        break;
    case SweepKind::sinking:
        make_sinking(p, random);
        break;
    }
    // Either may be the first of the pair.
    if (random.below(2) == 0) {
        std::swap(p.a, p.b);
        std::swap(p.sweep_a, p.sweep_b);
    }
    return p;
}

ExactPose exact_pose(const Sweep& sweep, double time) {
    const auto wide = [](const Quat& q) {
        return glm::normalize(glm::dquat(double(q.w), double(q.x), double(q.y), double(q.z)));
    };
    const DVec3 w(sweep.angular_velocity);
    const double speed = std::sqrt(glm::dot(w, w));
    glm::dquat body = wide(sweep.start.orientation);
    if (speed > 0.0) {
        const double half = 0.5 * speed * time;
        const DVec3 v = w * (std::sin(half) / speed);
        body = glm::dquat(std::cos(half), v.x, v.y, v.z) * body;
    }
    ExactPose pose;
    pose.orientation = body * wide(sweep.shape_pose.orientation);
    pose.position =
        DVec3(sweep.start.position) + DVec3(sweep.linear_velocity) * time + body * DVec3(sweep.shape_pose.position);
    return pose;
}

double distance_at(const SweepPair& pair, double time) {
    const auto frame = [](const ExactPose& pose) {
        return Frame{rotation_of(pose.orientation.w, pose.orientation.x, pose.orientation.y, pose.orientation.z),
                     pose.position};
    };
    const Frame a = frame(exact_pose(pair.sweep_a, time));
    const Frame b = frame(exact_pose(pair.sweep_b, time));
    const CorePair cores = core_pair(pair.a, pair.b, relative_frame(a, b));
    return pair_distance(cores, std::numeric_limits<double>::max(), between_centres(cores)).distance;
}

double greatest_speed(const SweepPair& pair) {
    const auto turning = [](const Shape& shape, const Sweep& sweep) {
        return double(glm::length(sweep.angular_velocity)) * reach_of(shape, sweep);
    };
    return glm::length(DVec3(pair.sweep_b.linear_velocity) - DVec3(pair.sweep_a.linear_velocity)) +
           turning(pair.a, pair.sweep_a) + turning(pair.b, pair.sweep_b);
}

double distance_slack(const SweepPair& pair) {
    const double size = double(pair.a.bounding_radius) + double(pair.b.bounding_radius);
    return 1e-9 + 1e-8 * size + (pair.settings.target < 0.0f ? 1e-2 * -double(pair.settings.target) : 0.0);
}

double brute_force_distance_at(const SweepPair& pair, const Solid& local_a, const Solid& local_b, double time) {
    const auto placed = [time](const Solid& local, const Sweep& sweep) {
        Solid solid = local;
        const ExactPose pose = exact_pose(sweep, time);
        for (DVec3& v : solid.vertices) {
            v = pose.orientation * v + pose.position;
        }
        return solid;
    };
    return signed_distance(placed(local_a, pair.sweep_a), placed(local_b, pair.sweep_b)).distance;
}

FirstContact first_contact(const SweepPair& pair, double level, double until, double resolution,
                           const std::function<double(double)>& given) {
    FirstContact out;
    const auto distance = [&](double t) {
        ++out.samples;
        return given ? given(t) : distance_at(pair, t);
    };
    const double speed = greatest_speed(pair);
    const double spinning =
        double(glm::length(pair.sweep_a.angular_velocity)) + double(glm::length(pair.sweep_b.angular_velocity));
    const double travel = glm::length(DVec3(pair.sweep_b.linear_velocity) - DVec3(pair.sweep_a.linear_velocity)) /
                          double(std::min(pair.a.inner_radius, pair.b.inner_radius));
    const double finest = spinning + travel > 0.0 ? resolution / (spinning + travel) : until;

    // The last but one sample and the last one.
    double t0 = 0.0, f0 = distance(0.0);
    double t1 = t0, f1 = f0;
    out.least = f0;
    const auto crossing = [&](double above, double below) {
        for (int i = 0; i < 60 && below - above > 1e-15 * below; ++i) {
            const double middle = 0.5 * (above + below);
            (distance(middle) <= level ? below : above) = middle;
        }
        out.found = true;
        out.time = below;
    };
    if (f1 <= level) {
        out.found = true;
        return out;
    }
    while (t1 < until) {
        const double step = speed > 0.0 ? std::max((f1 - level) / speed, finest) : until;
        const double t2 = std::min(t1 + step, until);
        const double f2 = distance(t2);
        if (f1 < f0 && f1 < f2 && t0 < t1) {
            // A minimum between t0 and t2: does it reach the level?
            constexpr double ratio = 0.61803398874989485;
            double low = t0, high = t2;
            double x = high - ratio * (high - low), y = low + ratio * (high - low);
            double fx = distance(x), fy = distance(y);
            for (int i = 0; i < 48 && std::min(fx, fy) > level; ++i) {
                // Give up where even a straight descent from here cannot arrive.
                if (std::min(fx, fy) - level > speed * (high - low)) {
                    break;
                }
                if (fx < fy) {
                    high = y;
                    y = x;
                    fy = fx;
                    x = high - ratio * (high - low);
                    fx = distance(x);
                } else {
                    low = x;
                    x = y;
                    fx = fy;
                    y = low + ratio * (high - low);
                    fy = distance(y);
                }
            }
            out.least = std::min({out.least, fx, fy});
            if (std::min(fx, fy) <= level) {
                crossing(t0, fx <= level ? x : y);
                return out;
            }
        }
        out.least = std::min(out.least, f2);
        if (f2 <= level) {
            crossing(t1, t2);
            return out;
        }
        t0 = t1;
        f0 = f1;
        t1 = t2;
        f1 = f2;
    }
    return out;
}

} // namespace cairn::physics::oracle
