// Encoder and decoder of records: numbers, ids, lists, point sets, and structures field by field by a `record` or a
// template `fields(coder, structure)`, which serve both directions.
#pragma once

#include "app/core/capture/format/cbor.h"
#include "app/core/capture/records/surfaces.h"
#include "app/core/scene/values/scene_keys.h"
#include "physics/world/command.h"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <variant>
#include <vector>

namespace cairn::core {

// Point sets are shared by many bodies of a scene: its header holds each of them once, and bodies name it by number.
// Commands stand alone and hold their points themselves.
using SharedPoints = std::shared_ptr<const std::vector<physics::Vec3>>;

template <class S, class T>
concept Is = std::same_as<std::remove_const_t<S>, T>;

// A structure that is a map of the same members always: its name as a variant's alternative, and its fields in order.
// Others have a template `fields` of their own.
template <class S, class T>
struct Field {
    std::string_view key;
    T S::*member;
    constexpr Field(std::string_view key_, T S::*member_) : key(key_), member(member_) {}
};
template <class... Fields>
struct Record {
    std::string_view name;
    std::tuple<Fields...> fields;
    explicit constexpr Record(std::string_view name_, Fields... fields_) : name(name_), fields(fields_...) {}
};
struct NoRecord {
    std::string_view name;
};
template <class T>
inline constexpr auto record = NoRecord{};

template <class Coder, class S>
requires(!Is<decltype(record<std::remove_const_t<S>>), NoRecord>) void fields(Coder& code,
                                                                              [[maybe_unused]] S& structure) {
    std::apply(
        [&](const auto&... field) {
            code.map(sizeof...(field));
            (code.field(field.key, structure.*field.member), ...);
        },
        record<std::remove_const_t<S>>.fields);
}

// The name of a variant's alternative, specialised where it has no record.
template <class T>
inline constexpr std::string_view alternative_name = record<T>.name;

// Which fields a map has: those that version 4 added, and how many further ones, which are written only where they or
// later ones are needed.
struct MapFields {
    bool since_4 = true;
    std::uint64_t further = 0;
};

class Encoder {
  public:
    explicit Encoder(CborWriter& out) : out_(out) {}

    const std::map<SharedPoints, std::uint64_t>* point_set_numbers = nullptr;
    NameSurface name_surface; // empty: all surfaces are written in place

    void map(std::uint64_t pairs) { out_.map(pairs); }
    // `before`: fields until version 4. `further`: none, `some` or `all`.
    MapFields map_since(std::uint64_t /*before*/, std::uint64_t pairs, std::uint64_t further,
                        std::uint64_t /*some*/ = 1, std::uint64_t /*more*/ = 1, std::uint64_t /*all*/ = 1) {
        out_.map(pairs + further);
        return {true, further};
    }
    template <class T>
    void field(std::string_view key, const T& value) {
        out_.text(key);
        put(value);
    }

    void put(float value) { out_.single(value); }
    void put(bool value) { out_.boolean(value); }
    void put(const std::string& value) { out_.text(value); }
    void put(int value) { out_.unsigned_integer(static_cast<std::uint64_t>(value)); }
    void put(std::uint8_t value) { out_.unsigned_integer(value); }
    void put(std::uint32_t value) { out_.unsigned_integer(value); }
    void put(const physics::Colour& c) {
        out_.unsigned_integer(std::uint64_t{c.r} << 16 | std::uint64_t{c.g} << 8 | c.b);
    }
    void put(const physics::Vec3& v) { floats({v.x, v.y, v.z}); }
    void put(const physics::Quat& q) { floats({q.w, q.x, q.y, q.z}); }
    void put(const physics::TriangleRun& run) {
        out_.array(3);
        out_.unsigned_integer(run.first);
        out_.unsigned_integer(run.count);
        out_.unsigned_integer(run.material);
    }
    void put(const physics::BodyId& id) {
        out_.array(2);
        out_.unsigned_integer(id.index);
        out_.unsigned_integer(id.generation);
    }
    void put(const physics::JointId& id) { put(physics::BodyId{id.index, id.generation}); }
    void put(physics::JointKind kind) { out_.text(joint_kinds[static_cast<std::size_t>(kind)]); }
    void put(physics::JointAxis::Mode mode) { out_.text(joint_axis_modes[static_cast<std::size_t>(mode)]); }
    void put(physics::BodyType type) { out_.text(body_types[static_cast<std::size_t>(type)]); }
    template <class T>
    void put(const std::optional<T>& value) {
        if (value) {
            put(*value);
        } else {
            out_.null();
        }
    }
    template <class T>
    void put(const std::vector<T>& values) {
        out_.array(values.size());
        for (const T& value : values) {
            put(value);
        }
    }
    void put(const physics::PointSet& set);
    void points(const SharedPoints& set);
    void put(const physics::Mesh& mesh);
    void put(const physics::HeightField& heights);
    // A map with one pair: the alternative's name and its content.
    template <class... Alternatives>
    void put(const std::variant<Alternatives...>& value) {
        std::visit(
            [&]<class T>(const T& alternative) {
                static_assert(!alternative_name<T>.empty());
                map(1);
                field(alternative_name<T>, alternative);
            },
            value);
    }
    template <class T>
    void put(const T& structure) {
        fields(*this, structure);
    }

  private:
    bool put_name(const AnySurface& surface); // false: it has to be written in place
    void floats(std::initializer_list<float> values) {
        out_.array(values.size());
        for (const float value : values) {
            out_.single(value);
        }
    }
    CborWriter& out_;
};

// The point sets of a header. Each is made when the first body asks for it: a set takes several times the memory of its
// bytes where it is small, and a file may hold many that nobody asks for.
class PointSets {
  public:
    explicit PointSets(CborReader& in); // passes them in the reader, whose bytes have to outlive this
    std::size_t size() const { return places_.size(); }
    const SharedPoints& get(std::uint64_t number);

  private:
    CborReader from_;
    std::deque<std::size_t> places_; // offsets, bytes
    std::map<std::uint64_t, SharedPoints> made_;
};

class Decoder {
  public:
    explicit Decoder(CborReader& in) : in_(in) {}

    PointSets* point_sets = nullptr;
    FindSurface find_surface; // empty: there are none
    NoteSurface note_surface; // empty: nobody wants to know

    void map(std::uint64_t pairs) { in_.map(pairs); }
    MapFields map_since(std::uint64_t before, std::uint64_t pairs, std::uint64_t /*further*/, std::uint64_t some = 1,
                        std::uint64_t more = 1, std::uint64_t all = 1) {
        const std::uint64_t found = in_.map({before, pairs, pairs + some, pairs + more, pairs + all});
        return {found != before, found > pairs ? found - pairs : 0};
    }
    template <class T>
    void field(std::string_view key, T& value) {
        in_.key(key);
        put(value);
    }

    void put(float& value) { value = in_.single(); }
    void put(bool& value) { value = in_.boolean(); }
    void put(std::string& value) { value = in_.text(); }
    void put(int& value) {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0x7fffffff) {
            in_.fail("a number is too large");
        }
        value = static_cast<int>(number);
    }
    void put(std::uint8_t& value) {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0xff) {
            in_.fail("a number is too large");
        }
        value = static_cast<std::uint8_t>(number);
    }
    void put(std::uint32_t& value) { value = number32(); }
    void put(physics::Colour& colour) {
        const std::uint64_t rgb = in_.unsigned_integer();
        if (rgb > 0xffffff) {
            in_.fail("a colour is too large a number");
        }
        colour = {static_cast<std::uint8_t>(rgb >> 16), static_cast<std::uint8_t>(rgb >> 8),
                  static_cast<std::uint8_t>(rgb)};
    }
    void put(physics::Vec3& v) {
        in_.array(3);
        v.x = in_.single();
        v.y = in_.single();
        v.z = in_.single();
    }
    void put(physics::Quat& q) {
        in_.array(4);
        q.w = in_.single();
        q.x = in_.single();
        q.y = in_.single();
        q.z = in_.single();
    }
    void put(physics::BodyId& id) {
        in_.array(2);
        id.index = number32();
        id.generation = number32();
    }
    void put(physics::TriangleRun& run) {
        in_.array(3);
        run.first = number32();
        run.count = number32();
        const std::uint32_t material = number32();
        if (material > 0xffff) {
            in_.fail("a number is too large");
        }
        run.material = static_cast<std::uint16_t>(material);
    }
    void put(physics::JointId& id) {
        physics::BodyId same;
        put(same);
        id = {same.index, same.generation};
    }
    void put(physics::JointKind& kind) { word(kind, joint_kinds, "expected the kind of a joint"); }
    void put(physics::JointAxis::Mode& mode) { word(mode, joint_axis_modes, "expected what an axis of a joint does"); }
    void put(physics::BodyType& type) { word(type, body_types, "expected static, kinematic or dynamic"); }
    template <class T>
    void put(std::optional<T>& value) {
        if (in_.take_null()) {
            value.reset();
        } else {
            put(value.emplace());
        }
    }
    template <class T>
    void put(std::vector<T>& values) {
        const std::uint64_t count = in_.array();
        values.clear();
        for (std::uint64_t i = 0; i < count; ++i) {
            put(values.emplace_back());
        }
    }
    void put(physics::PointSet& set);
    void put(physics::Mesh& mesh);
    void put(physics::HeightField& heights);
    template <class... Alternatives>
    void put(std::variant<Alternatives...>& value) {
        in_.map(1);
        const std::string_view name = in_.text();
        const auto attempt = [&]<class T>(std::type_identity<T>) {
            if (name != alternative_name<T>) {
                return false;
            }
            put(value.template emplace<T>());
            return true;
        };
        if (!(attempt(std::type_identity<Alternatives>{}) || ...)) {
            in_.fail("\"" + std::string(name.substr(0, 40)) + "\" is not known here");
        }
    }
    template <class T>
    void put(T& structure) {
        fields(*this, structure);
    }

  private:
    AnySurface named_surface();
    // One of several words, in the order of the enumeration.
    template <class Enum, class Words>
    void word(Enum& value, const Words& words, const char* problem) {
        const auto found = std::ranges::find(words, in_.text());
        if (found == words.end()) {
            in_.fail(problem);
        }
        value = static_cast<Enum>(found - words.begin());
    }
    std::uint32_t number32() {
        const std::uint64_t number = in_.unsigned_integer();
        if (number > 0xffffffff) {
            in_.fail("a number is too large");
        }
        return static_cast<std::uint32_t>(number);
    }
    CborReader& in_;
};

} // namespace cairn::core
