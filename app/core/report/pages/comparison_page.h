// A report for people: one HTML file that holds all it shows.
#pragma once

#include "app/core/capture/verify/compare.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace cairn::core {

struct PagePicture {
    std::string caption;
    std::vector<std::uint8_t> png;
};

// One pair of runs: what was recorded beside what was found, or A beside B.
struct PageSection {
    std::string title;
    bool same = false;
    std::vector<std::string> verdict;                    // sentences
    std::string recorded = "recorded", found = "found";  // what the two are called
    std::vector<std::array<std::string, 3>> environment; // what, recorded, found
    std::vector<PagePicture> pictures;
    std::string picture_note; // why there is none, if there is none
    std::vector<StateDifference> differences;
    std::uint64_t compared_at = 0; // step of the differences
    std::vector<Deviation> deviations;
    std::uint64_t first_difference = 0;   // step
    std::vector<std::string> how_to_open; // commands
};

struct PageRow {
    std::string name, outcome;
    bool good = false;
};

// `of`: what the names of the summary are names of.
std::string comparison_page(const std::string& title, const std::vector<PageRow>& summary,
                            const std::vector<PageSection>& sections, const std::string& of = "capture");

} // namespace cairn::core
