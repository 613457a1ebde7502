#include "app/core/kept/kept_files.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/base/text_hash.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <utility>
#include <vector>

namespace cairn::core {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t sum_bytes = 8;

std::string word(std::uint64_t value) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        text += static_cast<char>(value >> (8 * i) & 0xffu);
    }
    return text;
}

std::uint64_t sum_of(std::string_view text) {
    TextHash sum;
    sum.add(text);
    return sum.value();
}

// By one clock, whoever it is: the one that a disk stamps files with lags behind, by more than a use may take.
void note_use(const fs::path& path) {
    std::error_code none;
    fs::last_write_time(path, fs::file_time_type::clock::now(), none);
}

} // namespace

bool keeps_files() {
    const char* set = std::getenv("CAIRN_CACHE");
    return set == nullptr || std::string_view(set) != "off";
}

KeptFiles::KeptFiles(fs::path folder, std::string_view magic, std::uint64_t most_bytes)
    : folder_(std::move(folder)), magic_(magic), most_bytes_(most_bytes) {
}

fs::path KeptFiles::file(const ContentKey& key) const {
    std::array<char, 40> name{};
    std::snprintf(name.data(), name.size(), "%016llx%016llx", static_cast<unsigned long long>(key[0]),
                  static_cast<unsigned long long>(key[1]));
    return folder_ / name.data();
}

std::string KeptFiles::head(const ContentKey& key) const {
    return magic_ + word(key[0]) + word(key[1]);
}

std::optional<std::string> KeptFiles::find(const ContentKey& key) const {
    const fs::path path = file(key);
    std::error_code none;
    if (!keeps_files() || !fs::is_regular_file(path, none)) {
        return std::nullopt;
    }
    std::string text;
    try {
        text = read_whole_file(path, most_bytes_);
    } catch (const InputError&) { // not to be read
        return std::nullopt;
    }
    const std::string start = head(key);
    if (text.size() < start.size() + sum_bytes || !text.starts_with(start)) {
        return std::nullopt;
    }
    const std::string_view whole(text);
    if (whole.substr(text.size() - sum_bytes) != word(sum_of(whole.substr(0, text.size() - sum_bytes)))) {
        return std::nullopt;
    }
    note_use(path);
    return text.substr(start.size(), text.size() - start.size() - sum_bytes);
}

void KeptFiles::keep(const ContentKey& key, std::string_view payload) const {
    std::string text = head(key);
    text += payload;
    text += word(sum_of(text));
    if (!keeps_files() || text.size() > most_bytes_) {
        return;
    }
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (failed) {
        return;
    }
    try {
        replace_file(file(key), text);
        note_use(file(key));
    } catch (const InputError&) { // a disk that is full or closed costs time the next time, and nothing now
    }
    make_room();
}

// What another process removes in the meantime is gone, as it should be.
void KeptFiles::make_room() const {
    struct Entry {
        fs::file_time_type used;
        std::uint64_t bytes;
        fs::path path;
    };
    std::vector<Entry> entries;
    std::uint64_t all = 0;
    std::error_code failed;
    for (fs::directory_iterator at(folder_, failed), end; !failed && at != end; at.increment(failed)) {
        std::error_code gone;
        const std::uint64_t bytes = at->is_regular_file(gone) ? at->file_size(gone) : 0;
        const fs::file_time_type used = gone ? fs::file_time_type() : at->last_write_time(gone);
        if (!gone && bytes > 0) {
            entries.push_back({used, bytes, at->path()});
            all += bytes;
        }
    }
    std::ranges::sort(entries, {}, &Entry::used);
    for (auto oldest = entries.begin(); all > most_bytes_ && oldest != entries.end(); ++oldest) {
        std::error_code gone;
        fs::remove(oldest->path, gone);
        all -= oldest->bytes;
    }
}

} // namespace cairn::core
