#include "app/cli/output/report.h"

#include "app/core/base/error.h"
#include "app/core/base/joined_words.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/scene/worlds/frame_bodies.h"

#ifdef CAIRN_GUI
#include "app/ui/view/picture.h"
#endif

#include <algorithm>
#include <mutex>

namespace cairn::cli {
namespace {

constexpr std::size_t most_lines = 12; // of values that differ

std::string listed(const std::vector<std::string>& names, std::size_t more) {
    return core::joined_words(names) + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

} // namespace

void add_differences(std::vector<std::string>& lines, const std::string& where,
                     const std::vector<core::StateDifference>& differences,
                     const std::function<std::string(const core::StateDifference&)>& values) {
    lines.push_back(where + ", " + std::to_string(differences.size()) +
                    (differences.size() == 1 ? " value differs:" : " values differ:"));
    for (std::size_t i = 0; i < std::min(differences.size(), most_lines); ++i) {
        const core::StateDifference& d = differences[i];
        lines.push_back("  " + d.name + (d.name.empty() ? "" : ": ") + d.field + ": " + values(d));
    }
    if (differences.size() > most_lines) {
        lines.push_back("  and " + std::to_string(differences.size() - most_lines) + " more");
    }
}

std::vector<std::string> cause_lines(const core::Cause& cause) {
    std::vector<std::string> lines;
    lines.push_back("stage: " + cause.stage);
    if (!cause.bodies.empty()) {
        lines.push_back((cause.bodies_certain ? "bodies: " : "bodies, one or more of: ") +
                        listed(cause.bodies, cause.more_bodies));
    }
    if (!cause.contacts.empty()) {
        lines.push_back("contacts, one or more of: " + listed(cause.contacts, cause.more_contacts));
    }
    if (!cause.compared_at) {
        return lines;
    }
    if (cause.differences.empty()) {
        lines.push_back("at step " + std::to_string(*cause.compared_at) +
                        ", the next recorded keyframe, nothing differs");
        return lines;
    }
    add_differences(lines, "at step " + std::to_string(*cause.compared_at) + ", the next recorded keyframe",
                    cause.differences, [](const core::StateDifference& d) {
                        return "recorded " + d.recorded + ", found " + d.found +
                               (d.size > 0.0 ? ", off by " + core::short_number(d.size) : "");
                    });
    return lines;
}

Pictures::Pictures(core::PageSection& section, const core::SceneCamera& camera, std::vector<std::uint32_t> marked,
                   std::vector<core::Zone> zones)
    : section_(section), camera_(camera), look_(camera), marked_(std::move(marked)), zones_(std::move(zones)) {
}

#ifdef CAIRN_GUI
void Pictures::add(const physics::World& world, const std::string& caption) {
    if (!section_.picture_note.empty()) {
        return; // one failure is enough
    }
    // One context at a time: captures are checked on several threads.
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    physics::FrameState frame;
    world.publish(frame);
    ui::PictureOptions options;
    options.width = 800;
    options.height = 500;
    options.draw.msaa = 4;
    options.zones = zones_;
    physics::Vec3 middle(0.0f);
    for (const physics::BodyState& body : frame.bodies) {
        if (std::ranges::binary_search(marked_, body.id.index)) {
            options.marked.push_back(body.id);
            middle += body.pose.position;
        }
    }
    if (!options.marked.empty() && aimed_ != frame.step) {
        middle /= static_cast<float>(options.marked.size());
        float reach = 0.5f; // m
        for (const physics::BodyId& id : options.marked) {
            const auto body = world.state(id);
            reach = std::max(reach, glm::length(body->pose.position - middle) + core::reach_of(*world.model(id)));
        }
        const physics::Vec3 view = camera_.eye - camera_.target;
        const float distance = glm::length(view);
        if (distance > 0.0f) {
            look_.eye = middle + view * (std::min(distance, 9.0f * reach) / distance);
            look_.target = middle;
        }
        aimed_ = frame.step;
    }
    try {
        section_.pictures.push_back({caption, ui::draw_png(frame, look_, options)});
    } catch (const core::MachineError& error) {
        section_.picture_note = std::string("There are no pictures: ") + error.what();
    }
}
#else
void Pictures::add(const physics::World&, const std::string&) {
    section_.picture_note = "There are no pictures: this program was built without the renderer.";
}
#endif

std::string command_to_open(const Path& capture, std::uint64_t step) {
    return "cairn " + shell_quoted(capture.string()) + " --at " + std::to_string(step > 0 ? step - 1 : 0);
}

} // namespace cairn::cli
