#include "app/core/capture/verify/repair.h"

#include "app/core/base/error.h"
#include "app/core/base/files/output_file.h"
#include "app/core/base/files/standard_input.h"
#include "app/core/capture/capture.h"
#include "app/core/capture/format/cbor.h"
#include "app/core/capture/format/frames.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <span>
#include <string>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>
#include <vector>

namespace cairn::core {
namespace {

constexpr std::string_view unfinished_end = ".partial"; // as OutputFile calls it
constexpr std::size_t copied_chunk = std::size_t{1} << 16;

[[noreturn]] void fail_repair(const std::filesystem::path& path, const std::string& what) {
    throw InputError(Location{shown_name(path), 0, 0}, what);
}

// The file to be read, locked as OutputFile locks what it writes.
class Source {
  public:
    explicit Source(const std::filesystem::path& path)
        : path_(path), file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        if (file_ < 0) {
            fail_repair(path, std::string("cannot be opened: ") + std::strerror(errno));
        }
        if (::flock(file_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
            ::close(file_);
            fail_repair(path, "is still being recorded: let that run end first");
        }
    }
    ~Source() { ::close(file_); }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    std::uint64_t size() const { return static_cast<std::uint64_t>(std::max<::off_t>(::lseek(file_, 0, SEEK_END), 0)); }
    void copy(std::uint64_t bytes, OutputFile& to) const {
        std::vector<std::uint8_t> piece(copied_chunk);
        for (std::uint64_t at = 0; at < bytes;) {
            const std::size_t want = static_cast<std::size_t>(std::min<std::uint64_t>(copied_chunk, bytes - at));
            const ::ssize_t got = ::pread(file_, piece.data(), want, static_cast<::off_t>(at));
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got <= 0) {
                fail_repair(path_, got < 0 ? std::string("cannot be read: ") + std::strerror(errno)
                                           : "became shorter meanwhile");
            }
            to.write(std::span<const std::uint8_t>(piece).first(static_cast<std::size_t>(got)));
            at += static_cast<std::uint64_t>(got);
        }
    }

  private:
    std::filesystem::path path_;
    int file_;
};

} // namespace

std::filesystem::path repaired_name(const std::filesystem::path& path) {
    const std::string name = path.string();
    return name.ends_with(unfinished_end) ? std::filesystem::path(name.substr(0, name.size() - unfinished_end.size()))
                                          : path;
}

Repair repair(const std::filesystem::path& from, const std::filesystem::path& to) {
    const Source source(from);
    PartialCapture part = read_whole_part(from);
    Repair result;
    bool ended = !part.capture.truncated;
    result.steps = part.capture.steps.size();
    // Keyframes are passed over when a capture is read: one that is damaged ends what is whole.
    for (const KeyframePlace& place : part.capture.keyframes) {
        try {
            read_keyframe(part.capture, place);
            ++result.keyframes;
        } catch (const InputError&) {
            part.whole_bytes = place.offset;
            result.steps = place.step;
            ended = false;
            break;
        }
    }
    result.lost_bytes = source.size() - part.whole_bytes;
    result.incomplete = !ended || result.lost_bytes > 0;
    if (!result.incomplete && from == to) {
        return result;
    }
    // A recording F.partial is where a file F is prepared, too: it is repaired in its place, and renamed then.
    const bool renamed = std::filesystem::path(followed(to).string() + std::string(unfinished_end)) == from;
    OutputFile file(renamed ? from : to);
    source.copy(part.whole_bytes, file);
    if (!ended) {
        CborWriter end;
        end.array(2);
        end.text("end");
        end.map(1);
        end.text("steps");
        end.unsigned_integer(result.steps);
        file.write(compressed_frame(end.bytes()));
    }
    file.finish();
    if (renamed) {
        std::error_code error;
        std::filesystem::rename(from, to, error);
        if (error) {
            fail_repair(to, "cannot be written: " + error.message() + "; the repaired capture is " + from.string());
        }
    }
    return result;
}

} // namespace cairn::core
