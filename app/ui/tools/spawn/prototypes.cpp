#include "app/ui/tools/spawn/prototypes.h"

#include "app/core/base/error.h"
#include "app/core/scene/worlds/excerpt.h"
#include "app/ui/camera/frame_queries.h"
#include "app/ui/context/attempt.h"
#include "app/ui/context/selection.h"
#include "app/ui/dialogs/question.h"
#include "app/ui/tools/spawn/spawn.h"
#include "physics/world/store/body_kind.h"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

namespace cairn::ui {

namespace fs = std::filesystem;

fs::path Prototypes::file_of(const std::string& name) const {
    return folder_ / (name + ".json");
}

const std::vector<std::string>& Prototypes::names() {
    if (!std::exchange(listed_, true)) {
        std::error_code error; // no folder: nothing is kept
        for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
            if (at->path().extension() == ".json") {
                names_.push_back(at->path().stem().string());
            }
        }
        std::ranges::sort(names_);
    }
    return names_;
}

bool Prototypes::has(const std::string& name) {
    return std::ranges::binary_search(names(), name);
}

std::shared_ptr<const core::Scene> Prototypes::get(const std::string& name) {
    if (cached_ == nullptr || cached_name_ != name) {
        core::Scene scene = core::read_scene(file_of(name));
        stand_on(scene, physics::Vec3(0.0f));
        cached_ = std::make_shared<const core::Scene>(std::move(scene));
        cached_name_ = name;
    }
    return cached_;
}

void Prototypes::keep(const std::string& name, core::Scene scene) {
    scene.name = name;
    for (physics::BodyDef& body : scene.bodies) {
        if (body.type == physics::BodyType::dynamic) {
            body.linear_velocity = body.angular_velocity = physics::Vec3(0.0f);
        }
    }
    stand_on(scene, physics::Vec3(0.0f));
    std::error_code error; // then the writing says so
    fs::create_directories(folder_, error);
    core::save_scene(scene, file_of(name));
    if (!has(name)) {
        names_.insert(std::ranges::lower_bound(names_, name), name);
    }
    cached_.reset();
    ++revision_;
}

void Prototypes::forget(const std::string& name) {
    std::error_code error;
    if (!fs::remove(file_of(name), error) && error) {
        throw core::InputError(core::Location{file_of(name).string(), 0, 0}, error.message());
    }
    std::erase(names_, name);
    cached_.reset();
    ++revision_;
}

std::string wrong_with_name(const std::string& name) {
    if (name.empty()) {
        return "A prototype needs a name";
    }
    const bool control = std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 32u; });
    if (control || name.front() == '.' || name.find('/') != std::string::npos || name.size() > 100) {
        return "A prototype's name is a file's: at most 100 bytes, no / in it and no dot at its front";
    }
    const auto same = [&](const SpawnShapeInfo& info) { return info.name == name; };
    if (std::ranges::any_of(spawn_shapes(), same)) {
        return "There is a shape of that name";
    }
    return {};
}

physics::Aabb bounds_of(const core::Scene& scene) {
    physics::BodyKindLibrary kinds;
    physics::Aabb all;
    for (const physics::BodyDef& body : scene.bodies) {
        const auto kind = kinds.get(body);
        physics::Aabb box{body.pose.position, body.pose.position};
        if (const auto* good = std::get_if<std::shared_ptr<const physics::BodyKind>>(&kind)) {
            box = body_bounds(**good, body.pose);
        }
        all = physics::united(all, box);
    }
    return all;
}

void stand_on(core::Scene& scene, const physics::Vec3& point) {
    const physics::Aabb box = bounds_of(scene);
    core::move_by(scene, point - physics::Vec3(0.5f * (box.lower.x + box.upper.x), 0.5f * (box.lower.y + box.upper.y),
                                               box.lower.z));
}

core::Scene heap_of(const core::Scene& group, int count) {
    const physics::Aabb box = bounds_of(group);
    const physics::Vec3 apart = 1.02f * (box.upper - box.lower) + physics::Vec3(0.01f);
    core::Scene heap;
    for (int i = 0; i < count; ++i) {
        core::Scene one = group;
        core::move_by(one, apart * place_in_heap(i, count));
        const auto before = static_cast<std::uint32_t>(heap.bodies.size());
        for (physics::JointDef& joint : one.joints) { // of bodies by their place
            joint.body_b.index += before;
            if (joint.body_a) {
                joint.body_a.index += before;
            }
        }
        std::ranges::move(one.bodies, std::back_inserter(heap.bodies));
        std::ranges::move(one.joints, std::back_inserter(heap.joints));
    }
    return heap;
}

namespace {

void keep_as(Context& ctx, const std::string& name, const core::Scene& scene) {
    if (attempt(ctx, [&] { ctx.get<Prototypes>().keep(name, scene); })) {
        ctx.get<Spawning>().settings.prototype = name;
        ctx.get<Prototypes>().typed.clear();
        ctx.log.info("Kept as " + name + "; " + ctx.key_of("spawn") + " spawns it at the cursor");
    }
}

void keep_selected(Context& ctx) {
    core::Scene scene = core::excerpt_from(ctx.frame(), selected_places(ctx));
    Prototypes& prototypes = ctx.get<Prototypes>();
    const std::string name = prototypes.typed.empty() ? scene.bodies.front().name : prototypes.typed;
    if (const std::string wrong = wrong_with_name(name); !wrong.empty()) {
        ctx.log.error(wrong);
    } else if (prototypes.has(name)) {
        ask(ctx, {.title = "Replace the prototype " + name + "?",
                  .text = "What was kept under this name is lost.",
                  .choices = {{"replace", "Replace", [name, scene](Context& a) { keep_as(a, name, scene); }},
                              {"cancel", "Cancel", {}}}});
    } else {
        keep_as(ctx, name, scene);
    }
}

void ask_to_forget(Context& ctx, const std::string& name) {
    Question question;
    question.title = "Forget the prototype " + name + "?";
    question.text = "Its file is deleted; what was spawned of it stays.";
    question.choices = {{"forget", "Forget",
                         [name](Context& a) {
                             if (attempt(a, [&] { a.get<Prototypes>().forget(name); })) {
                                 a.get<Spawning>().settings.prototype.clear();
                             }
                         }},
                        {"cancel", "Cancel", {}}};
    ask(ctx, std::move(question));
}

} // namespace

void prototype_rows(Context& ctx) {
    Widgets& w = ctx.widgets;
    const std::string& chosen = ctx.get<Spawning>().settings.prototype;
    const bool selected = !ctx.selection.empty();
    if (!chosen.empty() && w.button("spawn.forget", "Forget this prototype", "Deletes what is kept under this name.",
                                    ImGui::GetContentRegionAvail().x)) {
        ask_to_forget(ctx, chosen);
    }
    const float width = ImGui::GetContentRegionAvail().x, gap = ImGui::GetStyle().ItemSpacing.x;
    const bool entered =
        w.text("spawn.prototype_name", "Name of a prototype", ctx.get<Prototypes>().typed, 0.6f * width - gap);
    ImGui::SameLine();
    const bool pressed = w.button("spawn.keep", "Keep",
                                  "Keeps the selection, with the joints in it, as a prototype: in the list of shapes, "
                                  "now and in every later run.",
                                  0.4f * width, selected);
    if (selected && (pressed || entered)) {
        keep_selected(ctx);
    }
}

} // namespace cairn::ui
