// Files that one call checks side by side: what came of each is printed, and reported in files.
#pragma once

#include "app/cli/options/verbs.h"
#include "app/cli/output/command_files.h"
#include "app/cli/output/side_by_side.h"
#include "app/core/report/pages/comparison_page.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cairn::cli {

struct Checked {
    std::string name; // of the file
    int code = exit_success;
    std::string error;                // bad input, with its place
    std::string verdict;              // one line, without the name
    std::vector<std::string> details; // lines under it
    core::PageSection section;        // if there is a report to write
    double seconds = 0.0;             // that it took, without the report
};

template <class One>
std::vector<Checked*> each_of(std::vector<One>& all) {
    std::vector<Checked*> out;
    for (One& one : all) {
        out.push_back(&one);
    }
    return out;
}

class CheckedFiles {
  public:
    CheckedFiles(CommandFiles& files, const ReportArguments& arguments); // opens the reports

    // Each in order as soon as it and all before it are done; nothing but errors where a report goes to the standard
    // output. `quiet`: only what is not as it should be.
    void check(const std::vector<Checked*>& all, const std::string& label, bool quiet, int threads,
               const SideBySide::Work& work) const;

    struct Texts {
        std::function<std::string()> junit, json;
        std::string title, of; // of the page; what the names are names of
        bool page = true;
    };
    int write(const std::vector<Checked*>& all, const Texts& texts) const; // the exit code

  private:
    bool prints_;
    int jobs_;
    std::unique_ptr<core::OutputFile> junit_, report_, json_;
};

} // namespace cairn::cli
