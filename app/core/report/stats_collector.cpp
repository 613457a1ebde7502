#include "app/core/capture/capture.h"
#include "app/core/report/json_text.h"
#include "app/core/report/report.h"

#include <algorithm>

namespace cairn::core {
namespace {

constexpr double milliseconds = 1e3; // per second

// The value below which `share` of the sorted values lie (nearest rank).
double percentile(const std::vector<double>& sorted, double share) {
    if (sorted.empty()) {
        return 0.0;
    }
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
    return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

void append_quoted(std::string& out, std::string_view text) {
    out += '"';
    append_json_escaped(out, text);
    out += '"';
}

// Writes one object, member by member.
class Object {
  public:
    Object(std::string& out, std::string separator) : out_(out), separator_(std::move(separator)) { out_ += '{'; }
    ~Object() { out_ += '}'; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    std::string& key(std::string_view name) {
        if (!first_) {
            out_ += ',';
            out_ += separator_;
        }
        first_ = false;
        append_quoted(out_, name);
        out_ += ": ";
        return out_;
    }
    template <class Number>
    void number(std::string_view name, Number value) {
        append_json_number(key(name), value);
    }
    void text(std::string_view name, std::string_view value) { append_quoted(key(name), value); }
    void vector(std::string_view name, const physics::Vec3& v) {
        std::string& out = key(name);
        out += '[';
        append_json_number(out, v.x);
        out += ", ";
        append_json_number(out, v.y);
        out += ", ";
        append_json_number(out, v.z);
        out += ']';
    }

  private:
    std::string& out_;
    std::string separator_;
    bool first_ = true;
};

} // namespace

void StatsCollector::add(const physics::FrameState& frame) {
    if (frame.step > 0) {
        const physics::StageTimes& times = frame.stats.times;
        step_ms_.push_back(times.total() * milliseconds);
        sum_.broadphase += times.broadphase;
        sum_.narrowphase += times.narrowphase;
        sum_.islands += times.islands;
        sum_.solver += times.solver;
        sum_.continuous += times.continuous;
        sum_.finish += times.finish;
    }
    last_ = frame.stats;
    last_step_ = frame.step;
    last_hash_ = frame.hash;
    last_time_ = frame.time;
    sleeping_ = 0;
    max_speed_ = 0.0;
    bool any = false;
    for (const physics::BodyState& body : frame.bodies) {
        sleeping_ += body.sleeping ? 1 : 0;
        const glm::dvec3 velocity(body.linear_velocity);
        max_speed_ = std::max(max_speed_, std::sqrt(glm::dot(velocity, velocity)));
        if (body.type == physics::BodyType::dynamic) {
            lower_ = any ? glm::min(lower_, body.pose.position) : body.pose.position;
            upper_ = any ? glm::max(upper_, body.pose.position) : body.pose.position;
            any = true;
        }
    }
    worst_penetration_ = std::max(worst_penetration_, static_cast<double>(frame.stats.max_penetration));
}

double StatsCollector::mean_ms() const {
    double sum = 0.0;
    for (const double ms : step_ms_) {
        sum += ms;
    }
    return step_ms_.empty() ? 0.0 : sum / static_cast<double>(step_ms_.size());
}

std::string StatsCollector::to_json(int threads, std::string_view name) const {
    std::vector<double> sorted = step_ms_;
    std::sort(sorted.begin(), sorted.end());
    const double per_step = step_ms_.empty() ? 0.0 : milliseconds / static_cast<double>(step_ms_.size());

    std::string out;
    {
        Object all(out, "\n ");
        all.text("name", name);
        all.text("build", build_name());
        all.number("bodies", last_.bodies);
        all.number("steps", last_step_);
        all.number("time", last_time_);
        all.number("threads", threads);
        {
            all.key("ms_per_step");
            Object times(out, " ");
            times.number("mean", mean_ms());
            times.number("median", percentile(sorted, 0.5));
            times.number("p99", percentile(sorted, 0.99));
            times.number("max", sorted.empty() ? 0.0 : sorted.back());
        }
        {
            all.key("stages"); // ms per step, mean
            Object stages(out, " ");
            stages.number("broadphase", sum_.broadphase * per_step);
            stages.number("narrowphase", sum_.narrowphase * per_step);
            stages.number("islands", sum_.islands * per_step);
            stages.number("solver", sum_.solver * per_step);
            stages.number("continuous", sum_.continuous * per_step);
            stages.number("finish", sum_.finish * per_step);
        }
        all.number("awake", last_.awake);
        all.number("sleeping", sleeping_);
        all.number("pairs", last_.pairs);
        all.number("contacts", last_.contacts);
        all.number("contact_points", last_.contact_points);
        all.number("islands", last_.islands);
        all.number("continuous_hits", last_.continuous_hits);
        all.number("spin_limited", last_.spin_limited);
        all.number("max_penetration", last_.max_penetration);
        all.number("worst_penetration", worst_penetration_);
        all.number("kinetic_energy", last_.kinetic_energy);
        all.number("potential_energy", last_.potential_energy);
        all.number("max_speed", max_speed_);
        {
            all.key("centres"); // bounds of the dynamic bodies' centres of mass, m
            Object centres(out, " ");
            centres.vector("min", lower_);
            centres.vector("max", upper_);
        }
        all.text("hash", hash_text(last_hash_));
    }
    out += '\n';
    return out;
}

} // namespace cairn::core
