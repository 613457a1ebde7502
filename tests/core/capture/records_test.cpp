#include "app/core/capture/records/command_records.h"
#include "app/core/capture/records/scene_records.h"
#include "tests/core/capture/test_scenes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

namespace cairn::core {
namespace {

using namespace testing;
using ::testing::HasSubstr;

template <class T>
std::vector<std::uint8_t> bytes_of(const T& value) {
    CborWriter out;
    encode(out, value);
    return out.bytes();
}

TEST(Records, EveryCommandComesBackEqualAndToTheSameBytes) {
    std::set<std::size_t> alternatives;
    for (const physics::Command& command : full_commands()) {
        alternatives.insert(command.index());
        const std::vector<std::uint8_t> bytes = bytes_of(command);
        CborReader in(bytes);
        physics::Command back = physics::ReleaseGrab{};
        decode(in, back);
        EXPECT_TRUE(in.at_end());
        EXPECT_TRUE(back == command) << "alternative " << command.index();
        // Equality takes -0 for 0; bytes do not.
        EXPECT_EQ(bytes_of(back), bytes) << "alternative " << command.index();
    }
    EXPECT_EQ(alternatives.size(), std::variant_size_v<physics::Command>) << "a command is not tested";
}

TEST(Records, SceneComesBackEqualAndShares) {
    const Scene scene = full_scene();
    const std::vector<std::uint8_t> bytes = bytes_of(scene);
    CborReader in(bytes);
    Scene back;
    decode(in, back);
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(back == scene);
    EXPECT_EQ(bytes_of(back), bytes);
    const auto points = [](const physics::BodyDef& body) {
        return std::get<physics::PointSet>(body.shapes.back().geometry).points;
    };
    EXPECT_EQ(points(back.bodies[0]), points(back.bodies[1])) << "one copy of a shared point set";
}

void expect_back_equal(const physics::BodyDef& body) {
    CborWriter out;
    encode(out, body);
    CborReader in(out.bytes());
    physics::BodyDef back;
    decode(in, back);
    EXPECT_TRUE(in.at_end());
    EXPECT_TRUE(back == body);
}

TEST(Records, ColoursAreThereWithAndWithoutLocksAndNowhereElse) {
    physics::BodyDef body = full_body();
    for (const std::uint8_t locks : {std::uint8_t{0}, std::uint8_t{9}}) {
        body.locks = locks;
        body.colour = physics::Colour{0, 128, 255};
        expect_back_equal(body);
        body.colour.reset();
        expect_back_equal(body);
        const std::vector<std::uint8_t> bytes = bytes_of(body);
        const std::string text(bytes.begin(), bytes.end());
        EXPECT_EQ(text.find("colour"), std::string::npos);
        EXPECT_EQ(text.find("locks") != std::string::npos, locks != 0) << "as before there were colours";
    }
    const physics::Command command = physics::SetColour{{1, 2}, physics::Colour{1, 2, 3}};
    std::vector<std::uint8_t> bytes = bytes_of(command);
    ASSERT_EQ(bytes.back(), 3); // 0x1a 00 01 02 03
    bytes[bytes.size() - 4] = 1;
    CborReader in(bytes);
    physics::Command back = physics::ReleaseGrab{};
    EXPECT_THROW(decode(in, back), CborError) << "of more than 24 bits";
}

TEST(Records, HeightFieldsComeBackEqual) {
    physics::BodyDef body;
    body.type = physics::BodyType::fixed;
    body.shapes.push_back({physics::HeightField{std::make_shared<const physics::HeightData>(
                               physics::HeightData{2, 3, 0.3f, {0, 0.1f, -2, 3, 4, 5}, {4}})},
                           {}});
    expect_back_equal(body);
}

TEST(Records, MeshesComeBackEqual) {
    physics::BodyDef body;
    body.type = physics::BodyType::fixed;
    body.shapes.push_back({physics::Mesh{std::make_shared<const physics::MeshData>(
                               physics::MeshData{{{0, 0, 0.1f}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {2, 1, 0}}, true})},
                           {}});
    expect_back_equal(body);
    const std::vector<std::uint8_t> plain = bytes_of(body);
    EXPECT_EQ(std::string(plain.begin(), plain.end()).find("materials"), std::string::npos)
        << "as before there were any";
    physics::MeshData data = *std::get<physics::Mesh>(body.shapes[0].geometry).data;
    data.materials = {"", "ice"};
    data.triangle_materials = {1, 0};
    body.shapes[0].geometry = physics::Mesh{std::make_shared<const physics::MeshData>(data)};
    expect_back_equal(body);
    body.shapes[0].mesh_materials = {{}, {0.1f, {}, 0.2f}};
    expect_back_equal(body);
    const std::vector<std::uint8_t> without = bytes_of(body);
    EXPECT_EQ(std::string(without.begin(), without.end()).find("colour"), std::string::npos);
    body.shapes[0].mesh_materials[0].colour = physics::Colour{1, 2, 3};
    expect_back_equal(body);
    body.shapes[0].material.colour = physics::Colour{0, 255, 3};
    expect_back_equal(body);
    body.shapes[0].mesh_materials.clear();
    expect_back_equal(body);
}

TEST(Records, FloatsKeepTheirBits) {
    for (const std::uint32_t bits : {0x00000000u, 0x80000000u, 0x00000001u, 0x807fffffu, 0x3f800001u, 0x7f7fffffu,
                                     0xff7fffffu, 0x7f800000u, 0x7fc12345u, 0x7f812345u}) {
        CborWriter out;
        out.single(std::bit_cast<float>(bits));
        CborReader in(out.bytes());
        EXPECT_EQ(std::bit_cast<std::uint32_t>(in.single()), bits);
    }
}

TEST(Records, IntegersOfEveryWidth) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{23}, std::uint64_t{24}, std::uint64_t{255}, std::uint64_t{256},
          std::uint64_t{65535}, std::uint64_t{65536}, std::uint64_t{0xffffffff}, std::uint64_t{0x100000000},
          std::numeric_limits<std::uint64_t>::max()}) {
        CborWriter out;
        out.unsigned_integer(value);
        CborReader in(out.bytes());
        EXPECT_EQ(in.unsigned_integer(), value);
        EXPECT_TRUE(in.at_end());
    }
}

// The bytes of RFC 8949, appendix A, for the kinds of items in use.
TEST(Records, BytesAreThoseOfTheStandard) {
    const auto expect = [](auto write, std::vector<std::uint8_t> bytes) {
        CborWriter out;
        write(out);
        EXPECT_EQ(out.bytes(), bytes);
    };
    expect([](CborWriter& out) { out.unsigned_integer(1000); }, {0x19, 0x03, 0xe8});
    expect([](CborWriter& out) { out.unsigned_integer(1000000000000); },
           {0x1b, 0x00, 0x00, 0x00, 0xe8, 0xd4, 0xa5, 0x10, 0x00});
    expect([](CborWriter& out) { out.single(100000.0f); }, {0xfa, 0x47, 0xc3, 0x50, 0x00});
    expect([](CborWriter& out) { out.text("IETF"); }, {0x64, 0x49, 0x45, 0x54, 0x46});
    expect([](CborWriter& out) { out.boolean(false); }, {0xf4});
    expect([](CborWriter& out) { out.boolean(true); }, {0xf5});
    expect([](CborWriter& out) { out.null(); }, {0xf6});
    expect([](CborWriter& out) { out.array(25); }, {0x98, 0x19});
    expect([](CborWriter& out) { out.map(2); }, {0xa2});
}

template <class Read>
std::string rejection(std::vector<std::uint8_t> bytes, Read read) {
    CborReader in(bytes);
    try {
        read(in);
    } catch (const CborError& error) {
        EXPECT_EQ(error.offset(), 0u);
        return error.what();
    }
    return "not refused";
}

TEST(Records, OneEncodingForEveryLength) {
    const auto integer = [](CborReader& in) { in.unsigned_integer(); };
    EXPECT_THAT(rejection({0x18, 23}, integer), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0x19, 0, 255}, integer), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0x1a, 0, 0, 255, 255}, integer), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0x1b, 0, 0, 0, 0, 255, 255, 255, 255}, integer), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0x78, 1, 'a'}, [](CborReader& in) { in.text(); }), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0x98, 1, 0}, [](CborReader& in) { in.array(); }), HasSubstr("shortest"));
    EXPECT_THAT(rejection({0xb8, 1, 0, 0}, [](CborReader& in) { in.map(); }), HasSubstr("shortest"));
}

TEST(Records, WhatIsOutsideTheSubsetIsRejected) {
    const std::vector<std::vector<std::uint8_t>> others = {
        {0x20},       // -1
        {0x41, 0x00}, // bytes
        {0x5f, 0xff},
        {0x7f, 0xff}, // of indefinite length: bytes, text,
        {0x9f, 0xff},
        {0xbf, 0xff},                         // array, map
        {0xc0, 0x60},                         // a tag
        {0xf7},                               // undefined
        {0xf9, 0x3c, 0x00},                   // 1 in half precision
        {0xfb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0}, // and in double
        {0xf8, 0x20},
        {0x1c},
        {0xfc},
        {0xff}, // nothing that the standard defines there
    };
    for (const std::vector<std::uint8_t>& bytes : others) {
        SCOPED_TRACE(static_cast<int>(bytes[0]));
        const auto rejected = [&](auto read) { EXPECT_NE(rejection(bytes, read), "not refused"); };
        rejected([](CborReader& in) { in.unsigned_integer(); });
        rejected([](CborReader& in) { in.single(); });
        rejected([](CborReader& in) { in.boolean(); });
        rejected([](CborReader& in) { in.text(); });
        rejected([](CborReader& in) { in.array(); });
        rejected([](CborReader& in) { in.map(); });
        rejected([](CborReader& in) {
            if (!in.take_null()) {
                in.fail("not null");
            }
        });
    }
}

TEST(Records, EveryCutOffRecordIsRejected) {
    const std::vector<std::uint8_t> bytes = bytes_of(full_scene());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CborReader in(std::span<const std::uint8_t>(bytes).first(size));
        Scene back;
        EXPECT_THROW(decode(in, back), CborError) << "cut at " << size;
    }
}

TEST(Records, BytesThatMayFollowAreWaitedFor) {
    CborWriter out;
    encode(out, full_scene());
    const std::span<const std::uint8_t> bytes = out.bytes();
    for (std::size_t size = 0; size < bytes.size(); size += 7) {
        CborReader in(bytes.first(size), bytes.size() - size);
        Scene scene;
        EXPECT_THROW(decode(in, scene), CborCutOff) << size;
    }
    CborReader whole(bytes, 1000);
    Scene scene;
    decode(whole, scene);
    EXPECT_TRUE(scene == full_scene());

    // Not so what is wrong already, or longer than all that can come.
    const auto rejected = [](std::vector<std::uint8_t> start, std::uint64_t to_come, auto read) {
        CborReader in(start, to_come);
        EXPECT_THROW(read(in), CborError);
    };
    const auto text = [](CborReader& in) { in.text(); };
    const auto array = [](CborReader& in) { in.array(); };
    const auto map = [](CborReader& in) { in.map(); };
    rejected({0x00}, 1000, text);
    rejected({0x19, 0x04, 0x00}, 1000, text);
    rejected({0x79, 0x04, 0x00}, 1000, text); // 1024 bytes
    EXPECT_THROW(CborReader(std::vector<std::uint8_t>{0x79, 0x03, 0x00}, 1000).text(), CborCutOff);
    rejected({0x7b, 255, 255, 255, 255, 255, 255, 255, 255}, 1000, text);
    rejected({0x9b, 255, 255, 255, 255, 255, 255, 255, 255}, 1000, array);
    rejected({0xbb, 255, 255, 255, 255, 255, 255, 255, 255}, 1000, map);
    rejected({0x99, 0x04, 0x00}, 1000, array);
    rejected({0xb9, 0x02, 0x00}, 1000, map); // 512 pairs
    EXPECT_EQ(CborReader(std::vector<std::uint8_t>{0x99, 0x03, 0x00}, 1000).array(), 768u);
}

TEST(Records, PointSetsThatNobodyUsesAreLookedAtToo) {
    const auto header = [](auto sets) {
        CborWriter whole, out;
        encode(whole, falling_boxes());
        CborWriter none;
        none.text("point_sets");
        none.array(0);
        const std::vector<std::uint8_t>& bytes = whole.bytes();
        const auto at = std::search(bytes.begin(), bytes.end(), none.bytes().begin(), none.bytes().end());
        const auto before = static_cast<std::size_t>(at - bytes.begin());
        out.raw(std::span(bytes).first(before));
        out.text("point_sets");
        sets(out);
        out.raw(std::span(bytes).subspan(before + none.bytes().size()));
        CborReader in(out.bytes());
        Scene scene;
        decode(in, scene);
        return scene;
    };
    const auto numbers = [](CborWriter& out, std::uint64_t count) {
        out.array(count);
        for (std::uint64_t i = 0; i < count; ++i) {
            out.single(1.0f);
        }
    };
    EXPECT_TRUE(header([&](CborWriter& out) {
                    out.array(2);
                    numbers(out, 3);
                    numbers(out, 12);
                }) == falling_boxes());
    for (const std::uint64_t wrong : {0, 1, 4}) {
        EXPECT_THROW(header([&](CborWriter& out) {
                         out.array(1);
                         numbers(out, wrong);
                     }),
                     CborError)
            << wrong;
    }
    EXPECT_THROW(header([&](CborWriter& out) {
                     out.array(1);
                     out.array(3);
                     out.single(1.0f);
                     out.text("no");
                     out.single(1.0f);
                 }),
                 CborError);
}

TEST(Records, DamagedBytesNeverDoMoreThanThrow) {
    const std::vector<std::uint8_t> bytes = bytes_of(full_scene());
    std::size_t rejected = 0, accepted = 0;
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        for (const int flip : {0x01, 0x20, 0x80, 0xff}) {
            std::vector<std::uint8_t> damaged = bytes;
            damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
            CborReader in(damaged);
            Scene back;
            try {
                decode(in, back);
                ++accepted; // a digit of a float or a letter of a name
            } catch (const CborError& error) {
                EXPECT_LE(error.offset(), damaged.size());
                ++rejected;
            }
        }
    }
    EXPECT_GT(rejected, bytes.size());
    EXPECT_GT(accepted, bytes.size() / 4);
}

TEST(Records, HugeAnnouncementsAreRejectedBeforeAllocating) {
    // An array of 2^32 bodies, a text of 2^60 bytes, a map of 2^63 pairs: each in a few bytes.
    const std::vector<std::uint8_t> array = {0x9a, 0xff, 0xff, 0xff, 0xff};
    EXPECT_THROW(CborReader(array).array(), CborError);
    const std::vector<std::uint8_t> text = {0x7b, 0x10, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_THROW(CborReader(text).text(), CborError);
    const std::vector<std::uint8_t> map = {0xbb, 0x80, 0, 0, 0, 0, 0, 0, 0};
    EXPECT_THROW(CborReader(map).map(), CborError);
    const std::vector<std::uint8_t> open_ended = {0x9f, 0xff};
    EXPECT_THROW(CborReader(open_ended).array(), CborError);
}

} // namespace
} // namespace cairn::core
