// Prints the checkpoints of every shipped scene as JSON: print_hashes [THREADS [LAST-STEP]].
#include "tests/golden/scene_runs.h"

#include <cstdio>
#include <cstdlib>
#include <exception>

int main(int argc, char** argv) {
    namespace golden = cairn::golden;
    const int threads = argc > 1 ? std::atoi(argv[1]) : 1;
    const long last_step = argc > 2 ? std::atol(argv[2]) : static_cast<long>(golden::checkpoints.back());
    if (argc > 3 || threads < 1 || last_step < 0) {
        std::fprintf(stderr, "usage: %s [THREADS [LAST-STEP]]\n", argv[0]);
        return 2;
    }
    try {
        const char* separator = "{";
        for (const auto& scene : golden::shipped_scenes()) {
            std::printf("%s\n\"%s\": [", separator, scene.stem().c_str());
            separator = ",";
            const char* comma = "";
            for (const auto& at : golden::run_scene(scene, threads, static_cast<std::uint64_t>(last_step))) {
                std::printf("%s\n  {\"step\": %llu, \"bodies\": %u, \"contact_points\": %u, \"hash\": \"%s\"}", comma,
                            static_cast<unsigned long long>(at.step), at.bodies, at.contact_points, at.hash.c_str());
                comma = ",";
            }
            std::printf("]");
        }
        std::printf("\n}\n");
    } catch (const std::exception& error) {
        std::fprintf(stderr, "error: %s\n", error.what());
        return 2;
    }
    return 0;
}
