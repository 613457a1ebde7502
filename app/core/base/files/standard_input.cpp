#include "app/core/base/files/standard_input.h"

#include "app/core/base/error.h"
#include "app/core/base/interruption.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace cairn::core {
namespace {

[[noreturn]] void fail(const std::string& what) {
    throw InputError(Location{"standard input", 0, 0}, what);
}

std::filesystem::path path_of(int file) {
    return "/proc/self/fd/" + std::to_string(file);
}

// All that comes, in a file that has no name and goes with the program.
int collected(std::uint64_t limit) {
    const int file = ::memfd_create("standard input", MFD_CLOEXEC);
    if (file < 0) {
        fail(std::string("cannot be kept: ") + std::strerror(errno));
    }
    std::array<char, std::size_t{1} << 16> chunk;
    for (std::uint64_t total = 0;;) {
        const ::ssize_t got = ::read(STDIN_FILENO, chunk.data(), chunk.size());
        if (got < 0 && errno == EINTR) {
            interruption_point();
            continue;
        }
        if (got < 0) {
            fail(std::string("cannot be read: ") + std::strerror(errno));
        }
        if (got == 0) {
            return file;
        }
        total += static_cast<std::uint64_t>(got);
        if (total > limit) {
            fail("is larger than the " + std::to_string(limit >> 20) + " MiB that are read of it");
        }
        for (::ssize_t done = 0; done < got;) {
            const ::ssize_t put = ::write(file, chunk.data() + done, static_cast<std::size_t>(got - done));
            if (put < 0 && errno != EINTR) {
                fail(std::string("cannot be kept: ") + std::strerror(errno));
            }
            done += put > 0 ? put : 0;
        }
    }
}

std::filesystem::path& known_path() {
    static std::filesystem::path path;
    return path;
}

std::mutex& known_path_mutex() {
    static std::mutex mutex;
    return mutex;
}

} // namespace

std::filesystem::path standard_input_file(std::uint64_t limit) {
    const std::lock_guard lock(known_path_mutex());
    std::filesystem::path& path = known_path();
    if (path.empty()) {
        struct stat info {};
        const bool regular = ::fstat(STDIN_FILENO, &info) == 0 && S_ISREG(info.st_mode);
        path = path_of(regular ? STDIN_FILENO : collected(limit));
    }
    return path;
}

std::string shown_name(const std::filesystem::path& path) {
    const std::lock_guard lock(known_path_mutex());
    return !path.empty() && path == known_path() ? "standard input" : path.string();
}

} // namespace cairn::core
