// cairn bisect: where, between two values of a parameter, a scene stops doing what it expects.
#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/progress.h"
#include "app/core/base/error.h"
#include "app/core/base/interruption.h"
#include "app/core/expect/scene_test.h"
#include "app/core/report/formats/json.h"
#include "app/core/workers/worker_pool.h"

#include <cmath>
#include <cstdio>

namespace cairn::cli {
namespace {

struct Trial {
    double value = 0.0;
    bool met = false;
    std::string what; // of the first failure
};

class Bisection {
  public:
    Bisection(const BisectArguments& arguments, core::Scene scene)
        : arguments_(arguments), scene_(std::move(scene)), workers_(core::make_worker_pool(arguments.threads)) {}

    Trial run(double value) {
        core::Scene scene = scene_;
        core::set_value(scene, arguments_.path + '=' + core::number_text(value));
        Progress progress(arguments_.path + " = " + core::number_text(value), arguments_.quiet);
        const core::SceneTest test = core::run_scene_test(scene, workers_.get(), [&](double share) {
            core::interruption_point();
            progress.show(share);
        });
        Trial trial{value, test.passed, {}};
        if (test.stopped && (!test.first_failure || test.stopped->step <= test.outcomes[*test.first_failure].step)) {
            trial.what = "FAILED at step " + std::to_string(test.stopped->step) + ", " + test.stopped->what;
        } else if (test.first_failure) {
            const core::ExpectationOutcome& outcome = test.outcomes[*test.first_failure];
            trial.what = core::description(scene.expectations[*test.first_failure]) + ": FAILED at step " +
                         std::to_string(outcome.step) + ", " + outcome.found;
        }
        return trial;
    }

    // Does the scene take what lies between two whole numbers?
    bool takes_fractions() const {
        core::Scene scene = scene_;
        const double middle = std::floor(std::min(arguments_.good, arguments_.bad)) + 0.5;
        try {
            core::set_value(scene, arguments_.path + '=' + core::number_text(middle));
        } catch (const core::InputError&) {
            return false;
        }
        return true;
    }

  private:
    const BisectArguments& arguments_;
    core::Scene scene_;
    std::unique_ptr<physics::Executor> workers_;
};

} // namespace

int run_bisect(const BisectArguments& arguments) {
    CommandFiles files;
    core::Scene scene = files.scene(files.input(arguments.scene), arguments.confined, arguments.set);
    if (scene.expectations.empty()) {
        throw core::InputError("nothing is expected of the scene, so nothing can break: see \"expect\" in "
                               "docs/reference/scene-format.md");
    }
    if (!std::isfinite(arguments.good) || !std::isfinite(arguments.bad) || arguments.good == arguments.bad) {
        throw core::InputError("--good and --bad must be two numbers that differ");
    }
    const auto json = files.open("--json", arguments.json);
    const core::InterruptionGuard guard;
    Bisection bisection(arguments, std::move(scene));
    core::Json trials = core::Json::array();
    const bool lines = !arguments.quiet && arguments.json != "-";
    const auto run = [&](double value) {
        const Trial trial = bisection.run(value);
        if (lines) {
            std::printf("%s\n", one_line(arguments.path + " = " + core::number_text(value) + ": " +
                                         (trial.met ? "met" : trial.what))
                                    .c_str());
            std::fflush(stdout);
        }
        trials.push_back({{"value", value}, {"met", trial.met}, {"failure", trial.what}});
        return trial;
    };
    Trial good = run(arguments.good), bad = run(arguments.bad);
    if (!good.met) {
        throw core::InputError("--good " + core::number_text(arguments.good) + " is not good: " + good.what);
    }
    if (bad.met) {
        throw core::InputError("--bad " + core::number_text(arguments.bad) +
                               " is not bad: everything that is expected is met");
    }
    const bool whole = !bisection.takes_fractions();
    const double wanted = arguments.precision.value_or(std::abs(good.value - bad.value) / 1000.0);
    const double precision = whole ? std::max(wanted, 1.0) : wanted;
    while (std::abs(good.value - bad.value) > precision) {
        double middle = good.value + 0.5 * (bad.value - good.value);
        middle = whole ? std::floor(middle) : middle;
        if (middle == good.value || middle == bad.value) {
            break; // doubles lie no nearer
        }
        const Trial trial = run(middle);
        (trial.met ? good : bad) = trial;
    }
    if (arguments.json != "-") {
        std::printf("breaks between %s, where it is met, and %s: %s\n", core::number_text(good.value).c_str(),
                    core::number_text(bad.value).c_str(), one_line(bad.what).c_str());
    }
    if (json) {
        json->finish(core::text_of({{"path", arguments.path},
                                    {"good", good.value},
                                    {"bad", bad.value},
                                    {"failure", bad.what},
                                    {"trials", trials}},
                                   1));
    }
    return exit_success;
}

} // namespace cairn::cli
