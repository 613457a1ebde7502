#include "app/core/scene/rewrite/scene_rewrite.h"

#include "app/core/base/error.h"
#include "app/core/scene/json/document.h"
#include "app/core/scene/json/text_edits.h"
#include "app/core/scene/parser/scene_expectations.h"
#include "app/core/scene/parser/scene_parser.h"
#include "app/core/scene/rewrite/lost_references.h"
#include "app/core/scene/writer/body_writer.h"
#include "app/core/scene/writer/expectation_writer.h"
#include "app/core/scene/writer/joint_writer.h"
#include "app/core/scene/writer/scene_writer.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace cairn::core {

namespace {

using physics::BodyDef;
using physics::BodyId;
using physics::JointDef;
using Index = std::optional<std::size_t>;

class Rewriting {
  public:
    Rewriting(const Scene& scene, std::span<const Index> from, std::string_view old_text, const std::string& old_name,
              const std::filesystem::path& folder)
        : document_(old_text, old_name),
          folder_(folder),
          old_(scene_from_document(document_, folder, {})),
          now_(scene),
          new_of_old_(old_.bodies.size()),
          old_of_new_(scene.bodies.size()) {
        for (std::size_t i = 0; i < from.size() && i < now_.bodies.size(); ++i) {
            if (from[i] && *from[i] < old_.bodies.size() && !new_of_old_[*from[i]]) {
                new_of_old_[*from[i]] = i;
                old_of_new_[i] = from[i];
            }
        }
        match_by_name();
    }

    RewrittenScene result() {
        find_blocks();
        match_joints();
        keep_includes_if_they_hold();
        name_joint_bodies(now_, [&](std::size_t body) { return old_of_new_[body] && is_kept(*old_of_new_[body]); });
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
    struct Block { // of bodies that one entry of the file makes; no node: the included files
        const Node* node = nullptr;
        std::size_t first = 0, count = 1;
        bool repeats = false, kept = false;
    };

    // What has another handle by now, as a body has whose deletion was undone, is known by a name that no other has.
    void match_by_name() {
        const auto unique = [](const std::vector<BodyDef>& bodies, const std::vector<Index>& matched) {
            std::map<std::string_view, Index> of_name;
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                const auto [at, is_new] = of_name.emplace(bodies[i].name, i);
                if (!is_new || matched[i]) {
                    at->second.reset();
                }
            }
            of_name.erase("");
            return of_name;
        };
        const auto old = unique(old_.bodies, new_of_old_), now = unique(now_.bodies, old_of_new_);
        for (const auto& [name, i] : now) {
            const auto same = old.find(name);
            if (i && same != old.end() && same->second) {
                new_of_old_[*same->second] = i;
                old_of_new_[*i] = same->second;
            }
        }
    }

    const Node* top(std::string_view key) const { return document_.member(document_.root(), key); }
    std::string_view source(const Node& node) const {
        return document_.text().substr(node.begin, node.end - node.begin);
    }

    void find_blocks() {
        std::size_t own = 0;
        if (const Node* list = top("bodies")) {
            for (const Node* node = document_.first(*list); node != nullptr; node = document_.next(*node)) {
                Block block{node, own};
                if (const Node* repeat = document_.member(*node, "repeat")) {
                    block.repeats = true;
                    const Node* count = document_.member(*repeat, "count");
                    for (const Node* n = document_.first(*count); n != nullptr; n = document_.next(*n)) {
                        block.count *= static_cast<std::size_t>(n->integer);
                    }
                }
                own += block.count;
                blocks_.push_back(block);
            }
        }
        included_.count = old_.bodies.size() - own;
        for (Block& block : blocks_) {
            block.first += included_.count;
            block.kept = block.repeats && unchanged(block);
        }
    }

    bool unchanged(const Block& block) const {
        for (std::size_t i = block.first; i < block.first + block.count; ++i) {
            if (!new_of_old_[i] || !(now_.bodies[*new_of_old_[i]] == old_.bodies[i])) {
                return false;
            }
        }
        return true;
    }

    // In terms of the old bodies; none where one of them is new.
    std::optional<JointDef> in_old_terms(JointDef joint) const {
        for (BodyId* body : {&joint.body_a, &joint.body_b}) {
            if (*body) {
                const Index old = old_of_new_[body->index];
                if (!old) {
                    return std::nullopt;
                }
                body->index = static_cast<std::uint32_t>(*old);
            }
        }
        return joint;
    }

    void match_joints() {
        const auto key = [](const JointDef& joint) {
            return std::tuple(joint.body_a ? std::int64_t(joint.body_a.index) : -1, joint.body_b.index,
                              static_cast<int>(joint.kind), joint.name);
        };
        std::multimap<std::tuple<std::int64_t, std::uint32_t, int, std::string>, std::size_t> of_key;
        for (std::size_t i = 0; i < now_.joints.size(); ++i) {
            if (const auto joint = in_old_terms(now_.joints[i])) {
                of_key.emplace(key(*joint), i);
            }
        }
        joint_now_.resize(old_.joints.size());
        joint_same_.resize(old_.joints.size());
        taken_.resize(now_.joints.size());
        for (std::size_t i = 0; i < old_.joints.size(); ++i) {
            if (const auto at = of_key.find(key(old_.joints[i])); at != of_key.end()) { // the first of those left
                joint_now_[i] = at->second;
                joint_same_[i] = *in_old_terms(now_.joints[at->second]) == old_.joints[i];
                taken_[at->second] = true;
                of_key.erase(at);
            }
        }
        const Node* list = top("joints");
        included_joints_ = old_.joints.size() - (list != nullptr ? list->child_count : 0);
    }

    void keep_includes_if_they_hold() {
        const Node* include = top("include");
        if (include == nullptr || include->child_count == 0) {
            included_.kept = true;
            return;
        }
        included_.kept = unchanged(included_);
        for (std::size_t i = 0; i < included_joints_; ++i) {
            included_.kept = included_.kept && joint_now_[i] && joint_same_[i] && frames_hold(i);
        }
        if (!included_.kept) {
            lost_.push_back("include");
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
    }

    bool is_kept(std::size_t old) const { // as the old text says it, and with the name that it has there
        if (old < included_.count) {
            return included_.kept;
        }
        const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), old,
                                            [](std::size_t i, const Block& block) { return i < block.first; });
        return std::prev(after)->kept;
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
        for (const Node* node = after.first(after.root()); node != nullptr; node = after.next(*node)) {
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
        const Node* last = nullptr;
        for (const Node* node = document_.first(*block.node); node != nullptr; node = document_.next(*node)) {
            last = node;
        }
        edits.push_back({last->end - block.node->begin, last->end - block.node->begin, added});
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
        std::vector<Entry> entries;
        const auto add_anew = [&](std::size_t old) {
            if (const Index now = new_of_old_[old]) {
                put(*now);
                entries.push_back({"\n    ", body_text(now_.bodies[*now], 5), ""});
            }
        };
        for (std::size_t i = 0; i < included_.count; ++i) {
            if (included_.kept) {
                put(*new_of_old_[i]);
            } else {
                add_anew(i);
            }
        }
        const Node* list = top("bodies");
        std::string end = "\n  ", before;
        std::size_t at = list != nullptr ? list->begin + 1 : 0;
        for (std::size_t b = 0; b < blocks_.size(); ++b) {
            const Block& block = blocks_[b];
            before += document_.text().substr(at, block.node->begin - at);
            const bool last = b + 1 == blocks_.size();
            at = block.node->end;
            const std::size_t gap_end = last ? list->end - 1 : blocks_[b + 1].node->begin;
            Between gap = split(document_.text().substr(at, gap_end - at));
            at = gap_end;
            if (block.kept) {
                for (std::size_t i = block.first; i < block.first + block.count; ++i) {
                    put(*new_of_old_[i]);
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
            } else if (const Index now = new_of_old_[block.first]) {
                put(*now);
                entries.push_back({before, patched(block, old_.bodies[block.first], now_.bodies[*now]), gap.after});
            }
            before = gap.before;
            if (last) {
                end = gap.before;
            }
        }
        for (std::size_t i = 0; i < now_.bodies.size(); ++i) {
            if (!old_of_new_[i]) {
                put(i);
                entries.push_back({"\n    ", body_text(now_.bodies[i], 5), ""});
            }
        }
        if (end.find('\n') == std::string::npos && entries.size() > blocks_.size()) {
            end += "\n  ";
        }
        if (!entries.empty() || !blocks_.empty()) {
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
        const Node* last = nullptr;
        for (const Node* node = document_.first(document_.root()); node != nullptr; node = document_.next(*node)) {
            last = node;
        }
        std::string text = ",\n  \"";
        text.append(key).append("\": ").append(value);
        edits_.push_back({last->end, last->end, std::move(text)});
    }

    bool moved(BodyId old) const {
        const Index now = old ? new_of_old_[old.index] : Index(0);
        return !now || (old && !(now_.bodies[*now].pose == old_.bodies[old.index].pose));
    }
    // Where a joint sits may be said in the world; that holds as long as its bodies stand as they did.
    bool frames_hold(std::size_t old) const {
        return !moved(old_.joints[old].body_a) && !moved(old_.joints[old].body_b);
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
        std::vector<Entry> entries;
        joint_place_.resize(now_.joints.size());
        const auto add = [&](std::size_t now) -> const JointDef& {
            joint_place_[now] = expected_.joints.size();
            return expected_.joints.emplace_back(in_file(now_.joints[now]));
        };
        const auto add_anew = [&](std::size_t now) {
            entries.push_back({"\n    ", joint_text(add(now), references, 5), ""});
        };
        for (std::size_t i = 0; i < included_joints_; ++i) {
            if (included_.kept) {
                add(*joint_now_[i]);
            } else if (joint_now_[i]) {
                add_anew(*joint_now_[i]);
            }
        }
        const Node* list = top("joints");
        std::string end = "\n  ", before;
        std::size_t at = list != nullptr ? list->begin + 1 : 0, i = included_joints_;
        for (const Node* node = list != nullptr ? document_.first(*list) : nullptr; node != nullptr;) {
            const Node* next = document_.next(*node);
            before += document_.text().substr(at, node->begin - at);
            at = next != nullptr ? next->begin : list->end - 1;
            Between gap = split(document_.text().substr(node->end, at - node->end));
            if (const Index now = joint_now_[i]) {
                const JointDef& joint = add(*now);
                entries.push_back({before,
                                   joint_same_[i] && frames_hold(i) ? with_references(*node, joint, references)
                                                                    : joint_text(joint, references, 5),
                                   gap.after});
            }
            before = end = gap.before;
            node = next;
            ++i;
        }
        const std::size_t kept = entries.size();
        for (std::size_t now = 0; now < now_.joints.size(); ++now) {
            if (!taken_[now]) {
                add_anew(now);
            }
        }
        if (end.find('\n') == std::string::npos && entries.size() > kept) {
            end += "\n  ";
        }
        if (!entries.empty() || i > included_joints_) {
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
            expected_, [&](std::uint32_t old) { return renumber(old, new_of_old_, place_); },
            [&](std::uint32_t old) { return renumber(old, joint_now_, joint_place_); });
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
    std::vector<Index> new_of_old_, old_of_new_; // bodies
    std::vector<Block> blocks_;
    Block included_;
    std::size_t included_joints_ = 0;
    std::vector<Index> joint_now_;           // by old joint
    std::vector<bool> joint_same_, taken_;   // by old joint; by joint of the scene
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
        const auto at = std::find(from.begin(), from.end(), Index(old));
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
