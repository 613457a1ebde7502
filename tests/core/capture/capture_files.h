// Capture files as bytes, and why they are rejected.
#pragma once

#include "app/core/base/error.h"
#include "app/core/capture/capture.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace cairn::core::testing {

inline std::vector<char> read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::vector<char>& bytes) {
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string rejection(const std::filesystem::path& path) {
    try {
        read_capture(path);
    } catch (const InputError& error) {
        EXPECT_EQ(error.location().file, path.string());
        return error.what();
    }
    ADD_FAILURE() << path << " was accepted";
    return {};
}

} // namespace cairn::core::testing
