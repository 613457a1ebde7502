// Places from the depth buffer.
uniform sampler2D scene_depth;

// m along the view, from the 0 .. 1 of the depth buffer
float linear_depth(float stored) {
    float near = depth_range.x;
    float far = depth_range.y;
    return near * far / (far - stored * (far - near));
}

// m, relative to the eye; `at` is 0 .. 1 in the picture
vec3 place(vec2 at, float depth) { return depth * (ray_corner.xyz + at.x * ray_right.xyz + at.y * ray_up.xyz); }
