#include "app/cli/verbs/checks/checked.h"

#include "app/core/base/interruption.h"

#include <algorithm>
#include <cstdio>

namespace cairn::cli {
namespace {

void print(const Checked& one) {
    std::printf("%s\n", one_line(one.name + ": " + one.verdict).c_str());
    for (const std::string& line : one.details) {
        std::printf("  %s\n", one_line(line).c_str());
    }
    std::fflush(stdout);
}

} // namespace

CheckedFiles::CheckedFiles(CommandFiles& files, const ReportArguments& arguments)
    : prints_(arguments.json != "-" && arguments.junit != "-" && arguments.report != "-"),
      jobs_(arguments.jobs),
      junit_(files.open("--junit", arguments.junit)),
      report_(files.open("--report", arguments.report)),
      json_(files.open("--json", arguments.json)) {
}

void CheckedFiles::check(const std::vector<Checked*>& all, const std::string& label, bool quiet, int threads,
                         const SideBySide::Work& work) const {
    std::vector<std::string> names;
    for (const Checked* one : all) {
        names.push_back(one->name);
    }
    SideBySide{label, quiet, jobs_, threads}.run(names, work, [&](std::size_t i, const WorkFailure& failure) {
        Checked& one = *all[i];
        if (!failure.error.empty()) {
            one.error = failure.error;
            one.code = failure.code;
        }
        if (failure.interrupted) {
            return;
        }
        if (!one.error.empty()) {
            std::fflush(stdout);
            print_error(one.error);
        } else if (prints_ && (!quiet || one.code != exit_success)) {
            print(one);
        }
    });
}

int CheckedFiles::write(const std::vector<Checked*>& all, const Texts& texts) const {
    int code = exit_success;
    std::vector<core::PageRow> rows;
    std::vector<core::PageSection> sections;
    for (const Checked* one : all) {
        code = std::max(code, one->code);
        rows.push_back({one->name, one->error.empty() ? one->verdict : one->error, one->code == exit_success});
        if (one->error.empty() && one->code != exit_success) {
            sections.push_back(one->section);
        }
    }
    write_each({{junit_.get(), texts.junit}, {json_.get(), texts.json}, {texts.page ? report_.get() : nullptr, [&] {
                                                                             return core::comparison_page(
                                                                                 texts.title, rows, sections, texts.of);
                                                                         }}});
    core::interruption_point();
    return code;
}

} // namespace cairn::cli
