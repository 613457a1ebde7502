// Mesh files that are text, as lines of words, with what all readers of meshes say about coordinates.
#pragma once

#include "physics/geometry/geometry.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

struct MeshWord {
    std::string_view text;
    std::size_t offset; // in the file
};

// What a text may have beside words. Names of solids in .stl hold whatever their author liked.
struct MeshLineRules {
    std::string_view separators = " \t\r\f\v";
    bool comments = true; // from # to the end of the line
    bool joints = true;   // a backslash at the end of a line joins the next to it
};

// A text as lines of words. It must not hold zero bytes.
class MeshLines {
  public:
    MeshLines(std::string_view text, const std::string& name, const MeshLineRules& rules = {});

    // Reads the next line into `words`; false at the end of the text.
    bool next(std::vector<MeshWord>& words);
    // The same, empty lines left out.
    bool next_filled(std::vector<MeshWord>& words);

    std::size_t line_end() const { return line_end_; }
    std::size_t left() const { return end_ < text_.size() ? text_.size() - end_ : 0; } // bytes not yet read

    // Throws InputError with line and column.
    [[noreturn]] void fail(std::size_t offset, const std::string& what) const;

  private:
    bool separates(char c) const { return rules_.separators.find(c) != std::string_view::npos; }
    std::size_t joint_at(std::size_t at) const; // length of a joint of two lines here, or 0

    std::string_view text_;
    const std::string& name_;
    MeshLineRules rules_;
    std::size_t first_ = 0, line_end_ = 0, end_ = 0;
};

// For messages: at most 40 bytes, and nothing in them that a terminal might obey.
std::string quoted_word(std::string_view word);

// A number within -1e6 .. 1e6. Fails at the word otherwise.
float read_coordinate(const MeshLines& lines, const MeshWord& word);
void add_point(std::vector<physics::Vec3>& points, const MeshLines& lines, const MeshWord* words);

} // namespace cairn::core
