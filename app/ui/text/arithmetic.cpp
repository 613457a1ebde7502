#include "app/ui/text/arithmetic.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace cairn::ui {

namespace {

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    std::optional<double> whole() {
        const std::optional<double> value = sum();
        skip();
        return rest_.empty() ? value : std::nullopt;
    }

  private:
    void skip() {
        while (!rest_.empty() && rest_.front() == ' ') {
            rest_.remove_prefix(1);
        }
    }
    bool take(char c) {
        skip();
        if (rest_.empty() || rest_.front() != c) {
            return false;
        }
        rest_.remove_prefix(1);
        return true;
    }
    std::optional<double> sum() {
        std::optional<double> value = product();
        while (value) {
            if (take('+')) {
                const std::optional<double> other = product();
                value = other ? std::optional(*value + *other) : std::nullopt;
            } else if (take('-')) {
                const std::optional<double> other = product();
                value = other ? std::optional(*value - *other) : std::nullopt;
            } else {
                break;
            }
        }
        return value;
    }
    std::optional<double> product() {
        std::optional<double> value = power();
        while (value) {
            if (take('*')) {
                const std::optional<double> other = power();
                value = other ? std::optional(*value * *other) : std::nullopt;
            } else if (take('/')) {
                const std::optional<double> other = power();
                value = other ? std::optional(*value / *other) : std::nullopt;
            } else {
                break;
            }
        }
        return value;
    }
    // -2^2 is -4, and 2^-1 is a half.
    std::optional<double> power() {
        if (++depth_ > 100) {
            return std::nullopt;
        }
        std::optional<double> value;
        if (take('-')) {
            value = power();
            value = value ? std::optional(-*value) : std::nullopt;
        } else if (take('+')) {
            value = power();
        } else {
            value = factor();
            if (value && take('^')) {
                const std::optional<double> other = power();
                value = other ? std::optional(std::pow(*value, *other)) : std::nullopt;
            }
        }
        --depth_;
        return value;
    }
    std::optional<double> factor() {
        if (!take('(')) {
            return number();
        }
        const std::optional<double> value = sum();
        return take(')') ? value : std::nullopt;
    }
    std::optional<double> number() {
        skip();
        double value = 0.0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error == std::errc::invalid_argument || !(value == value)) {
            return std::nullopt;
        }
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
    }

    std::string_view rest_;
    int depth_ = 0;
};

} // namespace

std::optional<double> arithmetic(std::string_view text) {
    return Reader(text).whole();
}

} // namespace cairn::ui
