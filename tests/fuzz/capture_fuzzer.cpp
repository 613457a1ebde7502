// Captures: refused with a message or read; a small one replays. The first byte says how the rest becomes a file: as it
// stands, or as the contents of frames that are packed with right checksums, since no change of a packed file gets past
// these.
#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "tests/fuzz/input.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <zstd.h>

using namespace cairn;

namespace {

// Contents of frames: each two bytes of length, the lesser first, and the content.
std::string packed(std::string_view contents) {
    std::string file;
    ZSTD_CCtx* context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    while (contents.size() >= 2) {
        const std::size_t length = static_cast<unsigned char>(contents[0]) |
                                   static_cast<std::size_t>(static_cast<unsigned char>(contents[1])) << 8;
        contents.remove_prefix(2);
        const std::string_view content = contents.substr(0, length);
        contents.remove_prefix(content.size());
        std::string frame(ZSTD_compressBound(content.size()), '\0');
        frame.resize(ZSTD_compress2(context, frame.data(), frame.size(), content.data(), content.size()));
        file += frame;
    }
    ZSTD_freeCCtx(context);
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) {
        return 0;
    }
    const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
    const fuzz::MemoryFile file(data[0] == 0 ? std::string(rest) : packed(rest));
    core::looks_like_capture(file.path());
    try {
        const core::Capture capture = core::read_capture(file.path());
        if (capture.header.scene.bodies.size() <= 50 && capture.steps.size() <= 20) {
            core::verify_capture(capture);
            for (std::size_t i = 0; i < std::min<std::size_t>(capture.keyframes.size(), 3); ++i) {
                physics::World world = core::make_world(capture.header.scene);
                if (world.load(core::read_keyframe(capture, capture.keyframes[i])).empty()) {
                    world.step(); // whatever was accepted can go on
                    world.step();
                }
            }
        }
    } catch (const core::InputError&) {
        // as it should be
    }
    return 0;
}
