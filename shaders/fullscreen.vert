// One triangle that covers the screen, at the far plane.
out vec2 v_clip; // -1 .. 1

void main() {
    vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
    v_clip = corner;
    gl_Position = vec4(corner, 1.0, 1.0);
}
