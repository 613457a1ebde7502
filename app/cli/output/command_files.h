// The files of one call of the program: what the arguments name, and that no output is one of the inputs or another
// output.
#pragma once

#include "app/cli/options/verbs.h"
#include "app/core/base/files/output_file.h"
#include "app/core/scene/scene.h"

#include <sys/types.h>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace cairn::cli {

// Whether two paths lead to one file, through whatever links, is seen by device and inode; of a file that is not there
// yet by those of its folder, and by its name.
//
// All functions throw core::InputError.
class CommandFiles {
  public:
    // Where to read what an argument names: "-" is the standard input, builtin:NAME a scene that ships with the
    // program, anything else a path as it is.
    Path input(const Path& given);
    // A scene with its includes and meshes, which are inputs, too, and with values that are put in their place as
    // core::set_value() takes them. `from`: as input() gave it.
    core::Scene scene(const Path& from, bool confined, const std::vector<std::string>& set = {});

    // An output that somebody else will open. `option` names it in errors. Nothing for an empty path.
    void output(const std::string& option, const Path& given);
    // The same, opened now, so that what cannot be written is known before the work is done. nullptr for an empty path.
    std::unique_ptr<core::OutputFile> open(const std::string& option, const Path& given);

  private:
    struct Identity {
        ::dev_t device = 0;
        ::ino_t inode = 0;
        std::string name{}; // in the folder that device and inode stand for; empty: they stand for the file
        friend bool operator==(const Identity&, const Identity&) = default;
    };
    struct Named {
        Identity identity;
        std::string name; // for people
    };
    static Identity identity_of(const Path& path);
    void add_input(const Path& path);

    std::vector<Named> inputs_, outputs_;
    bool input_piped_ = false, output_piped_ = false;
};

// Reports of one run: each is written whatever becomes of the others, of which the first failure is thrown afterwards.
struct ReportFile {
    core::OutputFile* file = nullptr; // none: it was not asked for
    std::function<std::string()> text;
};
void write_each(std::initializer_list<ReportFile> reports);

// Throws core::InputError if there are any: what was recorded cannot be changed.
void reject_set_of_capture(const std::vector<std::string>& set);

} // namespace cairn::cli
