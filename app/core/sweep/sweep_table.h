// The table of a sweep: one row for each run, as CSV (RFC 4180). Shards write parts of it, which are put together in
// any order.
#pragma once

#include "app/core/sweep/sweep.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

// Which of a sweep's runs one process makes: number `index` of `count`, from 1. Every count-th run, so that shards have
// equally much to do.
struct Shard {
    std::size_t index = 1, count = 1;
    bool has(std::size_t run) const { return run % count + 1 == index; }
};

class SweepTable {
  public:
    // `times`: with the columns that are not the same twice.
    SweepTable(const Sweep& sweep, bool times);

    const std::vector<std::string>& columns() const { return columns_; }
    const std::map<std::string, std::string>& units() const { return units_; } // by column; counts and names have none
    const std::map<std::size_t, std::string>& rows() const { return rows_; }   // by run; lines without their end
    bool has(std::size_t run) const { return rows_.count(run) > 0; }
    std::vector<std::size_t> missing(const Shard& shard = {}) const;

    // Adds the row and gives its line.
    const std::string& add(std::size_t run, const SweepMetrics& metrics);

    // Takes over the rows of a file that a shard of this sweep has written. The last line of a file that was cut off
    // while it was written is left out. Throws InputError for a file of another sweep or with other columns, for a row
    // that does not hold, and for a run that is known with other metrics.
    void read(const std::filesystem::path& path);

    std::string head() const; // the line that names the columns
    std::string text() const; // all of it, runs in order
    static std::vector<std::string> cells_of(std::string_view line);

  private:
    std::size_t times() const; // how many columns they take

    const Sweep& sweep_;
    bool times_;
    std::vector<std::string> columns_;
    std::map<std::string, std::string> units_;
    std::map<std::size_t, std::string> rows_;
};

// A page for people: charts of any metric over any parameter, the table, and how to make each run again. One file that
// needs nothing else. Throws InputError when the program's own files are not where they belong.
std::string sweep_page(const Sweep& sweep, const SweepTable& table);

} // namespace cairn::core
