// Handing a lambda to an Executor without a heap allocation.
#pragma once

#include "physics/base/default_floats.h"
#include "physics/base/executor.h"

namespace cairn::physics {

// A std::function made from a reference wrapper fits its small buffer, however much the lambda captures.
template <typename Body>
void parallel_for(Executor& executor, std::size_t count, std::size_t grain, Body&& body) {
    if (count == 0) {
        return;
    }
    executor.check();
    if (count <= grain) {
        body(std::size_t{0}, count);
        return;
    }
    const auto on_any_thread = [&body](std::size_t begin, std::size_t end) {
        const DefaultFloats floats;
        body(begin, end);
    };
    executor.parallel_for(count, grain, std::ref(on_any_thread));
}

// Calls body(task) for all tasks of about `size` items each: consecutive ones on the same thread, as far as possible.
template <typename Body>
void for_tasks(Executor& executor, std::size_t tasks, std::size_t size, const Body& body) {
    parallel_for(executor, tasks * size, size, [&body, size](std::size_t begin, std::size_t end) {
        for (std::size_t task = begin / size; task * size < end; ++task) {
            body(task);
        }
    });
}

template <typename Body>
void run_stages(Executor& executor, std::span<const std::uint32_t> needs, std::size_t parts, Body&& body) {
    if (parts <= 1) {
        for (std::size_t stage = 0; stage < needs.size(); ++stage) {
            executor.check();
            body(stage, std::size_t{0});
        }
        return;
    }
    const auto on_any_thread = [&body](std::size_t stage, std::size_t part) {
        const DefaultFloats floats;
        body(stage, part);
    };
    executor.run_stages(needs, parts, std::ref(on_any_thread));
}

} // namespace cairn::physics
