#include "app/core/scene/shapes/kept_decomposition.h"

#include "app/core/kept/kept_files.h"
#include "app/core/workers/interruptible_executor.h"
#include "app/core/workers/worker_pool.h"
#include "physics/base/hash.h"

#include <array>
#include <bit>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cairn::core {

namespace {

using physics::Decomposition;
using physics::DecompositionSettings;
using physics::MeshData;
using physics::MeshRepairs;
using physics::Vec3;

constexpr std::string_view kept_magic = "cairn decomposition\n";
constexpr std::uint64_t most_kept_bytes = std::uint64_t{64} << 20; // of all
constexpr std::size_t greatest_kept_count = std::size_t{1} << 20;

// 128 bits of everything that the hulls follow from.
ContentKey content_key(const MeshData& mesh, const DecompositionSettings& settings) {
    ContentKey key{};
    for (std::uint64_t half = 0; half < key.size(); ++half) {
        physics::Hasher hasher(half);
        hasher.add(physics::decomposition_version).add(mesh.vertices.size()).add(mesh.triangles.size());
        for (const Vec3& vertex : mesh.vertices) {
            hasher.add(vertex);
        }
        for (const auto& corners : mesh.triangles) {
            hasher.add(corners[0], corners[1]).add(corners[2]);
        }
        hasher.add(std::bit_cast<std::uint64_t>(settings.concavity));
        hasher.add(settings.max_hulls ? std::uint64_t{*settings.max_hulls} + 1 : 0).add(settings.max_vertices);
        key[half] = hasher.value();
    }
    return key;
}

constexpr std::array<std::size_t MeshRepairs::*, 6> repair_counts{
    &MeshRepairs::merged_points,     &MeshRepairs::degenerate_triangles, &MeshRepairs::duplicate_triangles,
    &MeshRepairs::flipped_triangles, &MeshRepairs::closed_holes,         &MeshRepairs::open_surfaces};

// The payload: words of eight bytes, the lowest first; coordinates are words of four.
class KeptWriter {
  public:
    void add(std::uint64_t value, int bytes = 8) {
        for (int i = 0; i < bytes; ++i) {
            text_ += static_cast<char>(value >> (8 * i) & 0xffu);
        }
    }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(float value) { add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}, 4); }
    std::string finished() { return std::move(text_); }

  private:
    std::string text_;
};

class KeptReader {
  public:
    explicit KeptReader(std::string_view text) : text_(text) {}

    std::uint64_t word(std::size_t bytes = 8) {
        std::uint64_t value = 0;
        if (text_.size() - at_ < bytes) {
            at_ = text_.size();
            short_ = true;
            return 0;
        }
        for (std::size_t i = 0; i < bytes; ++i) {
            value |= std::uint64_t{static_cast<unsigned char>(text_[at_ + i])} << (8 * i);
        }
        at_ += bytes;
        return value;
    }
    double number() { return std::bit_cast<double>(word()); }
    float coordinate() { return std::bit_cast<float>(static_cast<std::uint32_t>(word(4))); }
    bool at_end() const { return !short_ && at_ == text_.size(); }
    bool is_short() const { return short_; }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
    bool short_ = false;
};

template <typename Number>
void for_each_kept_number(Decomposition& d, const Number& number) {
    number(d.concavity);
    number(d.hull_volume);
    number(d.volume);
    for (int i = 0; i < 3; ++i) {
        number(d.centroid[i]);
        for (int k = 0; k < 3; ++k) {
            number(d.unit_inertia[i][k]);
        }
    }
}

std::string kept_text(Decomposition result) {
    KeptWriter out;
    for_each_kept_number(result, [&out](double value) { out.add(value); });
    for (const auto count : repair_counts) {
        out.add(std::uint64_t{result.repairs.*count});
    }
    out.add(std::uint64_t{result.hulls.size()});
    for (const std::vector<Vec3>& hull : result.hulls) {
        out.add(std::uint64_t{hull.size()});
        for (const Vec3& p : hull) {
            out.add(p.x);
            out.add(p.y);
            out.add(p.z);
        }
    }
    return out.finished();
}

std::optional<Decomposition> decomposition_from(std::string_view text) {
    KeptReader in(text);
    Decomposition result;
    for_each_kept_number(result, [&in](double& value) { value = in.number(); });
    for (const auto count : repair_counts) {
        result.repairs.*count = static_cast<std::size_t>(in.word());
    }
    const std::uint64_t hulls = in.word();
    for (std::uint64_t i = 0; i < hulls && !in.is_short(); ++i) {
        const std::uint64_t count = in.word();
        std::vector<Vec3>& hull = result.hulls.emplace_back();
        for (std::uint64_t k = 0; k < count && k < greatest_kept_count && !in.is_short(); ++k) {
            Vec3& p = hull.emplace_back();
            p.x = in.coordinate();
            p.y = in.coordinate();
            p.z = in.coordinate();
        }
    }
    if (!in.at_end()) {
        return std::nullopt;
    }
    return result;
}

} // namespace

std::variant<Decomposition, physics::MeshError>
kept_decomposition(const MeshData& mesh, const DecompositionSettings& settings, const std::filesystem::path& folder) {
    const auto workers = make_worker_pool(0);
    InterruptibleExecutor executor(*workers);
    return kept_decomposition(mesh, settings, folder, executor);
}

std::variant<Decomposition, physics::MeshError>
kept_decomposition(const MeshData& mesh, const DecompositionSettings& settings, const std::filesystem::path& folder,
                   physics::Executor& executor, const std::function<void(double)>& progress) {
    const ContentKey key = content_key(mesh, settings);
    const KeptFiles files(folder / "decompositions", kept_magic, most_kept_bytes);
    if (const std::optional<std::string> text = files.find(key)) {
        if (std::optional<Decomposition> kept = decomposition_from(*text)) {
            return *std::move(kept);
        }
    }
    auto answer = physics::decompose(mesh.vertices, mesh.triangles, settings, executor, progress);
    if (const auto* result = std::get_if<Decomposition>(&answer)) {
        files.keep(key, kept_text(*result));
    }
    return answer;
}

} // namespace cairn::core
