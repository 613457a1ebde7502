// Errors that a user caused and can mend. Shown as `error: FILE:LINE:COL: what and how to mend`.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace cairn::core {

// Where in a text file something is; line and column count from 1, 0 = the whole file. A column is one character (code
// point), as editors count.
struct Location {
    std::string file;
    std::size_t line = 0;
    std::size_t column = 0;
};

// Bad input or usage: exit code 2.
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& message) : std::runtime_error(message), message_(message) {}
    InputError(const Location& at, const std::string& message)
        : std::runtime_error(format(at) + ": " + message), at_(at), message_(message) {}

    const Location& location() const { return at_; }
    const std::string& message() const { return message_; } // without the location

  private:
    static std::string format(const Location& at) {
        std::string text = at.file;
        if (at.line != 0) {
            text += ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
        }
        return text;
    }
    Location at_;
    std::string message_;
};

// The machine cannot do what was asked (no display, no GL): exit code 3.
class MachineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace cairn::core
