// What the window's collision lab holds: which pair it looks at, what runs on it, and which step is shown.
#pragma once

#include "app/core/query/question_file.h"
#include "app/lab/choices.h"
#include "app/lab/comparison/comparison.h"
#include "app/ui/context/parts.h"
#include "physics/world/frame_state.h"
#include "render/draw_list.h"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace cairn::ui {

enum class LabSource : std::uint8_t {
    bodies,    // two bodies of the world, as they are in every frame
    questions, // a line of a file as `cairn query` takes it
    preset,    // what an article's version brings itself
};

// One of the pictures in the panel: what there is to see, and how large.
struct LabView {
    bool wanted = false; // in this frame
    bool difference = false;
    std::size_t run = 0;
    int width = 0, height = 0; // pixels
    render::DrawList list;     // of the last drawing; its labels are written by the panel
    unsigned texture = 0;      // GL's name; 0 = not drawn yet
};

struct LabState : Part {
    bool open = false;
    LabSource source = LabSource::bodies;
    LabSource home = LabSource::bodies; // bodies or questions: what it was opened on, and comes back to from a preset
    physics::BodyId a, b;
    core::QuestionFile questions;
    bool lessons = false;    // the questions are those that come with the program
    int question = 0;        // of its lines
    int asked = -1;          // the question whose own algorithm has been taken
    std::string title;       // of the question
    float look_ahead = 1.0f; // s, how far the bodies' motion is followed
    int choice = 0;          // of core::lab::all_choices()
    int beside = 0;          // 0 = nothing, else 1 + a choice

    core::lab::LabPair pair;
    bool has_pair = false;
    std::vector<core::lab::LabRun> runs; // none, one, or two side by side
    std::string verdict, trouble;
    std::uint64_t version = 0; // grows when the runs change
    bool stale = true;         // the runs are to be made again

    std::size_t step = 0; // of the longest run; a shorter one shows its last
    bool playing = false;
    float pace = 1.0f;               // steps per second
    double next_at = 0.0;            // log time at which playing goes on
    float yaw = -1.2f, pitch = 0.4f; // of both views, radians
    float zoom = 1.0f;
    bool save = false;            // save pictures, from the end of this frame on
    float saving = -1.0f;         // 0..1 while that is done
    std::array<LabView, 4> views; // of the first run: bodies and difference; of the second the same

    std::unique_ptr<core::lab::Comparison> comparison; // shown instead of the steps while it is there
    bool measuring = false;

    const core::lab::Choice& chosen() const;
    std::size_t step_count() const;
    void world_replaced(Context&, WorldChange change) override {
        if (change != WorldChange::restarted) { // else its own bodies come back under the same ids
            a = b = {};
        }
    }
    const core::lab::LabStep* step_of(std::size_t run) const; // nullptr if there is no such run
};

} // namespace cairn::ui
