// The commands of one step, kept as a capture holds them. A command in the hand is as large as the largest of its
// kinds; as bytes, most are a fraction of that. So a past in which somebody pushes and drags all the time stays small,
// and a file of many small commands does not take many times its own size. Meshes and height fields are shared beside
// the bytes, which name them: a hundred commands with one mesh hold it once.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"
#include "physics/world/command.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

namespace cairn::core {

class CommandList {
  public:
    CommandList() = default;
    CommandList(std::initializer_list<physics::Command> commands);
    CommandList(const std::vector<physics::Command>& commands);

    void push_back(const physics::Command& command);
    // Becomes the next so many commands of the reader, and passes them. Throws CborError, and what `find_surface` does.
    void take(CborReader& in, std::uint64_t count, const FindSurface& find_surface = {});
    void clear();

    bool empty() const { return count_ == 0; }
    std::size_t size() const { return count_; }
    // One after the other, as in docs/reference/capture-format.md.
    std::span<const std::uint8_t> bytes() const { return bytes_; }
    const NamedSurfaces& surfaces() const { return surfaces_; } // that the bytes name

    // Makes each command when it comes to it, and holds it until it goes on.
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = physics::Command;
        using difference_type = std::ptrdiff_t;
        using pointer = const physics::Command*;
        using reference = const physics::Command&;

        Iterator(std::span<const std::uint8_t> bytes, std::size_t left, const NamedSurfaces* surfaces);
        const physics::Command& operator*() const { return command_; }
        const physics::Command* operator->() const { return &command_; }
        Iterator& operator++();
        friend bool operator==(const Iterator& a, const Iterator& b) { return a.left_ == b.left_; }

      private:
        void read();

        CborReader in_;
        std::size_t left_; // with the one in the hand
        const NamedSurfaces* surfaces_;
        physics::Command command_;
    };
    Iterator begin() const { return {bytes_, count_, &surfaces_}; }
    Iterator end() const { return {{}, 0, nullptr}; }

    friend bool operator==(const CommandList& a, const CommandList& b) { return a.bytes_ == b.bytes_; }

  private:
    std::vector<std::uint8_t> bytes_;
    std::size_t count_ = 0;
    NamedSurfaces surfaces_;
};

} // namespace cairn::core
