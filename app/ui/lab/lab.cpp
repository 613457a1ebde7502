#include "app/ui/lab/lab.h"

#include "app/core/base/error.h"
#include "app/lab/pair_of_question.h"
#include "app/lab/scene_pair.h"
#include "app/ui/context/attempt.h"
#include "app/ui/lab/lab_state.h"

#include <algorithm>

namespace cairn::ui {

namespace lab = core::lab;

namespace {

bool same_shape(const physics::Shape& a, const physics::Shape& b) {
    return a.kind == b.kind && a.radius == b.radius && a.half_extents == b.half_extents && a.hull == b.hull;
}

bool same_sweep(const physics::Sweep& a, const physics::Sweep& b) {
    return a.start == b.start && a.shape_pose == b.shape_pose && a.linear_velocity == b.linear_velocity &&
           a.angular_velocity == b.angular_velocity;
}

bool same_pair(const lab::LabPair& a, const lab::LabPair& b) {
    return a.origin == b.origin && a.duration == b.duration && same_sweep(a.sweep_a, b.sweep_a) &&
           same_sweep(a.sweep_b, b.sweep_b) && same_shape(a.a, b.a) && same_shape(a.b, b.b) && a.name_a == b.name_a &&
           a.name_b == b.name_b;
}

void read_question(LabState& state) {
    const core::QuestionLine& line = state.questions.lines[static_cast<std::size_t>(state.question)];
    const core::Question question = core::read_question(state.questions, line);
    state.pair = lab::pair_of(question);
    state.has_pair = true;
    state.title = core::title_of(question, line);
    if (state.question != state.asked) { // what the line asks for, once
        state.asked = state.question;
        const std::string_view wanted = lab::name_of(lab::algorithm_of(question));
        state.choice = static_cast<int>(lab::choice_named(wanted) - lab::all_choices().data());
    }
}

// Where the pair is now. Sets `stale` if it is another than before.
void find_pair(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    switch (state.source) {
    case LabSource::bodies: {
        auto pair = lab::pair_in_scene(ctx.frame(), state.a, state.b, state.look_ahead);
        if (!pair) {
            state.stale = state.stale || state.has_pair;
            state.has_pair = false;
            state.trouble = "One of the two bodies is gone: select two and open the lab again.";
            return;
        }
        if (!state.has_pair || !same_pair(*pair, state.pair)) {
            state.pair = std::move(*pair);
            state.stale = true;
        }
        state.has_pair = true;
        return;
    }
    case LabSource::questions:
        if (state.stale) {
            state.has_pair = false;
            state.trouble.clear();
            try {
                read_question(state);
            } catch (const core::InputError& error) {
                state.trouble = error.what();
            }
        }
        return;
    case LabSource::preset:
        return;
    }
}

// Adds what the choice comes to on the pair.
void add_run(LabState& state, const lab::Choice& choice, bool with_right) {
    if (const auto reason = lab::rejection(choice, state.pair)) {
        state.trouble += (state.trouble.empty() ? "" : " ") + std::string(choice.title) + ": " + *reason + ".";
        return;
    }
    lab::Outcome outcome = lab::run(choice, state.pair);
    state.runs.push_back(std::move(outcome.run));
    if (!outcome.verdict.empty()) {
        state.verdict = outcome.verdict;
    }
    if (with_right && outcome.right) {
        state.runs.push_back(std::move(*outcome.right));
    }
}

void make_runs(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    const bool at_end = state.step_count() > 0 && state.step + 1 == state.step_count();
    state.runs.clear();
    state.verdict.clear();
    const lab::Choice& choice = state.chosen();
    if (state.source == LabSource::preset) {
        state.trouble.clear();
        lab::Outcome outcome = lab::run_preset(choice, state.pair);
        state.has_pair = true;
        state.verdict = std::move(outcome.verdict);
        state.runs.push_back(std::move(outcome.run));
        if (outcome.right) {
            state.runs.push_back(std::move(*outcome.right));
        }
    } else if (state.has_pair) {
        state.trouble.clear();
        add_run(state, choice, state.beside == 0);
        if (state.beside > 0) {
            add_run(state, lab::all_choices()[static_cast<std::size_t>(state.beside - 1)], false);
        }
    }
    ++state.version;
    state.stale = false;
    const std::size_t count = state.step_count();
    state.step = count == 0 ? 0 : at_end ? count - 1 : std::min(state.step, count - 1);
}

void open(Context& ctx, LabSource source) {
    LabState& state = ctx.get<LabState>();
    state.home = source;
    state.source = state.chosen().takes_no_pair() ? LabSource::preset : source;
    const render::Camera& camera = ctx.camera.camera();
    const glm::vec3 towards = glm::normalize(camera.eye - camera.target);
    state.yaw = std::atan2(towards.y, towards.x);
    state.pitch = std::clamp(std::asin(std::clamp(towards.z, -1.0f, 1.0f)), -1.4f, 1.4f);
    state.zoom = 1.0f;
    state.open = true;
    ctx.camera.fit = CameraControl::Fit::glide;
    state.playing = false;
    state.step = 0;
    state.has_pair = false;
    state.stale = true;
    state.runs.clear();
}

} // namespace

const lab::Choice& LabState::chosen() const {
    return lab::all_choices()[static_cast<std::size_t>(choice)];
}

std::size_t LabState::step_count() const {
    std::size_t out = 0;
    for (const lab::LabRun& run : runs) {
        out = std::max(out, run.steps.size());
    }
    return out;
}

const lab::LabStep* LabState::step_of(std::size_t run) const {
    return run < runs.size() ? &runs[run].steps[std::min(step, runs[run].steps.size() - 1)] : nullptr;
}

void open_lab(Context& ctx, physics::BodyId a, physics::BodyId b) {
    open(ctx, LabSource::bodies);
    ctx.get<LabState>().a = a;
    ctx.get<LabState>().b = b;
}

void toggle_lab(Context& ctx) {
    if (ctx.get<LabState>().open) {
        ctx.get<LabState>().open = false;
        return;
    }
    if (ctx.selection.size() >= 2) {
        const physics::BodyId last = ctx.selected;
        const auto other =
            std::ranges::find_if(ctx.selection, [&](const physics::BodyId& body) { return body != last; });
        open_lab(ctx, *other, last);
    } else if (ctx.selected) {
        if (const physics::BodyId other = lab::nearest_body(ctx.frame(), ctx.selected)) {
            open_lab(ctx, other, ctx.selected);
        } else {
            ctx.log.info("The lab needs two bodies, and there is only one");
        }
    } else if (!ctx.get<LabState>().questions.lines.empty() && ctx.get<LabState>().home == LabSource::questions) {
        open(ctx, LabSource::questions);
    } else if (open_questions(ctx, lessons_file())) {
        ctx.log.info("Select two bodies, or one, to open them in the lab");
    }
}

std::filesystem::path lessons_file() {
    return core::data_folder() / "assets" / "lab" / "lessons.jsonl";
}

bool looks_like_questions(const std::filesystem::path& file) {
    return file.extension() == ".jsonl";
}

bool open_questions(Context& ctx, const std::filesystem::path& file) {
    core::QuestionFile questions;
    if (!attempt(ctx, [&] { questions = core::read_question_file(file); })) {
        return false;
    }
    open(ctx, LabSource::questions);
    LabState& state = ctx.get<LabState>();
    state.source = LabSource::questions;
    state.questions = std::move(questions);
    state.lessons = file == lessons_file();
    state.question = 0;
    state.asked = -1;
    return true;
}

void choose_in_lab(Context& ctx, int choice) {
    LabState& state = ctx.get<LabState>();
    state.choice = choice;
    state.stale = true;
    state.step = 0;
    const lab::Choice& chosen = state.chosen();
    if (!chosen.brings_its_own()) {
        state.source = state.home;
    } else if (!state.has_pair || lab::rejection(chosen, state.pair)) {
        state.source = LabSource::preset;
    }
    if (chosen.lesson != nullptr) { // seen from above
        state.yaw = -1.5707963f;
        state.pitch = most_lab_pitch;
    }
}

void put_on_preset(Context& ctx, bool preset) {
    LabState& state = ctx.get<LabState>();
    state.source = preset ? LabSource::preset : state.home;
    state.stale = true;
    state.step = 0;
}

void step_lab(Context& ctx, int by) {
    LabState& state = ctx.get<LabState>();
    state.playing = false;
    const auto count = static_cast<long>(state.step_count());
    if (count > 0) {
        state.step = static_cast<std::size_t>(std::clamp(static_cast<long>(state.step) + by, 0L, count - 1));
    }
}

void follow_lab(Context& ctx) {
    LabState& state = ctx.get<LabState>();
    for (const core::RemadeBody& body : ctx.events.remade) {
        state.a = state.a == body.before ? body.now : state.a;
        state.b = state.b == body.before ? body.now : state.b;
    }
    if (!state.open) {
        return;
    }
    follow_comparison(ctx);
    find_pair(ctx);
    if (state.stale) {
        make_runs(ctx);
    }
    if (state.playing && ctx.log.time() >= state.next_at) {
        state.next_at = ctx.log.time() + 1.0 / double(state.pace);
        if (state.step + 1 < state.step_count()) {
            ++state.step;
        } else {
            state.playing = false;
        }
    }
}

} // namespace cairn::ui
