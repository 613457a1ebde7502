#include "app/ui/panels/body/rows/material_rows.h"

#include "app/core/edits/material_edits.h"
#include "app/core/look/body_colours.h"
#include "app/ui/panels/body/rows/body_rows.h"
#include "app/ui/text/number_format.h"
#include "physics/world/parameters/parameters.h"

#include <algorithm>
#include <array>
#include <string>
#include <variant>

namespace cairn::ui {

namespace {

constexpr int most_material_rows = 6;

FrameText material_name(const physics::MeshData& mesh, std::size_t place) {
    return mesh.materials[place].empty() ? formatted("material %zu", place) : FrameText(mesh.materials[place]);
}

const physics::BodyParameter& parameter_of(std::string_view key) {
    return *std::ranges::find(physics::body_parameters, key, &physics::BodyParameter::key);
}

// As high as the row's text.
bool brush_button(Widgets& w, const FrameText& id, bool lit) {
    const float side = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::SetItemAllowOverlap();
    const bool pressed = ImGui::InvisibleButton("##paint", ImVec2(side, side));
    const ImVec4 colour = lit ? theme::accent : ImGui::IsItemHovered() ? theme::text : theme::muted;
    draw_icon(*ImGui::GetWindowDrawList(), Icon::brush, {at.x + 0.5f * side, at.y + 0.5f * side}, 0.36f * side,
              1.5f * w.scale, theme::packed(colour));
    w.mark(id);
    w.tip("Paint: hold the left button over the mesh to give triangles this material; press again to stop.");
    return pressed;
}

void right_aligned(const FrameText& text) {
    const float room = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text.c_str()).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, room));
    ImGui::TextUnformatted(text.c_str());
}

} // namespace

bool own_material_rows(Widgets& w, std::string_view section, std::string_view whose, const physics::Material& otherwise,
                       physics::ShapeMaterial& material) {
    struct Row {
        const char* key;
        const char* title;
        float physics::Material::*number;
    };
    static constexpr std::array<Row, 3> rows = {
        {{"friction", "Own friction", &physics::Material::friction},
         {"restitution", "Own elasticity", &physics::Material::restitution},
         {"rolling_resistance", "Own rolling resistance", &physics::Material::rolling_resistance}}};
    bool any = false;
    for (const Row& row : rows) {
        const physics::BodyParameter& parameter = parameter_of(row.key);
        const FrameText id = joined(section, ".", row.key);
        const FrameText help = joined("On: a number of its own. Off: that of the ", whose, ", also when it changes.");
        const std::string label(parameter.label), sentence(parameter.sentence);
        any |= optional_rows(w, joined(id, ".own").c_str(), row.title, help.c_str(), material.of(row.number),
                             otherwise.*row.number, [&](float& value) {
                                 return w.number(id.c_str(), label.c_str(), value,
                                                 {"", parameter.least, parameter.greatest, 0.5f * parameter.step,
                                                  "%.3f", sentence.c_str(), false, "", true});
                             });
    }
    return any;
}

void MeshMaterialRows::list(Widgets& w, const physics::ShapeDef& shape, const physics::Material& of_shape,
                            const View& view, MeshMaterialEdit& edit) {
    const auto& [shown, pointed, brush, edits_list] = view;
    const physics::MeshData& mesh = *std::get<physics::Mesh>(shape.geometry).data;
    const auto count = static_cast<int>(mesh.materials.size());
    const float line = ImGui::GetTextLineHeightWithSpacing() + 2.0f * w.scale;
    const float height = line * static_cast<float>(std::min(count, most_material_rows) + 1);
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(2.0f * w.scale, ImGui::GetStyle().CellPadding.y));
    const bool shows = ImGui::BeginTable("material.list", edits_list ? 6 : 5,
                                         ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollY, ImVec2(0.0f, height));
    ImGui::PopStyleVar();
    if (!shows) {
        return;
    }
    ImGui::TableSetupScrollFreeze(0, 1);
    const float wide = std::max(ImGui::CalcTextSize("0.005").x, ImGui::CalcTextSize("Elast.").x);
    const FrameText most = formatted("%u", *std::ranges::max_element(triangles_));
    ImGui::TableSetupColumn("Material", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("Fric.", ImGuiTableColumnFlags_WidthFixed, wide);
    ImGui::TableSetupColumn("Elast.", ImGuiTableColumnFlags_WidthFixed, wide);
    ImGui::TableSetupColumn("Roll.", ImGuiTableColumnFlags_WidthFixed, wide);
    ImGui::TableSetupColumn("Faces", ImGuiTableColumnFlags_WidthFixed,
                            std::max(ImGui::CalcTextSize("Faces").x, ImGui::CalcTextSize(most.c_str()).x));
    if (edits_list) {
        ImGui::TableSetupColumn("##paint", ImGuiTableColumnFlags_WidthFixed, ImGui::GetTextLineHeight());
    }
    static constexpr std::array<const char*, 5> helps = {
        "What the triangles are made of. A click on the mesh opens the material that is there.",
        "Friction in force: of the material, else of the shape, else of the body.",
        "Elasticity in force: of the material, else of the shape, else of the body.",
        "Rolling resistance in force: of the material, else of the shape, else of the body.",
        "Triangles of this material."};
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    ImGui::PushStyleColor(ImGuiCol_Text, theme::muted);
    for (int i = 0; i < 5; ++i) {
        ImGui::TableSetColumnIndex(i);
        const char* title = ImGui::TableGetColumnName(i);
        i == 0 ? ImGui::TextUnformatted(title) : right_aligned(FrameText(title));
        w.tip(helps[static_cast<std::size_t>(i)]);
    }
    ImGui::PopStyleColor();
    ImGuiListClipper clipper;
    clipper.Begin(count, line);
    if (scroll_) {
        ImGui::SetScrollY(line * (static_cast<float>(open_) - 0.5f * static_cast<float>(most_material_rows)));
        scroll_ = false;
    }
    while (clipper.Step()) {
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
            const auto place = static_cast<std::size_t>(row);
            const physics::ShapeMaterial own =
                place < shape.mesh_materials.size() ? shape.mesh_materials[place] : physics::ShapeMaterial();
            const physics::Material material = own.over(of_shape);
            ImGui::PushID(row);
            ImGui::TableNextRow(0, line);
            ImGui::TableSetColumnIndex(0);
            const bool under_cursor = pointed == static_cast<std::uint32_t>(row);
            const float side = ImGui::GetTextLineHeight();
            const ImVec2 at = ImGui::GetCursorScreenPos();
            const bool open = open_ == static_cast<std::uint32_t>(row);
            if (under_cursor) {
                ImGui::PushStyleColor(ImGuiCol_Header, ImVec4(theme::accent.x, theme::accent.y, theme::accent.z, 0.3f));
            }
            if (ImGui::Selectable("##row", open || under_cursor,
                                  ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowItemOverlap,
                                  ImVec2(0.0f, side))) {
                open_ = static_cast<std::uint32_t>(row);
            }
            if (under_cursor) {
                ImGui::PopStyleColor();
            }
            const FrameText name = material_name(mesh, place);
            w.tip_by([&] { return joined(name, under_cursor ? ", under the cursor" : ""); });
            if (ImGui::IsRectVisible(at, {at.x + side, at.y + side})) {
                const Rectangle place_of_row{at.x, at.y, 2.0f * side, side};
                w.mark(formatted("material.%d", row), place_of_row);
                if (under_cursor) {
                    w.mark(formatted("material.%d.pointed", row), place_of_row);
                }
            }
            ImGui::GetWindowDrawList()->AddRectFilled(
                {at.x, at.y + 0.1f * side}, {at.x + side, at.y + 0.9f * side},
                theme::packed(theme::from_linear(own.colour ? core::body_colour(*own.colour, 1.0f) : shown)),
                2.0f * w.scale);
            ImGui::SameLine(0.0f, 0.0f);
            ImGui::SetCursorScreenPos({at.x + 1.4f * side, at.y});
            ImGui::TextColored(open ? theme::accent : theme::text, "%s", name.c_str());
            const std::array<float, 3> numbers = {material.friction, material.restitution, material.rolling_resistance};
            for (std::size_t k = 0; k < numbers.size(); ++k) {
                ImGui::TableNextColumn();
                right_aligned(short_text(static_cast<double>(numbers[k])));
            }
            ImGui::TableNextColumn();
            right_aligned(formatted("%u", triangles_[place]));
            if (edits_list) {
                ImGui::TableNextColumn();
                if (brush_button(w, formatted("material.%d.paint", row), brush == static_cast<std::uint32_t>(row))) {
                    edit.paint = static_cast<std::uint16_t>(row);
                }
            }
            ImGui::PopID();
        }
    }
    ImGui::EndTable();
}

// The name of the open one, and buttons.
void MeshMaterialRows::list_edits(Widgets& w, const physics::ShapeDef& shape, MeshMaterialEdit& edit) {
    const physics::MeshData& mesh = *std::get<physics::Mesh>(shape.geometry).data;
    const auto open = static_cast<std::uint16_t>(open_);
    if (!mesh.materials.empty()) {
        name_ = mesh.materials[open];
        if (w.text("material.name", "Name", name_, ImGui::GetContentRegionAvail().x) && name_ != mesh.materials[open]) {
            edit = {core::material_renamed(shape, open, name_), "Rename a material of ", {}};
        }
        w.tip("Of the material whose row is lit. Enter sets it.");
    }
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width = mesh.materials.empty() ? -1.0f : 0.5f * (ImGui::GetContentRegionAvail().x - gap);
    if (w.button("material.add", "Add a material",
                 mesh.materials.empty()
                     ? "Tells the triangles apart: all are of it at first, and more can be added and painted."
                     : "One more, as the shape has it; the brush in its row paints it onto triangles.",
                 width, mesh.materials.size() < physics::max_mesh_materials)) {
        edit = {
            core::material_added(shape, "material " + std::to_string(mesh.materials.size())), "Add a material to ", {}};
        awaited_ = mesh.materials.size() + 1;
    }
    if (!mesh.materials.empty()) {
        ImGui::SameLine();
        if (w.button("material.remove", "Remove it",
                     mesh.materials.size() > 1 ? "Its triangles become of the first of the other materials."
                                               : "The triangles are no longer told apart.",
                     -1.0f)) {
            edit = {core::material_removed(shape, open), "Remove a material of ", {}};
        }
    }
}

bool MeshMaterialRows::operator()(Widgets& w, physics::ShapeDef& shape, const physics::Material& of_body,
                                  const View& view, MeshMaterialEdit& edit) {
    const auto* surface = std::get_if<physics::Mesh>(&shape.geometry);
    if (surface == nullptr) {
        return false;
    }
    if (surface->data->materials.empty()) {
        if (view.edits_list) {
            list_edits(w, shape, edit);
        }
        return false;
    }
    const physics::MeshData& mesh = *surface->data;
    if (counted_.lock() != surface->data) {
        counted_ = surface->data;
        triangles_.assign(mesh.materials.size(), 0);
        for (const std::uint16_t material : mesh.triangle_materials) {
            ++triangles_[material];
        }
    }
    if (mesh.materials.size() == awaited_) {
        open(static_cast<std::uint32_t>(awaited_ - 1));
        awaited_ = 0;
    }
    open_ = std::min(open_, static_cast<std::uint32_t>(mesh.materials.size() - 1));
    const physics::Material of_shape = shape.material.over(of_body);
    const glm::vec3 usual = shape.material.colour ? core::body_colour(*shape.material.colour, 1.0f) : view.shown;
    View with_usual = view;
    with_usual.shown = usual;
    list(w, shape, of_shape, with_usual, edit);
    if (view.edits_list) {
        list_edits(w, shape, edit);
    } else {
        w.muted(joined("Of '", material_name(mesh, open_), "':"));
    }
    physics::ShapeMaterial material =
        open_ < shape.mesh_materials.size() ? shape.mesh_materials[open_] : physics::ShapeMaterial();
    bool changed = colour_(w, "material.colour", material.colour,
                           material.colour ? core::body_colour(*material.colour, 1.0f) : usual);
    changed |= own_material_rows(w, "material", "shape", of_shape, material);
    if (changed) {
        shape.mesh_materials.resize(mesh.materials.size());
        shape.mesh_materials[open_] = material;
    }
    return changed;
}

} // namespace cairn::ui
