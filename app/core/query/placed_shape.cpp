#include "app/core/query/placed_shape.h"

#include "app/core/base/error.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/values/scene_keys.h"

#include <charconv>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace cairn::core {

glm::dvec3 precise_position(const Document& line, const Node* position) {
    glm::dvec3 out(0.0);
    if (position != nullptr) {
        const Node* number = line.first(*position);
        for (int i = 0; i < 3; ++i, number = line.next(*number)) {
            const std::string_view digits = line.text().substr(number->begin, number->end - number->begin);
            std::from_chars(digits.data(), digits.data() + digits.size(), out[i]);
        }
    }
    return out;
}

PlacedShape read_placed_shape(const Document& line, const Node& node, const std::filesystem::path& folder,
                              bool surface) {
    const ObjectReader reader(line, node, "a placed shape", placed_shape_keys);
    reader.require("shape");
    // Scenes have surfaces on static bodies alone.
    static constexpr std::string_view fixed = "{\"type\": \"static\", ";
    const std::string_view part = line.text().substr(node.begin, node.end - node.begin);
    const std::string text = surface ? std::string(fixed) + std::string(part.substr(1)) : std::string(part);
    const std::size_t added = surface ? fixed.size() - 1 : 0;
    PlacedShape out;
    try {
        const Document document(text, line.name());
        out.body = body_from_document(document, folder);
        auto built = physics::build_shape(out.body.shapes.front().geometry);
        if (const auto* error = std::get_if<physics::ShapeError>(&built)) {
            throw InputError(Location{line.name(), 1, 1}, error->reason);
        }
        out.shape = std::move(std::get<physics::Shape>(built));
    } catch (const InputError& error) {
        // Its column counts from the start of the part.
        const std::size_t column = error.location().column;
        const bool in_line = column > added && error.location().file == line.name();
        line.fail_at(node.begin + (in_line ? column - 1 - added : 0),
                     error.location().file == line.name() ? error.message() : error.what());
    }
    out.position = precise_position(line, reader.find("position"));
    return out;
}

} // namespace cairn::core
