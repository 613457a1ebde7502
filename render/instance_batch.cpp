#include "render/instance_batch.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cairn::render {

namespace {

// The classes of one level of a mesh lie next to each other in this order: casters that are out of sight, from those of
// the coarsest shadow map alone to those of all of them; casters in sight, the other way round; others in sight;
// ground. What a map needs, and what the picture needs, is then one run each.
constexpr std::uint32_t maps = max_cascades;
constexpr std::uint32_t first_seen = maps, seen_only = 2 * maps, ground_seen = seen_only + 1,
                        bucket_classes = ground_seen + 1;
constexpr std::uint32_t caster_class(bool seen, std::uint32_t finest) {
    return seen ? first_seen + finest : first_seen - 1 - finest;
}

// Within a class, near instances are drawn first, in this many steps of distance, so that they hide the pixels of far
// ones before those are shaded.
constexpr std::uint32_t depth_steps = 16;
constexpr std::uint32_t buckets_per_level = bucket_classes * depth_steps;
constexpr std::uint32_t buckets_per_mesh = static_cast<std::uint32_t>(max_levels) * buckets_per_level;

// Steps of equal ratio: 0 up to 2 m, then a factor of about 1.4 each.
std::uint32_t depth_step(float distance) {
    if (!(distance > 2.0f)) {
        return 0;
    }
    return std::min(static_cast<std::uint32_t>(2.0f * std::log2(0.5f * distance)), depth_steps - 1);
}

// The level for a body of this radius on the screen, in pixels.
std::uint32_t level_for(float screen_radius, std::uint32_t levels) {
    const std::uint32_t wanted = screen_radius > 50.0f ? 0 : screen_radius > 16.0f ? 1 : screen_radius > 8.0f ? 2 : 3;
    return std::min(wanted, levels - 1);
}

constexpr std::uint32_t no_record = ~0u;

struct Sphere {
    glm::vec3 centre; // m, world
    float radius;     // m
};

Sphere bounding_sphere(const Instance& instance, const MeshBounds& bounds) {
    // Two bounds hold for the scaled mesh: the scaled box's diagonal, and the sphere grown by the largest factor. The
    // first is tight for flat boxes, the second for round things.
    const glm::vec3 factor = glm::abs(instance.scale);
    const float diagonal = glm::length(bounds.half_extents * factor);
    const float round = bounds.radius * std::max(factor.x, std::max(factor.y, factor.z));
    return {instance.position + instance.orientation * (bounds.centre * instance.scale),
            std::min(diagonal, round) + std::abs(instance.extrude_z)};
}

InstanceRecord record_of(const Instance& instance) {
    return {glm::vec4(instance.position, instance.extrude_z),
            glm::vec4(instance.orientation.x, instance.orientation.y, instance.orientation.z, instance.orientation.w),
            glm::vec4(instance.scale, static_cast<float>(instance.texture)), instance.colour};
}

// The mark travels in the colour: red = selected, green = hovered.
InstanceRecord mark_of(const Instance& instance) {
    InstanceRecord record = record_of(instance);
    record.colour = (instance.flags & instance_selected) != 0 ? glm::vec4(1.0f, 0.0f, 0.0f, 1.0f)
                                                              : glm::vec4(0.0f, 1.0f, 0.0f, 1.0f);
    return record;
}

void append(std::vector<InstanceRun>& runs, MeshId mesh, std::uint32_t level, std::uint32_t record) {
    if (!runs.empty() && runs.back().mesh == mesh && runs.back().level == level &&
        runs.back().first + runs.back().count == record) {
        ++runs.back().count;
    } else {
        runs.push_back({mesh, level, record, 1});
    }
}

} // namespace

void InstanceBatch::build(const DrawList& list, std::span<const BatchMesh> meshes, const View& view,
                          const ShadowCascades* shadows, float pixels_per_radian) {
    const std::size_t instance_count = list.instances.size();
    bucket_.resize(instance_count);
    slot_.resize(instance_count);
    count_.assign(meshes.size() * buckets_per_mesh, 0);
    blended_order_.clear();
    marked_order_.clear();
    drawn_ = culled_ = casters_ = 0;

    for (std::uint32_t i = 0; i < instance_count; ++i) {
        const Instance& instance = list.instances[i];
        if (instance.mesh >= meshes.size() || meshes[instance.mesh].levels == 0) {
            throw RenderError("instance " + std::to_string(i) + " names mesh " + std::to_string(instance.mesh) +
                              ", which is not there");
        }
        const Sphere sphere = bounding_sphere(instance, meshes[instance.mesh].bounds);
        const bool seen = view.frustum.may_see(sphere.centre, sphere.radius);
        const float distance = glm::dot(view.depth, glm::vec4(sphere.centre, 1.0f)); // m, along the view
        const float screen_radius =
            sphere.radius * pixels_per_radian / (view.orthographic ? 1.0f : std::max(distance, 1e-3f));
        const std::uint32_t level = level_for(screen_radius, meshes[instance.mesh].levels);
        const bool is_ground = (instance.flags & instance_ground) != 0;
        const bool is_blended = instance.colour.a < 1.0f;
        // The ground receives shadows and throws none: there is nothing below it to see them.
        const bool may_cast =
            shadows != nullptr && !is_ground && !is_blended && (instance.flags & instance_no_shadow) == 0;
        const int finest = may_cast ? shadows->finest_cast(sphere.centre, sphere.radius) : 0;
        const bool casts = may_cast && finest < shadows->count;
        ++(seen ? drawn_ : culled_);
        casters_ += casts ? 1 : 0;
        bucket_[i] = no_record;
        if (seen && (instance.flags & (instance_selected | instance_hovered)) != 0) {
            marked_order_.push_back({level, i});
        }
        if (is_blended) {
            if (seen) {
                blended_order_.push_back({distance, level, i});
            }
            continue;
        }
        if (!seen && !casts) {
            continue;
        }
        const std::uint32_t bucket_class = is_ground ? ground_seen
                                           : casts   ? caster_class(seen, static_cast<std::uint32_t>(finest))
                                                     : seen_only;
        bucket_[i] = instance.mesh * buckets_per_mesh + level * buckets_per_level + bucket_class * depth_steps +
                     depth_step(distance);
        ++count_[bucket_[i]];
    }

    // Room for all that can be, so that a body which comes nearer allocates nothing.
    const auto begin_runs = [&](std::vector<InstanceRun>& runs) {
        runs.clear();
        runs.reserve(meshes.size() * max_levels);
    };
    for (std::vector<InstanceRun>& runs : shadow_) {
        begin_runs(runs);
    }
    begin_runs(opaque_);
    begin_runs(ground_);
    blended_.clear();
    marked_.clear();
    std::uint32_t next = 0;
    for (std::uint32_t part = 0; part < meshes.size() * max_levels; ++part) {
        std::uint32_t begin[bucket_classes + 1];
        for (std::uint32_t bucket_class = 0; bucket_class < bucket_classes; ++bucket_class) {
            begin[bucket_class] = next;
            for (std::uint32_t step = 0; step < depth_steps; ++step) {
                std::uint32_t& count = count_[part * buckets_per_level + bucket_class * depth_steps + step];
                next += std::exchange(count, next);
            }
        }
        begin[bucket_classes] = next;
        const auto add = [part](std::vector<InstanceRun>& runs, std::uint32_t first, std::uint32_t end) {
            if (first < end) {
                runs.push_back({part / static_cast<std::uint32_t>(max_levels),
                                part % static_cast<std::uint32_t>(max_levels), first, end - first});
            }
        };
        for (std::uint32_t map = 0; shadows != nullptr && map < static_cast<std::uint32_t>(shadows->count); ++map) {
            add(shadow_[map], begin[caster_class(false, map)], begin[caster_class(true, map) + 1]);
        }
        add(opaque_, begin[first_seen], begin[ground_seen]);
        add(ground_, begin[ground_seen], begin[bucket_classes]);
    }
    for (std::size_t i = 0; i < instance_count; ++i) {
        slot_[i] = bucket_[i] == no_record ? no_record : count_[bucket_[i]]++;
    }

    std::sort(blended_order_.begin(), blended_order_.end(), [](const Blended& a, const Blended& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.instance < b.instance;
    });
    for (const Blended& blended : blended_order_) {
        append(blended_, list.instances[blended.instance].mesh, blended.level, next++);
    }
    for (const Marked& marked : marked_order_) {
        append(marked_, list.instances[marked.instance].mesh, marked.level, next++);
    }
    size_ = next;
}

void InstanceBatch::write(const DrawList& list, InstanceRecord* records) const {
    for (std::size_t i = 0; i < slot_.size(); ++i) {
        if (slot_[i] != no_record) {
            records[slot_[i]] = record_of(list.instances[i]);
        }
    }
    InstanceRecord* tail = records + (size_ - blended_order_.size() - marked_order_.size());
    for (const Blended& blended : blended_order_) {
        *tail++ = record_of(list.instances[blended.instance]);
    }
    for (const Marked& marked : marked_order_) {
        *tail++ = mark_of(list.instances[marked.instance]);
    }
}

std::size_t InstanceBatch::memory() const {
    const auto bytes = [](const auto&... vectors) { return ((vectors.capacity() * sizeof(vectors[0])) + ...); };
    std::size_t sum = bytes(bucket_, count_, slot_, blended_order_, marked_order_, opaque_, ground_, blended_, marked_);
    for (const std::vector<InstanceRun>& runs : shadow_) {
        sum += bytes(runs);
    }
    return sum;
}

} // namespace cairn::render
