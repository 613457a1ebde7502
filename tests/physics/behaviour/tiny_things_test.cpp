// Coins, cards and dice: contacts are made ahead of touching within a gap that would reach over several of them.
#include "tests/physics/world/world_builder.h"

#include <vector>

namespace cairn::physics::testing {
namespace {

struct Pile {
    float drift = 0.0f; // m, the greatest from where a body was put
    std::uint32_t contacts = 0;
};

// Put on a floor, and left for ten seconds.
Pile pile_of(std::vector<BodyDef> bodies, float mass) {
    Settings settings;
    settings.sleeping = false;
    World world(settings);
    add(world, make_floor());
    std::vector<BodyId> ids;
    for (BodyDef& def : bodies) {
        def.mass = mass;
        ids.push_back(add(world, def));
    }
    FrameState frame;
    for (int i = 0; i < 600; ++i) {
        world.step();
    }
    world.publish(frame);
    Pile pile;
    pile.contacts = frame.stats.contacts;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Vec3 moved = state_of(world, ids[i]).pose.position - bodies[i].pose.position;
        pile.drift = std::max(pile.drift, glm::length(moved));
    }
    return pile;
}

TEST(TinyThings, AStackOfCoinsHasContactsOfNeighbours) {
    std::vector<BodyDef> coins;
    for (int i = 0; i < 25; ++i) { // 2 mm thick
        const auto k = static_cast<float>(i);
        coins.push_back(
            make_body(Cylinder{0.0125f, 0.001f}, Vec3(0.0002f * (i % 2 == 0 ? 0.0f : 1.0f), 0, 0.001f + 0.002f * k)));
    }
    const Pile pile = pile_of(coins, 0.005f);
    EXPECT_LT(pile.drift, 0.001f);
    EXPECT_LE(pile.contacts, 2u * 25u); // 178 within 2 cm
}

TEST(TinyThings, ADeckOfCardsStaysADeck) {
    std::vector<BodyDef> cards;
    for (int i = 0; i < 40; ++i) { // 0.6 mm thick
        const auto k = static_cast<float>(i);
        cards.push_back(make_body(Box{Vec3(0.04f, 0.03f, 0.0003f)},
                                  Vec3(0.001f * static_cast<float>(i % 3), 0, 0.0003f + 0.0006f * k)));
    }
    const Pile pile = pile_of(cards, 0.002f);
    EXPECT_LT(pile.drift, 0.005f);       // 8 mm with contacts within 2 cm
    EXPECT_LE(pile.contacts, 10u * 40u); // 820 within 2 cm
}

} // namespace
} // namespace cairn::physics::testing
