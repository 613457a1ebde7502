// What is remembered between runs is named once, in the remember() of the part that owns it; the same list reads the
// settings file and writes it.
#pragma once

#include <functional>
#include <glm/glm.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::ui {

// Names that are on or off, such as the sections of the panels.
using Switches = std::map<std::string, bool, std::less<>>;

// Members are visited in the order of the file. Reading leaves a value as it is where the file does not say, or says
// something else than is possible, which becomes a problem.
class SettingsArchive {
  public:
    virtual ~SettingsArchive() = default;
    virtual bool reading() const = 0;
    // What is visited until leave() belongs to the object of this name.
    virtual void enter(const char* key) = 0;
    virtual void leave() = 0;
    virtual void value(const char* key, bool& value) = 0;
    virtual void value(const char* key, int& value, int least, int greatest) = 0;
    virtual void value(const char* key, float& value, float least, float greatest) = 0;
    virtual void value(const char* key, glm::vec3& value, float least, float greatest) = 0;
    virtual void value(const char* key, std::optional<float>& value) = 0; // none is null
    virtual void value(const char* key, std::string& value) = 0;
    virtual void value(const char* key, std::vector<std::string>& value) = 0;
    virtual void value(const char* key, Switches& value) = 0;
    // One of the words; `index` is its place.
    virtual void word(const char* key, int& index, std::span<const std::string_view> words) = 0;
    // A name and a list of words each, such as the keys of the actions; names may repeat or be unknown.
    struct Named {
        std::string name;
        std::vector<std::string> words;
        std::string place; // reading: FILE:LINE:COLUMN
    };
    virtual void value(const char* key, std::vector<Named>& value) = 0;
};

// Appends JSON to `text`, which ends with the last leave().
class SettingsWriter final : public SettingsArchive {
  public:
    explicit SettingsWriter(std::string& text) : text_(text) {}
    bool reading() const override { return false; }
    void enter(const char* key) override;
    void leave() override;
    void value(const char* key, bool& value) override;
    void value(const char* key, int& value, int least, int greatest) override;
    void value(const char* key, float& value, float least, float greatest) override;
    void value(const char* key, glm::vec3& value, float least, float greatest) override;
    void value(const char* key, std::optional<float>& value) override;
    void value(const char* key, std::string& value) override;
    void value(const char* key, std::vector<std::string>& value) override;
    void value(const char* key, Switches& value) override;
    void word(const char* key, int& index, std::span<const std::string_view> words) override;
    void value(const char* key, std::vector<Named>& value) override;

  private:
    void begin(std::string_view key);
    void string(std::string_view value);
    void strings(const std::vector<std::string>& values);

    std::string& text_;
    int depth_ = 0;
    bool first_ = true;
};

class SettingsReader final : public SettingsArchive {
  public:
    // Throws core::InputError for a text that is no JSON object. `name` stands for the file in messages.
    SettingsReader(std::string_view text, const std::string& name);
    ~SettingsReader() override;
    SettingsReader(const SettingsReader&) = delete;
    SettingsReader& operator=(const SettingsReader&) = delete;

    bool reading() const override { return true; }
    void enter(const char* key) override;
    void leave() override; // complains about members that nobody has asked for
    void value(const char* key, bool& value) override;
    void value(const char* key, int& value, int least, int greatest) override;
    void value(const char* key, float& value, float least, float greatest) override;
    void value(const char* key, glm::vec3& value, float least, float greatest) override;
    void value(const char* key, std::optional<float>& value) override;
    void value(const char* key, std::string& value) override;
    void value(const char* key, std::vector<std::string>& value) override;
    void value(const char* key, Switches& value) override;
    void word(const char* key, int& index, std::span<const std::string_view> words) override;
    void value(const char* key, std::vector<Named>& value) override;

    // What could not be taken, with its place; one sentence each.
    const std::vector<std::string>& problems() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::ui
