// What the last picture was drawn from, to know whether the next one would be the same.
#pragma once

#include "render/draw_list.h"
#include "render/renderer.h"

#include <vector>

namespace cairn::render {

class DrawnPicture {
  public:
    // Labels are none of the renderer's, see DrawList. What is not a number equals nothing, and is drawn again.
    bool is_of(const DrawList& list, const Viewport& viewport) const {
        return known_ && viewport == viewport_ && list.camera == camera_ && list.light == light_ &&
               list.grid == grid_ && list.textures == textures_ && list.instances == instances_ &&
               list.lines == lines_ && list.points == points_;
    }
    void note(const DrawList& list, const Viewport& viewport) {
        known_ = true;
        viewport_ = viewport;
        camera_ = list.camera;
        light_ = list.light;
        grid_ = list.grid;
        textures_ = list.textures;
        copy(list.instances, instances_);
        copy(list.lines, lines_);
        copy(list.points, points_);
    }
    // Something else that a picture depends on has changed: settings, meshes, shaders.
    void forget() { known_ = false; }

  private:
    // With the room that the original has, which grows seldom.
    template <typename T>
    static void copy(const std::vector<T>& from, std::vector<T>& to) {
        to.reserve(from.capacity());
        to = from;
    }

    bool known_ = false;
    Viewport viewport_;
    Camera camera_;
    Light light_;
    bool grid_ = false, textures_ = false;
    std::vector<Instance> instances_;
    std::vector<Line> lines_;
    std::vector<Point> points_;
};

} // namespace cairn::render
