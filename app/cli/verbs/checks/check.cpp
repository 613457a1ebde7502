#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/core/base/error.h"
#include "app/core/report/formats/json.h"

#include <cstdio>

namespace cairn::cli {
namespace {

core::Json json_of(const core::Location& at, const std::string& message) {
    core::Json error{{"message", message}, {"file", at.file}};
    if (at.line != 0) {
        error["line"] = at.line;
        error["column"] = at.column;
    }
    return error;
}

} // namespace

int run_check(const CheckArguments& arguments) {
    CommandFiles files;
    const bool lines = !arguments.quiet && arguments.json != "-";
    int code = exit_success;
    core::Json results = core::Json::array();
    for (const Path& given : arguments.scenes) {
        const std::string name = given == "-" ? "standard input" : given.string();
        core::Json result{{"scene", name}};
        try {
            const core::Scene scene = files.scene(files.input(given), arguments.confined);
            // The world has the last word on what a body may be.
            const physics::World world = core::make_world(scene);
            if (lines) {
                std::printf("%s: ok, %zu bodies\n", name.c_str(), world.body_count());
            }
            result["ok"] = true;
            result["bodies"] = world.body_count();
            result["joints"] = scene.joints.size();
        } catch (const core::InputError& error) {
            std::fflush(stdout);
            print_error(error.location().file.empty() ? name + ": " + error.what() : error.what());
            result["ok"] = false;
            result["error"] = json_of(error.location(), error.message());
            code = exit_bad_input;
        }
        results.push_back(std::move(result));
    }
    if (const auto out = files.open("--json", arguments.json)) {
        out->finish(core::text_of({{"scenes", results}}, 1));
    }
    return code;
}

} // namespace cairn::cli
