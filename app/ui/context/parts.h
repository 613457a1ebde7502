// What the window is made of besides the context: parts that own their state and are known by their type. A panel, a
// tool or a view adds its own in one place, session/registrations.cpp, and whoever includes its header can have it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cairn::ui {

struct Context;
class SettingsArchive;

enum class WorldChange {
    other,     // another scene, or a capture: nothing of the old world means anything
    restarted, // the same scene from its start: its own bodies have the same ids again
};

class Part {
  public:
    virtual ~Part() = default;
    // Visits what is to be there in the next run: its section of the settings file.
    virtual void remember(Context&, SettingsArchive&) {}
    // The world has been replaced: lets go of what belongs to the old one.
    virtual void world_replaced(Context&, WorldChange) {}
};

class Parts {
  public:
    // One of each type; visited in the order in which they were added.
    template <class P, class... Arguments>
    P& add(Arguments&&... arguments) {
        auto part = std::make_unique<P>(std::forward<Arguments>(arguments)...);
        P& added = *part;
        const std::size_t number = number_of<P>();
        by_type_.resize(std::max(by_type_.size(), number + 1));
        if (by_type_[number] != nullptr) {
            throw std::logic_error("a part of the window was added twice");
        }
        by_type_[number] = &added;
        parts_.push_back(std::move(part));
        return added;
    }
    template <class P>
    P& get() const {
        const std::size_t number = number_of<P>();
        if (number >= by_type_.size() || by_type_[number] == nullptr) {
            throw std::logic_error("a part of the window is not registered");
        }
        return static_cast<P&>(*by_type_[number]);
    }
    template <class Visit>
    void visit(Visit&& visit) const {
        for (const auto& part : parts_) {
            visit(*part);
        }
    }

  private:
    static std::size_t next_number() {
        static std::size_t next = 0;
        return next++;
    }
    template <class P>
    static std::size_t number_of() {
        static const std::size_t number = next_number();
        return number;
    }

    std::vector<std::unique_ptr<Part>> parts_;
    std::vector<Part*> by_type_;
};

} // namespace cairn::ui
