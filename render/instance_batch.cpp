#include "render/instance_batch.h"

#include <algorithm>

namespace cairn::render {

namespace {

// The classes of one mesh lie next to each other in this order, so that the shadow pass draws the first two and the
// colour pass the second and third as one run each.
enum BucketClass : std::uint32_t { caster_only, caster_and_seen, seen_only, ground_seen, bucket_classes };

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

void append(std::vector<Run>& runs, MeshId mesh, std::uint32_t record) {
    if (!runs.empty() && runs.back().mesh == mesh && runs.back().first + runs.back().count == record) {
        ++runs.back().count;
    } else {
        runs.push_back({mesh, record, 1});
    }
}

} // namespace

void InstanceBatch::build(const DrawList& list, std::span<const BatchMesh> meshes, const View& view,
                          const ShadowBox* shadow) {
    const std::size_t instance_count = list.instances.size();
    bucket_.resize(instance_count);
    slot_.resize(instance_count);
    count_.assign(meshes.size() * bucket_classes, 0);
    blended_order_.clear();
    marked_order_.clear();
    drawn_ = culled_ = casters_ = 0;

    const glm::mat4 rows = glm::transpose(view.clip_from_world);
    for (std::uint32_t i = 0; i < instance_count; ++i) {
        const Instance& instance = list.instances[i];
        if (instance.mesh >= meshes.size() || !meshes[instance.mesh].exists) {
            throw RenderError("instance " + std::to_string(i) + " names mesh " + std::to_string(instance.mesh) +
                              ", which is not there");
        }
        const Sphere sphere = bounding_sphere(instance, meshes[instance.mesh].bounds);
        const bool seen = view.frustum.may_see(sphere.centre, sphere.radius);
        const bool is_ground = (instance.flags & instance_ground) != 0;
        const bool is_blended = instance.colour.a < 1.0f;
        // The ground receives shadows and throws none: there is nothing below it to see them.
        const bool casts = shadow != nullptr && !is_ground && !is_blended &&
                           (instance.flags & instance_no_shadow) == 0 && shadow->may_cast(sphere.centre, sphere.radius);
        ++(seen ? drawn_ : culled_);
        casters_ += casts ? 1 : 0;
        bucket_[i] = no_record;
        if (seen && (instance.flags & (instance_selected | instance_hovered)) != 0) {
            marked_order_.push_back(i);
        }
        if (is_blended) {
            if (seen) {
                blended_order_.push_back({glm::dot(rows[3], glm::vec4(sphere.centre, 1.0f)), i});
            }
            continue;
        }
        if (!seen && !casts) {
            continue;
        }
        const BucketClass bucket_class = is_ground ? ground_seen
                                         : !seen   ? caster_only
                                         : casts   ? caster_and_seen
                                                   : seen_only;
        bucket_[i] = instance.mesh * bucket_classes + bucket_class;
        ++count_[bucket_[i]];
    }

    shadow_.clear();
    opaque_.clear();
    ground_.clear();
    blended_.clear();
    marked_.clear();
    std::uint32_t next = 0;
    for (MeshId mesh = 0; mesh < meshes.size(); ++mesh) {
        std::uint32_t* count = &count_[mesh * bucket_classes];
        const auto add = [&](std::vector<Run>& runs, std::uint32_t first, std::uint32_t length) {
            if (length > 0) {
                runs.push_back({mesh, first, length});
            }
        };
        add(shadow_, next, count[caster_only] + count[caster_and_seen]);
        add(opaque_, next + count[caster_only], count[caster_and_seen] + count[seen_only]);
        add(ground_, next + count[caster_only] + count[caster_and_seen] + count[seen_only], count[ground_seen]);
        for (std::uint32_t k = 0; k < bucket_classes; ++k) {
            const std::uint32_t length = count[k];
            count[k] = next;
            next += length;
        }
    }
    for (std::size_t i = 0; i < instance_count; ++i) {
        slot_[i] = bucket_[i] == no_record ? no_record : count_[bucket_[i]]++;
    }

    std::sort(blended_order_.begin(), blended_order_.end(), [](const Blended& a, const Blended& b) {
        return a.distance != b.distance ? a.distance > b.distance : a.instance < b.instance;
    });
    for (const Blended& blended : blended_order_) {
        append(blended_, list.instances[blended.instance].mesh, next++);
    }
    for (const std::uint32_t marked : marked_order_) {
        append(marked_, list.instances[marked].mesh, next++);
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
    for (const std::uint32_t marked : marked_order_) {
        *tail++ = mark_of(list.instances[marked]);
    }
}

} // namespace cairn::render
