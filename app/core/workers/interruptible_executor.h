// An executor whose work ends at Ctrl-C, where that is noted (app/core/base/interruption.h).
#pragma once

#include "app/core/base/interruption.h"
#include "physics/base/executor.h"

namespace cairn::core {

class InterruptibleExecutor final : public physics::Executor {
  public:
    explicit InterruptibleExecutor(physics::Executor& inner) : inner_(inner) {}
    void parallel_for(std::size_t count, std::size_t grain, const Block& block) override {
        inner_.parallel_for(count, grain, [&block](std::size_t begin, std::size_t end) {
            if (interruption() == 0) {
                block(begin, end);
            }
        });
        check();
    }
    int thread_count() const override { return inner_.thread_count(); }
    void check() override { interruption_point(); }

  private:
    physics::Executor& inner_;
};

} // namespace cairn::core
