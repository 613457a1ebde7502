// The polytope that EPA grows: a closed triangulated surface round the origin. Internal to queries.
#pragma once

#include "physics/query/gjk/minkowski.h"
#include "physics/query/gjk/room.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace cairn::physics {

// Holds up to MaxVertices support points of a Minkowski difference. Every face has a plane { x : dot(normal, x) ==
// offset } with the origin on its inner side. The offset of a face without area, and of one that has been replaced, is
// infinite, so that it is never the nearest.
template <int MaxVertices>
class Polytope {
  public:
    static constexpr int max_faces = 2 * MaxVertices; // a triangulated sphere has 2 V - 4
    static constexpr double no_plane = std::numeric_limits<double>::infinity();

    using Index = std::conditional_t<max_faces <= 256, std::uint8_t, std::uint16_t>;
    using Corners = std::array<Index, 3>;

    void add_vertex(const SupportPoint& p) { vertices_.put(vertex_count_++, p); }
    const DVec3& w(int vertex) const { return vertices_[vertex].w; }
    const DVec3& a(int vertex) const { return vertices_[vertex].a; }

    int face_slots() const { return face_count_; }                         // faces replaced long ago among them
    const Corners& corners(int face) const { return faces_[face].vertex; } // counter-clockwise from outside
    const DVec3& normal(int face) const { return normals_[face]; }         // unit, outwards
    double offset(int face) const { return offsets_[face]; }               // m

    // The face with the nearest plane, the first of several, -1 if there is none.
    int nearest() const {
        // Four searches side by side: one would wait for the outcome of every comparison.
        std::array<std::int64_t, 4> least{no_key, no_key, no_key, no_key};
        for (int f = 0; f < face_count_; f += 4) {
            for (int k = 0; k < 4; ++k) {
                least[k] = std::min(least[k], keys_[f + k]);
            }
        }
        const std::int64_t key = std::min(std::min(least[0], least[1]), std::min(least[2], least[3]));
        return key == no_key ? -1 : static_cast<int>(key & index_mask);
    }

    // The tetrahedron on the four vertices added so far, (0, 1, 2) counter-clockwise seen from outside.
    void close_tetrahedron() {
        set_face(0, spoke(0, 2), spoke(1, 2), 2);
        set_face(1, spoke(0, 1), spoke(3, 1), 1);
        set_face(2, spoke(1, 2), spoke(3, 2), 2);
        set_face(3, spoke(2, 0), spoke(3, 0), 0);
        join(0, 0, 1, 2);
        join(0, 1, 2, 2);
        join(0, 2, 3, 2);
        join(1, 1, 2, 0);
        join(2, 1, 3, 0);
        join(3, 1, 1, 0);
    }

    // Replaces all faces that see `point`, `seed` among them, by a fan from it. False, and nothing changed, if the room
    // is used up or if rounding left the seen region without a simple border. Points nearer to a plane than
    // `plane_eps`, m, lie on it.
    bool expand(int seed, const SupportPoint& point, double plane_eps) {
        if (vertex_count_ == MaxVertices) {
            return false;
        }
        const int length = find_horizon(seed, point.w, plane_eps);
        const int room = max_faces - face_count_ + free_count_;
        if (room < length || !horizon_is_simple(length)) {
            for (int k = 0; k < seen_count_; ++k) {
                faces_[seen_[k]].gone = false;
            }
            return false;
        }
        const int apex = vertex_count_;
        add_vertex(point);
        int first = -1;
        int previous = -1;
        Spoke here = spoke(start_of(horizon_[0]), apex);
        const Spoke first_spoke = here;
        for (int k = 0; k < length; ++k) {
            const Edge outside = horizon_[k];
            const Spoke next = k + 1 < length ? spoke(start_of(horizon_[k + 1]), apex) : first_spoke;
            const int f = free_count_ > 0 ? int(free_[--free_count_]) : face_count_;
            set_face(f, here, next, apex);
            join(f, 0, outside.face, outside.edge);
            if (previous >= 0) {
                join(previous, 1, f, 2);
            } else {
                first = f;
            }
            previous = f;
            here = next;
        }
        join(previous, 1, first, 2);
        horizon_count_ = length;
        for (int k = 0; k < seen_count_; ++k) {
            offsets_[seen_[k]] = no_plane;
            keys_[seen_[k]] = no_key;
            free_.put(free_count_++, seen_[k]);
        }
        return true;
    }

    int vertex_count() const { return vertex_count_; }

    // Of the last expansion that was done: the faces that it replaced, and their border in order. For each k the fan
    // has the face (border_vertex(k), border_vertex(k + 1), newest vertex), counter-clockwise from outside.
    int removed_count() const { return seen_count_; }
    const Corners& removed(int k) const { return faces_[seen_[k]].vertex; } // its place is not yet taken
    int border_length() const { return horizon_count_; }
    int border_vertex(int k) const { return start_of(horizon_[k]); }

  private:
    static constexpr std::array<int, 3> following{1, 2, 0};
    static constexpr std::array<int, 3> preceding{2, 0, 1};

    // Offsets as integers in the same order, with the face's index in the last bits of the fraction: the least of them
    // is found without a branch, and says whose it is. What the offset loses is less than a part in 1e12.
    static constexpr std::int64_t index_mask = std::int64_t{std::bit_ceil(unsigned{max_faces})} - 1;
    static constexpr std::int64_t no_key = std::numeric_limits<std::int64_t>::max();

    static std::int64_t key_of(double offset, int face) {
        const auto bits = std::bit_cast<std::int64_t>(offset);
        const std::int64_t ordered = bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
        return (ordered & ~index_mask) | face;
    }

    struct Face {
        Corners vertex;
        std::array<Index, 3> adjacent;           // face across the edge vertex[i] -> vertex[i + 1]
        std::array<std::uint8_t, 3> edge_across; // which edge of that face it is
        bool flat;                               // no area: it keeps the surface closed but has no plane
        bool gone;                               // seen by the point that is being added, or replaced long ago
    };
    struct Edge {
        Index face;
        std::uint8_t edge;
    };

    // From the seen side a horizon edge runs from its second vertex to its first.
    int start_of(const Edge& edge) const { return faces_[edge.face].vertex[following[edge.edge]]; }

    // The way from one vertex to another: two neighbours in a fan share it.
    struct Spoke {
        int vertex;
        DVec3 way;
        double length2;
    };
    Spoke spoke(int to, int from) const {
        const DVec3 way = w(to) - w(from);
        return {to, way, glm::dot(way, way)};
    }

    // The face between two spokes from `apex`. Its neighbours are told later, by join().
    void set_face(int f, const Spoke& p, const Spoke& q, int apex) {
        Face& face = faces_[f];
        face.vertex = {static_cast<Index>(p.vertex), static_cast<Index>(q.vertex), static_cast<Index>(apex)};
        face.gone = false;
        const DVec3 n = glm::cross(p.way, q.way);
        const double n2 = glm::dot(n, n);
        const double reach2 = p.length2 + q.length2;
        face.flat = !(n2 > 1e-24 * reach2 * reach2);
        if (face.flat) {
            normals_.put(f, DVec3(0.0));
            offsets_.put(f, no_plane);
            keys_.put(f, no_key);
        } else {
            const DVec3 unit = n * (1.0 / std::sqrt(n2));
            const double offset = glm::dot(unit, w(apex));
            normals_.put(f, unit);
            offsets_.put(f, offset);
            keys_.put(f, key_of(offset, f));
        }
        if (f == face_count_) {
            ++face_count_;
            for (int k = face_count_; k % 4 != 0; ++k) { // so that nearest() may read four at a time
                keys_.put(k, no_key);
            }
        }
    }

    void join(int f, int edge, int g, int edge_of_g) {
        faces_[f].adjacent[edge] = static_cast<Index>(g);
        faces_[f].edge_across[edge] = static_cast<std::uint8_t>(edge_of_g);
        faces_[g].adjacent[edge_of_g] = static_cast<Index>(f);
        faces_[g].edge_across[edge_of_g] = static_cast<std::uint8_t>(edge);
    }

    // Walks over the faces that see the point, from neighbour to neighbour, each from the edge by which it was entered
    // round to the next: so the horizon comes out in order. Returns its length, 0 if there is not room for it.
    int find_horizon(int seed, const DVec3& point, double plane_eps) {
        Room<Edge, max_faces> stack;
        int depth = 0;
        int length = 0;
        seen_count_ = 0;
        seen_.put(seen_count_++, static_cast<Index>(seed));
        faces_[seed].gone = true;
        for (int e = 2; e >= 0; --e) {
            stack.put(depth++, {faces_[seed].adjacent[e], faces_[seed].edge_across[e]});
        }
        while (depth > 0) {
            const Edge entered = stack[--depth];
            Face& face = faces_[entered.face];
            if (face.gone) {
                continue;
            }
            // A point sees a face if it lies beyond the face's plane; how it lies to the origin does not matter. A face
            // without a plane goes with the neighbour from which it was entered.
            if (!face.flat && !(glm::dot(normals_[entered.face], point) - offsets_[entered.face] > plane_eps)) {
                if (length == max_faces) {
                    return 0;
                }
                horizon_.put(length++, entered);
                continue;
            }
            if (depth + 2 > max_faces) {
                return 0;
            }
            face.gone = true;
            seen_.put(seen_count_++, entered.face);
            const int first = following[entered.edge];
            const int second = preceding[entered.edge];
            stack.put(depth++, {face.adjacent[second], face.edge_across[second]});
            stack.put(depth++, {face.adjacent[first], face.edge_across[first]});
        }
        return length;
    }

    // One closed loop that passes no vertex twice.
    bool horizon_is_simple(int length) const {
        std::array<std::uint64_t, (MaxVertices + 63) / 64> passed{};
        for (int k = 0; k < length; ++k) {
            const Edge here = horizon_[k];
            const Edge next = horizon_[k + 1 < length ? k + 1 : 0];
            // From the seen side the edge runs from its second vertex to its first.
            const unsigned end = faces_[here.face].vertex[here.edge];
            if (end != faces_[next.face].vertex[following[next.edge]]) {
                return false;
            }
            const std::uint64_t bit = std::uint64_t{1} << (end % 64);
            if ((passed[end / 64] & bit) != 0) {
                return false;
            }
            passed[end / 64] |= bit;
        }
        return length >= 3;
    }

    Room<SupportPoint, MaxVertices> vertices_;
    Room<DVec3, max_faces> normals_;
    Room<double, max_faces> offsets_;
    Room<std::int64_t, max_faces> keys_;
    Room<Face, max_faces> faces_;
    Room<Index, max_faces> free_;
    Room<Index, max_faces> seen_;
    Room<Edge, max_faces> horizon_; // edges of faces that stay, in order round the seen region
    int vertex_count_ = 0;
    int face_count_ = 0; // slots in use
    int free_count_ = 0;
    int seen_count_ = 0;
    int horizon_count_ = 0; // of the last expansion
};

} // namespace cairn::physics
