// The tools that insert, join, shape and paint.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/tools/tool.h"
#include "physics/world/body_def.h"

#include <cstdint>
#include <memory>

namespace cairn::ui {

std::unique_ptr<Tool> make_place_tool();
std::unique_ptr<Tool> make_join_tool();
std::unique_ptr<Tool> make_terrain_tool();
std::unique_ptr<Tool> make_paint_tool();

// What is painted, and with what.
struct PaintTarget : Part {
    PaintTarget() = default;
    PaintTarget(physics::BodyId of, std::uint32_t at, std::uint16_t with) : body(of), place(at), material(with) {}
    void world_replaced(Context&, WorldChange) override { *this = PaintTarget(); }

    physics::BodyId body;
    std::uint32_t place = 0;    // in BodyDef::shapes
    std::uint16_t material = 0; // in MeshData::materials
};
void paint_with(Context& ctx, const PaintTarget& target); // from now on
bool is_painting(const Context& ctx);

} // namespace cairn::ui
