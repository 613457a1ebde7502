#include "bench/queries/measure.h"

#include "physics/query/manifold.h"
#include "physics/world/settings.h"

namespace cairn::bench {

using namespace physics;

namespace {

// What touches or nearly so gets a manifold; the separated case asks for its whole distance, as the others do.
constexpr float speculative = 0.2f; // m

// A pair as a running simulation sees it: a millimetre and a third of a degree from step to step.
constexpr std::size_t warm_pairs = 1000, warm_frames = 8;
constexpr float warm_step = 1e-3f;                                  // m
constexpr float warm_turn = 5e-3f;                                  // rad
constexpr float warm_speculative = Settings{}.speculative_distance; // m

struct Warm {
    std::shared_ptr<const Case> c;
    std::vector<PosedPair> poses; // there and back again, all pairs in turn
    std::size_t pairs = 0;

    explicit Warm(std::shared_ptr<const Case> of) : c(std::move(of)) {
        std::vector<PosedPair> start(
            c->poses.begin(), c->poses.begin() + static_cast<std::ptrdiff_t>(std::min(warm_pairs, c->poses.size())));
        pairs = start.size();
        const auto motion = make_motion(start, warm_frames, warm_step, warm_turn, 7);
        for (std::size_t f = 0; f < warm_frames; ++f) {
            poses.insert(poses.end(), motion[f].begin(), motion[f].end());
        }
        for (std::size_t f = warm_frames - 1; f-- > 1;) {
            poses.insert(poses.end(), motion[f].begin(), motion[f].end());
        }
    }
};

} // namespace

void add_ours(std::vector<Method>& methods, const std::shared_ptr<const Case>& c) {
    const std::size_t count = c->poses.size();
    const auto ask_overlap = [c](std::size_t i) {
        return overlap(c->shapes->a, c->poses[i].a, c->shapes->b, c->poses[i].b);
    };
    const auto ask_distance = [c](std::size_t i) {
        return signed_distance(c->shapes->a, c->poses[i].a, c->shapes->b, c->poses[i].b);
    };
    const auto ask_manifold = [c](std::size_t i) {
        return collide(c->shapes->a, c->poses[i].a, c->shapes->b, c->poses[i].b, speculative);
    };
    methods.push_back({"Cairn overlap", Kind::yes_no, true, passes(count, ask_overlap), count, [=](std::size_t i) {
                           Answer answer;
                           answer.overlapping = ask_overlap(i);
                           return answer;
                       }});
    methods.push_back(
        {"Cairn signed_distance", Kind::signed_distance, true, passes(count, ask_distance), count, [=](std::size_t i) {
             const DistanceResult result = ask_distance(i);
             Answer answer;
             answer.overlapping = result.distance <= 0.0f;
             answer.distance = static_cast<double>(result.distance);
             answer.normal = glm::normalize(glm::dvec3(result.normal));
             return answer;
         }});
    methods.push_back({"Cairn collide", Kind::manifold, true, passes(count, ask_manifold), count, [=](std::size_t i) {
                           const Manifold manifold = ask_manifold(i);
                           Answer answer;
                           if (manifold.count > 0) {
                               float deepest = manifold.points[0].separation;
                               for (int p = 1; p < manifold.count; ++p) {
                                   deepest = std::min(deepest, manifold.points[static_cast<std::size_t>(p)].separation);
                               }
                               answer.overlapping = deepest <= 0.0f;
                               answer.distance = static_cast<double>(deepest);
                               answer.normal = glm::normalize(glm::dvec3(manifold.normal));
                           }
                           return answer;
                       }});

    const auto warm = std::make_shared<const Warm>(c);
    const auto caches = std::make_shared<std::vector<CollideCache>>(warm->pairs);
    methods.push_back({"Cairn collide, warm",
                       Kind::aside,
                       true,
                       passes(warm->poses.size(),
                              [warm, caches, pair = std::size_t{0}](std::size_t i) mutable {
                                  pair = i == 0 || pair == warm->pairs - 1 ? 0 : pair + 1;
                                  return collide(warm->c->shapes->a, warm->poses[i].a, warm->c->shapes->b,
                                                 warm->poses[i].b, warm_speculative, &(*caches)[pair]);
                              }),
                       warm->poses.size(),
                       {}});
}

} // namespace cairn::bench
