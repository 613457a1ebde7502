// Makes the film that was asked for in FilmState, a little in every frame.
#pragma once

#include "app/ui/film/film.h"

#include <memory>

namespace cairn::ui {

struct Context;

class FilmMaker {
  public:
    // Once a frame, with the window's GL context: begins, goes on with or gives up a film, and notes where the camera
    // is. What goes wrong becomes a message and ends the film.
    void follow(Context& ctx);

  private:
    void begin(Context& ctx);

    std::unique_ptr<Film> film_;
};

} // namespace cairn::ui
