#include "app/core/base/error.h"
#include "app/core/base/joined_words.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/scene/json/document.h"
#include "app/ui/settings/archive/settings_archive.h"

#include <algorithm>

namespace cairn::ui {

using core::Node;
using core::NodeKind;

struct SettingsReader::Impl {
    struct Level {
        const Node* object; // none: the file has no such object
        std::vector<const Node*> known;
    };

    Impl(std::string_view given, const std::string& name) : text(given), document(text, name) {
        if (document.root().kind != NodeKind::object) {
            document.fail(document.root(), "the settings must be an object {...}");
        }
    }

    std::string text;
    core::Document document;
    std::vector<Level> levels;
    std::vector<std::string> problems;

    void problem(const Node& at, bool at_key, const std::string& what) {
        problems.push_back(core::InputError(document.locate(at_key ? at.key_begin : at.begin), what).what());
    }

    // The member of the present object, if the file has it; must be of this kind.
    const Node* find(const char* key, NodeKind kind, const char* wanted) {
        const Node* node = member(key);
        if (node == nullptr || node->kind == kind) {
            return node;
        }
        reject(*node, key, wanted);
        return nullptr;
    }
    const Node* member(const char* key) {
        if (levels.empty() || levels.back().object == nullptr) {
            return nullptr;
        }
        const Node* node = document.member(*levels.back().object, key);
        if (node != nullptr) {
            levels.back().known.push_back(node);
        }
        return node;
    }
    void reject(const Node& node, const char* key, const std::string& wanted) {
        problem(node, false, '"' + std::string(key) + "\" must be " + wanted + "; it was left out");
    }
    bool strings(const Node& array, std::vector<std::string>& out) {
        std::vector<std::string> found;
        for (const Node* n : document.children(array)) {
            if (n->kind != NodeKind::string) {
                problem(*n, false, "this must be a text in quotes; the list was left out");
                return false;
            }
            found.emplace_back(n->string);
        }
        out = std::move(found);
        return true;
    }
};

SettingsReader::SettingsReader(std::string_view text, const std::string& name)
    : impl_(std::make_unique<Impl>(text, name)) {
}

SettingsReader::~SettingsReader() = default;

const std::vector<std::string>& SettingsReader::problems() const {
    return impl_->problems;
}

void SettingsReader::enter(const char* key) {
    const Node* object =
        impl_->levels.empty() ? &impl_->document.root() : impl_->find(key, NodeKind::object, "an object {...}");
    impl_->levels.push_back({object, {}});
}

void SettingsReader::leave() {
    const Impl::Level level = std::move(impl_->levels.back());
    impl_->levels.pop_back();
    if (level.object == nullptr) {
        return;
    }
    const core::Document& document = impl_->document;
    for (const Node* n : document.children(*level.object)) {
        const bool known = std::ranges::any_of(level.known, [&](const Node* k) { return k == n; });
        const bool schema = impl_->levels.empty() && n->key == "$schema";
        if (!known && !schema) {
            impl_->problem(*n, true, core::in_quotes(n->key) + " is not known here; it was left out");
        }
    }
}

void SettingsReader::value(const char* key, bool& value) {
    if (const Node* node = impl_->find(key, NodeKind::boolean, "true or false")) {
        value = node->boolean;
    }
}

void SettingsReader::value(const char* key, int& value, int least, int greatest) {
    if (const Node* node = impl_->find(key, NodeKind::number, "a number")) {
        if (!node->is_integer || node->integer < least || node->integer > greatest) {
            impl_->reject(*node, key,
                          "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest));
            return;
        }
        value = static_cast<int>(node->integer);
    }
}

void SettingsReader::value(const char* key, float& value, float least, float greatest) {
    if (const Node* node = impl_->find(key, NodeKind::number, "a number")) {
        if (!(node->number >= least && node->number <= greatest)) {
            impl_->reject(*node, key,
                          "a number from " + core::number_text(static_cast<double>(least)) + " to " +
                              core::number_text(static_cast<double>(greatest)));
            return;
        }
        value = node->number;
    }
}

void SettingsReader::value(const char* key, glm::vec3& value, float least, float greatest) {
    const Node* node = impl_->find(key, NodeKind::array, "a list of three numbers");
    if (node == nullptr) {
        return;
    }
    glm::vec3 found(0.0f);
    int i = 0;
    for (const Node* n = impl_->document.first(*node); n != nullptr; n = impl_->document.next(*n), ++i) {
        if (i < 3 && n->kind == NodeKind::number && n->number >= least && n->number <= greatest) {
            found[i] = n->number;
        } else {
            i = 3; // too many, or not what it should be
        }
    }
    if (i != 3) {
        impl_->reject(*node, key,
                      "a list of three numbers from " + core::number_text(static_cast<double>(least)) + " to " +
                          core::number_text(static_cast<double>(greatest)));
        return;
    }
    value = found;
}

void SettingsReader::value(const char* key, std::optional<float>& value) {
    const Node* node = impl_->member(key);
    if (node == nullptr) {
        return;
    }
    if (node->kind == NodeKind::number) {
        value = node->number;
    } else if (node->kind == NodeKind::null) {
        value.reset();
    } else {
        impl_->reject(*node, key, "a number or null");
    }
}

void SettingsReader::value(const char* key, std::string& value) {
    if (const Node* node = impl_->find(key, NodeKind::string, "a text in quotes")) {
        value = std::string(node->string);
    }
}

void SettingsReader::value(const char* key, std::vector<std::string>& value) {
    if (const Node* node = impl_->find(key, NodeKind::array, "a list of texts")) {
        impl_->strings(*node, value);
    }
}

void SettingsReader::value(const char* key, Switches& value) {
    const Node* node = impl_->find(key, NodeKind::object, "an object {...}");
    if (node == nullptr) {
        return;
    }
    for (const Node* n : impl_->document.children(*node)) {
        if (n->kind == NodeKind::boolean) {
            value[std::string(n->key)] = n->boolean;
        } else {
            impl_->reject(*n, std::string(n->key).c_str(), "true or false");
        }
    }
}

void SettingsReader::word(const char* key, int& index, std::span<const std::string_view> words) {
    const Node* node = impl_->find(key, NodeKind::string, "a text in quotes");
    if (node == nullptr) {
        return;
    }
    const auto found = std::ranges::find(words, node->string);
    if (found == words.end()) {
        impl_->reject(*node, key, "one of " + core::joined_words(words));
        return;
    }
    index = static_cast<int>(found - words.begin());
}

void SettingsReader::value(const char* key, std::vector<Named>& value) {
    const Node* node = impl_->find(key, NodeKind::object, "an object {...}");
    if (node == nullptr) {
        return;
    }
    value.clear();
    for (const Node* n : impl_->document.children(*node)) {
        Named named;
        named.name = std::string(n->key);
        const core::Location at = impl_->document.locate(n->key_begin);
        named.place = at.file + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
        if (n->kind == NodeKind::string) {
            named.words.emplace_back(n->string);
        } else if (n->kind != NodeKind::array) {
            impl_->reject(*n, named.name.c_str(), "a text in quotes or a list of them");
            continue;
        } else if (!impl_->strings(*n, named.words)) {
            continue;
        }
        value.push_back(std::move(named));
    }
}

} // namespace cairn::ui
