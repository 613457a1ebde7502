#include "app/core/capture/command_list.h"

#include "app/core/capture/records/command_records.h"

namespace cairn::core {

using namespace cairn::physics;

CommandList::CommandList(std::initializer_list<Command> commands) {
    for (const Command& command : commands) {
        push_back(command);
    }
}

CommandList::CommandList(const std::vector<Command>& commands) {
    for (const Command& command : commands) {
        push_back(command);
    }
}

void CommandList::push_back(const Command& command) {
    CborWriter out;
    encode(out, command, [this](const AnySurface& surface) {
        const SurfaceKey key = key_of(surface);
        surfaces_.add(key, surface);
        return std::optional(key);
    });
    bytes_.insert(bytes_.end(), out.bytes().begin(), out.bytes().end());
    ++count_;
}

void CommandList::take(CborReader& in, std::uint64_t count, const FindSurface& find_surface) {
    const std::size_t from = in.offset();
    Command command; // each is looked at, so that only what is whole and right is kept
    bool in_place = false;
    const FindSurface find = [&](const SurfaceKey& key) {
        const std::optional<AnySurface> found = find_surface ? find_surface(key) : std::nullopt;
        if (found) {
            surfaces_.add(key, *found);
        }
        return found;
    };
    surfaces_.clear();
    for (std::uint64_t i = 0; i < count; ++i) {
        decode(in, command, find, [&in_place](const AnySurface&) { in_place = true; });
    }
    const std::span<const std::uint8_t> bytes = in.taken_since(from);
    if (in_place) { // as older captures have it: the same commands shall be the same bytes
        CborReader again(bytes);
        const NamedSurfaces named = std::move(surfaces_);
        clear();
        for (std::uint64_t i = 0; i < count; ++i) {
            decode(again, command, [&named](const SurfaceKey& key) { return named.find(key); });
            push_back(command);
        }
        return;
    }
    bytes_.assign(bytes.begin(), bytes.end()); // at once: growing would take twice as much
    count_ = static_cast<std::size_t>(count);
}

void CommandList::clear() {
    bytes_.clear();
    count_ = 0;
    surfaces_.clear();
}

CommandList::Iterator::Iterator(std::span<const std::uint8_t> bytes, std::size_t left, const NamedSurfaces* surfaces)
    : in_(bytes), left_(left), surfaces_(surfaces) {
    read();
}

CommandList::Iterator& CommandList::Iterator::operator++() {
    --left_;
    read();
    return *this;
}

void CommandList::Iterator::read() {
    if (left_ > 0) {
        decode(in_, command_, [this](const SurfaceKey& key) { return surfaces_->find(key); });
    }
}

} // namespace cairn::core
