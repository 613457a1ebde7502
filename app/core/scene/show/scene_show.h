// How a scene is opened in the window: the "show" of its file. Nothing of a motion follows from it, and captures do not
// hold it.
#pragma once

#include "app/core/scene/show/camera_path.h"
#include "physics/world/body_def.h"

#include <string>
#include <vector>

namespace cairn::core {

class Document;
struct Node;

struct SceneLabel { // a text in the world
    std::string text;
    std::string body;       // moves with it; empty: stands in the world
    physics::Vec3 at{0.0f}; // m, world axes: from the body's centre of mass, or from the origin
    friend bool operator==(const SceneLabel&, const SceneLabel&) = default;
};

struct SceneShow {
    bool paused = false;
    float speed = 1.0f;                // simulated seconds in a real one
    std::string follow;                // the body that the camera goes along with; empty: none
    std::vector<CameraKey> path;       // that the camera goes instead; times increase
    std::vector<physics::Vec3> points; // m, world: in the picture besides what moves
    std::vector<SceneLabel> labels;
    std::vector<std::string> parameters; // keys of the step's, under the title
    friend bool operator==(const SceneShow&, const SceneShow&) = default;
};

// `bodies`: those that the file may name. Throws InputError.
SceneShow read_show(const Document& document, const Node& node, const std::vector<physics::BodyDef>& bodies);
// As the file's member "show" holds it; "{}" if there is nothing to say.
std::string show_text(const SceneShow& show);
// Lets go of bodies that are not there by that name.
void keep_known(SceneShow& show, const std::vector<physics::BodyDef>& bodies);

} // namespace cairn::core
