#include "app/core/capture/command_list.h"

#include "app/core/capture/command_records.h"

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
    encode(out, command);
    bytes_.insert(bytes_.end(), out.bytes().begin(), out.bytes().end());
    ++count_;
}

void CommandList::take(CborReader& in, std::uint64_t count) {
    const std::size_t from = in.offset();
    Command command; // each is looked at, so that only what is whole and right is kept
    for (std::uint64_t i = 0; i < count; ++i) {
        decode(in, command);
    }
    const std::span<const std::uint8_t> bytes = in.taken_since(from);
    bytes_.assign(bytes.begin(), bytes.end()); // at once: growing would take twice as much
    count_ = static_cast<std::size_t>(count);
}

void CommandList::clear() {
    bytes_.clear();
    count_ = 0;
}

CommandList::Iterator::Iterator(std::span<const std::uint8_t> bytes, std::size_t left) : in_(bytes), left_(left) {
    read();
}

CommandList::Iterator& CommandList::Iterator::operator++() {
    --left_;
    read();
    return *this;
}

void CommandList::Iterator::read() {
    if (left_ > 0) {
        decode(in_, command_);
    }
}

} // namespace cairn::core
