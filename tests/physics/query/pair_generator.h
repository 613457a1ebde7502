// Pairs of shapes in every way to lie to each other, the same on every machine. Each pair is built from its classes, so
// that none of them occurs by luck only.
#pragma once

#include "tests/physics/query/oracle.h"

#include <array>
#include <string>

namespace cairn::physics::oracle {

enum class Kind { sphere, box, capsule, cylinder, cone, hull, diamond };
inline constexpr std::array all_kinds{Kind::sphere, Kind::box,  Kind::capsule, Kind::cylinder,
                                      Kind::cone,   Kind::hull, Kind::diamond};

// How the features nearest to each other lie.
enum class Setting {
    free,           // any orientation, any direction
    onto_face,      // something against a face of A or B
    edges_crossing, // an edge of A across an edge of B
    faces_parallel, // a face of A against a face of B, up to the rounding of a float pose
    edges_parallel, // an edge of A along an edge of B
    aligned,        // all axes parallel to the world's, without any rounding
};
inline constexpr std::array all_settings{Setting::free,           Setting::onto_face,      Setting::edges_crossing,
                                         Setting::faces_parallel, Setting::edges_parallel, Setting::aligned};

enum class Placing {
    far,        // 0.1 to 20 sizes of the pair apart
    near,       // 1e-5 to 0.1 of the smaller shape's size apart
    touching,   // apart by 0, and by what floats cannot tell from it
    shallow,    // 1e-5 to 0.02 of the smaller shape's size deep
    deep,       // 0.05 to 1 of it
    contained,  // one inside the other, or as near to that as the shapes allow
    coincident, // the same centre
};
inline constexpr std::array all_placings{Placing::far,  Placing::near,      Placing::touching,  Placing::shallow,
                                         Placing::deep, Placing::contained, Placing::coincident};

enum class Form { plain, needle, plate }; // a sphere and a diamond are always plain
inline constexpr std::array all_forms{Form::plain, Form::needle, Form::plate};

enum class Ratio { similar, tens, hundreds }; // of the sizes: up to 3, 3 to 50, 50 to 1000
inline constexpr std::array all_ratios{Ratio::similar, Ratio::tens, Ratio::hundreds};

const char* name(Kind kind);
const char* name(Setting setting);
const char* name(Placing placing);
const char* name(Form form);
const char* name(Ratio ratio);

struct Pair {
    Kind kind_a = Kind::sphere, kind_b = Kind::sphere;
    Form form_a = Form::plain, form_b = Form::plain;
    Ratio ratio = Ratio::similar;
    Setting setting = Setting::free;
    Placing placing = Placing::far;
    Shape a, b;
    Transform pose_a, pose_b;
    double size = 0.0;  // sum of the bounding radii, m
    double small = 0.0; // the smaller of them, m
};

Pair random_pair(Kind a, Kind b, Random& random);

// Everything that is needed to build the pair again, as C++.
std::string describe(const Pair& pair);

} // namespace cairn::physics::oracle
