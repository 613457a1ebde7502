#include "render/lines_and_points.h"

#include "render/vertex_attributes.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace cairn::render {

namespace {

struct LineRecord {
    glm::vec3 from;
    glm::vec3 to;
    glm::vec4 colour;
};

struct PointRecord {
    glm::vec4 position_size;
    glm::vec4 colour;
};

// Orders the items so that those hidden by bodies come first, and returns their number.
template <typename Item, typename Record, typename Convert>
std::size_t split_by_depth(const std::vector<Item>& items, void* memory, Convert&& convert) {
    Record* records = static_cast<Record*>(memory);
    std::size_t written = 0;
    for (const bool on_top : {false, true}) {
        for (const Item& item : items) {
            if (item.on_top == on_top) {
                records[written++] = convert(item);
            }
        }
    }
    return static_cast<std::size_t>(
        std::count_if(items.begin(), items.end(), [](const Item& item) { return !item.on_top; }));
}

void draw_strips(std::size_t count) {
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(count));
}

} // namespace

LinesAndPoints::LinesAndPoints() : line_array_(GlVertexArray::create()), point_array_(GlVertexArray::create()) {
}

int LinesAndPoints::draw_lines(const DrawList& list, const Program& program) {
    if (list.lines.empty()) {
        return 0;
    }
    glBindVertexArray(line_array_.name());
    std::size_t hidden = 0;
    int calls = 0;
    line_buffer_.refill(list.lines.size() * sizeof(LineRecord), [&](void* memory) {
        hidden = split_by_depth<Line, LineRecord>(list.lines, memory, [](const Line& line) {
            return LineRecord{line.from, line.to, line.colour};
        });
    });
    program.use();
    const auto draw_part = [&](std::size_t first, std::size_t count) {
        if (count == 0) {
            return;
        }
        const std::size_t start = first * sizeof(LineRecord);
        float_attribute(0, 3, sizeof(LineRecord), start + offsetof(LineRecord, from), 1);
        float_attribute(1, 3, sizeof(LineRecord), start + offsetof(LineRecord, to), 1);
        float_attribute(2, 4, sizeof(LineRecord), start + offsetof(LineRecord, colour), 1);
        draw_strips(count);
        ++calls;
    };
    draw_part(0, hidden);
    glDisable(GL_DEPTH_TEST);
    draw_part(hidden, list.lines.size() - hidden);
    glEnable(GL_DEPTH_TEST);
    return calls;
}

int LinesAndPoints::draw_points(const DrawList& list, const Program& program) {
    if (list.points.empty()) {
        return 0;
    }
    glBindVertexArray(point_array_.name());
    std::size_t hidden = 0;
    int calls = 0;
    point_buffer_.refill(list.points.size() * sizeof(PointRecord), [&](void* memory) {
        hidden = split_by_depth<Point, PointRecord>(list.points, memory, [](const Point& point) {
            return PointRecord{glm::vec4(point.position, point.size), point.colour};
        });
    });
    program.use();
    const auto draw_part = [&](std::size_t first, std::size_t count) {
        if (count == 0) {
            return;
        }
        const std::size_t start = first * sizeof(PointRecord);
        float_attribute(0, 4, sizeof(PointRecord), start + offsetof(PointRecord, position_size), 1);
        float_attribute(1, 4, sizeof(PointRecord), start + offsetof(PointRecord, colour), 1);
        draw_strips(count);
        ++calls;
    };
    draw_part(0, hidden);
    glDisable(GL_DEPTH_TEST);
    draw_part(hidden, list.points.size() - hidden);
    glEnable(GL_DEPTH_TEST);
    return calls;
}

} // namespace cairn::render
