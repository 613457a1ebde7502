#include "app/lab/planar/planar_pairs.h"

#include "app/core/scene/json/document.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace cairn::core::lab::planar {
namespace {

constexpr std::array<std::string_view, 2> pair_keys = {"a", "b"};
constexpr std::array<std::string_view, 3> placed_keys = {"polygon", "position", "angle"};
constexpr Range angle_range{-1000.0f, 1000.0f, "rad"};

Polygon made(const std::vector<DVec2>& points) {
    auto polygon = polygon_of(points);
    if (const auto* error = std::get_if<PolygonError>(&polygon)) {
        throw std::logic_error(error->reason);
    }
    return std::get<Polygon>(std::move(polygon));
}

Polygon square() {
    return made({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
}
Polygon triangle() {
    return made({{-1, -0.75}, {1, -0.75}, {0, 1.25}});
}
Polygon pentagon() {
    return made({{1, 0}, {0.3, 0.95}, {-0.8, 0.6}, {-0.8, -0.6}, {0.3, -0.95}});
}
Polygon plank() {
    return made({{-1.5, -0.3}, {1.5, -0.3}, {1.5, 0.3}, {-1.5, 0.3}});
}

PlanarPair pair(const Placed& a, const Placed& b) {
    PlanarPair out;
    out.a = a;
    out.b = b;
    return out;
}

const std::array lessons{
    Lesson{"apart", "Apart", "The simplex walks along the border of the difference to the point nearest to the origin.",
           [] {
               return pair({pentagon(), {}, 0.2}, {triangle(), {2.6, 0.9}, 0.4});
           }},
    Lesson{"corner-on-edge", "A corner before an edge",
           "The nearest point of the difference lies on an edge: it is a corner of one polygon before an edge of the "
           "other.",
           [] {
               return pair({square(), {}, 0.0}, {square(), {2.7, 0.4}, 0.7853981633974483});
           }},
    Lesson{"shallow", "A shallow overlap",
           "A triangle holds the origin near one of its edges; one edge is split, and the next is the way out.",
           [] {
               return pair({triangle(), {}, 0.1}, {pentagon(), {1.25, 0.35}, 0.5});
           }},
    Lesson{
        "contained", "One inside the other",
        "The origin lies deep in the difference: the polygon has to grow to nearly all of it before the nearest edge "
        "is certain.",
        [] {
            return pair({made({{-2, -1.6}, {2, -1.6}, {2.2, 1.7}, {-1.8, 1.9}}), {}, 0.0},
                        {pentagon(), {0.35, 0.1}, 0.3});
        }},
    Lesson{"crossed", "Crossed planks",
           "The overlap is small, but the shortest way out is long: the planks part past an end of one of them.",
           [] {
               return pair({plank(), {}, 0.3}, {plank(), {0.2, 0.1}, 1.8});
           }},
    Lesson{"touching", "Touching",
           "The origin lies on the border of the difference: GJK ends on an edge, and EPA finds a depth of zero with a "
           "normal that means something.",
           [] {
               return pair({square(), {}, 0.0}, {square(), {2.0, 0.5}, 0.0});
           }},
};

// Documents keep numbers in single precision; here the spelling counts.
double read_exactly(const Document& document, const Node& node, std::string_view what, const Range& range) {
    read_number(document, node, what, range);
    const std::string_view digits = document.text().substr(node.begin, node.end - node.begin);
    double value = 0.0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

DVec2 read_point(const Document& document, const Node& node, std::string_view what) {
    if (node.kind != NodeKind::array || node.child_count != 2) {
        document.fail(node, in_quotes(what) + " must be [x, y] of two numbers");
    }
    const Node* x = document.first(node);
    const Node* y = document.next(*x);
    return {read_exactly(document, *x, what, coordinate_range), read_exactly(document, *y, what, coordinate_range)};
}

Placed read_placed(const Document& document, const Node& node) {
    const ObjectReader reader(document, node, "a placed polygon", placed_keys);
    const Node& list = reader.require("polygon");
    expect_list(document, list, "polygon", "points [x, y]");
    if (list.child_count > most_points) {
        document.fail(list, "a polygon may have " + std::to_string(most_points) + " points at most, not " +
                                std::to_string(list.child_count));
    }
    std::vector<DVec2> points;
    for (const Node* point : document.children(list)) {
        points.push_back(read_point(document, *point, "polygon"));
    }
    auto polygon = polygon_of(points);
    if (const auto* error = std::get_if<PolygonError>(&polygon)) {
        document.fail(list, error->reason);
    }
    Placed placed{std::get<Polygon>(std::move(polygon)), {}, 0.0};
    reader.take("position", placed.position, read_point);
    reader.take("angle", placed.angle, read_exactly, angle_range);
    return placed;
}

} // namespace

std::span<const Lesson> all_lessons() {
    return lessons;
}

PlanarPair read_planar_pair(const Document& document) {
    const ObjectReader reader(document, document.root(), "a pair of polygons", pair_keys);
    PlanarPair out;
    out.a = read_placed(document, reader.require("a"));
    out.b = read_placed(document, reader.require("b"));
    return out;
}

PlanarPair planar_pair_from_text(std::string_view text, const std::string& name) {
    return read_planar_pair(Document(text, name));
}

} // namespace cairn::core::lab::planar
