#include "app/core/capture/frames.h"

#include "app/core/base/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>
#include <unistd.h>
#include <zstd.h>

namespace cairn::core {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

struct FreeCompressor {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
struct FreeDecompressor {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

constexpr int compression_level = 3; // zstd's own default: recording must not slow the simulation down
constexpr std::size_t chunk = std::size_t{128} << 10;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what) {
    throw InputError(Location{path.string(), 0, 0}, what);
}

} // namespace

struct FrameWriter::Impl {
    std::filesystem::path path;
    File file;
    std::unique_ptr<ZSTD_CCtx, FreeCompressor> context{ZSTD_createCCtx()};
    std::vector<std::uint8_t> compressed;
    std::uint64_t total = 0;
};

FrameWriter::FrameWriter(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    impl_->file.reset(std::fopen(path.c_str(), "wb"));
    if (!impl_->file) {
        fail(path, std::string("cannot be written: ") + std::strerror(errno));
    }
    if (!impl_->context) {
        throw std::bad_alloc();
    }
    ZSTD_CCtx_setParameter(impl_->context.get(), ZSTD_c_compressionLevel, compression_level);
    ZSTD_CCtx_setParameter(impl_->context.get(), ZSTD_c_checksumFlag, 1);
}

FrameWriter::~FrameWriter() = default;

void FrameWriter::write(std::span<const std::uint8_t> content) {
    if (content.size() > max_frame_bytes || impl_->total + content.size() > max_capture_bytes) {
        fail(impl_->path, "the recording is too large for a capture: record a shorter run");
    }
    if (!impl_->file) {
        fail(impl_->path, "is closed");
    }
    impl_->compressed.resize(ZSTD_compressBound(content.size()));
    const std::size_t size = ZSTD_compress2(impl_->context.get(), impl_->compressed.data(), impl_->compressed.size(),
                                            content.data(), content.size());
    if (ZSTD_isError(size)) {
        fail(impl_->path, std::string("cannot be compressed: ") + ZSTD_getErrorName(size));
    }
    if (std::fwrite(impl_->compressed.data(), 1, size, impl_->file.get()) != size ||
        std::fflush(impl_->file.get()) != 0) {
        fail(impl_->path, std::string("cannot be written: ") + std::strerror(errno));
    }
    impl_->total += content.size();
}

void FrameWriter::close() {
    if (!impl_->file) {
        return;
    }
    // Devices and pipes cannot be synced; that is no error of theirs.
    const bool synced = ::fsync(::fileno(impl_->file.get())) == 0 || errno == EINVAL || errno == EROFS;
    const bool closed = std::fclose(impl_->file.release()) == 0;
    if (!synced || !closed) {
        fail(impl_->path, std::string("cannot be written: ") + std::strerror(errno));
    }
}

const std::filesystem::path& FrameWriter::path() const {
    return impl_->path;
}

struct FrameReader::Impl {
    std::filesystem::path path;
    File file;
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

    bool fill() {
        if (begin < end) {
            return true;
        }
        begin = 0;
        end = std::fread(input.data(), 1, input.size(), file.get());
        if (end == 0 && std::ferror(file.get()) != 0) {
            fail(path, std::string("cannot be read: ") + std::strerror(errno));
        }
        return end > 0;
    }
    [[noreturn]] void damaged(const std::string& what) const {
        fail(path, "damaged at byte " + std::to_string(frame_offset) + ": " + what);
    }
};

FrameReader::FrameReader(const std::filesystem::path& path, std::uint64_t frame_limit, std::uint64_t file_limit,
                         std::uint64_t from)
    : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    impl_->frame_limit = frame_limit;
    impl_->file_limit = file_limit;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        fail(path, "is a folder, not a capture");
    }
    impl_->file.reset(std::fopen(path.c_str(), "rb"));
    if (!impl_->file) {
        fail(path, std::string("cannot be opened: ") + std::strerror(errno));
    }
    if (from != 0 && ::fseeko(impl_->file.get(), static_cast<off_t>(from), SEEK_SET) != 0) {
        fail(path, std::string("cannot be read: ") + std::strerror(errno));
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

bool FrameReader::truncated() const {
    return impl_->truncated;
}

} // namespace cairn::core
