#include "tests/fuzz/input.h"

#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace cairn::fuzz {

MemoryFile::MemoryFile(std::string_view bytes) : file_(memfd_create("input", MFD_CLOEXEC)) {
    while (file_ >= 0 && !bytes.empty()) {
        const ssize_t written = write(file_, bytes.data(), bytes.size());
        if (written <= 0) {
            std::abort(); // nothing would be tested
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    if (file_ < 0) {
        std::abort();
    }
    path_ = "/proc/self/fd/" + std::to_string(file_);
}

MemoryFile::~MemoryFile() {
    close(file_);
}

std::filesystem::path empty_folder() {
    static const std::filesystem::path folder = [] {
        std::string name = (std::filesystem::temp_directory_path() / "cairn-fuzz-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            std::abort();
        }
        return std::filesystem::path(name);
    }();
    return folder;
}

} // namespace cairn::fuzz
