#include "app/core/bench_scenes/bench_scenes.h"

#include "app/core/base/error.h"

#include <cmath>
#include <functional>

namespace cairn::core {
namespace {

using physics::BodyDef;
using physics::Quat;
using physics::Vec3;
using Bodies = std::vector<BodyDef>;

// Formulas run in double and are rounded once, so that a scene from here and one from a file of the same decimals are
// the same bits.
Vec3 point(double x, double y, double z) {
    return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

struct Lump { // what is heaped up
    physics::Geometry geometry;
    const char* name;
};

const Lump box{physics::Box{Vec3(0.5f)}, "box"};
const Lump ball{physics::Sphere{0.5f}, "ball"};
const Lump gem{physics::Diamond{0.6f}, "gem"};

physics::Material rough() {
    physics::Material material;
    material.friction = 0.6f;
    material.restitution = 0.0f;
    return material;
}

void add_fixed(Bodies& bodies, const Vec3& centre, const Vec3& half_extents) {
    BodyDef& body = bodies.emplace_back();
    body.type = physics::BodyType::fixed;
    body.shapes.push_back({physics::Box{half_extents}, {}});
    body.pose.position = centre;
    body.material = rough();
}

BodyDef& add_body(Bodies& bodies, const physics::Geometry& geometry, const Vec3& position) {
    BodyDef& body = bodies.emplace_back();
    body.shapes.push_back({geometry, {}});
    body.pose.position = position;
    body.material = rough();
    body.can_sleep = false;
    return body;
}

// Turned by a low-discrepancy mess of sines: no two alike, and the same everywhere.
Quat scattered_orientation(std::size_t i) {
    const auto n = static_cast<double>(i);
    const double x = std::sin(1.1 * n + 0.1), y = std::sin(2.3 * n + 0.7), z = std::sin(3.7 * n + 1.3);
    const double w = std::sin(5.1 * n + 1.9);
    const double length = std::sqrt(x * x + y * y + z * z + w * w);
    return {static_cast<float>(w / length), static_cast<float>(x / length), static_cast<float>(y / length),
            static_cast<float>(z / length)};
}

// Place i in layers of n x n, `spacing` apart and shaken by up to 0.1 m sideways, the lowest at height z0.
Vec3 grid_place(std::size_t i, std::size_t n, double spacing, double z0) {
    const double half = 0.5 * static_cast<double>(n - 1);
    const auto index = static_cast<double>(i);
    return point((static_cast<double>(i % n) - half) * spacing + 0.1 * std::sin(index * 12.9898),
                 (static_cast<double>(i / n % n) - half) * spacing + 0.1 * std::sin(index * 78.233),
                 z0 + static_cast<double>(i / (n * n)) * spacing);
}

void add_floor(Bodies& bodies, double half_width, double half_depth) {
    add_fixed(bodies, point(0, 0, -1), point(half_width, half_depth, 1));
}

// A floor whose top is at z = 0, and four walls around an inner room of w x w x h metres.
void add_room(Bodies& bodies, double w, double h) {
    const double far = 0.5 * w + 1, long_side = 0.5 * w + 2, half = 0.5 * w;
    add_floor(bodies, long_side, long_side);
    add_fixed(bodies, point(-far, 0, 0.5 * h), point(1, long_side, 0.5 * h));
    add_fixed(bodies, point(far, 0, 0.5 * h), point(1, long_side, 0.5 * h));
    add_fixed(bodies, point(0, -far, 0.5 * h), point(half, 1, 0.5 * h));
    add_fixed(bodies, point(0, far, 0.5 * h), point(half, 1, 0.5 * h));
}

void build_pyramid(Bodies& bodies) {
    constexpr int base = 40;
    add_floor(bodies, 100, 100);
    for (int row = 0; row < base; ++row) {
        for (int j = row; j < base; ++j) {
            add_body(bodies, box.geometry, point(0.5 * (row + 1) + (j - row) - 0.5 * base, 0, row + 0.5));
        }
    }
}

// Bricks a metre long in rows that are shifted by a quarter of one.
void build_wall(Bodies& bodies, int rows, int columns) {
    for (int row = 0; row < rows; ++row) {
        const double shift = row % 2 == 1 ? 0.25 : 0.0;
        for (int column = 0; column < columns; ++column) {
            add_body(bodies, box.geometry, point(column - 0.5 * (columns - 1) + shift, 0, row + 0.5));
        }
    }
}

struct Heap {
    std::vector<const Lump*> lumps; // taken in turns
    std::size_t count, side;        // side: bodies along an edge of each layer
    double spacing, z0, room, height;
    bool turned;
};

void build_heap(Bodies& bodies, const Heap& heap) {
    add_room(bodies, heap.room, heap.height);
    for (std::size_t i = 0; i < heap.count; ++i) {
        const Lump& lump = *heap.lumps[i % heap.lumps.size()];
        BodyDef& body = add_body(bodies, lump.geometry, grid_place(i, heap.side, heap.spacing, heap.z0));
        if (heap.turned) {
            body.pose.orientation = scattered_orientation(i);
        }
    }
}

// Sphere and diamond that close at 200 m/s; phase k of 20 moves the sphere on by a twentieth of what they close in a
// step.
void build_duel(Bodies& bodies, int phase) {
    add_room(bodies, 100, 5);
    // The room is not square: the side walls stand closer.
    bodies[0].shapes[0].geometry = physics::Box{point(52, 27, 1)};
    bodies[1].shapes[0].geometry = bodies[2].shapes[0].geometry = physics::Box{point(1, 27, 2.5)};
    bodies[3].pose.position.y = -26.0f;
    bodies[4].pose.position.y = 26.0f;
    add_body(bodies, ball.geometry, point(10 + phase * (200.0 / 60.0) / 20.0, 0, 3)).linear_velocity =
        Vec3(-100.0f, 0.0f, 0.0f);
    BodyDef& diamond = add_body(bodies, physics::Diamond{1.0f}, point(-10, 0, 3));
    diamond.linear_velocity = Vec3(100.0f, 0.0f, 0.0f);
    diamond.angular_velocity = Vec3(0.0f, 10.0f, 0.0f);
}

// 1000 balls of 5 cm at 300 m/s against a plate of 5 cm, straight or at `degrees` to its normal.
void build_plate(Bodies& bodies, double degrees) {
    constexpr double golden_ratio = 0.6180339887498949, pi = 3.14159265358979323846;
    const double angle = degrees * (pi / 180.0);
    add_fixed(bodies, point(0, 0, 0), point(0.025, 100, 100));
    for (int i = 0; i < 1000; ++i) {
        const double start = std::fmod(i * golden_ratio, 1.0);
        BodyDef& body = add_body(bodies, physics::Sphere{0.05f},
                                 point(-(10 + 5 * start), (i % 40 - 19.5) * 0.5 - (degrees > 0 ? 20 : 0),
                                       static_cast<double>(i / 40 - 12) * 0.5));
        body.linear_velocity = point(300 * std::cos(angle), 300 * std::sin(angle), 0);
    }
}

// Ten layers of everything, whatever the number: only the area grows.
void build_pile(Bodies& bodies, std::size_t count) {
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count) / 10.0)));
    build_heap(bodies, {{&box, &ball, &gem}, count, side, 1.95, 1.2, 2.0 * static_cast<double>(side), 60, true});
}

// Ten layers of bricks, each shifted by a quarter of a brick both ways: every brick lies on four, so all is one island,
// and none touches its neighbours of the same layer.
void build_island(Bodies& bodies, std::size_t count) {
    constexpr std::size_t layers = 10;
    constexpr double spacing = 1.05;
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(count / layers))));
    const double half = 0.5 * static_cast<double>(side - 1);
    const std::size_t layer_size = count / layers;
    add_floor(bodies, spacing * half + 5, spacing * half + 5);
    for (std::size_t i = 0; i < layers * layer_size; ++i) {
        const std::size_t layer = i / layer_size, place = i % layer_size;
        const double shift = layer % 2 == 1 ? 0.25 : 0.0;
        add_body(bodies, box.geometry,
                 point((static_cast<double>(place % side) - half) * spacing + shift,
                       (static_cast<double>(place / side) - half) * spacing + shift, static_cast<double>(layer) + 0.5));
    }
}

// Towers of four boxes, three metres apart in a square.
void build_towers(Bodies& bodies, std::size_t count, bool can_sleep) {
    constexpr std::size_t height = 4;
    constexpr double spacing = 3.0;
    const std::size_t towers = count / height;
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(towers))));
    const double half = 0.5 * static_cast<double>(side - 1);
    add_floor(bodies, spacing * (half + 1), spacing * (half + 1));
    for (std::size_t i = 0; i < towers * height; ++i) {
        const std::size_t tower = i / height;
        add_body(bodies, box.geometry,
                 point((static_cast<double>(tower % side) - half) * spacing,
                       (static_cast<double>(tower / side) - half) * spacing, static_cast<double>(i % height) + 0.5))
            .can_sleep = can_sleep;
    }
}

// Between -0.5 and 0.5, the same everywhere.
double mess(std::size_t i, int k) {
    return 0.5 * std::sin(static_cast<double>(i) * 12.9898 + k * 78.233);
}
Vec3 mess3(std::size_t i, double scale) {
    return point(scale * mess(i, 1), scale * mess(i, 2), scale * mess(i, 3));
}

// 4000 cubes of half a metre in a closed drum of 20 m that turns at 0.5 rad/s.
void build_tumbler(Bodies& bodies) {
    BodyDef& drum = bodies.emplace_back();
    drum.type = physics::BodyType::kinematic;
    drum.pose.position = Vec3(0, 0, 12);
    drum.angular_velocity = Vec3(0, 0.5f, 0);
    drum.material = rough();
    for (const float side : {-10.0f, 10.0f}) {
        const auto wall = [&](const Vec3& at, const Vec3& half) {
            drum.shapes.push_back({physics::Box{half}, {at, physics::identity_orientation}});
        };
        wall(Vec3(side, 0, 0), Vec3(0.5f, 10, 10));
        wall(Vec3(0, 0, side), Vec3(10, 10, 0.5f));
        wall(Vec3(0, side, 0), Vec3(10, 0.5f, 10));
    }
    for (std::size_t i = 0; i < 4000; ++i) {
        add_body(bodies, physics::Box{Vec3(0.25f)},
                 point(-6.5 + static_cast<double>(i % 20) * 0.68, -6.5 + static_cast<double>(i / 20 % 20) * 0.68,
                       9 + static_cast<double>(i / 400) * 0.68));
    }
}

// 5000 cubes come down on an open floor at 30 m/s and more.
void build_downpour(Bodies& bodies) {
    add_room(bodies, 30, 30);
    for (std::size_t i = 0; i < 5000; ++i) {
        BodyDef& body =
            add_body(bodies, box.geometry,
                     point(-12 + static_cast<double>(i % 20) * 1.25, -12 + static_cast<double>(i / 20 % 20) * 1.25,
                           40 + static_cast<double>(i / 400) * 1.25));
        body.linear_velocity = Vec3(0, 0, -30);
        body.angular_velocity = mess3(i, 1.0);
    }
}

// 2000 balls fly about a closed room at up to 170 m/s.
void build_gas(Bodies& bodies) {
    add_room(bodies, 30, 30);
    add_fixed(bodies, point(0, 0, 31), point(17, 17, 1));
    for (std::size_t i = 0; i < 2000; ++i) {
        add_body(bodies, physics::Sphere{0.4f},
                 point(-13 + static_cast<double>(i % 13) * 2.1, -13 + static_cast<double>(i / 13 % 13) * 2.1,
                       2 + static_cast<double>(i / 169) * 2.1))
            .linear_velocity = mess3(i, 200.0);
    }
}

// 1000 cubes of 0.6 m begin inside each other, within 2 m.
void build_overlap(Bodies& bodies) {
    add_room(bodies, 30, 30);
    for (std::size_t i = 0; i < 1000; ++i) {
        add_body(bodies, physics::Box{Vec3(0.3f)}, mess3(i, 2.0) + Vec3(0, 0, 3));
    }
}

struct Entry {
    BenchSceneName name;
    std::string description;
    std::function<void(Bodies&)> build;
};

std::vector<Entry> make_entries() {
    std::vector<Entry> entries;
    const auto add = [&](std::string name, const char* series, std::size_t bodies, std::string description,
                         std::function<void(Bodies&)> build) {
        entries.push_back({{std::move(name), series, bodies}, std::move(description), std::move(build)});
    };
    const auto add_heap = [&](const char* name, const char* description, Heap heap) {
        const std::size_t bodies = heap.count;
        add(name, "peers", bodies, description, [heap = std::move(heap)](Bodies& to) { build_heap(to, heap); });
    };
    add("pyramid", "peers", 820, "A pyramid of boxes, 40 in the lowest row", build_pyramid);
    add("wall", "peers", 600, "A wall of 20 rows of 30 boxes", [](Bodies& bodies) {
        add_floor(bodies, 100, 100);
        build_wall(bodies, 20, 30);
    });
    add_heap("sphere_pile", "2000 balls fall into a room", {{&ball}, 2000, 14, 1.35, 1.0, 20, 50, false});
    add_heap("box_rain", "2000 turned boxes fall into a room", {{&box}, 2000, 10, 1.95, 1.2, 20, 50, true});
    add_heap("diamond_rain", "1000 turned diamonds fall into a room", {{&gem}, 1000, 12, 1.5, 1.0, 20, 50, true});
    add_heap("mixed_10k", "10,000 boxes, balls and diamonds fall into a room",
             {{&box, &ball, &gem}, 10000, 20, 1.95, 1.2, 40, 60, true});

    for (int phase = 0; phase < 20; ++phase) {
        const std::string number = {static_cast<char>('0' + phase / 10), static_cast<char>('0' + phase % 10)};
        add("duel_" + number, "duel", 2, "Ball and diamond close at 200 m/s, phase " + number + " of 20",
            [phase](Bodies& bodies) { build_duel(bodies, phase); });
    }
    add("plate_straight", "plate", 1000, "1000 balls at 300 m/s against a thin plate",
        [](Bodies& bodies) { build_plate(bodies, 0.0); });
    add("plate_oblique", "plate", 1000, "1000 balls at 300 m/s against a thin plate, 60 degrees from its normal",
        [](Bodies& bodies) { build_plate(bodies, 60.0); });

    add("tumbler", "crowd", 4000, "4000 cubes in a closed drum that turns", build_tumbler);
    add("downpour", "crowd", 5000, "5000 cubes come down at 30 m/s and more", build_downpour);
    add("gas", "crowd", 2000, "2000 balls in a closed room at up to 170 m/s", build_gas);
    add("overlap", "crowd", 1000, "1000 cubes begin inside each other", build_overlap);

    struct Series {
        const char *name, *description;
        std::function<void(Bodies&, std::size_t)> build;
    };
    const std::vector<Series> growing{
        {"pile", "Boxes, balls and diamonds fall into a room, ten layers of them", build_pile},
        {"sleeping", "Towers of four boxes that fall asleep",
         [](Bodies& bodies, std::size_t count) { build_towers(bodies, count, true); }},
        {"island", "Ten layers of bricks, every brick on four others", build_island},
        {"islands", "Towers of four boxes that stay awake",
         [](Bodies& bodies, std::size_t count) { build_towers(bodies, count, false); }},
    };
    for (const Series& series : growing) {
        for (const std::size_t thousands : {1u, 3u, 10u, 30u, 100u}) {
            const std::size_t count = 1000 * thousands;
            add(series.name + ("_" + std::to_string(thousands) + "k"), series.name, count, series.description,
                [build = series.build, count](Bodies& bodies) { build(bodies, count); });
        }
    }
    return entries;
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = make_entries();
    return all;
}

} // namespace

const std::vector<BenchSceneName>& bench_scene_names() {
    static const std::vector<BenchSceneName> names = [] {
        std::vector<BenchSceneName> out;
        for (const Entry& entry : entries()) {
            out.push_back(entry.name);
        }
        return out;
    }();
    return names;
}

std::optional<Scene> make_bench_scene(std::string_view name) {
    for (const Entry& entry : entries()) {
        if (entry.name.name != name) {
            continue;
        }
        Scene scene;
        scene.name = entry.name.name;
        scene.description = entry.description;
        scene.settings.gravity = Vec3(0.0f, 0.0f, -10.0f);
        scene.settings.hz = 60.0f;
        scene.settings.substeps = 4;
        entry.build(scene.bodies);
        return scene;
    }
    return std::nullopt;
}

std::vector<SceneToMeasure> scenes_to_measure(const std::filesystem::path& given) {
    constexpr std::string_view prefix = "bench/";
    const std::string text = given.string();
    std::error_code error;
    std::vector<SceneToMeasure> found;
    if (text.compare(0, prefix.size(), prefix) != 0 || std::filesystem::is_regular_file(given, error)) {
        const std::filesystem::path file = find_scene(given);
        found.push_back({file.stem().string(), "", read_scene(file)});
        return found;
    }
    const std::string name = text.substr(prefix.size());
    for (const BenchSceneName& scene : bench_scene_names()) {
        if (scene.name == name || scene.series == name) {
            found.push_back({scene.name, scene.series, *make_bench_scene(scene.name)});
        }
    }
    if (found.empty()) {
        std::string list, last;
        for (const BenchSceneName& scene : bench_scene_names()) {
            if (scene.series != last) {
                last = scene.series;
                list += (list.empty() ? "bench/" : ", bench/") + last;
            }
        }
        throw InputError({text, 0, 0}, "there is no such scene to measure; the series are " + list);
    }
    return found;
}

} // namespace cairn::core
