// Which files a scene may read, and which it has named.
#pragma once

#include "app/core/scene/json/document.h"

#include <filesystem>
#include <string>
#include <vector>

namespace cairn::core {

// ".obj", also of "A.OBJ".
std::string ending_of(const std::filesystem::path& path);

struct FileAccess {
    std::vector<std::filesystem::path>* named = nullptr; // gets each file once, found or not
    std::filesystem::path confined_to;                   // the folder that all files must lie in; empty: any

    struct Found {
        std::filesystem::path path;      // as it is named, from the folder of the file that names it
        std::filesystem::path canonical; // the same for all that name it differently
    };
    void note(const std::filesystem::path& path) const; // that it has been named
    bool allows(const std::filesystem::path& canonical) const;
    // `node` names the file, `what` it is in messages. Throws InputError if it is not there or may not be read.
    Found find(const Document& document, const Node& node, const std::filesystem::path& path,
               const std::string& what) const;
};

} // namespace cairn::core
