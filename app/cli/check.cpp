#include "app/cli/verbs.h"
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"

#include <cstdio>

namespace cairn::cli {

int run_check(const CheckArguments& arguments) {
    int code = exit_success;
    for (const Path& path : arguments.scenes) {
        try {
            const core::Scene scene = core::read_scene(core::find_scene(path));
            // The world has the last word on what a body may be.
            const physics::World world = core::make_world(scene);
            std::printf("%s: ok, %zu bodies\n", path.c_str(), world.body_count());
        } catch (const core::InputError& error) {
            std::fflush(stdout);
            print_error(error.location().file.empty() ? path.string() + ": " + error.what() : error.what());
            code = exit_bad_input;
        }
    }
    return code;
}

} // namespace cairn::cli
