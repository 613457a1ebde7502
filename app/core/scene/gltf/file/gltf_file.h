// A glTF 2.0 file (Khronos 2017), text (.gltf) or binary (.glb): its JSON, in which everything has a place that errors
// name, and the numbers in its buffers.
#pragma once

#include "app/core/scene/json/document.h"
#include "app/core/scene/values/file_access.h"
#include "physics/base/math.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::core {

class GltfFile {
  public:
    // `folder`: where the files start that it names. `access`, which outlives this: whether they may be read. Throws
    // InputError with line and column of a text, with the byte of a binary file, as all the rest does.
    GltfFile(std::string bytes, const std::string& name, std::filesystem::path folder, const FileAccess& access);
    GltfFile(const GltfFile&) = delete;
    GltfFile& operator=(const GltfFile&) = delete;

    const std::string& name() const { return name_; }
    const Node& root() const { return document_->root(); }
    Children children(const Node& parent) const { return document_->children(parent); }
    // nullptr if there is none. Fails if the object is none.
    const Node* member(const Node& object, std::string_view key) const;
    const Node* member(const Node* object, std::string_view key) const {
        return object == nullptr ? nullptr : member(*object, key);
    }
    const Node& require(const Node& object, std::string_view key) const;
    const Node* extension(const Node& object, std::string_view name) const; // the object's, of that name
    const Node* own_extras(const Node& object) const;                       // what Cairn has written for itself
    std::string_view text_of(const Node& node) const {
        return document_->text().substr(node.begin, node.end - node.begin);
    }

    // The entries of a list, which may be missing.
    std::vector<const Node*> list(const Node* node, std::string_view what) const;
    // The lists at the top: nodes, meshes, ...
    const std::vector<const Node*>& nodes() const { return nodes_; }
    const std::vector<const Node*>& meshes() const { return meshes_; }
    const std::vector<const Node*>& materials() const { return materials_; }
    const std::vector<const Node*>& scenes() const { return scenes_; }

    // A place in a list that has so many entries.
    std::size_t index(const Node& node, std::string_view what, std::size_t count) const;
    double number(const Node& node, std::string_view what) const; // finite, of double precision
    float number_within(const Node& node, std::string_view what, double least, double most) const;
    std::vector<double> numbers(const Node& node, std::string_view what, std::size_t count) const;
    bool boolean(const Node& node, std::string_view what) const;
    std::string string(const Node& node, std::string_view what) const;

    // The values of the accessor that the node names.
    std::vector<physics::Vec3> vectors(const Node& accessor) const;
    std::vector<float> floats(const Node& accessor) const; // of type SCALAR
    std::vector<std::uint32_t> whole_numbers(const Node& accessor) const;

    [[noreturn]] void fail(const Node& node, const std::string& what) const { fail_at(node.begin, what); }

  private:
    struct Accessor {
        std::string_view bytes; // from the first element on
        std::size_t count = 0, stride = 0, width = 0, component_size = 0;
        int component = 0;
        bool normalised = false;
        const Node* node = nullptr;
    };

    void split_binary();
    [[noreturn]] void fail_at(std::size_t offset, const std::string& what) const;
    [[noreturn]] void fail_at_byte(std::size_t byte, const std::string& what) const;
    void check_version() const;
    std::string_view buffer(std::size_t index, const Node& named_by) const;
    std::string read_buffer(std::size_t index, const Node& buffer) const;
    Accessor find(const Node& index, std::size_t width) const;
    float component(const Accessor& accessor, std::size_t element, std::size_t place) const;

    std::string bytes_, name_;
    std::filesystem::path folder_;
    const FileAccess& access_;
    std::string_view json_, binary_; // binary_: the chunk of a .glb
    std::size_t json_offset_ = 0;    // of the text in the file
    bool is_binary_ = false, has_binary_ = false;
    std::optional<Document> document_;
    std::vector<const Node*> nodes_, meshes_, materials_, scenes_, accessors_, views_, buffers_;
    mutable std::vector<std::optional<std::string>> read_buffers_;
};

} // namespace cairn::core
