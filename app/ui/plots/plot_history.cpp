#include "app/ui/plots/plot_history.h"

#include "app/core/report/formats/number_text.h"

#include <algorithm>
#include <cstdint>

namespace cairn::ui {

namespace {

// Seldom and much at a time, since pictures wait for it.
template <class List>
void make_room(List& list) {
    if (list.size() == list.capacity()) {
        list.reserve(std::max<std::size_t>(4096, 2 * list.size()));
    }
}

} // namespace

void PlotHistory::add(const std::vector<StepMetrics>& metrics) {
    for (const StepMetrics& f : metrics) {
        if (of_branch_.size() <= f.branch) {
            of_branch_.resize(f.branch + 1);
        }
        std::vector<StepMetrics>& known = of_branch_[f.branch];
        make_room(known);
        const auto at = known.empty() || known.back().step < f.step
                            ? known.end()
                            : std::ranges::lower_bound(known, f.step, {}, &StepMetrics::step);
        if (at == known.end() || at->step != f.step) {
            known.insert(at, f);
        }
    }
}

std::size_t PlotHistory::size() const {
    std::size_t count = 0;
    for (const std::vector<StepMetrics>& branch : of_branch_) {
        count += branch.size();
    }
    return count;
}

void PlotHistory::follow(std::span<const core::History::Branch> branches, std::size_t branch, double from, double to,
                         Samples& samples) const {
    samples.clear();
    // From the newest back: of each branch what lies before the next one leaves it.
    core::History::visit_past(branches, branch, [&](std::size_t index, std::uint64_t end) {
        if (index < of_branch_.size()) {
            const std::vector<StepMetrics>& known = of_branch_[index];
            for (auto at = std::ranges::upper_bound(known, to, {}, &StepMetrics::time); at != known.begin();) {
                --at;
                if (at->time < from) {
                    break;
                }
                if (at->step <= end) {
                    make_room(samples);
                    samples.push_back(&*at);
                }
            }
        }
    });
    std::ranges::reverse(samples);
}

const StepMetrics* PlotHistory::last(std::span<const core::History::Branch> branches, std::size_t branch) const {
    const StepMetrics* newest = nullptr;
    core::History::visit_past(branches, branch, [&](std::size_t index, std::uint64_t end) {
        if (newest == nullptr && index < of_branch_.size()) {
            const std::vector<StepMetrics>& known = of_branch_[index];
            const auto after = std::ranges::upper_bound(known, end, {}, &StepMetrics::step);
            newest = after != known.begin() ? &*(after - 1) : nullptr;
        }
    });
    return newest;
}

std::size_t since(const Samples& samples, double time) {
    return static_cast<std::size_t>(std::ranges::lower_bound(samples, time, {}, &StepMetrics::time) - samples.begin());
}

std::size_t crossings(const Samples& samples, Metric metric, float threshold, const std::function<void(double)>& at) {
    std::size_t count = 0;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        if (samples[i]->of(metric) > threshold && !(samples[i - 1]->of(metric) > threshold)) {
            ++count;
            if (at) {
                at(samples[i]->time);
            }
        }
    }
    return count;
}

std::string csv_of(const Samples& samples, std::span<const Metric> metrics, std::span<const char* const> names,
                   float scale, const Samples& other, const std::string& other_name) {
    std::string text = "step,time_s";
    for (const char* name : names) {
        text += std::string(",") + name;
    }
    for (std::size_t i = 0; !other.empty() && i < names.size(); ++i) {
        text += "," + other_name + names[i];
    }
    text += '\n';
    const auto values = [&](const StepMetrics* f) {
        for (const Metric metric : metrics) {
            text += ',';
            if (f != nullptr) {
                core::append_number(text, f->of(metric) * scale);
            }
        }
    };
    auto beside = other.begin();
    const auto row = [&](const StepMetrics* f, const StepMetrics* o) {
        core::append_number(text, f != nullptr ? f->step : o->step);
        text += ',';
        core::append_number(text, f != nullptr ? f->time : o->time);
        values(f);
        if (!other.empty()) {
            values(o);
        }
        text += '\n';
    };
    for (const StepMetrics* f : samples) {
        for (; beside != other.end() && (*beside)->step < f->step; ++beside) {
            row(nullptr, *beside);
        }
        const bool same = beside != other.end() && (*beside)->step == f->step;
        row(f, same ? *beside : nullptr);
        beside += same ? 1 : 0;
    }
    for (; beside != other.end(); ++beside) {
        row(nullptr, *beside);
    }
    return text;
}

} // namespace cairn::ui
