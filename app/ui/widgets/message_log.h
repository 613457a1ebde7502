// What the program has to say: shown as notes at the bottom of the window and kept for the state report.
#pragma once

#include <array>
#include <deque>
#include <string>
#include <string_view>

namespace cairn::ui {

enum class Severity { info, warning, error };
inline constexpr std::array severity_names = {"note", "warning", "error"};

struct Message {
    Severity severity = Severity::info;
    std::string text;
    double at = 0.0; // s since the program started
    int times = 1;   // the same text in a row is counted, not repeated
};

class MessageLog {
  public:
    void set_time(double seconds) { now_ = seconds; }
    double time() const { return now_; }

    void info(std::string_view text) { add(Severity::info, text); }
    void warning(std::string_view text) { add(Severity::warning, text); }
    void error(std::string_view text) { add(Severity::error, text); }
    void add(Severity severity, std::string_view text);

    // The newest 2000, oldest first.
    const std::deque<Message>& all() const { return messages_; }
    // How visible a message still is, 1..0. Errors stay longer, because they need reading.
    float visibility(const Message& message) const;
    void dismiss() { dismissed_before_ = now_; }

  private:
    std::deque<Message> messages_;
    double now_ = 0.0;
    double dismissed_before_ = -1.0;
};

} // namespace cairn::ui
