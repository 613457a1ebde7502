#include "physics/world/store/body_kind.h"

#include "physics/base/bytes.h"
#include "physics/base/hash.h"
#include "physics/geometry/mass_properties.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace cairn::physics {

namespace {

// How far the moments may differ, relatively, for the tensor still to count as a multiple of the identity.
constexpr float isotropy_tolerance = 1e-4f;

bool is_isotropic(const Mat3& inertia) {
    const float mean = (inertia[0][0] + inertia[1][1] + inertia[2][2]) / 3.0f;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            const float wanted = column == row ? mean : 0.0f;
            if (std::abs(inertia[column][row] - wanted) > isotropy_tolerance * mean) {
                return false;
            }
        }
    }
    return true;
}

// Equal for equal kinds; a body's name, colour, place and velocities are not of its kind.
std::uint64_t content_hash(const BodyDef& def) {
    Hasher hasher(0);
    hasher.add(static_cast<std::uint32_t>(def.type), static_cast<std::uint32_t>(def.shapes.size()));
    for (const ShapeDef& shape : def.shapes) {
        hasher.add(content_hash(shape.geometry) + (shape.sensor ? 1 : 0));
        hasher.add(shape.pose.position).add(shape.pose.orientation);
        if (shape.material.any()) {
            const ShapeMaterial& own = shape.material;
            hasher.add(own.friction.value_or(-1.0f), own.restitution.value_or(-1.0f));
            hasher.add(own.rolling_resistance.value_or(-1.0f), 0.0f);
        }
        for (const ShapeMaterial& own : shape.mesh_materials) {
            hasher.add(own.friction.value_or(-1.0f), own.restitution.value_or(-1.0f));
            hasher.add(own.rolling_resistance.value_or(-1.0f), 1.0f);
        }
    }
    hasher.add(def.mass.value_or(-1.0f), def.density).add(def.inertia.value_or(Vec3(-1.0f)));
    hasher.add(def.material.friction, def.material.restitution);
    hasher.add(def.material.rolling_resistance, def.linear_damping).add(def.angular_damping, def.gravity_scale);
    hasher.add(def.filter.group, def.filter.mask);
    hasher.add(std::uint32_t{def.locks}, 0u);
    return hasher.value();
}

bool same_kind(const BodyDef& a, const BodyDef& b) {
    return a.type == b.type && a.shapes == b.shapes && a.mass == b.mass && a.density == b.density &&
           a.inertia == b.inertia && a.material == b.material && a.linear_damping == b.linear_damping &&
           a.angular_damping == b.angular_damping && a.gravity_scale == b.gravity_scale && a.can_sleep == b.can_sleep &&
           a.filter == b.filter && a.locks == b.locks;
}

// Fails to compile when a definition gains or loses a member: then the two functions above must know of it.
[[maybe_unused]] void members_are_all_compared(const BodyDef& def, const ShapeDef& shape) {
    [[maybe_unused]] const auto& [s1, s2, s3, s4, s5] = shape;
    [[maybe_unused]] const auto& [d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12, d13, d14, d15, d16, d17] = def;
}

// What centre of mass, inertia and extent follow from: what collides, or the sensors where nothing does.
std::vector<PlacedShape> body_of(const BodyKind& kind) {
    std::vector<PlacedShape> placed;
    for (const BodyModel::Part& part : kind.parts) {
        if (!part.sensor || kind.colliders.empty()) {
            placed.push_back({part.shape.get(), part.pose});
        }
    }
    return placed;
}

// Mass and inertia from the parts and the definition; zero unless dynamic. False if they are out of range.
bool assign_mass(BodyKind& kind) {
    if (kind.def.type != BodyType::dynamic) {
        return true;
    }
    const MassProperties properties = mass_properties(body_of(kind), kind.def.density);
    const float scale = kind.def.mass ? *kind.def.mass / properties.mass : 1.0f;
    kind.mass = properties.mass * scale;
    kind.inertia = properties.inertia * scale;
    if (kind.def.inertia) {
        for (int axis = 0; axis < 3; ++axis) {
            kind.inertia[axis] = Vec3(0.0f);
            kind.inertia[axis][axis] = (*kind.def.inertia)[axis];
        }
    }
    const Mat3 inverse = inverse_inertia(kind.inertia);
    if (!(kind.mass > 0.0f && is_finite(kind.mass) && inverse != Mat3(0.0f))) {
        return false;
    }
    kind.inverse_mass = 1.0f / kind.mass;
    kind.inertia_local = symmetric(kind.inertia);
    kind.inverse_inertia_local = symmetric(inverse);
    kind.gyroscopic = !is_isotropic(kind.inertia);
    kind.principal = principal_inertia(kind.inertia_local);
    return true;
}

// Of a mesh; empty if they are all alike.
MeshMaterials mesh_materials(const ShapeDef& shape, const Material& of_shape) {
    MeshMaterials out;
    std::map<std::tuple<float, float, float>, std::uint16_t> known;
    for (const ShapeMaterial& own : shape.mesh_materials) {
        const Material material = own.over(of_shape);
        const auto place = static_cast<std::uint16_t>(out.all.size());
        out.all.push_back(material);
        out.first_alike.push_back(
            known.try_emplace({material.friction, material.restitution, material.rolling_resistance}, place)
                .first->second);
    }
    return known.size() > 1 ? out : MeshMaterials();
}

void assign_materials(BodyKind& kind) {
    const BodyDef& def = kind.def;
    const auto own = [](const ShapeDef& shape) { return shape.material.any() || !shape.mesh_materials.empty(); };
    if (std::none_of(def.shapes.begin(), def.shapes.end(), own)) {
        return;
    }
    bool several = false;
    for (const ShapeDef& shape : def.shapes) {
        kind.materials.push_back(shape.material.over(def.material));
        MeshMaterials of_triangles = mesh_materials(shape, kind.materials.back());
        if (of_triangles.all.empty() && !shape.mesh_materials.empty()) {
            kind.materials.back() = shape.mesh_materials.front().over(kind.materials.back());
        }
        several = several || !of_triangles.all.empty();
        kind.mesh_materials.push_back(std::move(of_triangles));
    }
    if (!several) {
        kind.mesh_materials.clear();
    }
}

// Of a map with weak pointers, now and then.
template <typename Map>
void drop_unused(Map& map, std::size_t& at) {
    if (map.size() >= at) {
        std::erase_if(map, [](const auto& entry) { return entry.second.expired(); });
        at = 2 * map.size() + 64;
    }
}

void assign_extent(BodyKind& kind) {
    const std::vector<PlacedShape> parts = body_of(kind);
    kind.bounding_radius = kind.rim_radius = 0.0f;
    kind.inner_radius = parts.front().shape->inner_radius;
    for (const PlacedShape& part : parts) {
        kind.bounding_radius =
            std::max(kind.bounding_radius, glm::length(part.pose.position) + part.shape->bounding_radius);
        kind.inner_radius = std::min(kind.inner_radius, part.shape->inner_radius);
        if (part.shape->kind == ShapeKind::cylinder || part.shape->kind == ShapeKind::cone) {
            kind.rim_radius = std::max(kind.rim_radius, part.shape->radius);
        }
    }
    kind.spin_limited = kind.bounding_radius > 1.001f * kind.inner_radius;
    // The extent of a single shape in any direction lies between the radii of the balls inside and around it, and where
    // it is h, its farthest point lies sqrt(R^2 - h^2) aside, by which a turn lifts it.
    kind.lever = kind.bounding_radius;
    kind.most_lift = 2.0f * kind.bounding_radius;
    if (parts.size() == 1) {
        const float outer = kind.bounding_radius;
        const float inner = kind.inner_radius;
        const ShapeKind shape = parts.front().shape->kind;
        kind.lever = std::sqrt(std::max(outer * outer - inner * inner, 0.0f));
        kind.most_lift = outer - inner;
        if (shape == ShapeKind::capsule || shape == ShapeKind::cylinder || shape == ShapeKind::cone) {
            kind.round_axis = rotate(parts.front().pose.orientation, Vec3(0, 0, 1));
        }
    }
}

} // namespace

Quat unit(const Quat& q) {
    const float length2 = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return std::abs(length2 - 1.0f) <= 4e-7f ? q : normalized(q);
}

std::variant<std::shared_ptr<const BodyKind>, std::string> BodyKindLibrary::get(const BodyDef& def) {
    if (std::shared_ptr<const BodyKind> kind = last_.lock(); kind && same_kind(kind->def, def)) {
        return kind;
    }
    const std::uint64_t key = content_hash(def);
    for (auto [at, end] = kinds_.equal_range(key); at != end; ++at) {
        if (std::shared_ptr<const BodyKind> kind = at->second.lock(); kind && same_kind(kind->def, def)) {
            last_ = kind;
            return kind;
        }
    }
    const auto kind = std::make_shared<BodyKind>();
    kind->def = def;
    kind->def.name.clear();
    kind->def.colour.reset();
    kind->def.pose = {};
    kind->def.linear_velocity = kind->def.angular_velocity = Vec3(0.0f);
    kind->parts.reserve(def.shapes.size());
    for (std::size_t i = 0; i < def.shapes.size(); ++i) {
        auto shape = shapes_.get(def.shapes[i].geometry);
        if (const ShapeError* error = std::get_if<ShapeError>(&shape)) {
            const std::string which = def.shapes.size() > 1 ? "shape " + std::to_string(i) + ": " : std::string();
            return which + error->reason;
        }
        BodyModel::Part part;
        part.shape = std::get<std::shared_ptr<const Shape>>(shape);
        if (part.shape->kind == ShapeKind::mesh) {
            if (def.type != BodyType::fixed) {
                return std::string("a mesh is a surface without a mass, for static bodies only; make the body static, "
                                   "or give it hulls");
            }
            const auto* mesh = std::get_if<Mesh>(&def.shapes[i].geometry);
            const std::size_t materials = mesh != nullptr ? mesh->data->materials.size() : 0;
            if (!def.shapes[i].mesh_materials.empty() && def.shapes[i].mesh_materials.size() != materials) {
                return "there are " + std::to_string(def.shapes[i].mesh_materials.size()) +
                       " materials for a mesh that names " + std::to_string(materials);
            }
            if (def.shapes[i].sensor) {
                return std::string("a sensor is a solid shape, not a mesh, which has no inside");
            }
            kind->has_mesh = true;
        } else if (!def.shapes[i].mesh_materials.empty()) {
            return std::string("materials of triangles are for meshes only");
        }
        (def.shapes[i].sensor ? kind->sensors : kind->colliders).push_back(static_cast<std::uint32_t>(i));
        // Where the centroid of the shape lies in the author's frame: point sets need not be centred there.
        part.sensor = def.shapes[i].sensor;
        part.pose = {to_world(def.shapes[i].pose, part.shape->author_offset), unit(def.shapes[i].pose.orientation)};
        kind->parts.push_back(std::move(part));
    }
    if (kind->colliders.empty() && def.type == BodyType::dynamic && !def.mass) {
        return std::string("a dynamic body all of whose shapes are sensors has no mass of its own; state its mass");
    }
    // Of a body with a mesh the author's origin is kept: a surface has no centre of mass.
    if (!kind->has_mesh) {
        const std::vector<PlacedShape> body = body_of(*kind);
        const Vec3 centre = body.size() == 1 ? body[0].pose.position : mass_properties(body, def.density).centre;
        for (BodyModel::Part& part : kind->parts) {
            part.pose.position -= centre;
        }
        kind->centre = centre;
    }
    assign_materials(*kind);
    if (!assign_mass(*kind)) {
        return std::string("mass or inertia is out of range; change the size, mass or density");
    }
    assign_extent(*kind);
    if (kind->sensors.empty()) {
        kind->colliders = {};
    }
    drop_unused(kinds_, sweep_at_);
    kinds_.emplace(key, kind);
    last_ = kind;
    return std::shared_ptr<const BodyKind>(kind);
}

std::shared_ptr<const BodyKind> BodyKindLibrary::with_heights(const BodyKind& kind, std::uint32_t place,
                                                              std::shared_ptr<const HeightData> data,
                                                              const HeightRegion& changed) {
    const auto other = std::make_shared<BodyKind>(kind);
    BodyModel::Part& part = other->parts[place];
    part.shape = std::make_shared<const Shape>(physics::with_heights(*part.shape, data, changed));
    other->def.shapes[place].geometry = HeightField{std::move(data)};
    assign_extent(*other);
    return other;
}

std::shared_ptr<const BodyKind> BodyKindLibrary::with_materials(const BodyKind& kind, std::uint32_t place,
                                                                std::shared_ptr<const MeshData> data,
                                                                const ShapeMaterial& of_shape,
                                                                const std::vector<ShapeMaterial>& of_triangles) {
    const auto other = std::make_shared<BodyKind>(kind);
    ShapeDef& shape = other->def.shapes[place];
    const auto& before = std::get<Mesh>(shape.geometry);
    if (data != before.data && data->triangle_materials != before.data->triangle_materials) {
        BodyModel::Part& part = other->parts[place];
        part.shape = std::make_shared<const Shape>(physics::with_materials(*part.shape, *data));
    }
    shape.geometry = Mesh{std::move(data)};
    shape.material = of_shape;
    shape.mesh_materials = of_triangles;
    other->materials.clear();
    other->mesh_materials.clear();
    assign_materials(*other);
    return other;
}

std::shared_ptr<const BodyModel> BodyKindLibrary::named(const std::shared_ptr<const BodyKind>& kind,
                                                        const std::string& name, std::optional<Colour> colour) {
    if (name.empty() && !colour) {
        return kind;
    }
    const std::uint32_t rgb = colour ? 1u << 24 | colour->r << 16 | colour->g << 8 | colour->b : 0u;
    const std::uint64_t key = Hasher(std::hash<std::string>{}(name))
                                  .add(std::uint64_t(std::hash<const void*>{}(kind.get())))
                                  .add(rgb, 0u)
                                  .value();
    for (auto [at, end] = models_.equal_range(key); at != end; ++at) {
        if (auto model = at->second.lock();
            model && model->kind == kind && model->def.name == name && model->def.colour == colour) {
            return model;
        }
    }
    const auto model = std::make_shared<NamedModel>();
    static_cast<BodyModel&>(*model) = *kind;
    model->def.name = name;
    model->def.colour = colour;
    model->kind = kind;
    drop_unused(models_, sweep_models_at_);
    models_.emplace(key, model);
    return model;
}

std::size_t BodyKindLibrary::memory_bytes() const {
    constexpr std::size_t links = 2 * sizeof(void*); // of a node: the next one, and its hash
    const auto bytes_of_map = [](const auto& map) {
        using Entry = typename std::decay_t<decltype(map)>::value_type;
        return map.bucket_count() * sizeof(void*) + map.size() * (links + sizeof(Entry));
    };
    std::size_t bytes = shapes_.memory_bytes() + bytes_of_map(kinds_) + bytes_of_map(models_);
    for (const auto& [key, entry] : models_) {
        if (const std::shared_ptr<const NamedModel> model = entry.lock()) {
            bytes +=
                sizeof(NamedModel) + bytes_of(model->parts) + bytes_of(model->def.shapes) + model->def.name.capacity();
        }
    }
    for (const auto& [key, entry] : kinds_) {
        if (const std::shared_ptr<const BodyKind> kind = entry.lock()) {
            bytes += sizeof(BodyKind) + bytes_of(kind->parts) + bytes_of(kind->def.shapes) + bytes_of(kind->sensors) +
                     bytes_of(kind->colliders) + bytes_of(kind->materials) + bytes_of(kind->mesh_materials);
            for (const MeshMaterials& of_mesh : kind->mesh_materials) {
                bytes += bytes_of(of_mesh.all) + bytes_of(of_mesh.first_alike);
            }
        }
    }
    return bytes;
}

} // namespace cairn::physics
