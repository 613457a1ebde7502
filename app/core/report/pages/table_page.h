// A table as a page for people: charts of any figure over any other, the table, and what is known of each row.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace cairn::core {

struct PageChart { // as it is at first: the page has controls for all of it
    std::string title, note;
    // Columns. Without an x the page takes the parameter of most values, and colours by another one.
    std::string x, y, colour;
    bool log_x = false, log_y = false;
    std::map<std::string, std::string> fixed; // shows only rows that have this text in that parameter
};

struct TablePage {
    std::string title, name, facts; // of the browser's tab, above the page, and the line below that
    std::string one, many;          // what a row is: "run", "runs"
    std::vector<std::string> columns;
    std::map<std::string, std::string> units; // by column
    std::vector<std::vector<std::string>> rows;
    std::vector<std::string> parameters; // columns that say what a row is about; all others say what it came to
    std::set<std::string> labels;        // columns that are neither, and not drawn
    std::set<std::string> texts;         // columns whose cells are no numbers even where they look like it
    std::set<std::string> hidden;        // columns that the table leaves out
    std::vector<PageChart> charts;
    // How to make the chosen row again: a sentence, and a command that has "{COLUMN}" where a cell goes; may be empty.
    std::string again, command;
};

// One file that needs nothing else. Throws InputError when the program's own files are not where they belong.
std::string html_of(const TablePage& page);

} // namespace cairn::core
