#include "app/core/base/files/output_file.h"

#include "app/core/base/error.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cairn::core {

namespace fs = std::filesystem;

namespace {

constexpr int most_links = 40; // that are followed, as by the kernel

// The file that the descriptor stands for is still the one of that name.
bool is_named(int file, const fs::path& path) {
    struct stat here {
    }, there{};
    return ::fstat(file, &here) == 0 && ::stat(path.c_str(), &there) == 0 && here.st_dev == there.st_dev &&
           here.st_ino == there.st_ino;
}

} // namespace

fs::path followed(const fs::path& path) {
    fs::path at = path;
    std::error_code error;
    for (int links = 0; links < most_links && fs::is_symlink(fs::symlink_status(at, error)); ++links) {
        const fs::path next = fs::read_symlink(at, error);
        if (error) {
            return at;
        }
        at = next.is_absolute() ? next : at.parent_path() / next;
    }
    return at;
}

OutputFile::OutputFile(const fs::path& path) : path_(path), target_(path), unfinished_(path) {
    if (path == "-") {
        std::fflush(stdout); // what was printed before comes before
        file_ = STDOUT_FILENO;
        owned_ = false;
        return;
    }
    target_ = followed(path);
    std::error_code ignored;
    if (fs::is_symlink(fs::symlink_status(target_, ignored))) {
        fail(ELOOP);
    }
    struct stat info {};
    const bool exists = ::stat(path.c_str(), &info) == 0;
    if (exists && S_ISDIR(info.st_mode)) {
        throw InputError(Location{path_.string(), 0, 0}, "is a folder, not a file");
    }
    if (exists && !S_ISREG(info.st_mode)) {
        file_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
        if (file_ < 0) {
            fail(errno);
        }
        return;
    }
    if (exists && ::access(target_.c_str(), W_OK) != 0) {
        fail(errno); // a file that is protected is not replaced either
    }
    open_beside();
    if (exists) {
        ::fchmod(file_, info.st_mode & 07777);
    }
}

void OutputFile::open_beside() {
    unfinished_ = target_.string() + ".partial";
    for (;;) {
        file_ = ::open(unfinished_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (file_ < 0) {
            fail(errno);
        }
        if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
            const int error = errno;
            ::close(file_);
            file_ = -1;
            if (error == EWOULDBLOCK) {
                throw InputError(Location{path_.string(), 0, 0},
                                 "is being written by another run: let that end first, or choose another name");
            }
            fail(error);
        }
        if (is_named(file_, unfinished_)) {
            break;
        }
        ::close(file_); // it was finished between opening and locking
    }
    beside_ = true;
    if (::ftruncate(file_, 0) != 0) { // what a run that was killed has left
        fail(errno);
    }
}

OutputFile::~OutputFile() {
    if (beside_ && file_ >= 0) {
        ::unlink(unfinished_.c_str());
    }
    if (owned_ && file_ >= 0) {
        ::close(file_);
    }
}

void OutputFile::fail(int error) const {
    const std::string what = std::string("cannot be written: ") + std::strerror(error);
    const Location at{path_ == "-" ? std::string("the standard output") : path_.string(), 0, 0};
    if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EIO) {
        throw OutputError(at, what);
    }
    throw InputError(at, what);
}

void OutputFile::write(std::string_view text) {
    write_all(text.data(), text.size());
}

void OutputFile::write(std::span<const std::uint8_t> bytes) {
    write_all(static_cast<const char*>(static_cast<const void*>(bytes.data())), bytes.size());
}

void OutputFile::write_all(const char* bytes, std::size_t size) {
    for (std::size_t done = 0; done < size;) {
        const ::ssize_t put = ::write(file_, bytes + done, size - done);
        if (put < 0 && errno != EINTR) {
            fail(errno);
        }
        done += put > 0 ? static_cast<std::size_t>(put) : 0;
    }
    written_ += size;
}

void OutputFile::finish(std::string_view last) {
    write(last);
    finish();
}

void OutputFile::finish() {
    if (file_ < 0) {
        return;
    }
    // Devices and pipes cannot be synced; that is no error of theirs.
    if (beside_ && ::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) {
        fail(errno);
    }
    if (beside_) {
        // Before the lock goes, so that nobody else finds the name free while it still means this file.
        if (::rename(unfinished_.c_str(), target_.c_str()) != 0) {
            fail(errno);
        }
        beside_ = false;
        // The rename, too, is to survive a loss of power, where the file system can do that.
        const fs::path parent = target_.parent_path();
        const int folder = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (folder >= 0) {
            ::fsync(folder);
            ::close(folder);
        }
    }
    const int file = file_;
    file_ = -1;
    if (owned_ && ::close(file) != 0) {
        fail(errno);
    }
}

void OutputFile::keep() {
    if (beside_ && file_ >= 0) {
        beside_ = false;
        ::close(file_);
        file_ = -1;
    }
}

} // namespace cairn::core
