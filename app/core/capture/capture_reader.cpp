#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/frames.h"
#include "app/core/capture/keyframe.h"
#include "app/core/capture/records/scene_records.h"
#include "app/core/capture/records/surface_records.h"
#include "physics/world/parameters/validation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>

namespace cairn::core {
namespace {

// Little-endian 0xFD2FB528 at the start of every zstd frame. No text file begins so: the bytes are not UTF-8.
constexpr std::array<unsigned char, 4> zstd_magic = {0x28, 0xb5, 0x2f, 0xfd};

class RecordReader {
  public:
    // `forgiving`: damage is where the file ends, if it comes behind the header.
    explicit RecordReader(const std::filesystem::path& path, bool forgiving = false)
        : path_(path), forgiving_(forgiving), frames_(path) {
        capture_.surfaces = std::make_shared<FileSurfaces>(path);
    }

    Capture read() {
        const FrameReader::Take records = [this](std::span<const std::uint8_t> content, std::uint64_t to_come) {
            return take(content, to_come);
        };
        begin_frame();
        try {
            while (frames_.next(records)) {
                begin_frame();
                whole_bytes_ = frames_.end_offset();
            }
        } catch (const InputError&) {
            if (!forgiving_ || !header_before_) {
                throw;
            }
            drop_frame();
        }
        if (frames_.truncated()) {
            drop_frame();
        }
        if (!header_seen_) {
            fail(frames_.truncated() ? "the file is cut off inside its header, so nothing can be loaded"
                                     : "the file is empty");
        }
        capture_.truncated = !end_seen_;
        capture_.path = path_;
        return std::move(capture_);
    }

    std::uint64_t whole_bytes() const { return whole_bytes_; }

  private:
    [[noreturn]] void fail(const std::string& what) const { throw InputError(Location{shown_name(path_), 0, 0}, what); }

    void begin_frame() {
        taken_ = 0;
        pass_ = false;
        steps_before_ = capture_.steps.size();
        keyframes_before_ = capture_.keyframes.size();
        header_before_ = header_seen_;
        end_before_ = end_seen_;
    }

    // What is left of a frame that is cut off: its records were taken before that was known.
    void drop_frame() {
        capture_.steps.resize(steps_before_);
        capture_.keyframes.resize(keyframes_before_);
        header_seen_ = header_before_;
        end_seen_ = end_before_;
    }

    // The whole records at the start of what has come of the frame; returns how long they are.
    std::size_t take(std::span<const std::uint8_t> content, std::uint64_t to_come) {
        CborReader in(content, to_come);
        std::size_t whole = 0;
        try {
            while (!pass_ && !in.at_end()) {
                pass_ = !record(in);
                whole = in.offset();
            }
        } catch (const CborCutOff&) {
            if (!header_seen_) {
                capture_.header = {}; // read again from its start when more has come
            }
        } catch (const CborError& error) {
            fail("damaged at byte " + std::to_string(frames_.frame_offset()) + ": " + error.what() + " (content byte " +
                 std::to_string(taken_ + error.offset()) + " of the frame there)");
        }
        if (pass_) {
            whole = content.size();
        }
        taken_ += whole;
        return whole;
    }

    // Returns whether the frame holds more to look at.
    bool record(CborReader& in) {
        if (end_seen_) {
            in.fail("something follows the end record");
        }
        const std::size_t place = taken_ + in.offset(); // within its frame
        in.array(2);
        const std::string_view kind = in.text();
        if (!header_seen_) {
            if (kind != "header") {
                in.fail("a capture starts with its header");
            }
            header(in);
            header_seen_ = true;
        } else if (kind == "step") {
            step(in);
        } else if (kind == "end") {
            in.map(1);
            in.key("steps");
            if (in.unsigned_integer() != capture_.steps.size()) {
                in.fail("steps are missing before the end record");
            }
            end_seen_ = true;
        } else if (kind == "keyframe" && capture_.version >= 3) {
            // Alone in its frame; read when somebody goes there.
            const std::uint64_t step = decode_keyframe_step(in);
            if (step != capture_.steps.size()) {
                in.fail("a keyframe of step " + std::to_string(step) + " comes after step " +
                        std::to_string(capture_.steps.size()));
            }
            if (place != 0) {
                in.fail("a keyframe stands behind other records, and not in a frame of its own");
            }
            capture_.keyframes.push_back({step, frames_.frame_offset()});
            return false;
        } else if (kind == "surface" && capture_.version >= 4) {
            // As a keyframe is.
            const SurfaceKey key = decode_surface_key(in);
            if (place != 0) {
                in.fail("a surface stands behind other records, and not in a frame of its own");
            }
            capture_.surfaces->add(key, frames_.frame_offset());
            return false;
        } else {
            in.fail("a record of unknown kind");
        }
        return true;
    }

    void header(CborReader& in) {
        // Format and version come first in every version, so that any program can name what it cannot read.
        const std::uint64_t pairs = in.map();
        in.key("format");
        if (in.text() != "cairn-capture") {
            in.fail("this is not a capture of cairn");
        }
        in.key("version");
        const std::uint64_t version = in.unsigned_integer();
        const bool newer = version > static_cast<std::uint64_t>(capture_version);
        if (newer || version < static_cast<std::uint64_t>(oldest_capture_version)) {
            fail("this is a capture of version " + std::to_string(version) + ", and this program reads versions " +
                 std::to_string(oldest_capture_version) + " to " + std::to_string(capture_version) +
                 (newer ? ": open it with a newer cairn" : ": record it again, or open it with an older cairn"));
        }
        capture_.version = static_cast<int>(version);
        if (pairs != 5) {
            in.fail("expected five members in the header");
        }
        in.key("build");
        capture_.header.build = in.text();
        in.key("initial_hash");
        capture_.initial_hash = in.unsigned_integer();
        in.key("scene");
        Scene& scene = capture_.header.scene;
        decode(in, scene);
        for (const physics::BodyDef& body : scene.bodies) {
            for (const physics::ShapeDef& shape : body.shapes) {
                note_surface(shape.geometry);
            }
        }
        // The bodies are checked by the world that is made of them, but it has nobody to complain to about its
        // settings.
        if (const std::string problem = physics::problem_with(scene.settings); !problem.empty()) {
            in.fail("the scene's settings: " + problem);
        }
        for (const physics::Vec3& point : {scene.camera.eye, scene.camera.target}) {
            if (!std::isfinite(point.x) || !std::isfinite(point.y) || !std::isfinite(point.z)) {
                in.fail("the scene's camera is not at finite coordinates");
            }
        }
        if (scene.camera.eye == scene.camera.target) {
            in.fail("the scene's camera looks at the point where it is");
        }
    }

    void note_surface(const physics::Geometry& geometry) {
        if (const auto* mesh = std::get_if<physics::Mesh>(&geometry); mesh != nullptr && worth_naming(*mesh)) {
            if (noted_.insert(mesh->data.get()).second) {
                capture_.surfaces->add(*mesh);
            }
        } else if (const auto* field = std::get_if<physics::HeightField>(&geometry);
                   field != nullptr && worth_naming(*field)) {
            if (noted_.insert(field->data.get()).second) {
                capture_.surfaces->add(*field);
            }
        }
    }

    void step(CborReader& in) {
        CaptureStep step;
        in.map(capture_.version >= 3 ? 4 : 3);
        in.key("step");
        step.step = in.unsigned_integer();
        if (step.step != capture_.steps.size() + 1) {
            in.fail("step " + std::to_string(step.step) + " comes where step " +
                    std::to_string(capture_.steps.size() + 1) + " is due");
        }
        in.key("commands");
        step.commands.take(in, in.array(), [this](const SurfaceKey& key) { return capture_.surfaces->find(key); });
        in.key("hash");
        step.hash = in.unsigned_integer();
        if (capture_.version >= 3) {
            in.key("digest");
            if (!in.take_null()) {
                auto digest = std::make_shared<physics::StateDigest>();
                decode(in, *digest);
                step.digest = std::move(digest);
            }
        }
        capture_.steps.push_back(std::move(step));
    }

    std::filesystem::path path_;
    bool forgiving_;
    std::uint64_t whole_bytes_ = 0;
    FrameReader frames_;
    Capture capture_;
    std::set<const void*> noted_; // surfaces of the scene
    bool header_seen_ = false, end_seen_ = false;
    // Of the frame that is read:
    std::size_t taken_ = 0; // bytes of its content
    bool pass_ = false;     // the rest of it is of no interest now
    std::size_t steps_before_ = 0, keyframes_before_ = 0;
    bool header_before_ = false, end_before_ = false;
};

} // namespace

Capture read_capture(const std::filesystem::path& path) {
    return RecordReader(path).read();
}

PartialCapture read_whole_part(const std::filesystem::path& path) {
    RecordReader reader(path, true);
    PartialCapture part{reader.read(), 0};
    part.whole_bytes = reader.whole_bytes();
    return part;
}

physics::StateImage read_keyframe(const Capture& capture, const KeyframePlace& place) {
    const auto damaged = [&](const std::string& what) {
        return InputError(Location{shown_name(capture.path), 0, 0},
                          "damaged at byte " + std::to_string(place.offset) + ": " + what);
    };
    FrameReader frames(capture.path, max_frame_bytes, max_capture_bytes, place.offset);
    const SceneBodies bodies(capture.header.scene);
    physics::StateImage state;
    const FrameReader::Take keyframe = [&](std::span<const std::uint8_t> content,
                                           std::uint64_t to_come) -> std::size_t {
        CborReader in(content, to_come);
        state = {};
        try {
            in.array(2);
            in.key("keyframe");
            decode(in, state, bodies, [&capture](const SurfaceKey& key) {
                return capture.surfaces != nullptr ? capture.surfaces->find(key) : std::nullopt;
            });
            if (!in.at_end()) {
                in.fail("something follows the keyframe in its frame");
            }
        } catch (const CborCutOff&) {
            state = {}; // read again from its start when more has come
        } catch (const CborError& error) {
            throw damaged(std::string(error.what()) + " (content byte " + std::to_string(error.offset()) +
                          " of the frame there)");
        }
        return 0;
    };
    if (!frames.next(keyframe)) {
        throw damaged("the keyframe that was here is gone");
    }
    if (state.step != place.step) {
        throw damaged("the keyframe that was here has changed");
    }
    return state;
}

namespace {

// Its first bytes, so many at most; none of what is no file.
std::string start_of(const std::filesystem::path& path, std::size_t most) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return {};
    }
    std::string start(most, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(most));
    start.resize(static_cast<std::size_t>(file.gcount()));
    return start;
}

} // namespace

bool looks_like_capture(const std::filesystem::path& path) {
    const std::string start = start_of(path, zstd_magic.size());
    return std::ranges::equal(start, zstd_magic,
                              [](char c, auto magic) { return static_cast<unsigned char>(c) == magic; });
}

bool is_meant_as_capture(const std::filesystem::path& path) {
    std::error_code ignored;
    return looks_like_capture(path) ||
           (path.extension() == ".cairn" && std::filesystem::is_regular_file(path, ignored) && !looks_like_text(path));
}

bool looks_like_text(const std::filesystem::path& path) {
    const std::string start = start_of(path, 256);
    return !start.empty() && std::ranges::all_of(start, [](char c) {
        return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n' || c == '\r';
    });
}

} // namespace cairn::core
