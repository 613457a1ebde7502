#include "app/core/scene/rewrite/scene_rewrite.h"

#include "app/core/base/error.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/json/text_edits.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/rewrite/lost_references.h"
#include "app/core/scene/rewrite/scene_match.h"
#include "app/core/scene/writer/body_writer.h"
#include "app/core/scene/writer/expectation_writer.h"
#include "app/core/scene/writer/joint_writer.h"
#include "app/core/scene/writer/scene_writer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyId;
using physics::JointDef;
using Index = SceneMatch::Index;
using Block = SceneMatch::Block;

class Rewriting {
  public:
    Rewriting(const Scene& scene, std::span<const Index> from, std::string_view old_text, const std::string& old_name,
              const std::filesystem::path& folder)
        : document_(old_text, old_name),
          folder_(folder),
          old_(scene_from_document(document_, folder, {})),
          now_(scene),
          match_(document_, old_, now_, from) {}

    RewrittenScene result() {
        if (!match_.included.kept) {
            drop_includes();
        }
        name_joint_bodies(now_, [&](std::size_t body) {
            const Index old = match_.old_of_new[body];
            return old && match_.keeps(*old);
        });
        keep_known(now_.show, now_.bodies);
        write_bodies();
        write_joints();
        write_header();
        write_expectations();
        RewrittenScene result{with_edits(document_.text(), std::move(edits_)), std::move(order_), std::move(lost_)};
        const std::size_t before = comments_in(document_.text()), after = comments_in(result.text);
        if (after < before) {
            result.lost.push_back(counted(before - after, "comment", "comments"));
        }
        return result;
    }
    // What the text must read back as, once result() is there.
    const Scene& expected() const { return expected_; }

  private:
    const Node* top(std::string_view key) const { return document_.member(document_.root(), key); }
    std::string_view source(const Node& node) const {
        return document_.text().substr(node.begin, node.end - node.begin);
    }

    void drop_includes() {
        lost_.push_back("include");
        const Node* include = top("include");
        const Node* next = document_.next(*include);
        const Node* before = nullptr;
        for (const Node* n = document_.first(document_.root()); n != include; n = document_.next(*n)) {
            before = n;
        }
        if (next != nullptr) {
            edits_.push_back({include->key_begin, next->key_begin, ""});
        } else {
            edits_.push_back({before->end, include->end, ""});
        }
    }

    void put(std::size_t body) {
        place_[body] = order_.size();
        order_.push_back(body);
    }

    // One body where the old text has one: member by member, so that the rest stays as it was written.
    std::string patched(const Block& block, const BodyDef& was, const BodyDef& is) const {
        const std::string_view text = source(*block.node);
        if (was == is) {
            return std::string(text);
        }
        const std::string full_was = full_body_text(was), full_is = full_body_text(is);
        const Document before(full_was, ""), after(full_is, "");
        std::vector<TextEdit> edits;
        std::string added;
        for (const Node* node : after.children(after.root())) {
            const std::string value = full_is.substr(node->begin, node->end - node->begin);
            const Node* same = before.member(before.root(), node->key);
            if (same != nullptr && full_was.substr(same->begin, same->end - same->begin) == value) {
                continue;
            }
            if (const Node* member = document_.member(*block.node, node->key)) {
                edits.push_back({member->begin - block.node->begin, member->end - block.node->begin, value});
            } else {
                added.append(", \"").append(node->key).append("\": ").append(value);
            }
        }
        const std::size_t end = document_.last(*block.node)->end - block.node->begin;
        edits.push_back({end, end, added});
        std::string result = with_edits(text, std::move(edits));
        try {
            if (body_from_text(result) == is) {
                return result;
            }
            if (document_.member(*block.node, "decomposed") !=
                nullptr) { // its frame, mass or shapes are other ones now
                return body_text(is, 5);
            }
        } catch (const InputError&) {
            // Members that exclude each other, or a hull by a name that only the whole file knows.
        }
        return result_or_new(result, was, is);
    }
    BodyDef body_from_text(const std::string& text) const { return body_from_document(Document(text, ""), folder_); }
    // Where the shape alone cannot be read by itself (a point set of the file's), what was patched is right.
    static std::string result_or_new(const std::string& result, const BodyDef& was, const BodyDef& is) {
        const bool simple = was.shapes == is.shapes && was.mass.has_value() == is.mass.has_value() &&
                            was.inertia.has_value() == is.inertia.has_value() && was.filter == is.filter;
        return simple ? result : body_text(is, 5);
    }

    void write_bodies() {
        place_.resize(now_.bodies.size());
        std::vector<ListEntry> entries;
        const auto add_anew = [&](std::size_t old) {
            if (const Index now = match_.new_of_old[old]) {
                put(*now);
                entries.push_back({"\n    ", body_text(now_.bodies[*now], 5), ""});
            }
        };
        for (std::size_t i = 0; i < match_.included.count; ++i) {
            if (match_.included.kept) {
                put(*match_.new_of_old[i]);
            } else {
                add_anew(i);
            }
        }
        const Node* list = top("bodies");
        std::string end = "\n  ", before;
        std::size_t at = list != nullptr ? list->begin + 1 : 0;
        for (std::size_t b = 0; b < match_.blocks.size(); ++b) {
            const Block& block = match_.blocks[b];
            before += document_.text().substr(at, block.node->begin - at);
            const bool last = b + 1 == match_.blocks.size();
            at = block.node->end;
            const std::size_t gap_end = last ? list->end - 1 : match_.blocks[b + 1].node->begin;
            Between gap = split(document_.text().substr(at, gap_end - at));
            at = gap_end;
            if (block.kept) {
                for (std::size_t i = block.first; i < block.first + block.count; ++i) {
                    put(*match_.new_of_old[i]);
                }
                entries.push_back({before, std::string(source(*block.node)), gap.after});
            } else if (block.repeats) {
                lost_.push_back("repeat" + name_of(block));
                const std::size_t first = entries.size();
                for (std::size_t i = block.first; i < block.first + block.count; ++i) {
                    add_anew(i);
                }
                if (entries.size() > first) {
                    entries[first].before = before;
                    entries.back().after = gap.after;
                }
            } else if (const Index now = match_.new_of_old[block.first]) {
                put(*now);
                entries.push_back({before, patched(block, old_.bodies[block.first], now_.bodies[*now]), gap.after});
            }
            before = gap.before;
            if (last) {
                end = gap.before;
            }
        }
        for (std::size_t i = 0; i < now_.bodies.size(); ++i) {
            if (!match_.old_of_new[i]) {
                put(i);
                entries.push_back({"\n    ", body_text(now_.bodies[i], 5), ""});
            }
        }
        if (end.find('\n') == std::string::npos && entries.size() > match_.blocks.size()) {
            end += "\n  ";
        }
        if (!entries.empty() || !match_.blocks.empty()) {
            replace("bodies", entries.empty() ? "[]" : list_text(entries, end));
        }
    }

    std::string name_of(const Block& block) const {
        const Node* name = document_.member(*block.node, "name");
        return name != nullptr ? " of " + in_quotes(name->string) : std::string();
    }

    void replace(const char* key, const std::string& value) {
        if (const Node* node = top(key)) {
            if (source(*node) != value) {
                edits_.push_back({node->begin, node->end, value});
            }
        } else if (value != "[]") {
            add_member(key, value);
        }
    }
    void add_member(std::string_view key, const std::string& value) {
        const Node* last = document_.last(document_.root());
        std::string text = ",\n  \"";
        text.append(key).append("\": ").append(value);
        edits_.push_back({last->end, last->end, std::move(text)});
    }

    void write_joints() {
        expected_ = now_;
        expected_.bodies.clear();
        for (const std::size_t i : order_) {
            expected_.bodies.push_back(now_.bodies[i]);
        }
        const BodyReferences references(expected_.bodies);
        const auto in_file = [&](JointDef joint) {
            for (BodyId* body : {&joint.body_a, &joint.body_b}) {
                if (*body) {
                    body->index = static_cast<std::uint32_t>(place_[body->index]);
                }
            }
            return joint;
        };
        expected_.joints.clear();
        std::vector<ListEntry> entries;
        joint_place_.resize(now_.joints.size());
        const auto add = [&](std::size_t now) -> const JointDef& {
            joint_place_[now] = expected_.joints.size();
            return expected_.joints.emplace_back(in_file(now_.joints[now]));
        };
        const auto add_anew = [&](std::size_t now) {
            entries.push_back({"\n    ", joint_text(add(now), references, 5), ""});
        };
        for (std::size_t i = 0; i < match_.included_joints; ++i) {
            if (match_.included.kept) {
                add(*match_.joint_now[i]);
            } else if (match_.joint_now[i]) {
                add_anew(*match_.joint_now[i]);
            }
        }
        const Node* list = top("joints");
        std::string end = "\n  ", before;
        std::size_t at = list != nullptr ? list->begin + 1 : 0, i = match_.included_joints;
        for (const Node* node = list != nullptr ? document_.first(*list) : nullptr; node != nullptr;) {
            const Node* next = document_.next(*node);
            before += document_.text().substr(at, node->begin - at);
            at = next != nullptr ? next->begin : list->end - 1;
            Between gap = split(document_.text().substr(node->end, at - node->end));
            if (const Index now = match_.joint_now[i]) {
                const JointDef& joint = add(*now);
                entries.push_back({before,
                                   match_.joint_holds[i] ? with_references(*node, joint, references)
                                                         : joint_text(joint, references, 5),
                                   gap.after});
            }
            before = end = gap.before;
            node = next;
            ++i;
        }
        const std::size_t kept = entries.size();
        for (std::size_t now = 0; now < now_.joints.size(); ++now) {
            if (!match_.joint_is_old[now]) {
                add_anew(now);
            }
        }
        if (end.find('\n') == std::string::npos && entries.size() > kept) {
            end += "\n  ";
        }
        if (!entries.empty() || i > match_.included_joints) {
            replace("joints", entries.empty() ? "[]" : list_text(entries, end));
        }
    }

    std::string with_references(const Node& node, const JointDef& joint, const BodyReferences& references) const {
        std::vector<TextEdit> edits;
        for (const auto& [key, body] : {std::pair("a", joint.body_a), std::pair("b", joint.body_b)}) {
            const Node* member = document_.member(node, key);
            if (member != nullptr && body && source(*member) != references.text(body)) {
                edits.push_back({member->begin - node.begin, member->end - node.begin, references.text(body)});
            }
        }
        return with_edits(source(node), std::move(edits));
    }

    void set(const Node* object, std::string_view key, const std::string& value) {
        if (const Node* node = document_.member(*object, key)) {
            edits_.push_back({node->begin, node->end, value});
        } else if (object == &document_.root()) {
            add_member(key, value);
        } else {
            std::string text = "\"";
            text.append(key).append("\": ").append(value).append(object->child_count > 0 ? ", " : "");
            edits_.push_back({object->begin + 1u, object->begin + 1u, std::move(text)});
        }
    }
    void set_all(std::string_view section, const std::vector<std::pair<std::string_view, std::string>>& members) {
        const Node* object = section.empty() ? &document_.root() : top(section);
        if (object != nullptr) {
            for (const auto& [key, value] : members) {
                set(object, key, value);
            }
        } else if (!members.empty()) {
            std::string text;
            for (const auto& [key, value] : members) {
                text += (text.empty() ? "{\"" : ", \"") + std::string(key) + "\": " + value;
            }
            add_member(section, text + '}');
        }
    }
    void write_header() {
        if (now_.name != old_.name) {
            set(&document_.root(), "name", json_text(now_.name));
        }
        if (now_.description != old_.description) {
            set(&document_.root(), "description", json_text(now_.description));
        }
        for (const std::string_view section : {"", "step", "solver"}) {
            set_all(section, changed_parameters(old_.settings, now_.settings, section));
        }
        std::vector<std::pair<std::string_view, std::string>> camera;
        if (!(now_.camera.eye == old_.camera.eye)) {
            camera.emplace_back("eye", json_text(now_.camera.eye));
        }
        if (!(now_.camera.target == old_.camera.target)) {
            camera.emplace_back("target", json_text(now_.camera.target));
        }
        set_all("camera", camera);
        if (!(now_.show == old_.show)) {
            replace("show", show_text(now_.show));
        }
    }

    void write_expectations() {
        bool renumbered = false;
        const auto renumber = [&](std::uint32_t old, const std::vector<Index>& now,
                                  const std::vector<std::size_t>& place) -> Index {
            if (old >= now.size() || !now[old]) {
                return std::nullopt;
            }
            renumbered = renumbered || place[*now[old]] != old;
            return place[*now[old]];
        };
        const std::size_t gone = drop_expectations(
            expected_, [&](std::uint32_t old) { return renumber(old, match_.new_of_old, place_); },
            [&](std::uint32_t old) { return renumber(old, match_.joint_now, joint_place_); });
        if (gone > 0) {
            lost_.push_back(lost_expectations(gone));
        }
        if (gone > 0 || renumbered || !(now_.expectations == old_.expectations)) {
            replace("expect", expectations_text(expected_));
        }
    }

    const Document document_;
    const std::filesystem::path folder_;
    const Scene old_;
    Scene now_;
    const SceneMatch match_;
    std::vector<std::size_t> order_, place_; // see RewrittenScene; the other way round
    std::vector<std::size_t> joint_place_;   // in the file, by joint of the scene
    std::vector<TextEdit> edits_;
    std::vector<std::string> lost_;
    Scene expected_;
};

} // namespace

RewrittenScene rewrite_scene(const Scene& scene, std::span<const Index> from, std::string_view old_text,
                             const std::string& old_name, const std::filesystem::path& folder) {
    Rewriting rewriting(scene, from, old_text, old_name, folder);
    RewrittenScene result = rewriting.result();
    try {
        if (parse_scene(result.text, old_name, folder) == rewriting.expected()) {
            return result;
        }
    } catch (const InputError&) {
        // Below.
    }
    RewrittenScene anew = fresh_scene_text(scene, from);
    anew.lost.insert(anew.lost.begin(), "comments, includes and repeats: the file is written anew");
    return anew;
}

RewrittenScene fresh_scene_text(Scene scene, std::span<const Index> from) {
    RewrittenScene result;
    name_joint_bodies(scene, [](std::size_t) { return false; });
    keep_known(scene.show, scene.bodies);
    const auto body = [&](std::uint32_t old) -> Index {
        const auto at = std::ranges::find(from, Index(old));
        return at == from.end() ? Index() : Index(static_cast<std::size_t>(at - from.begin()));
    };
    if (const std::size_t gone = drop_expectations(scene, body, [](std::uint32_t) { return Index(); }); gone > 0) {
        result.lost.push_back(lost_expectations(gone));
    }
    result.order.resize(scene.bodies.size());
    std::iota(result.order.begin(), result.order.end(), std::size_t(0));
    result.text = write_scene(scene);
    return result;
}

} // namespace cairn::core
