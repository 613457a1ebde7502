#include "app/ui/widgets/palette.h"

namespace cairn::ui::colours {

namespace {

glm::vec3 hue_degrees(float lightness, float chroma, float degrees) {
    return linear_from_oklch(lightness, chroma, glm::radians(degrees));
}

} // namespace

glm::vec3 neutral() {
    return core::neutral_colour();
}
glm::vec3 ground() {
    return core::ground_colour();
}
glm::vec3 accent() {
    return hue_degrees(0.80f, 0.16f, 75.0f);
}
glm::vec3 contacts() {
    return hue_degrees(0.60f, 0.23f, 27.0f);
}
glm::vec3 normals() {
    return hue_degrees(0.88f, 0.17f, 100.0f);
}
glm::vec3 impulses() {
    return hue_degrees(0.72f, 0.19f, 55.0f);
}
glm::vec3 bounds() {
    return hue_degrees(0.70f, 0.18f, 145.0f);
}
glm::vec3 velocities() {
    return hue_degrees(0.62f, 0.18f, 255.0f);
}
glm::vec3 centres() {
    return hue_degrees(0.97f, 0.0f, 0.0f);
}
glm::vec3 joints() {
    return hue_degrees(0.86f, 0.14f, 200.0f);
}
glm::vec3 faces() {
    return hue_degrees(0.74f, 0.17f, 5.0f);
}
glm::vec3 tree() {
    return hue_degrees(0.82f, 0.20f, 125.0f);
}
glm::vec3 inertia() {
    return hue_degrees(0.66f, 0.23f, 340.0f);
}
glm::vec3 islands() {
    return hue_degrees(0.72f, 0.13f, 175.0f);
}
glm::vec3 sleeping() {
    return hue_degrees(0.46f, 0.16f, 275.0f);
}
glm::vec3 sweeps() {
    return hue_degrees(0.56f, 0.24f, 300.0f);
}
glm::vec3 names() {
    return hue_degrees(0.96f, 0.008f, 255.0f);
}

glm::vec3 zones() {
    return hue_degrees(0.80f, 0.15f, 20.0f);
}

} // namespace cairn::ui::colours
