#include "app/core/capture/keyframe.h"

#include "app/core/capture/records/command_records.h"
#include "app/core/capture/records/scene_records.h"

#include <algorithm>
#include <bit>
#include <concepts>
#include <functional>
#include <string_view>
#include <type_traits>

namespace cairn::core {
namespace {

using namespace cairn::physics;

constexpr std::uint64_t members = 8; // of a keyframe's map

// The parts of a column's element, in the order in which they are written.
template <typename Part>
void for_parts(Vec3& v, const Part& part) {
    part(v.x);
    part(v.y);
    part(v.z);
}
template <typename Part>
void for_parts(Quat& q, const Part& part) {
    part(q.w);
    part(q.x);
    part(q.y);
    part(q.z);
}
template <typename Part>
void for_parts(Aabb& box, const Part& part) {
    for_parts(box.lower, part);
    for_parts(box.upper, part);
}
template <typename Part>
void for_parts(std::array<float, 6>& values, const Part& part) {
    for (float& value : values) {
        part(value);
    }
}
template <typename Number, typename Part>
requires(std::integral<Number> || std::same_as<Number, float>) void for_parts(Number& number, const Part& part) {
    part(number);
}

template <typename Number>
auto bits_of(Number number) {
    if constexpr (std::same_as<Number, float>) {
        return std::bit_cast<std::uint32_t>(number);
    } else {
        return number;
    }
}

template <typename Element>
std::size_t element_size() {
    std::size_t size = 0;
    Element element{};
    for_parts(element, [&](auto& number) { size += sizeof(number); });
    return size;
}

// Little-endian, element after element.
template <typename Element>
void put_column(std::vector<std::uint8_t>& bytes, const std::vector<Element>& column) {
    bytes.clear();
    bytes.reserve(column.size() * element_size<Element>());
    for (Element element : column) {
        for_parts(element, [&](auto& number) {
            auto bits = bits_of(number);
            for (std::size_t i = 0; i < sizeof(bits); ++i) {
                bytes.push_back(static_cast<std::uint8_t>(bits >> 8 * i));
            }
        });
    }
}

template <typename Element>
bool take_column(std::span<const std::uint8_t> bytes, std::vector<Element>& column) {
    const std::size_t size = element_size<Element>();
    if (bytes.size() % size != 0) {
        return false;
    }
    column.resize(bytes.size() / size);
    const std::uint8_t* next = bytes.data();
    for (Element& element : column) {
        for_parts(element, [&](auto& number) {
            using Number = std::remove_reference_t<decltype(number)>;
            std::uint64_t bits = 0;
            for (std::size_t i = 0; i < sizeof(Number); ++i) {
                bits |= std::uint64_t{*next++} << 8 * i;
            }
            if constexpr (std::same_as<Number, float>) {
                number = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
            } else {
                number = static_cast<Number>(bits);
            }
        });
    }
    return true;
}

// Of those that are written: the last one only where it holds something.
std::uint64_t column_count(const StateImage& image) {
    std::uint64_t count = 0;
    for_each_column(image, [&](const char*, const auto&) { ++count; });
    return image.short_steps.empty() ? count - 1 : count;
}

} // namespace

SceneBodies::SceneBodies(const Scene& scene) : kinds_(scene.bodies) {
    for (std::uint32_t i = 0; i < kinds_.size(); ++i) {
        kinds_[i].pose = {};
        kinds_[i].linear_velocity = kinds_[i].angular_velocity = Vec3(0.0f);
        by_hash_.emplace_back(std::hash<std::string>{}(kinds_[i].name), i);
    }
    std::ranges::sort(by_hash_);
}

std::optional<std::uint64_t> SceneBodies::find(const BodyDef& kind) const {
    const std::pair<std::uint64_t, std::uint32_t> wanted(std::hash<std::string>{}(kind.name), 0);
    for (auto at = std::ranges::lower_bound(by_hash_, wanted); at != by_hash_.end() && at->first == wanted.first;
         ++at) {
        if (kinds_[at->second] == kind) {
            return at->second;
        }
    }
    return std::nullopt;
}

void encode(CborWriter& out, const StateImage& state, const SceneBodies& bodies, const NameSurface& name_surface) {
    out.map(members);
    out.text("step");
    out.unsigned_integer(state.step);
    out.text("time_bits");
    out.unsigned_integer(std::bit_cast<std::uint64_t>(state.time));
    out.text("settings");
    encode(out, state.settings);
    out.text("kinds");
    out.array(state.kinds.size());
    for (const BodyDef& kind : state.kinds) {
        out.map(1);
        if (const auto known = bodies.find(kind)) {
            out.text("scene_body");
            out.unsigned_integer(*known);
        } else {
            out.text("body");
            encode(out, kind, name_surface);
        }
    }
    out.text("columns");
    std::uint64_t left = column_count(state);
    out.map(left);
    std::vector<std::uint8_t> bytes;
    for_each_column(state, [&](const char* name, const auto& column) {
        if (left == 0) {
            return;
        }
        --left;
        put_column(bytes, column);
        out.text(name);
        out.bytes(bytes);
    });
    out.text("joints");
    out.array(state.joint_defs.size());
    for (const JointDef& joint : state.joint_defs) {
        encode(out, joint);
    }
    out.text("grab");
    if (state.grabbed) {
        encode(out, state.grab);
    } else {
        out.null();
    }
    out.text("grab_impulse");
    encode(out, state.grab_impulse);
}

std::uint64_t decode_keyframe_step(CborReader& in) {
    in.map(members);
    in.key("step");
    return in.unsigned_integer();
}

void decode(CborReader& in, StateImage& state, const SceneBodies& bodies, const FindSurface& find_surface) {
    state.step = decode_keyframe_step(in);
    in.key("time_bits");
    state.time = std::bit_cast<double>(in.unsigned_integer());
    in.key("settings");
    decode(in, state.settings);
    in.key("kinds");
    // Bodies are made of them once it is known that there are as many: a few bytes name one of the scene.
    constexpr std::uint32_t in_place = ~std::uint32_t{0};
    std::vector<std::uint32_t> kinds; // bodies of the scene, or `in_place`
    std::vector<BodyDef> own;         // those in place
    const std::uint64_t kind_count = in.array();
    for (std::uint64_t i = 0; i < kind_count; ++i) {
        in.map(1);
        const std::string_view from = in.text();
        if (from == "scene_body") {
            const std::uint64_t number = in.unsigned_integer();
            if (number >= bodies.size()) {
                in.fail("the scene has no such body");
            }
            kinds.push_back(static_cast<std::uint32_t>(number));
        } else if (from == "body") {
            decode(in, own.emplace_back(), find_surface);
            kinds.push_back(in_place);
        } else {
            in.fail("expected the key \"scene_body\" or \"body\"");
        }
    }
    in.key("columns");
    // Columns came without a new version of the format: three, which older captures lack, and one that is empty mostly.
    const std::uint64_t few = column_count(StateImage());
    const std::uint64_t columns = in.map({few - 3, few, few + 1});
    std::uint64_t left = columns;
    for_each_column(state, [&](const char* name, auto& column) {
        if (left == 0) {
            return;
        }
        --left;
        in.key(name);
        if (!take_column(in.byte_string(), column)) {
            in.fail(std::string("the column ") + name + " ends within an element");
        }
    });
    if (columns < few) {
        state.contacts.loaded_inverse_mass.resize(state.contacts.flags.size());
    }
    if (kinds.size() > state.bodies.kind.size()) {
        in.fail("there are more body prototypes than bodies");
    }
    auto next_own = own.begin();
    for (const std::uint32_t kind : kinds) {
        state.kinds.push_back(kind == in_place ? std::move(*next_own++) : bodies[kind]);
    }
    in.key("joints");
    const std::uint64_t joints = in.array();
    for (std::uint64_t i = 0; i < joints; ++i) {
        decode(in, state.joint_defs.emplace_back());
    }
    in.key("grab");
    state.grabbed = !in.take_null();
    if (state.grabbed) {
        decode(in, state.grab);
    }
    in.key("grab_impulse");
    decode(in, state.grab_impulse);
}

void encode(CborWriter& out, const StateDigest& digest) {
    std::vector<std::uint8_t> bytes;
    const auto put = [&](auto value) {
        for (std::size_t i = 0; i < sizeof(value); ++i) {
            bytes.push_back(static_cast<std::uint8_t>(value >> 8 * i));
        }
    };
    for (const std::uint16_t sum : digest.bodies) {
        put(sum);
    }
    for (const std::uint16_t sum : digest.contacts) {
        put(sum);
    }
    put(digest.joints);
    put(digest.resting);
    out.bytes(bytes);
}

void decode(CborReader& in, StateDigest& digest) {
    const std::span<const std::uint8_t> bytes = in.byte_string();
    constexpr std::size_t size = 2 * (StateDigest::body_buckets + StateDigest::contact_buckets) + 8;
    if (bytes.size() != size) {
        in.fail("expected a digest of " + std::to_string(size) + " bytes");
    }
    const std::uint8_t* next = bytes.data();
    const auto take = [&](auto& value) {
        using Value = std::remove_reference_t<decltype(value)>;
        std::uint64_t bits = 0;
        for (std::size_t i = 0; i < sizeof(Value); ++i) {
            bits |= std::uint64_t{*next++} << 8 * i;
        }
        value = static_cast<Value>(bits);
    };
    for (std::uint16_t& sum : digest.bodies) {
        take(sum);
    }
    for (std::uint16_t& sum : digest.contacts) {
        take(sum);
    }
    take(digest.joints);
    take(digest.resting);
}

} // namespace cairn::core
