#include "physics/geometry/decomposition/decomposition.h"

#include "physics/base/executor_loop.h"
#include "physics/geometry/decomposition/mesh_repair.h"
#include "physics/geometry/decomposition/parts/cut_search.h"
#include "physics/geometry/decomposition/parts/part_merging.h"
#include "physics/geometry/hull/polyhedron_integrals.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace cairn::physics {

namespace {

using namespace detail;

constexpr double sample_spacing = 0.5; // of the concavity that is allowed
constexpr double cutting_share = 0.85; // of the progress

struct Measured {
    HulledPart part;
    double volume = 0.0;
    bool good = false;
};

Measured measure(MeshPart part, double allowed, double scale) {
    Measured result;
    result.part.hull = hull_of(part.points, 1e-3 * allowed);
    result.part.usable = is_usable(result.part.hull, scale);
    result.volume = volume_of(part);
    result.good = !(concavity(part, MeshTree(part), result.part.hull, sample_spacing * allowed, allowed) > allowed);
    result.part.part = std::move(part);
    return result;
}

} // namespace

std::variant<Decomposition, MeshError> decompose(std::span<const Vec3> points,
                                                 std::span<const std::array<std::uint32_t, 3>> triangles,
                                                 const DecompositionSettings& settings, Executor& executor,
                                                 const std::function<void(double)>& progress) {
    if (!(settings.concavity >= 0.001 && settings.concavity <= 1.0) || settings.max_vertices < 4 ||
        settings.max_hulls == std::size_t{0}) {
        return MeshError{"the concavity must lie between 0.001 and 1, with at least one hull of four vertices", {}, {}};
    }
    auto repaired = repair_mesh(points, triangles);
    if (auto* error = std::get_if<MeshError>(&repaired)) {
        return std::move(*error);
    }
    RepairedMesh& mesh = std::get<RepairedMesh>(repaired);
    const auto report = [&progress](double share) {
        if (progress) {
            progress(share);
        }
    };
    Decomposition result;
    result.repairs = mesh.repairs;
    const double scale = mesh.scale;
    const double allowed = settings.concavity * mesh.half_size;

    const PolyhedronIntegrals integrals = integrate(mesh.mesh.points, mesh.mesh.triangles, glm::dvec3(0.0));
    result.volume = integrals.volume * scale * scale * scale;
    result.centroid = mesh.middle + scale * integrals.centroid;
    result.unit_inertia = integrals.inertia * (scale * scale * scale * scale * scale);

    // Cut what is too concave until nothing is.
    std::vector<HulledPart> parts;
    std::vector<MeshPart> fresh = connected_parts(std::move(mesh.mesh));
    double done = 0.0;
    while (!fresh.empty()) {
        std::vector<Measured> measured(fresh.size());
        parallel_for(executor, fresh.size(), 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                measured[i] = measure(std::move(fresh[i]), allowed, scale);
            }
        });
        std::vector<MeshPart> concave;
        std::vector<HulledPart> whole; // the same, with their hulls
        for (Measured& m : measured) {
            if (m.good) {
                done += m.volume;
                parts.push_back(std::move(m.part));
            } else {
                concave.push_back(m.part.part);
                whole.push_back(std::move(m.part));
            }
        }
        report(cutting_share * std::min(done / integrals.volume, 1.0));
        const auto planes = best_cuts(concave, allowed, executor);
        fresh.clear();
        for (std::size_t i = 0; i < concave.size(); ++i) {
            if (!planes[i]) { // not larger than what is allowed
                parts.push_back(std::move(whole[i]));
                continue;
            }
            for (MeshPart& piece : cut(concave[i], *planes[i])) {
                fresh.push_back(std::move(piece));
            }
        }
    }
    merge_parts(
        parts,
        {allowed, sample_spacing * allowed, settings.max_hulls.value_or(std::numeric_limits<std::size_t>::max())},
        scale, executor);
    if (!std::all_of(parts.begin(), parts.end(), [](const HulledPart& part) { return part.usable; })) {
        return MeshError{"the mesh is too thin for a hull", {}, {}};
    }
    report(0.95);

    result.hulls.resize(parts.size());
    std::vector<double> concavities(parts.size(), 0.0), volumes(parts.size(), 0.0);
    parallel_for(executor, parts.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const HulledPart& part = parts[i];
            const PartHull hull = simplified(part.hull, settings.max_vertices);
            concavities[i] = concavity(part.part, MeshTree(part.part), hull, sample_spacing * allowed,
                                       std::numeric_limits<double>::max());
            volumes[i] = hull.volume;
            for (const glm::dvec3& p : hull.points) {
                result.hulls[i].emplace_back(mesh.middle + scale * p);
            }
        }
    });
    for (std::size_t i = 0; i < parts.size(); ++i) {
        result.concavity = std::max(result.concavity, concavities[i] / mesh.half_size);
        result.hull_volume += volumes[i] * scale * scale * scale;
    }
    report(1.0);
    return result;
}

} // namespace cairn::physics
