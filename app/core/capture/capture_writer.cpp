#include "app/core/base/error.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/frames.h"
#include "app/core/capture/keyframe.h"
#include "app/core/capture/scene_records.h"

namespace cairn::core {
namespace {

// A crash loses at most what is not yet in a frame: one second at 60 Hz. Frames much shorter than this compress badly.
constexpr std::uint64_t steps_per_frame = 60;
constexpr std::size_t bytes_per_frame = std::size_t{64} << 10;

} // namespace

struct CaptureWriter::Impl {
    FrameWriter frames;
    CborWriter records;
    std::uint64_t steps = 0, steps_in_frame = 0;
    bool finished = false;
    SceneBodies bodies; // of the scene, which keyframes refer to

    Impl(const std::filesystem::path& path, const Scene& scene) : frames(path), bodies(scene) {}

    void flush() {
        if (records.bytes().empty()) {
            return;
        }
        frames.write(records.bytes());
        records.clear();
        steps_in_frame = 0;
    }
};

CaptureWriter::CaptureWriter(const std::filesystem::path& path, const Scene& scene, std::uint64_t initial_hash)
    : impl_(std::make_unique<Impl>(path, scene)) {
    CborWriter& out = impl_->records;
    out.array(2);
    out.text("header");
    out.map(5);
    out.text("format");
    out.text("cairn-capture");
    out.text("version");
    out.unsigned_integer(static_cast<std::uint64_t>(capture_version));
    out.text("build");
    out.text(build_name());
    out.text("initial_hash");
    out.unsigned_integer(initial_hash);
    out.text("scene");
    encode(out, scene);
    impl_->flush();
}

CaptureWriter::~CaptureWriter() = default;

void CaptureWriter::add(const CaptureStep& step) {
    if (impl_->finished || step.step != impl_->steps + 1) {
        throw std::logic_error("capture steps must come in order, before finish()");
    }
    CborWriter& out = impl_->records;
    out.array(2);
    out.text("step");
    out.map(4);
    out.text("step");
    out.unsigned_integer(step.step);
    out.text("commands");
    out.array(step.commands.size());
    out.raw(step.commands.bytes());
    out.text("hash");
    out.unsigned_integer(step.hash);
    out.text("digest");
    if (step.digest) {
        encode(out, *step.digest);
    } else {
        out.null();
    }
    ++impl_->steps;
    if (++impl_->steps_in_frame >= steps_per_frame || out.bytes().size() >= bytes_per_frame) {
        impl_->flush();
    }
}

std::size_t CaptureWriter::add_keyframe(const physics::StateImage& state) {
    if (impl_->finished || state.step != impl_->steps) {
        throw std::logic_error("a keyframe belongs after its step, before finish()");
    }
    // A frame of its own: readers go there at once, and pass it without looking in.
    impl_->flush();
    CborWriter& out = impl_->records;
    out.array(2);
    out.text("keyframe");
    encode(out, state, impl_->bodies);
    const std::size_t size = out.bytes().size();
    impl_->flush();
    return size;
}

void CaptureWriter::finish() {
    if (impl_->finished) {
        return;
    }
    impl_->finished = true;
    CborWriter& out = impl_->records;
    out.array(2);
    out.text("end");
    out.map(1);
    out.text("steps");
    out.unsigned_integer(impl_->steps);
    impl_->flush();
    impl_->frames.close();
}

std::filesystem::path CaptureWriter::keep() {
    impl_->finished = true;
    if (impl_->steps == impl_->steps_in_frame || impl_->frames.unfinished() == path()) {
        return {}; // no step is in the file, or it has no place of its own
    }
    impl_->frames.keep();
    return impl_->frames.unfinished();
}

std::uint64_t CaptureWriter::steps() const {
    return impl_->steps;
}

const std::filesystem::path& CaptureWriter::path() const {
    return impl_->frames.path();
}

std::string build_name() {
#if defined(__clang__)
    const std::string compiler = "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
    const std::string compiler = "g++ " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#else
    const std::string compiler = "unknown compiler";
#endif
#if defined(NDEBUG)
    const std::string mode = "optimised";
#else
    const std::string mode = "with assertions";
#endif
    return std::string("cairn ") + CAIRN_VERSION + ", " + compiler + ", " + mode;
}

} // namespace cairn::core
