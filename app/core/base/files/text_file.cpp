#include "app/core/base/files/text_file.h"

#include "app/core/base/error.h"
#include "app/core/base/files/standard_input.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cairn::core {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& what, int error) {
    const std::string message = what + ": " + std::strerror(error);
    if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO) {
        throw OutputError({shown_name(path), 0, 0}, message);
    }
    throw InputError({shown_name(path), 0, 0}, message);
}

class File {
  public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    ~File() { close(); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int get() const { return descriptor_; }
    // 0, or the error number
    int close() {
        const int result = descriptor_ >= 0 ? ::close(descriptor_) : 0;
        descriptor_ = -1;
        return result == 0 ? 0 : errno;
    }

  private:
    int descriptor_;
};

} // namespace

std::string read_whole_file(const std::filesystem::path& path, std::uint64_t limit) {
    // Opening a pipe would wait for somebody who writes to it.
    const File file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) {
        fail(path, "cannot be opened", errno);
    }
    struct stat info {};
    if (::fstat(file.get(), &info) != 0) {
        fail(path, "cannot be opened", errno);
    }
    if (S_ISDIR(info.st_mode)) {
        throw InputError({shown_name(path), 0, 0}, "is a folder, not a file");
    }
    if (!S_ISREG(info.st_mode)) {
        throw InputError({shown_name(path), 0, 0}, not_regular);
    }
    if (static_cast<std::uint64_t>(info.st_size) > limit) {
        throw InputError({shown_name(path), 0, 0},
                         "is larger than the " + std::to_string(limit >> 20) + " MiB that are read of such a file");
    }
    std::string text;
    constexpr std::size_t chunk = std::size_t{1} << 16;
    // From its start, whoever has read from the standard input before.
    for (::off_t at = 0;;) {
        const std::size_t size = text.size();
        text.resize(size + chunk);
        const ::ssize_t got = ::pread(file.get(), text.data() + size, chunk, at);
        if (got < 0 && errno == EINTR) {
            text.resize(size);
            continue;
        }
        if (got < 0) {
            fail(path, "cannot be read", errno);
        }
        text.resize(size + static_cast<std::size_t>(got));
        at += got;
        if (got == 0) {
            return text;
        }
        if (text.size() > limit) { // it grows while it is read
            throw InputError({shown_name(path), 0, 0}, "grows while it is read");
        }
    }
}

void replace_file(const std::filesystem::path& path, std::string_view content, bool forced) {
    std::error_code ignored;
    std::filesystem::path target = std::filesystem::weakly_canonical(path, ignored);
    if (ignored || target.empty()) {
        target = path;
    }
    struct stat info {};
    const bool exists = ::stat(target.c_str(), &info) == 0;
    if (exists && !S_ISREG(info.st_mode)) {
        // A pipe or a device (/dev/stdout) cannot be replaced, only written to.
        if (S_ISDIR(info.st_mode)) {
            throw InputError({path.string(), 0, 0}, "is a folder, not a file");
        }
        target = path;
    }
    const bool in_place = exists && !S_ISREG(info.st_mode);
    std::string temporary = in_place ? target.string() : target.string() + ".XXXXXX";
    File file(in_place ? ::open(temporary.c_str(), O_WRONLY | O_CLOEXEC) : ::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) {
        fail(path, "cannot be written", errno);
    }
    const auto give_up = [&](int error) {
        if (!in_place) {
            ::unlink(temporary.c_str());
        }
        fail(path, "cannot be written", error);
    };
    for (std::size_t done = 0; done < content.size();) {
        const ::ssize_t put = ::write(file.get(), content.data() + done, content.size() - done);
        if (put < 0 && errno != EINTR) {
            give_up(errno);
        }
        done += put > 0 ? static_cast<std::size_t>(put) : 0;
    }
    if (in_place) {
        if (const int error = file.close(); error != 0) {
            give_up(error);
        }
        return;
    }
    // mkostemp makes files for the owner alone; a replaced file keeps its mode, a new one gets what the umask leaves.
    const ::mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(file.get(), exists ? (info.st_mode & 07777) : (0666 & ~mask)) != 0 ||
        (forced && ::fsync(file.get()) != 0)) {
        give_up(errno);
    }
    if (const int error = file.close(); error != 0) {
        give_up(error);
    }
    if (::rename(temporary.c_str(), target.c_str()) != 0) {
        give_up(errno);
    }
    if (!forced) {
        return;
    }
    // The rename itself survives a crash only once the folder is on disk. Some file systems reject; the file is whole
    // either way.
    const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
    const File directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) {
        ::fsync(directory.get());
    }
}

} // namespace cairn::core
