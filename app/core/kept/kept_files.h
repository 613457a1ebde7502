// Files of what can be made again, by the content that it follows from, in the user's cache folder.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace cairn::core {

using ContentKey = std::array<std::uint64_t, 2>;

// False where the environment variable CAIRN_CACHE is "off": then nothing is looked for, and nothing kept.
bool keeps_files();

// One folder of them, for any number of threads and processes at once. A file is the magic, the key, the payload and a
// sum over all of it; words of eight bytes, the lowest first. One that is damaged, cut off or of another magic counts
// as none. Where none can be written, nothing is kept, which is no error.
class KeptFiles {
  public:
    // `magic`: a line that names what the files hold and the version of it. When all take more than `most_bytes` those
    // go that were not used for longest; a payload larger than that is not kept.
    KeptFiles(std::filesystem::path folder, std::string_view magic, std::uint64_t most_bytes);

    std::optional<std::string> find(const ContentKey& key) const; // the payload
    void keep(const ContentKey& key, std::string_view payload) const;

  private:
    std::filesystem::path file(const ContentKey& key) const;
    std::string head(const ContentKey& key) const;
    void make_room() const;

    std::filesystem::path folder_;
    std::string magic_;
    std::uint64_t most_bytes_;
};

} // namespace cairn::core
