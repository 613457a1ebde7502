// Reads one scene file; for scene_parser.cpp, which holds what is read of the whole, and body_parser.cpp.
#pragma once

#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/shapes/scene_shapes.h"
#include "app/core/scene/values/value_reader.h"
#include "physics/world/parameters/parameters.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace cairn::core {

// What one reading shares between a file and the files that it includes.
struct Reading {
    KnownShapes shapes;
    std::vector<std::filesystem::path> open_files; // from the first file down to the present one
    std::size_t included_files = 0;
    std::vector<physics::BodyDef> bodies;
    std::vector<physics::JointDef> joints;
    bool expectations = true;
};

class FileParser {
  public:
    FileParser(const Document& document, std::filesystem::path folder, Reading& reading)
        : document_(document),
          folder_(std::move(folder)),
          reading_(reading),
          shapes_(document, folder_, reading.shapes) {}

    // The header; bodies (of includes first) are appended to the reading's.
    Scene parse_scene();
    void parse_body(const Node& node, bool may_repeat);

  private:
    void parse_parameter(const Node& node, const physics::Parameter& p, physics::Settings& settings);
    void parse_parameter(const Node& node, const physics::BodyParameter& p, physics::BodyDef& body);
    void parse_parameters(const ObjectReader& object, std::string_view section, physics::Settings& settings);
    void include(const Node& node);
    Expectation::Reference read_reference(const Node& node);
    void repeat(const Node& node, const physics::BodyDef& first, const physics::Quat& turn);
    void parse_filter(const ObjectReader& reader, physics::CollisionFilter& filter) const;
    std::uint8_t parse_locks(const Node& node) const;
    void make_room(std::size_t count, const Node& at) const;

    const Document& document_;
    std::filesystem::path folder_;
    Reading& reading_;
    ShapeReader shapes_;
};

} // namespace cairn::core
