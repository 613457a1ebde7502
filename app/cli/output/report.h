// What both verbs that compare runs report.
#pragma once

#include "app/cli/options/verbs.h"
#include "app/core/capture/verify/verification.h"
#include "app/core/report/pages/comparison_page.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace cairn::cli {

// Appends how many values differ `where`, and the first of them with `values`.
void add_differences(std::vector<std::string>& lines, const std::string& where,
                     const std::vector<core::StateDifference>& differences,
                     const std::function<std::string(const core::StateDifference&)>& values);

// Lines for people under the verdict, each indented.
std::vector<std::string> cause_lines(const core::Cause& cause);

// Draws worlds into a section, with bodies outlined and looked at. Where nothing can be drawn, the section says why.
class Pictures {
  public:
    Pictures(core::PageSection& section, const core::SceneCamera& camera, std::vector<std::uint32_t> marked,
             std::vector<core::Zone> zones = {});
    void add(const physics::World& world, const std::string& caption);

  private:
    core::PageSection& section_;
    core::SceneCamera camera_, look_;
    std::vector<std::uint32_t> marked_;
    std::vector<core::Zone> zones_;
    std::optional<std::uint64_t> aimed_; // step; pictures of the same step have the same look
};

// The command that opens a capture at the moment before a step.
std::string command_to_open(const Path& capture, std::uint64_t step);

} // namespace cairn::cli
