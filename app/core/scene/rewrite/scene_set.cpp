// Changing one value of a scene by its path: the part that holds the value is written out in full, the value replaced
// in that text, and the text read again. So a value is accepted or rejected exactly as in a file.
#include "app/core/scene/json/document.h"
#include "app/core/scene/json/text_edits.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/scene.h"
#include "app/core/scene/values/scene_keys.h"
#include "app/core/scene/writer/body_writer.h"
#include "app/core/scene/writer/joint_writer.h"
#include "app/core/scene/writer/scene_writer.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace cairn::core {

namespace {

std::optional<std::size_t> index_of(std::string_view word) {
    std::size_t index = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (word.empty() || error != std::errc() || stop != word.data() + word.size()) {
        return std::nullopt;
    }
    return index;
}

std::vector<std::string_view> words_of(std::string_view path) {
    std::vector<std::string_view> words;
    for (;;) {
        const std::size_t dot = path.find('.');
        words.push_back(path.substr(0, dot));
        if (dot == std::string_view::npos) {
            return words;
        }
        path.remove_prefix(dot + 1);
    }
}

// Of two keys that exclude each other, setting one takes the place of the other.
std::string_view counterpart(std::string_view key) {
    constexpr std::pair<std::string_view, std::string_view> pairs[] = {{"mass", "density"}, {"shape", "shapes"}};
    for (const auto& [a, b] : pairs) {
        if (key == a) {
            return b;
        }
        if (key == b) {
            return a;
        }
    }
    return {};
}

// Where in the document the value at `words` goes.
TextEdit place(const Document& document, const std::vector<std::string_view>& words, const std::string& value) {
    const Node* node = &document.root();
    std::string path;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool last = i + 1 == words.size();
        const std::string_view word = words[i];
        const auto here = [&] { return path.empty() ? std::string("the scene") : in_quotes(path); };
        if (node->kind == NodeKind::array) {
            const auto index = index_of(word);
            if (!index || *index >= node->child_count) {
                throw InputError(here() + " is a list of " + std::to_string(node->child_count) + "; " +
                                 in_quotes(word) + " is none of its indices 0 .. " +
                                 std::to_string(node->child_count == 0 ? 0 : node->child_count - 1));
            }
            node = document.first(*node);
            for (std::size_t k = 0; k < *index; ++k) {
                node = document.next(*node);
            }
        } else if (node->kind == NodeKind::object) {
            const Node* child = document.member(*node, word);
            if (child == nullptr && last) {
                std::string member = "\"";
                member.append(word).append("\": ").append(value);
                if (const Node* other = document.member(*node, counterpart(word))) {
                    return {other->key_begin, other->end, member};
                }
                if (node->child_count > 0) {
                    member += ", ";
                }
                return {node->begin + 1u, node->begin + 1u, member};
            }
            if (child == nullptr) {
                std::vector<std::string_view> keys;
                for (const Node* k : document.children(*node)) {
                    keys.push_back(k->key);
                }
                throw InputError(here() + " has no member " + in_quotes(word) + ";" + suggestion(word, keys));
            }
            node = child;
        } else {
            throw InputError(here() + " is " + std::string(kind_name(node->kind)) + " and has no member " +
                             in_quotes(word));
        }
        if (!path.empty()) {
            path += '.';
        }
        path += word;
    }
    return {node->begin, node->end, value};
}

std::string edited(const std::string& text, const std::vector<std::string_view>& words, const std::string& value) {
    const Document document(text, "");
    return with_edits(text, {place(document, words, value)});
}

// The value as JSON: as it stands if it is JSON, in quotes if it is a bare word (type=static, name=Tall tower).
std::string as_json(std::string_view value) {
    try {
        const std::string text(value);
        const Document document(text, "");
        return text.substr(document.root().begin, document.root().end - document.root().begin);
    } catch (const InputError&) {
        const auto bare = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ' ' ||
                   c == '-' || c == '/' || c == '.' || c == '#' || static_cast<unsigned char>(c) >= 0x80;
        };
        const bool word = !value.empty() && std::ranges::all_of(value, bare) && !(value[0] >= '0' && value[0] <= '9') &&
                          value[0] != '-' && value[0] != '.' && value != "NaN" && value != "nan" && value != "inf" &&
                          value != "Infinity";
        if (word) {
            std::string text = "\"";
            return text.append(value).append("\"");
        }
        throw;
    }
}

std::size_t find_body(const Scene& scene, std::string_view word) {
    if (const auto index = index_of(word)) {
        if (*index >= scene.bodies.size()) {
            throw InputError("there is no body " + std::string(word) + "; the scene has " +
                             std::to_string(scene.bodies.size()) +
                             (scene.bodies.empty() ? " bodies" : ", counted from 0"));
        }
        return *index;
    }
    const auto named = [&](const physics::BodyDef& body) { return body.name == word; };
    const auto found = std::ranges::find_if(scene.bodies, named);
    if (found == scene.bodies.end()) {
        throw InputError("there is no body named " + in_quotes(word) + "; use bodies.INDEX or a name of the scene");
    }
    if (std::any_of(found + 1, scene.bodies.end(), named)) {
        throw InputError("several bodies are named " + in_quotes(word) + "; use bodies.INDEX");
    }
    return static_cast<std::size_t>(found - scene.bodies.begin());
}

void set_in_body(physics::BodyDef& body, const std::vector<std::string_view>& words, const std::string& json) {
    const std::string text = edited(full_body_text(body), words, json);
    physics::BodyDef changed = body_from_document(Document(text, ""), std::filesystem::path("."));
    if (changed.shapes == body.shapes) {
        changed.shapes = body.shapes; // keeps hulls shared
    }
    body = std::move(changed);
}

void set(Scene& scene, std::string_view path, std::string_view value) {
    std::vector<std::string_view> words = words_of(path);
    if (std::ranges::any_of(words, [](std::string_view word) { return word.empty(); })) {
        throw InputError("the path has an empty part; write PATH=VALUE as in gravity.2=-3.7");
    }
    const std::string json = as_json(value);
    if (words[0] == "bodies") {
        if (words.size() < 2) {
            throw InputError("name one body: bodies.INDEX.KEY=VALUE");
        }
        const std::string_view which = words[1];
        words.erase(words.begin(), words.begin() + 2);
        if (which != "*") {
            set_in_body(scene.bodies[find_body(scene, which)], words, json);
            return;
        }
        for (physics::BodyDef& body : scene.bodies) {
            set_in_body(body, words, json);
        }
        return;
    }
    if (words[0] == "joints") {
        const auto index = words.size() < 3 ? std::nullopt : index_of(words[1]);
        const auto named = [&](const physics::JointDef& joint) { return words.size() > 2 && joint.name == words[1]; };
        const auto found =
            index ? scene.joints.begin() + static_cast<std::ptrdiff_t>(std::min(*index, scene.joints.size()))
                  : std::ranges::find_if(scene.joints, named);
        if (found == scene.joints.end()) {
            throw InputError("name one of the scene's " + std::to_string(scene.joints.size()) +
                             " joints: joints.INDEX.KEY=VALUE or joints.NAME.KEY=VALUE");
        }
        words.erase(words.begin(), words.begin() + 2);
        const std::string text = edited(full_joint_text(*found), words, json);
        *found = joint_from_document(Document(text, ""), scene);
        return;
    }
    if (words[0] == "show") {
        throw InputError("\"show\" cannot be set; it only says how the window opens the scene");
    }
    if (words[0] == "zones" || words[0] == "expect") {
        throw InputError(in_quotes(words[0]) + " cannot be set: what is expected stays when values change");
    }
    if (words[0] == "include" || words[0] == "point_sets" || words[0] == "cairn" || words[0] == "$schema") {
        throw InputError(in_quotes(words[0]) + " cannot be set; it only says how the file is read");
    }
    const std::string text = edited(full_header_text(scene), words, json);
    Scene header = scene_from_document(Document(text, ""), std::filesystem::path("."), {});
    header.bodies = std::move(scene.bodies);
    header.joints = std::move(scene.joints);
    header.zones = std::move(scene.zones);
    header.expectations = std::move(scene.expectations);
    header.show = std::move(scene.show);
    if (words[0] == "camera") {
        header.show.path.clear(); // whoever says where it stands does not want it to go elsewhere
    }
    scene = std::move(header);
}

} // namespace

void set_value(Scene& scene, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    try {
        if (equals == std::string_view::npos) {
            throw InputError("write PATH=VALUE, as in gravity.2=-3.7");
        }
        set(scene, assignment.substr(0, equals), assignment.substr(equals + 1));
    } catch (const InputError& error) {
        // Line and column would be those of a text that nobody has seen; a mesh file of the value's keeps its own.
        const Location& at = error.location();
        const std::string what = at.file.empty() ? error.message() : error.what();
        throw InputError({"--set " + std::string(assignment), 0, 0}, what);
    }
}

} // namespace cairn::core
