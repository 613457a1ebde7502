#include "app/core/capture/records/record_coder.h"

#include "app/core/capture/records/surface_records.h"

namespace cairn::core {

using namespace cairn::physics;

namespace {

std::uint64_t begin_points(CborReader& in) {
    const std::uint64_t numbers = in.array();
    if (numbers % 3 != 0) {
        in.fail("expected three numbers for every point");
    }
    return numbers / 3;
}

SharedPoints read_points(CborReader& in) {
    const std::uint64_t count = begin_points(in);
    auto list = std::make_shared<std::vector<Vec3>>();
    constexpr std::size_t least = 15; // bytes of a point: more is not reserved than can be there
    list->reserve(static_cast<std::size_t>(std::min<std::uint64_t>(count, in.left() / least)));
    for (std::uint64_t i = 0; i < count; ++i) {
        Vec3& p = list->emplace_back();
        p.x = in.single();
        p.y = in.single();
        p.z = in.single();
    }
    return list;
}

} // namespace

void Encoder::put(const PointSet& set) {
    if (point_set_numbers != nullptr) {
        const auto number = point_set_numbers->find(set.points);
        if (number != point_set_numbers->end()) {
            map(1);
            out_.text("point_set");
            out_.unsigned_integer(number->second);
            return;
        }
    }
    map(1);
    out_.text("points");
    points(set.points);
}

void Encoder::points(const SharedPoints& set) {
    const std::size_t count = set ? set->size() : 0;
    out_.array(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3& p = (*set)[i];
        out_.single(p.x);
        out_.single(p.y);
        out_.single(p.z);
    }
}

bool Encoder::put_name(const AnySurface& surface) {
    if (!name_surface || !worth_naming(surface)) {
        return false;
    }
    const std::optional<SurfaceKey> key = name_surface(surface);
    if (!key) {
        return false;
    }
    map(1);
    out_.text("content");
    encode(out_, *key);
    return true;
}

void Encoder::put(const Mesh& mesh) {
    if (put_name(mesh)) {
        return;
    }
    static const MeshData nothing;
    const MeshData& data = mesh.data ? *mesh.data : nothing;
    map_since(3, 3, data.materials.empty() ? 0 : 2, 2, 2);
    field("two_sided", data.two_sided);
    out_.text("vertices");
    points(std::shared_ptr<const std::vector<Vec3>>(mesh.data, &data.vertices));
    out_.text("triangles");
    out_.array(3 * data.triangles.size());
    for (const auto& triangle : data.triangles) {
        for (const std::uint32_t vertex : triangle) {
            out_.unsigned_integer(vertex);
        }
    }
    if (!data.materials.empty()) {
        field("materials", data.materials);
        out_.text("triangle_materials");
        out_.array(data.triangle_materials.size());
        for (const std::uint16_t material : data.triangle_materials) {
            out_.unsigned_integer(material);
        }
    }
}

void Encoder::put(const HeightField& heights) {
    if (put_name(heights)) {
        return;
    }
    static const HeightData nothing;
    const HeightData& data = heights.data ? *heights.data : nothing;
    map(5);
    out_.text("columns");
    out_.unsigned_integer(data.columns);
    out_.text("rows");
    out_.unsigned_integer(data.rows);
    field("spacing", data.spacing);
    out_.text("heights");
    out_.array(data.heights.size());
    for (const float height : data.heights) {
        out_.single(height);
    }
    out_.text("holes");
    out_.array(data.holes.size());
    for (const std::uint64_t word : data.holes) {
        out_.unsigned_integer(word);
    }
}

PointSets::PointSets(CborReader& in) : from_(in) {
    const std::uint64_t count = in.array();
    for (std::uint64_t i = 0; i < count; ++i) {
        places_.push_back(in.offset());
        const std::uint64_t points = begin_points(in);
        if (points == 0) {
            in.fail("a point set without points");
        }
        for (std::uint64_t k = 0; k < 3 * points; ++k) {
            in.single();
        }
    }
}

const SharedPoints& PointSets::get(std::uint64_t number) {
    SharedPoints& made = made_[number];
    if (!made) {
        CborReader in = from_.at(places_[number]);
        made = read_points(in);
    }
    return made;
}

void Decoder::put(PointSet& set) {
    map(1);
    const std::string_view key = in_.text();
    if (key == "points") {
        set.points = read_points(in_);
    } else if (key == "point_set") {
        const std::uint64_t number = in_.unsigned_integer();
        if (point_sets == nullptr || number >= point_sets->size()) {
            in_.fail("there is no such point set");
        }
        set.points = point_sets->get(number);
    } else {
        in_.fail("expected the key \"points\" or \"point_set\"");
    }
}

AnySurface Decoder::named_surface() {
    in_.key("content");
    SurfaceKey key;
    decode(in_, key);
    const std::optional<AnySurface> found = find_surface ? find_surface(key) : std::nullopt;
    if (!found) {
        in_.fail("there is no surface of this name");
    }
    return *found;
}

void Decoder::put(Mesh& mesh) {
    auto data = std::make_shared<MeshData>();
    constexpr std::uint64_t plain = 3, with_materials = 5, by_name = 1;
    const std::uint64_t pairs = in_.map({plain, with_materials, by_name});
    if (pairs == by_name) {
        const AnySurface found = named_surface();
        if (!std::holds_alternative<Mesh>(found)) {
            in_.fail("the surface of this name is not a mesh");
        }
        mesh = std::get<Mesh>(found);
        return;
    }
    field("two_sided", data->two_sided);
    in_.key("vertices");
    data->vertices = *read_points(in_);
    in_.key("triangles");
    const std::uint64_t numbers = in_.array();
    if (numbers % 3 != 0) {
        in_.fail("expected three numbers for every triangle");
    }
    for (std::uint64_t i = 0; i < numbers; i += 3) {
        for (std::uint32_t& vertex : data->triangles.emplace_back()) {
            vertex = number32();
        }
    }
    if (pairs == with_materials) {
        field("materials", data->materials);
        in_.key("triangle_materials");
        for (std::uint64_t left = in_.array(); left > 0; --left) {
            const std::uint32_t material = number32();
            if (material > 0xffff) {
                in_.fail("a material's place is too large");
            }
            data->triangle_materials.push_back(static_cast<std::uint16_t>(material));
        }
    }
    mesh.data = std::move(data);
    if (note_surface && worth_naming(mesh)) {
        note_surface(mesh);
    }
}

void Decoder::put(HeightField& heights) {
    auto data = std::make_shared<HeightData>();
    constexpr std::uint64_t by_name = 1;
    if (in_.map({5, by_name}) == by_name) {
        const AnySurface found = named_surface();
        if (!std::holds_alternative<HeightField>(found)) {
            in_.fail("the surface of this name is not a height field");
        }
        heights = std::get<HeightField>(found);
        return;
    }
    in_.key("columns");
    data->columns = number32();
    in_.key("rows");
    data->rows = number32();
    field("spacing", data->spacing);
    in_.key("heights");
    for (std::uint64_t left = in_.array(); left > 0; --left) {
        data->heights.push_back(in_.single());
    }
    in_.key("holes");
    for (std::uint64_t left = in_.array(); left > 0; --left) {
        data->holes.push_back(in_.unsigned_integer());
    }
    heights.data = std::move(data);
    if (note_surface && worth_naming(heights)) {
        note_surface(heights);
    }
}

} // namespace cairn::core
