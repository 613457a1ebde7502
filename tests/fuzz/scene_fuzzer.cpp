// Scene texts: refused with a message or read; what was read is written and read again as the same scene, and a small
// one runs.
#include "app/core/base/error.h"
#include "app/core/scene/scene.h"
#include "tests/fuzz/input.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace cairn;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const core::Scene scene = core::parse_scene(text, "input", fuzz::empty_folder());
        if (scene.bodies.size() > 100) {
            return 0; // repeats make many of few bytes: slow, and nothing new
        }
        if (core::parse_scene(core::write_scene(scene), "written", fuzz::empty_folder()) != scene) {
            std::fprintf(stderr, "a scene that was written is read as another one\n");
            std::abort();
        }
        physics::World world = core::make_world(scene);
        world.step();
        world.step();
    } catch (const core::InputError&) {
        // as it should be
    }
    return 0;
}
