#include "app/ui/screen/frame_metrics.h"

#include <algorithm>

namespace cairn::ui {

void History::add(float value) {
    values_[static_cast<std::size_t>(next_)] = value;
    next_ = (next_ + 1) % static_cast<int>(values_.size());
    count_ = std::min(count_ + 1, static_cast<int>(values_.size()));
}

float History::mean() const {
    float sum = 0.0f;
    for (const float value : values_) {
        sum += value;
    }
    return count_ > 0 ? sum / static_cast<float>(count_) : 0.0f;
}

float History::median() const {
    std::array<float, 240> sorted = values_;
    const auto middle = sorted.begin() + count_ / 2, end = sorted.begin() + count_;
    std::nth_element(sorted.begin(), middle, end);
    return count_ > 0 ? *middle : 0.0f;
}

float History::largest() const {
    return *std::ranges::max_element(values_);
}

} // namespace cairn::ui
