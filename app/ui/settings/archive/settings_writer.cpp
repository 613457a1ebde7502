#include "app/core/report/formats/number_text.h"
#include "app/ui/settings/archive/settings_archive.h"

#include <cmath>
#include <cstdio>

namespace cairn::ui {

void SettingsWriter::begin(std::string_view key) {
    text_ += first_ ? "\n" : ",\n";
    first_ = false;
    text_.append(static_cast<std::size_t>(2 * depth_), ' ');
    string(key);
    text_ += ": ";
}

void SettingsWriter::string(std::string_view value) {
    text_ += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            char escape[8];
            std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
            text_ += escape;
        } else {
            text_ += c;
        }
    }
    text_ += '"';
}

void SettingsWriter::strings(const std::vector<std::string>& values) {
    text_ += '[';
    for (std::size_t i = 0; i < values.size(); ++i) {
        text_ += i > 0 ? ", " : "";
        string(values[i]);
    }
    text_ += ']';
}

void SettingsWriter::enter(const char* key) {
    if (*key != '\0') { // the outermost object has no name
        begin(key);
    }
    text_ += '{';
    first_ = true;
    ++depth_;
}

void SettingsWriter::leave() {
    --depth_;
    if (!first_) {
        text_ += '\n';
        text_.append(static_cast<std::size_t>(2 * depth_), ' ');
    }
    text_ += '}';
    first_ = false;
    if (depth_ == 0) {
        text_ += '\n';
    }
}

void SettingsWriter::value(const char* key, bool& value) {
    begin(key);
    text_ += value ? "true" : "false";
}

void SettingsWriter::value(const char* key, int& value, int, int) {
    begin(key);
    core::append_number(text_, value);
}

void SettingsWriter::value(const char* key, float& value, float, float) {
    begin(key);
    core::append_number(text_, std::isfinite(value) ? value : 0.0f);
}

void SettingsWriter::value(const char* key, glm::vec3& value, float, float) {
    begin(key);
    text_ += '[';
    for (int i = 0; i < 3; ++i) {
        text_ += i > 0 ? ", " : "";
        core::append_number(text_, std::isfinite(value[i]) ? value[i] : 0.0f);
    }
    text_ += ']';
}

void SettingsWriter::value(const char* key, std::optional<float>& value) {
    begin(key);
    if (value && std::isfinite(*value)) {
        core::append_number(text_, *value);
    } else {
        text_ += "null";
    }
}

void SettingsWriter::value(const char* key, std::string& value) {
    begin(key);
    string(value);
}

void SettingsWriter::value(const char* key, std::vector<std::string>& value) {
    begin(key);
    strings(value);
}

void SettingsWriter::value(const char* key, Switches& value) {
    enter(key);
    for (auto& [name, on] : value) {
        this->value(name.c_str(), on);
    }
    leave();
}

void SettingsWriter::word(const char* key, int& index, std::span<const std::string_view> words) {
    begin(key);
    string(index >= 0 && static_cast<std::size_t>(index) < words.size() ? words[static_cast<std::size_t>(index)]
                                                                        : words.front());
}

void SettingsWriter::value(const char* key, std::vector<Named>& value) {
    enter(key);
    for (const Named& named : value) {
        begin(named.name);
        strings(named.words);
    }
    leave();
}

} // namespace cairn::ui
