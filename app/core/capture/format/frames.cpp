#include "app/core/capture/format/frames.h"

#include "app/core/base/error.h"
#include "app/core/base/files/output_file.h"
#include "app/core/base/files/standard_input.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <zstd.h>

namespace cairn::core {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using OpenFile = std::unique_ptr<std::FILE, CloseFile>;

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

constexpr int compression_level = 3; // zstd's own default: recording must not slow the simulation down
constexpr std::size_t chunk = std::size_t{128} << 10;

[[noreturn]] void fail_frames(const std::filesystem::path& path, const std::string& what) {
    throw InputError(Location{shown_name(path), 0, 0}, what);
}

// What a frame begins with: zstd's magic number, little-endian, and a byte that tells, among others, whether a checksum
// ends it (RFC 8878, section 3.1.1).
constexpr std::size_t frame_start = 5;
constexpr std::array<std::uint8_t, 4> frame_magic = {0x28, 0xb5, 0x2f, 0xfd};
constexpr std::uint8_t has_checksum = 1u << 2;

void set_up(ZSTD_CCtx* context) {
    if (context == nullptr) {
        throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
}

// Returns the size; `out` only grows.
std::size_t compress(ZSTD_CCtx* context, std::span<const std::uint8_t> content, std::vector<std::uint8_t>& out) {
    out.resize(std::max(out.size(), ZSTD_compressBound(content.size())));
    const std::size_t size = ZSTD_compress2(context, out.data(), out.size(), content.data(), content.size());
    if (ZSTD_isError(size)) {
        throw InputError(std::string("a frame cannot be compressed: ") + ZSTD_getErrorName(size));
    }
    return size;
}

} // namespace

std::vector<std::uint8_t> compressed_frame(std::span<const std::uint8_t> content) {
    const std::unique_ptr<ZSTD_CCtx, FreeCompressor> context(ZSTD_createCCtx());
    set_up(context.get());
    std::vector<std::uint8_t> out;
    out.resize(compress(context.get(), content, out));
    return out;
}

struct FrameWriter::Impl {
    explicit Impl(const std::filesystem::path& path) : file(path) {}

    OutputFile file;
    bool closed = false;
    std::unique_ptr<ZSTD_CCtx, FreeCompressor> context{ZSTD_createCCtx()};
    std::vector<std::uint8_t> compressed;
    std::uint64_t total = 0;
};

FrameWriter::FrameWriter(const std::filesystem::path& path) : impl_(std::make_unique<Impl>(path)) {
    set_up(impl_->context.get());
}

FrameWriter::~FrameWriter() = default;

void FrameWriter::write(std::span<const std::uint8_t> content) {
    if (content.size() > max_frame_bytes || impl_->total + content.size() > max_capture_bytes) {
        fail_frames(path(), "the recording is too large for a capture: record a shorter run");
    }
    if (impl_->closed) {
        fail_frames(path(), "is closed");
    }
    const std::size_t size = compress(impl_->context.get(), content, impl_->compressed);
    impl_->file.write(std::span<const std::uint8_t>(impl_->compressed).first(size));
    impl_->total += content.size();
}

void FrameWriter::close() {
    if (!impl_->closed) {
        impl_->closed = true;
        impl_->file.finish();
    }
}

void FrameWriter::keep() {
    impl_->closed = true;
    impl_->file.keep();
}

const std::filesystem::path& FrameWriter::path() const {
    return impl_->file.path();
}

const std::filesystem::path& FrameWriter::unfinished() const {
    return impl_->file.unfinished();
}

struct FrameReader::Impl {
    std::filesystem::path path;
    OpenFile file;
    std::unique_ptr<ZSTD_DCtx, FreeDecompressor> context{ZSTD_createDCtx()};
    std::vector<std::uint8_t> input = std::vector<std::uint8_t>(chunk);
    std::size_t begin = 0, end = 0; // what is left of `input`
    std::uint64_t offset = 0;       // in the file, of input[begin]
    std::uint64_t frame_offset = 0; // in the file
    std::uint64_t total = 0;        // bytes decompressed
    std::uint64_t frame_limit = 0, file_limit = 0;
    std::vector<std::uint8_t> piece = std::vector<std::uint8_t>(chunk); // as it is decompressed
    std::vector<std::uint8_t> waiting;                                  // content that was not taken yet
    bool truncated = false;

    // Of a frame that begins here: frames without a checksum would hide damage, and others are no content at all.
    // False: the file ends before that is known.
    bool check_start() {
        if (end - begin < frame_start) {
            std::copy(input.begin() + static_cast<std::ptrdiff_t>(begin),
                      input.begin() + static_cast<std::ptrdiff_t>(end), input.begin());
            end -= begin;
            begin = 0;
            end += std::fread(input.data() + end, 1, input.size() - end, file.get());
            if (end < frame_start) {
                return false;
            }
        }
        const std::uint8_t* start = input.data() + begin;
        if (!std::equal(frame_magic.begin(), frame_magic.end(), start)) {
            damaged("no frame begins here");
        }
        if ((start[frame_magic.size()] & has_checksum) == 0) {
            damaged("the frame has no checksum");
        }
        return true;
    }

    bool fill() {
        if (begin < end) {
            return true;
        }
        begin = 0;
        end = std::fread(input.data(), 1, input.size(), file.get());
        if (end == 0 && std::ferror(file.get()) != 0) {
            fail_frames(path, std::string("cannot be read: ") + std::strerror(errno));
        }
        return end > 0;
    }
    [[noreturn]] void damaged(const std::string& what) const {
        fail_frames(path, "damaged at byte " + std::to_string(frame_offset) + ": " + what);
    }
};

FrameReader::FrameReader(const std::filesystem::path& path, std::uint64_t frame_limit, std::uint64_t file_limit,
                         std::uint64_t from)
    : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    impl_->frame_limit = frame_limit;
    impl_->file_limit = file_limit;
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) {
        fail_frames(path, "is a folder, not a capture");
    }
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        fail_frames(path, not_regular);
    }
    impl_->file.reset(std::fopen(path.c_str(), "rb"));
    if (!impl_->file) {
        fail_frames(path, std::string("cannot be opened: ") + std::strerror(errno));
    }
    if (from != 0 && ::fseeko(impl_->file.get(), static_cast<off_t>(from), SEEK_SET) != 0) {
        fail_frames(path, std::string("cannot be read: ") + std::strerror(errno));
    }
    impl_->offset = from;
    if (!impl_->context) {
        throw std::bad_alloc();
    }
}

FrameReader::~FrameReader() = default;

bool FrameReader::next(const Take& take) {
    Impl& r = *impl_;
    r.waiting.clear();
    r.frame_offset = r.offset;
    if (!r.fill()) {
        return false;
    }
    if (!r.check_start()) {
        r.truncated = true;
        return false;
    }
    ZSTD_DCtx_reset(r.context.get(), ZSTD_reset_session_only);
    std::uint64_t used = 0; // bytes of this frame's content so far
    std::size_t ask_at = chunk;
    for (bool whole = false; !whole;) {
        if (!r.fill()) {
            r.truncated = true;
            r.waiting = {};
            return false;
        }
        ZSTD_inBuffer in{r.input.data(), r.end, r.begin};
        ZSTD_outBuffer out{r.piece.data(), r.piece.size(), 0};
        const std::size_t left = ZSTD_decompressStream(r.context.get(), &out, &in);
        if (ZSTD_isError(left)) {
            r.damaged(ZSTD_getErrorName(left));
        }
        r.offset += in.pos - r.begin;
        r.begin = in.pos;
        used += out.pos;
        if (used > r.frame_limit || r.total + used > r.file_limit) {
            r.damaged("the content is larger than a capture may be");
        }
        r.waiting.insert(r.waiting.end(), r.piece.begin(), r.piece.begin() + static_cast<std::ptrdiff_t>(out.pos));
        whole = left == 0;
        if (whole || r.waiting.size() >= ask_at) {
            // Never 0 before the end has been seen, though nothing but the end may follow.
            const std::uint64_t to_come = whole ? 0 : std::min(r.frame_limit - used, r.file_limit - r.total - used) + 1;
            const std::size_t taken = take(r.waiting, to_come);
            r.waiting.erase(r.waiting.begin(), r.waiting.begin() + static_cast<std::ptrdiff_t>(taken));
            ask_at = std::max(2 * r.waiting.size(), chunk);
        }
    }
    r.total += used;
    return true;
}

std::uint64_t FrameReader::frame_offset() const {
    return impl_->frame_offset;
}

std::uint64_t FrameReader::end_offset() const {
    return impl_->offset;
}

bool FrameReader::truncated() const {
    return impl_->truncated;
}

} // namespace cairn::core
