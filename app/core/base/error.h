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
    explicit InputError(const std::string& message);
    InputError(const Location& at, const std::string& message);

    const Location& location() const { return at_; }
    const std::string& message() const { return message_; } // without the location

  private:
    Location at_;
    std::string message_;
};

// What was asked for cannot be kept: the disk is full or broken. Exit code 3, though whoever shows errors to people
// need not distinguish it from other trouble with a file.
class OutputError : public InputError {
  public:
    using InputError::InputError;
};

// The machine cannot do what was asked (no display, no GL): exit code 3.
class MachineError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace cairn::core
