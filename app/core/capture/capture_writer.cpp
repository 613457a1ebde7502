#include "app/core/base/build_facts.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/keyframe.h"
#include "app/core/capture/records/scene_records.h"
#include "app/core/capture/records/surface_records.h"

#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

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
    SceneBodies bodies;            // of the scene, which keyframes refer to
    std::set<SurfaceKey> surfaces; // that are in the file
    std::vector<physics::HeightField> fields_of_scene;
    bool knows_blocks_of_scene = false; // their blocks are among the surfaces
    BlockNames block_names;

    Impl(const std::filesystem::path& path, const Scene& scene) : frames(path), bodies(scene) {
        for (const physics::BodyDef& body : scene.bodies) {
            for (const physics::ShapeDef& shape : body.shapes) {
                if (const auto* mesh = std::get_if<physics::Mesh>(&shape.geometry)) {
                    note(*mesh);
                } else if (const auto* field = std::get_if<physics::HeightField>(&shape.geometry)) {
                    note(*field);
                }
            }
        }
    }

    void note(const AnySurface& surface) {
        if (worth_naming(surface)) {
            surfaces.insert(key_of(surface, block_names));
            if (const auto* field = std::get_if<physics::HeightField>(&surface)) {
                fields_of_scene.push_back(*field);
            }
        }
    }

    // In frames of their own, in front of what names them. Returns how many bytes they are before compression.
    std::size_t write_new(const std::vector<std::pair<SurfaceKey, AnySurface>>& named) {
        std::size_t bytes = 0;
        for (const auto& [key, surface] : named) {
            if (surfaces.contains(key)) {
                continue;
            }
            const auto* field = std::get_if<physics::HeightField>(&surface);
            if (field != nullptr && has_blocks(*field)) {
                bytes += write_field(key, *field->data);
            } else if (field != nullptr) {
                bytes += write_record({key, *field});
            } else {
                bytes += write_record({key, std::get<physics::Mesh>(surface)});
            }
        }
        return bytes;
    }

    std::size_t write_field(const SurfaceKey& key, const physics::HeightData& data) {
        if (!std::exchange(knows_blocks_of_scene, true)) {
            for (const physics::HeightField& field : fields_of_scene) {
                for (std::size_t k = 0; k < field.data->heights.blocks().size(); ++k) {
                    surfaces.insert(block_names.of(field.data->heights, k));
                }
            }
        }
        std::size_t bytes = 0;
        NamedField named;
        named.data.columns = data.columns;
        named.data.rows = data.rows;
        named.data.spacing = data.spacing;
        named.data.holes = data.holes;
        for (std::size_t k = 0; k < data.heights.blocks().size(); ++k) {
            named.blocks.push_back(block_names.of(data.heights, k));
            if (!surfaces.contains(named.blocks.back())) {
                const std::span<const float> block = data.heights.block(k);
                bytes += write_record({named.blocks.back(), HeightBlock{{block.begin(), block.end()}}});
            }
        }
        return bytes + write_record({key, std::move(named)});
    }

    std::size_t write_record(const SurfaceRecord& record) {
        surfaces.insert(record.key);
        flush();
        records.array(2);
        records.text("surface");
        encode(records, record);
        const std::size_t bytes = records.bytes().size();
        flush();
        return bytes;
    }

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
    impl_->write_new(step.commands.surfaces().all());
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
    NamedSurfaces named;
    CborWriter keyframe;
    encode(keyframe, state, impl_->bodies, [&](const AnySurface& surface) {
        const SurfaceKey key = key_of(surface, impl_->block_names);
        named.add(key, surface);
        return std::optional(key);
    });
    const std::size_t surface_bytes = impl_->write_new(named.all());
    impl_->block_names.forget_unused();
    CborWriter& out = impl_->records;
    out.array(2);
    out.text("keyframe");
    out.raw(keyframe.bytes());
    const std::size_t size = out.bytes().size() + surface_bytes;
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
    return std::string("cairn ") + program_version + ", " + compiler + ", " + mode;
}

} // namespace cairn::core
