#include "app/core/scene/gltf/file/gltf_file.h"

#include "app/core/base/base64.h"
#include "app/core/base/files/text_file.h"
#include "app/core/scene/shapes/formats/mesh_bytes.h"
#include "app/core/scene/values/value_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace cairn::core {

namespace {

constexpr std::string_view gltf_magic = "glTF";
constexpr std::uint32_t chunk_json = 0x4e4f534au, chunk_binary = 0x004e4942u; // "JSON" and "BIN", little-endian

// What a file may say that it cannot be understood without, because it is read here or says nothing about shapes.
bool understood(std::string_view extension) {
    constexpr std::array<std::string_view, 4> known{"KHR_implicit_shapes", "KHR_physics_rigid_bodies",
                                                    "KHR_mesh_quantization", "KHR_lights_punctual"};
    return extension.starts_with("KHR_materials_") || extension.starts_with("KHR_texture_") ||
           extension.starts_with("EXT_texture_") || std::ranges::find(known, extension) != known.end();
}

std::size_t size_of_component(std::int64_t type) { // table 3.5 of the specification
    switch (type) {
    case 5120:
    case 5121:
        return 1;
    case 5122:
    case 5123:
        return 2;
    case 5125:
    case 5126:
        return 4;
    default:
        return 0;
    }
}

int hex_digit(char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

std::string without_escapes(std::string_view uri) { // %20 and the like
    std::string out;
    for (std::size_t i = 0; i < uri.size(); ++i) {
        const int high = i + 2 < uri.size() && uri[i] == '%' ? hex_digit(uri[i + 1]) : -1;
        const int low = high < 0 ? -1 : hex_digit(uri[i + 2]);
        if (low >= 0) {
            out += static_cast<char>(16 * high + low);
            i += 2;
        } else {
            out += uri[i];
        }
    }
    return out;
}

} // namespace

GltfFile::GltfFile(std::string bytes, const std::string& name, std::filesystem::path folder, const FileAccess& access)
    : bytes_(std::move(bytes)), name_(name), folder_(std::move(folder)), access_(access), json_(bytes_) {
    is_binary_ = json_.starts_with(gltf_magic);
    if (is_binary_) {
        split_binary();
    }
    if (json_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
        throw InputError({name_, 0, 0},
                         "the file is empty; a glTF file begins with { or, if it is binary, with \"glTF\"");
    }
    try {
        document_.emplace(json_, name_);
    } catch (const InputError& error) {
        if (!is_binary_) {
            throw;
        }
        throw InputError({name_, 0, 0}, "in its JSON, line " + std::to_string(error.location().line) + ", column " +
                                            std::to_string(error.location().column) + ": " + error.message());
    }
    if (root().kind != NodeKind::object) {
        fail(root(), "a glTF file is an object { ... }, not " + std::string(kind_name(root().kind)));
    }
    check_version();
    for (const auto& [key, entries] :
         {std::pair("nodes", &nodes_), std::pair("meshes", &meshes_), std::pair("materials", &materials_),
          std::pair("scenes", &scenes_), std::pair("accessors", &accessors_), std::pair("bufferViews", &views_),
          std::pair("buffers", &buffers_)}) {
        *entries = list(member(root(), key), key);
        for (const Node* entry : *entries) {
            if (entry->kind != NodeKind::object) {
                fail(*entry, "an entry of " + in_quotes(key) + " must be an object, not " +
                                 std::string(kind_name(entry->kind)));
            }
        }
    }
    read_buffers_.resize(buffers_.size());
}

void GltfFile::split_binary() {
    MeshBytes in(bytes_, name_);
    in.skip(4, "the header");
    if (const auto version = in.take<std::uint32_t>("the header"); version != 2) {
        in.fail("version " + std::to_string(version) + " of the binary form, of which version 2 is read");
    }
    if (const auto size = in.take<std::uint32_t>("the header"); size != bytes_.size()) {
        in.fail("the file says that it has " + std::to_string(size) + " bytes, but it has " +
                std::to_string(bytes_.size()));
    }
    for (std::size_t chunk = 0; in.left() > 0; ++chunk) {
        const auto size = in.take<std::uint32_t>("the head of a chunk");
        const auto type = in.take<std::uint32_t>("the head of a chunk");
        const std::size_t first = bytes_.size() - in.left();
        if ((chunk == 0) != (type == chunk_json)) {
            in.fail(chunk == 0 ? "the first chunk must be JSON" : "a second chunk of JSON");
        }
        in.skip(size, "a chunk");
        if (type == chunk_json) {
            json_ = std::string_view(bytes_).substr(first, size);
            json_offset_ = first;
        } else if (type == chunk_binary && chunk == 1) {
            binary_ = std::string_view(bytes_).substr(first, size);
            has_binary_ = true;
        } // others are for extensions
    }
    if (json_offset_ == 0) {
        in.fail("the file has no JSON");
    }
}

void GltfFile::fail_at(std::size_t offset, const std::string& what) const {
    if (is_binary_) {
        fail_at_byte(json_offset_ + offset, what);
    }
    document_->fail_at(offset, what);
}

void GltfFile::fail_at_byte(std::size_t byte, const std::string& what) const {
    throw InputError({name_, 0, 0}, "byte " + std::to_string(byte) + ": " + what);
}

void GltfFile::check_version() const {
    const Node& asset = require(root(), "asset");
    const Node& version = require(asset, "version");
    if (const std::string text = string(version, "version"); !text.starts_with("2.")) {
        fail(version, "glTF of version " + in_quotes(text) + ", of which version 2 is read");
    }
    for (const Node* name : list(member(root(), "extensionsRequired"), "extensionsRequired")) {
        if (const std::string extension = string(*name, "extensionsRequired"); !understood(extension)) {
            fail(*name, "the file cannot be read without the extension " + in_quotes(extension) +
                            ", which Cairn does not know; export it without");
        }
    }
}

const Node* GltfFile::member(const Node& object, std::string_view key) const {
    if (object.kind != NodeKind::object) {
        fail(object,
             "an object with " + in_quotes(key) + " is expected here, not " + std::string(kind_name(object.kind)));
    }
    return document_->member(object, key);
}

const Node& GltfFile::require(const Node& object, std::string_view key) const {
    const Node* node = member(object, key);
    if (node == nullptr) {
        fail(object, "the key " + in_quotes(key) + " is missing here");
    }
    return *node;
}

const Node* GltfFile::extension(const Node& object, std::string_view name) const {
    return member(member(object, "extensions"), name);
}

const Node* GltfFile::own_extras(const Node& object) const {
    const Node* extras = member(object, "extras"); // of any kind
    const Node* own = extras == nullptr || extras->kind != NodeKind::object ? nullptr : member(*extras, "cairn");
    return own != nullptr && own->kind == NodeKind::object ? own : nullptr;
}

std::vector<const Node*> GltfFile::list(const Node* node, std::string_view what) const {
    std::vector<const Node*> entries;
    if (node == nullptr) {
        return entries;
    }
    if (node->kind != NodeKind::array) {
        fail(*node, in_quotes(what) + " must be a list, not " + std::string(kind_name(node->kind)));
    }
    entries.reserve(node->child_count);
    for (const Node* entry : children(*node)) {
        entries.push_back(entry);
    }
    return entries;
}

std::size_t GltfFile::index(const Node& node, std::string_view what, std::size_t count) const {
    if (node.kind != NodeKind::number || !node.is_integer || node.integer < 0 ||
        static_cast<std::uint64_t>(node.integer) >= count) {
        const std::string range =
            count == 0 ? "the file has none" : "the file has those from 0 to " + std::to_string(count - 1);
        fail(node, "there is no " + in_quotes(what) + ' ' + std::string(text_of(node).substr(0, 40)) + ": " + range);
    }
    return static_cast<std::size_t>(node.integer);
}

double GltfFile::number(const Node& node, std::string_view what) const {
    if (node.kind != NodeKind::number) {
        fail(node, in_quotes(what) + " must be a number, not " + std::string(kind_name(node.kind)));
    }
    const std::string_view text = text_of(node);
    double value = 0.0;
    std::from_chars(text.data(), text.data() + text.size(), value); // what is too small stays 0
    return value;
}

float GltfFile::number_within(const Node& node, std::string_view what, double least, double most) const {
    const double value = number(node, what);
    if (!(value >= least && value <= most)) {
        fail(node, in_quotes(what) + " must be within " + float_text(static_cast<float>(least)) + " .. " +
                       float_text(static_cast<float>(most)));
    }
    return static_cast<float>(value);
}

std::vector<double> GltfFile::numbers(const Node& node, std::string_view what, std::size_t count) const {
    const std::vector<const Node*> entries = list(&node, what);
    if (entries.size() != count) {
        fail(node, in_quotes(what) + " must be a list of " + std::to_string(count) + " numbers, not of " +
                       std::to_string(entries.size()));
    }
    std::vector<double> values;
    for (const Node* entry : entries) {
        values.push_back(number(*entry, what));
    }
    return values;
}

bool GltfFile::boolean(const Node& node, std::string_view what) const {
    if (node.kind != NodeKind::boolean) {
        fail(node, in_quotes(what) + " must be true or false, not " + std::string(kind_name(node.kind)));
    }
    return node.boolean;
}

std::string GltfFile::string(const Node& node, std::string_view what) const {
    if (node.kind != NodeKind::string) {
        fail(node, in_quotes(what) + " must be a string, not " + std::string(kind_name(node.kind)));
    }
    return std::string(node.string);
}

std::string GltfFile::read_buffer(std::size_t index, const Node& buffer) const {
    const Node& node = require(buffer, "uri");
    const std::string uri = string(node, "uri");
    if (uri.starts_with("data:")) {
        const std::size_t comma = uri.find(',');
        if (comma == std::string::npos || !std::string_view(uri).substr(0, comma).ends_with(";base64")) {
            fail(node, "data in the file must be of the form \"data:...;base64,...\"");
        }
        std::optional<std::string> data = from_base64(std::string_view(uri).substr(comma + 1));
        if (!data) {
            fail(node, "the data of buffer " + std::to_string(index) + " are no base64 text");
        }
        return std::move(*data);
    }
    if (uri.find("://") != std::string::npos) {
        fail(node, "buffer " + std::to_string(index) +
                       " lies at an address, from which nothing is read; save the data beside the file");
    }
    const std::filesystem::path path = (folder_ / without_escapes(uri)).lexically_normal();
    return read_whole_file(access_.find(*document_, node, path, "buffer").path);
}

std::string_view GltfFile::buffer(std::size_t index, const Node& named_by) const {
    const Node& node = *buffers_[index];
    const double stated = number(require(node, "byteLength"), "byteLength");
    std::string_view data;
    if (member(node, "uri") == nullptr) {
        if (index != 0 || !has_binary_) {
            fail(named_by, "buffer " + std::to_string(index) + " has neither a \"uri\" nor data in this file");
        }
        data = binary_;
    } else {
        std::optional<std::string>& kept = read_buffers_[index];
        if (!kept) {
            kept = read_buffer(index, node);
        }
        data = *kept;
    }
    if (!(stated >= 0.0) || static_cast<double>(data.size()) < stated) {
        fail(node, "buffer " + std::to_string(index) + " has " + std::to_string(data.size()) +
                       " bytes, fewer than its \"byteLength\"");
    }
    return data.substr(0, static_cast<std::size_t>(stated));
}

GltfFile::Accessor GltfFile::find(const Node& named, std::size_t width) const {
    Accessor found;
    found.node = accessors_[index(named, "accessor", accessors_.size())];
    const Node& node = *found.node;
    if (const Node* sparse = member(node, "sparse")) {
        fail(*sparse, "sparse accessors are not read; export the mesh without them");
    }
    const auto whole = [&](const Node* at, std::string_view what, std::size_t most, std::size_t otherwise) {
        if (at == nullptr) {
            return otherwise;
        }
        if (at->kind != NodeKind::number || !at->is_integer || at->integer < 0 ||
            static_cast<std::uint64_t>(at->integer) > most) {
            fail(*at, in_quotes(what) + " must be a whole number within 0 .. " + std::to_string(most));
        }
        return static_cast<std::size_t>(at->integer);
    };
    constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
    const Node& type = require(node, "type");
    const std::string kind = string(type, "type");
    const std::string_view wanted = width == 1 ? "SCALAR" : "VEC3";
    if (kind != wanted) {
        fail(type, "elements of the type " + std::string(wanted) + " are expected here, not " + in_quotes(kind));
    }
    const Node& component = require(node, "componentType");
    found.component = static_cast<int>(whole(&component, "componentType", most, 0));
    found.component_size = size_of_component(found.component);
    if (found.component_size == 0) {
        fail(component, "\"componentType\" must be one of 5120 to 5123, 5125 and 5126");
    }
    const Node* normalised = member(node, "normalized");
    found.normalised = normalised != nullptr && boolean(*normalised, "normalized");
    found.width = width;
    found.count = whole(&require(node, "count"), "count", most, 0);
    const Node& view_index = require(node, "bufferView");
    const Node& view = *views_[index(view_index, "bufferView", views_.size())];
    const Node& buffer_index = require(view, "buffer");
    const std::string_view data = buffer(index(buffer_index, "buffer", buffers_.size()), buffer_index);
    const std::size_t start = whole(member(view, "byteOffset"), "byteOffset", most, 0);
    const std::size_t length = whole(&require(view, "byteLength"), "byteLength", most, 0);
    if (start > data.size() || length > data.size() - start) {
        fail(view, "this view reaches beyond the " + std::to_string(data.size()) + " bytes of its buffer");
    }
    const std::size_t offset = whole(member(node, "byteOffset"), "byteOffset", most, 0);
    const std::size_t size = width * found.component_size;
    const Node* stride = member(view, "byteStride");
    found.stride = whole(stride, "byteStride", 252, size);
    if (found.stride < size) {
        fail(*stride, "\"byteStride\" is less than an element of " + std::to_string(size) + " bytes takes");
    }
    if (found.count > 0 && (offset > length || (found.count - 1) * found.stride + size > length - offset)) {
        fail(node, "these " + std::to_string(found.count) + " elements reach beyond the " + std::to_string(length) +
                       " bytes of their view");
    }
    found.bytes = data.substr(start + std::min(offset, length), length - std::min(offset, length));
    return found;
}

float GltfFile::component(const Accessor& accessor, std::size_t element, std::size_t place) const {
    const std::size_t at = element * accessor.stride + place * accessor.component_size;
    const auto shared = [&](auto value, float greatest) { // section 3.11: integers as parts of 1
        const auto number = static_cast<float>(value);
        return accessor.normalised ? std::max(number / greatest, -1.0f) : number;
    };
    switch (accessor.component) {
    case 5120:
        return shared(number_at<std::int8_t>(accessor.bytes, at), 127.0f);
    case 5121:
        return shared(number_at<std::uint8_t>(accessor.bytes, at), 255.0f);
    case 5122:
        return shared(number_at<std::int16_t>(accessor.bytes, at), 32767.0f);
    case 5123:
        return shared(number_at<std::uint16_t>(accessor.bytes, at), 65535.0f);
    case 5125:
        return static_cast<float>(number_at<std::uint32_t>(accessor.bytes, at));
    default: {
        const auto value = number_at<float>(accessor.bytes, at);
        if (!(std::abs(value) <= coordinate_range.max)) {
            fail(*accessor.node, "element " + std::to_string(element) + " of these is not within -1e6 .. 1e6");
        }
        return value;
    }
    }
}

std::vector<physics::Vec3> GltfFile::vectors(const Node& named) const {
    const Accessor accessor = find(named, 3);
    std::vector<physics::Vec3> out;
    out.reserve(accessor.count);
    for (std::size_t i = 0; i < accessor.count; ++i) {
        out.emplace_back(component(accessor, i, 0), component(accessor, i, 1), component(accessor, i, 2));
    }
    return out;
}

std::vector<float> GltfFile::floats(const Node& named) const {
    const Accessor accessor = find(named, 1);
    std::vector<float> out;
    out.reserve(accessor.count);
    for (std::size_t i = 0; i < accessor.count; ++i) {
        out.push_back(component(accessor, i, 0));
    }
    return out;
}

std::vector<std::uint32_t> GltfFile::whole_numbers(const Node& named) const {
    const Accessor accessor = find(named, 1);
    if (accessor.component != 5121 && accessor.component != 5123 && accessor.component != 5125) {
        fail(*accessor.node, "whole numbers without a sign are expected here");
    }
    std::vector<std::uint32_t> out;
    out.reserve(accessor.count);
    for (std::size_t i = 0; i < accessor.count; ++i) {
        const std::size_t at = i * accessor.stride;
        out.push_back(accessor.component == 5121   ? number_at<std::uint8_t>(accessor.bytes, at)
                      : accessor.component == 5123 ? number_at<std::uint16_t>(accessor.bytes, at)
                                                   : number_at<std::uint32_t>(accessor.bytes, at));
    }
    return out;
}

} // namespace cairn::core
