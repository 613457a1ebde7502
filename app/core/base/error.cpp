#include "app/core/base/error.h"

namespace cairn::core {
namespace {

std::string format(const Location& at) {
    std::string text = at.file;
    if (at.line != 0) {
        text += ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
    }
    return text;
}

} // namespace

// Not in the header: sixty sources would compile it.
InputError::InputError(const std::string& message) : std::runtime_error(message), message_(message) {
}

InputError::InputError(const Location& at, const std::string& message)
    : std::runtime_error(format(at) + ": " + message), at_(at), message_(message) {
}

} // namespace cairn::core
