#include "app/core/scene/values/file_access.h"

#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <cctype>
#include <system_error>

namespace cairn::core {

std::string ending_of(const std::filesystem::path& path) {
    std::string ending = path.extension().string();
    std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return ending;
}

void FileAccess::note(const std::filesystem::path& path) const {
    if (named != nullptr && std::ranges::find(*named, path) == named->end()) {
        named->push_back(path);
    }
}

bool FileAccess::allows(const std::filesystem::path& canonical) const {
    return confined_to.empty() ||
           std::mismatch(confined_to.begin(), confined_to.end(), canonical.begin(), canonical.end()).first ==
               confined_to.end();
}

FileAccess::Found FileAccess::find(const Document& document, const Node& node, const std::filesystem::path& path,
                                   const std::string& what) const {
    note(path);
    std::error_code error;
    const std::filesystem::path canonical = std::filesystem::canonical(path, error);
    if (error) {
        document.fail(node, "the " + what + ' ' + in_quotes(path.string()) + " cannot be found: " + error.message());
    }
    if (!allows(canonical)) {
        document.fail(node, "the " + what + ' ' + in_quotes(path.string()) +
                                " lies outside the scene's folder, to which the reading is confined");
    }
    return {path, canonical};
}

} // namespace cairn::core
