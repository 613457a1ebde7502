#include "app/core/base/new_file.h"

#include "app/core/base/error.h"

#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace cairn::core {
namespace {

std::filesystem::path followed(const std::filesystem::path& target) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(target, error);
    return error ? target : real; // else it is not there yet
}

} // namespace

NewFile::NewFile(const std::filesystem::path& target)
    : target_(followed(target)), path_(target_.string() + ".new-" + std::to_string(::getpid())) {
}

NewFile::~NewFile() {
    if (!placed_) {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
}

void NewFile::put_in_place() {
    std::error_code error;
    std::filesystem::rename(path_, target_, error);
    if (error) {
        throw InputError(Location{target_.string(), 0, 0}, "cannot be replaced: " + error.message());
    }
    placed_ = true;
    const std::filesystem::path parent = target_.parent_path();
    const int folder = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) { // the rename, too, is to survive a loss of power, where the file system can do that
        ::fsync(folder);
        ::close(folder);
    }
}

} // namespace cairn::core
