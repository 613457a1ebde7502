#include "app/ui/widgets/message_log.h"

#include <algorithm>

namespace cairn::ui {

namespace {
constexpr std::size_t kept = 2000;
constexpr double message_fade_seconds = 0.4;
} // namespace

void MessageLog::add(Severity severity, std::string_view text) {
    if (!messages_.empty() && messages_.back().text == text && messages_.back().severity == severity) {
        ++messages_.back().times;
        messages_.back().at = now_;
        return;
    }
    messages_.push_back({severity, std::string(text), now_, 1});
    if (messages_.size() > kept) {
        messages_.pop_front();
    }
}

float MessageLog::visibility(const Message& message) const {
    if (message.at <= dismissed_before_) {
        return 0.0f;
    }
    const double shown = message.severity == Severity::error ? 12.0 : message.severity == Severity::warning ? 8.0 : 4.0;
    return static_cast<float>(std::clamp((message.at + shown - now_) / message_fade_seconds, 0.0, 1.0));
}

} // namespace cairn::ui
