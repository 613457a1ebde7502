// Draws the lines and points of a draw list.
#pragma once

#include "render/draw_list.h"
#include "render/programs.h"
#include "render/stream_buffer.h"

namespace cairn::render {

class LinesAndPoints {
  public:
    LinesAndPoints();

    // Those that bodies hide first, then those on top. Needs the depth test on, and leaves it so. Each returns the
    // number of draw calls.
    int draw_lines(const DrawList& list, const Program& program);
    int draw_points(const DrawList& list, const Program& program);

  private:
    GlVertexArray line_array_, point_array_;
    StreamBuffer line_buffer_, point_buffer_;
};

} // namespace cairn::render
