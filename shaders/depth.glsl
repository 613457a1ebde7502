// Places from the depth buffer.
uniform sampler2D scene_depth;

// m along the view, from the 0 .. 1 of the depth buffer
float linear_depth(float stored) {
    float near = depth_range.x;
    float far = depth_range.y;
    if (is_orthographic()) {
        return near + stored * (far - near);
    }
    return near * far / (far - stored * (far - near));
}

// m, relative to the eye; `at` is 0 .. 1 in the picture
vec3 place(vec2 at, float depth) {
    vec3 ray = ray_corner.xyz + at.x * ray_right.xyz + at.y * ray_up.xyz;
    return is_orthographic() ? ray - depth * eye.xyz : depth * ray;
}

// m: the depth by which sizes on the picture shrink
float scale_depth(float depth) { return is_orthographic() ? 1.0 : depth; }

// m: how far apart in depth two pixels of one surface may lie, at most
float surface_depth(float depth) { return 0.03 * (is_orthographic() ? depth_range.w : depth); }
