#include "app/core/scene/mesh_points.h"

#include "app/core/base/error.h"
#include "app/core/base/standard_input.h"
#include "app/core/base/text_file.h"
#include "app/core/scene/scene_keys.h"
#include "physics/geometry/triangle_mesh.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <utility>

namespace cairn::core {

namespace {

using physics::Vec3;

// The statements of the format that say nothing about vertices and faces, those for curved surfaces included.
constexpr std::array<std::string_view, 40> other_statements{
    "vt",     "vn",     "vp",     "p",     "l",        "o",        "g",     "s",          "mg",        "usemtl",
    "mtllib", "usemap", "maplib", "bevel", "c_interp", "d_interp", "lod",   "shadow_obj", "trace_obj", "ctech",
    "stech",  "deg",    "bmat",   "step",  "cstype",   "curv",     "curv2", "surf",       "parm",      "trim",
    "hole",   "scrv",   "sp",     "end",   "con",      "res",      "bzp",   "cdc",        "cdp",       "call"};

struct Word {
    std::string_view text;
    std::size_t offset; // in the file
};

// A text as lines of words. A backslash at the end of a line joins the next to it.
class Lines {
  public:
    Lines(std::string_view text, const std::string& name, std::string_view separators)
        : text_(text), name_(name), separators_(separators) {
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") { // byte order mark
            first_ = end_ = 3;
        }
        if (const std::size_t zero = text_.find('\0'); zero != std::string_view::npos) {
            fail(zero, "there is a zero byte here; this is not a text file");
        }
    }

    // Reads the next line into `words`; false at the end of the text.
    bool next(std::vector<Word>& words) {
        words.clear();
        if (end_ >= text_.size()) {
            return false;
        }
        std::size_t at = end_;
        bool comment = false;
        while (at < text_.size() && text_[at] != '\n') {
            const std::size_t joined = join(at);
            if (joined != 0) {
                at += joined;
            } else if (comment || text_[at] == '#') {
                comment = true;
                ++at;
            } else if (separates(text_[at])) {
                ++at;
            } else {
                const std::size_t begin = at;
                while (at < text_.size() && text_[at] != '\n' && text_[at] != '#' && !separates(text_[at]) &&
                       join(at) == 0) {
                    ++at;
                }
                words.push_back({text_.substr(begin, at - begin), begin});
            }
        }
        line_end_ = at;
        end_ = at + 1;
        return true;
    }

    std::size_t line_end() const { return line_end_; }

    [[noreturn]] void fail(std::size_t offset, const std::string& what) const {
        const auto until = [this, offset](std::size_t begin) { return text_.substr(begin, offset - begin); };
        const std::string_view before = until(0);
        const std::size_t newline = before.rfind('\n');
        const std::string_view on_the_line = until(newline == std::string_view::npos ? first_ : newline + 1);
        const auto line = 1 + std::count(before.begin(), before.end(), '\n');
        const auto column = 1 + std::count_if(on_the_line.begin(), on_the_line.end(), [](char c) {
                                return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; // not inside a code point
                            });
        throw InputError({name_, static_cast<std::size_t>(line), static_cast<std::size_t>(column)}, what);
    }

  private:
    bool separates(char c) const { return separators_.find(c) != std::string_view::npos; }

    // Length of a joint of two lines here, or 0.
    std::size_t join(std::size_t at) const {
        if (text_[at] != '\\') {
            return 0;
        }
        return text_.substr(at + 1, 1) == "\n" ? 2u : (text_.substr(at + 1, 2) == "\r\n" ? 3u : 0u);
    }

    std::string_view text_;
    const std::string& name_;
    std::string_view separators_;
    std::size_t first_ = 0, line_end_ = 0, end_ = 0;
};

// For messages: at most 40 bytes, and nothing in them that a terminal might obey.
std::string quoted(std::string_view word) {
    std::string out = "\"";
    for (const char c : word.substr(0, 40)) {
        if (c >= ' ' && c <= '~') {
            out += c;
        } else {
            std::array<char, 8> hex{};
            std::snprintf(hex.data(), hex.size(), "\\x%02X", unsigned{static_cast<unsigned char>(c)});
            out += hex.data();
        }
    }
    return out + '"';
}

float coordinate(const Lines& lines, const Word& word) {
    const char* first = word.text.data() + (word.text[0] == '+' ? 1 : 0); // from_chars knows no plus sign
    const char* last = word.text.data() + word.text.size();
    float value = 0.0f;
    const auto [stop, error] = std::from_chars(first, last, value);
    if (error == std::errc::result_out_of_range && stop == last) {
        // Too small for single precision is zero; too large is an error. Beyond doubles the exponent's sign tells.
        double wide = 0.0;
        const bool large =
            std::from_chars(first, last, wide).ec == std::errc()
                ? std::abs(wide) > 1.0
                : word.text.find("e-") == std::string_view::npos && word.text.find("E-") == std::string_view::npos;
        if (large) {
            lines.fail(word.offset, "the coordinate " + std::string(word.text.substr(0, 40)) + " is too large");
        }
        value = 0.0f;
    } else if (error != std::errc() || stop != last) {
        lines.fail(word.offset, quoted(word.text) + " is not a number");
    }
    if (!std::isfinite(value) || std::abs(value) > coordinate_range.max) {
        lines.fail(word.offset,
                   "the coordinate " + std::string(word.text.substr(0, 40)) + " is not within -1e6 .. 1e6");
    }
    return value;
}

void add_point(std::vector<Vec3>& points, const Lines& lines, const Word* words) {
    if (points.size() == max_hull_points) {
        lines.fail(words[0].offset, "more than " + std::to_string(max_hull_points) + " points");
    }
    const float x = coordinate(lines, words[0]);
    const float y = coordinate(lines, words[1]);
    points.emplace_back(x, y, coordinate(lines, words[2]));
}

// Indices of vertices, 1 for the first, -1 for the last so far. One that names a vertex still to come is noted.
void read_face(const Lines& lines, const std::vector<Word>& words, std::size_t vertices,
               std::vector<std::pair<long, std::size_t>>& ahead, std::vector<std::array<std::uint32_t, 3>>* triangles) {
    std::array<std::uint32_t, 2> before{}; // the first corner, and the last so far
    if (words.size() < 4) {
        lines.fail(lines.line_end(), "a face needs at least three vertices");
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string_view word = words[i].text.substr(0, words[i].text.find('/'));
        long index = 0;
        const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (stop != word.data() + word.size() || error == std::errc::invalid_argument) {
            lines.fail(words[i].offset, quoted(words[i].text) + " is not a vertex of a face");
        }
        const auto count = static_cast<long>(vertices);
        if (error == std::errc::result_out_of_range || index == 0 || -index > count) {
            lines.fail(words[i].offset, "a face names vertex " + std::string(word.substr(0, 40)) + " but there are " +
                                            std::to_string(vertices) + " before it, counted from 1 or back from -1");
        }
        if (index > count) {
            ahead.emplace_back(index, words[i].offset);
        }
        if (triangles == nullptr) {
            continue;
        }
        if (triangles->size() == physics::max_mesh_triangles) {
            lines.fail(words[i].offset, "more than " + std::to_string(physics::max_mesh_triangles) + " triangles");
        }
        const auto corner = static_cast<std::uint32_t>(std::min(index > 0 ? index - 1 : count + index, 0xffffffffL));
        if (i > 2) {
            triangles->push_back({before[0], before[1], corner});
        }
        before[i == 1 ? 0 : 1] = corner;
    }
}

} // namespace

namespace {

std::vector<Vec3> parse_obj(std::string_view text, const std::string& name,
                            std::vector<std::array<std::uint32_t, 3>>* triangles) {
    std::vector<Vec3> points;
    std::vector<std::pair<long, std::size_t>> ahead; // index and offset of vertices named before they come
    Lines lines(text, name, " \t\r\f\v");
    std::vector<Word> words;
    while (lines.next(words)) {
        if (words.empty()) {
            continue;
        }
        const std::string_view statement = words[0].text;
        if (statement == "v") { // what follows the coordinates is a weight or a colour
            if (words.size() < 4) {
                lines.fail(lines.line_end(), "a vertex needs three coordinates: v x y z");
            }
            add_point(points, lines, &words[1]);
        } else if (statement == "f" || statement == "fo") {
            read_face(lines, words, points.size(), ahead, triangles);
        } else if (std::find(other_statements.begin(), other_statements.end(), statement) == other_statements.end()) {
            lines.fail(words[0].offset, quoted(statement) + " begins no statement of a Wavefront mesh");
        }
    }
    for (const auto& [index, offset] : ahead) {
        if (index > static_cast<long>(points.size())) {
            lines.fail(offset, "a face names vertex " + std::to_string(index) + " but there are " +
                                   std::to_string(points.size()));
        }
    }
    if (points.empty()) {
        throw InputError({name, 0, 0}, "the mesh has no vertices; lines of the form \"v x y z\" are needed");
    }
    return points;
}

} // namespace

std::vector<Vec3> parse_obj_points(std::string_view text, const std::string& name) {
    return parse_obj(text, name, nullptr);
}

physics::MeshData parse_obj_mesh(std::string_view text, const std::string& name) {
    physics::MeshData mesh;
    mesh.vertices = parse_obj(text, name, &mesh.triangles);
    if (mesh.triangles.empty()) {
        throw InputError({name, 0, 0}, "the mesh has no faces; lines of the form \"f 1 2 3\" are needed");
    }
    return mesh;
}

physics::MeshData read_mesh(const std::filesystem::path& path) {
    return parse_obj_mesh(read_whole_file(path), shown_name(path));
}

std::vector<Vec3> parse_xyz_points(std::string_view text, const std::string& name) {
    std::vector<Vec3> points;
    Lines lines(text, name, " \t\r\f\v,;");
    std::vector<Word> words;
    while (lines.next(words)) {
        if (words.empty()) {
            continue;
        }
        if (words.size() > 3) {
            lines.fail(words[3].offset, "there is something after the third number");
        }
        for (const Word& word : words) {
            coordinate(lines, word); // what is no number is told before what is missing
        }
        if (words.size() < 3) {
            lines.fail(lines.line_end(), "expected three numbers");
        }
        add_point(points, lines, words.data());
    }
    return points;
}

std::vector<Vec3> read_mesh_points(const std::filesystem::path& path) {
    return parse_obj_points(read_whole_file(path), shown_name(path));
}

namespace {

// Of a text without a name: what it begins with, comments aside. Points are numbers, and statements begin with a
// letter.
bool begins_with_a_number(std::string_view text) {
    while (!text.empty()) {
        const std::size_t first = text.find_first_not_of(" \t\r\n\f\v");
        if (first == std::string_view::npos) {
            return false;
        }
        if (text[first] != '#') {
            return std::string_view("+-.0123456789").find(text[first]) != std::string_view::npos;
        }
        const std::size_t end = text.find('\n', first);
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return false;
}

} // namespace

std::vector<Vec3> read_points(const std::filesystem::path& path) {
    if (const std::string name = shown_name(path); name != path.string()) {
        const std::string text = read_whole_file(path);
        return begins_with_a_number(text) ? parse_xyz_points(text, name) : parse_obj_points(text, name);
    }
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (extension == ".obj") {
        return read_mesh_points(path);
    }
    if (extension == ".xyz") {
        return parse_xyz_points(read_whole_file(path), path.string());
    }
    throw InputError({path.string(), 0, 0},
                     "the name must end in .obj (a Wavefront mesh) or .xyz (three numbers a line)");
}

} // namespace cairn::core
