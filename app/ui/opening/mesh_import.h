// A mesh that was dropped onto the window, until it is a body: what is asked about it, and the work that follows.
#pragma once

#include "app/ui/context/parts.h"
#include "physics/geometry/geometry.h"
#include "physics/world/body_def.h"

#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>

namespace cairn::ui {

enum class ImportShape { hull, decomposed, fixed };

struct LengthUnit {
    const char* name;
    float metres;
};
inline constexpr std::array<LengthUnit, 4> length_units{
    {{"m", 1.0f}, {"cm", 0.01f}, {"mm", 0.001f}, {"inch", 0.0254f}}};

struct MeshImportSettings {
    ImportShape shape = ImportShape::hull;
    std::size_t unit = 0; // of length_units
    bool y_up = false;    // else Z
};

// Every edge of a triangle is met by one that runs the other way. Vertices in one place are one.
bool is_closed(const physics::MeshData& mesh);
// In metres, Z up, with the middle of its lower side at the origin.
physics::MeshData imported(const physics::MeshData& mesh, const MeshImportSettings& settings);

class MeshPictures;

class MeshImport : public Part {
  public:
    MeshImport();
    ~MeshImport() override; // breaks off what is on its way

    // Asks about the file; after those that are waiting, if another is asked about. What cannot be read is reported.
    void open(Context& ctx, const std::filesystem::path& path);
    bool is_open() const { return mesh_ != nullptr; }
    const std::string& name() const { return name_; }

    MeshImportSettings settings; // stay as they are for the next file
    // glTF is in metres, and has been turned: about unit and axis there is nothing to ask.
    bool states_unit() const { return states_unit_; }
    MeshImportSettings chosen() const { return states_unit_ ? MeshImportSettings{settings.shape, 0, false} : settings; }
    std::size_t vertices() const { return mesh_->vertices.size(); }
    std::size_t triangles() const { return mesh_->triangles.size(); }
    bool closed() const { return closed_; }
    bool has_faces() const { return triangles() > 0; } // else it can become a hull only
    std::string counts() const;                        // "1 triangle, 3 vertices, open"
    physics::Vec3 size() const;                        // m, as the settings are
    std::string size_text() const;                     // "1 × 1 × 2 m, the file's Y up"

    // Makes the body where the file was dropped: at once, or when follow() finds that its decomposition is done.
    void accept(Context& ctx);
    bool working() const { return work_ != nullptr; }
    double progress() const; // 0..1
    // Breaks off the work, and asks again; or asks no more.
    void cancel(Context& ctx);
    void follow(Context& ctx); // once a frame

    MeshPictures* pictures = nullptr; // of the window, which outlives this; none without one

    void world_replaced(Context& ctx, WorldChange change) override;

  private:
    struct Work; // on a thread of its own

    void read_next(Context& ctx);
    void close(Context& ctx);
    void submit(Context& ctx, physics::BodyDef body);

    struct Waiting {
        std::filesystem::path path;
        physics::Vec3 at{0.0f}; // where it was dropped
    };
    std::deque<Waiting> waiting_;
    std::shared_ptr<const physics::MeshData> mesh_;
    std::string name_, body_name_;
    physics::Vec3 at_{0.0f};
    physics::Vec3 lower_{0.0f}, upper_{0.0f}; // of the file
    bool closed_ = false, states_unit_ = false;
    std::unique_ptr<Work> work_;
};

// The dialog, if a mesh is asked about.
void draw_mesh_import(Context& ctx);
// True if it is open: it has all keys.
bool mesh_import_key(Context& ctx, int key);

} // namespace cairn::ui
