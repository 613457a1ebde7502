#include "bench/tosses/toss_file.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"

#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace cairn::bench {

namespace {

using physics::Quat;
using physics::Vec3;

constexpr std::size_t column_count = 15;

// Farther from unit length than this, four numbers are no orientation; what five decimals leave is mended.
constexpr float unit_tolerance = 0.01f;

class Parser {
  public:
    Parser(std::string_view text, const std::string& name) : rest_(text), name_(name) {}

    std::vector<Toss> parse() {
        if (!next_line()) {
            fail(1, "the file is empty; it must begin with the header " + std::string(toss_header));
        }
        if (line_text_ != toss_header) {
            fail(1, "the header must read " + std::string(toss_header));
        }
        std::vector<Toss> tosses;
        std::set<long> seen;
        while (next_line()) {
            add_row(tosses, seen);
        }
        if (tosses.empty()) {
            fail(1, "no row follows the header");
        }
        check_length(tosses.back());
        return tosses;
    }

  private:
    [[noreturn]] void fail(std::size_t column, const std::string& message) const {
        throw core::InputError({name_, line_, column}, message);
    }

    bool next_line() {
        if (rest_.empty()) {
            return false;
        }
        ++line_;
        const std::size_t end = rest_.find('\n');
        line_text_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (!line_text_.empty() && line_text_.back() == '\r') {
            line_text_.remove_suffix(1);
        }
        return true;
    }

    // Where every value of the present line begins, counted from 0.
    std::array<std::size_t, column_count> split() const {
        std::array<std::size_t, column_count> starts{};
        std::size_t count = 1;
        for (std::size_t i = 0; i < line_text_.size(); ++i) {
            if (line_text_[i] != ',') {
                continue;
            }
            if (count == column_count) {
                fail(i + 2, "the row has more than " + std::to_string(column_count) + " values");
            }
            starts[count++] = i + 1;
        }
        if (count < column_count) {
            fail(line_text_.size() + 1,
                 "the row ends after " + std::to_string(count) + " of " + std::to_string(column_count) + " values");
        }
        return starts;
    }

    template <typename Number>
    Number number_at(std::size_t start, const char* kind) const {
        const std::string_view field = line_text_.substr(start, line_text_.find(',', start) - start);
        Number value{};
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
        if (error != std::errc() || end != field.data() + field.size()) {
            fail(start + 1, "'" + std::string(field) + "' is not " + kind);
        }
        return value;
    }

    float real_at(std::size_t start) const {
        const float value = number_at<float>(start, "a number");
        if (!std::isfinite(value)) {
            fail(start + 1, "the number is not finite");
        }
        return value;
    }

    void add_row(std::vector<Toss>& tosses, std::set<long>& seen) {
        const auto at = split();
        const long number = number_at<long>(at[0], "the number of a toss");
        if (tosses.empty() || tosses.back().number != number) {
            if (!tosses.empty()) {
                check_length(tosses.back());
            }
            if (!seen.insert(number).second) {
                fail(1, "toss " + std::to_string(number) + " stood further up; its rows must follow each other");
            }
            tosses.push_back({number, {}});
        }
        Toss& toss = tosses.back();
        if (number_at<std::size_t>(at[1], "the number of a step") != toss.rows.size()) {
            fail(at[1] + 1, "step " + std::to_string(toss.rows.size()) + " must come next, steps begin at 0");
        }
        const auto vector = [&](std::size_t i) { return Vec3(real_at(at[i]), real_at(at[i + 1]), real_at(at[i + 2])); };
        TossRow row;
        row.pose.position = vector(2);
        const Quat q(real_at(at[5]), real_at(at[6]), real_at(at[7]), real_at(at[8]));
        const float length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
        if (!(std::abs(length - 1.0f) < unit_tolerance)) {
            fail(at[5] + 1, "the orientation must be a unit quaternion");
        }
        row.pose.orientation = physics::normalized(q);
        row.linear_velocity = vector(9);
        row.angular_velocity = vector(12);
        toss.rows.push_back(row);
    }

    void check_length(const Toss& toss) const {
        if (toss.rows.size() < 2) {
            fail(1, "toss " + std::to_string(toss.number) + " ends after one row; nothing follows its release");
        }
    }

    std::string_view rest_;
    std::string_view line_text_;
    std::size_t line_ = 0;
    std::string name_;
};

} // namespace

std::vector<Toss> parse_tosses(std::string_view text, const std::string& name) {
    return Parser(text, name).parse();
}

std::vector<Toss> read_tosses(const std::filesystem::path& path) {
    return parse_tosses(core::read_whole_file(path), path.string());
}

} // namespace cairn::bench
