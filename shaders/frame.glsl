// What every program may read: one block per frame. World space: right-handed, Z up, metres. Colours are linear.
layout(std140) uniform Frame {
    mat4 clip_from_world;
    mat4 world_from_clip;
    mat4 shadow_clip_from_world[4]; // by shadow map, finest first
    // From metres along the light's axes to the map and its depth, each 0 .. 1: xyz: offset; w: factor, of depth times that
    // of shadow_right.w
    vec4 shadow_place[4];
    vec4 eye;                       // xyz: m; w: 1; of an orthographic view the direction to it, unit, and 0
    vec4 to_light;                  // xyz: unit, towards the key light; w: shadow strength, 0 .. 1
    vec4 key_colour;                // rgb
    vec4 shadow_right;              // xyz: unit, along the maps' x; w: map units of depth per map unit of width
    vec4 shadow_up;                 // xyz: unit, along the maps' y; w: texels along a map's side
    vec4 viewport;                  // xy: pixels; z: pixels per point of the user interface; w: shadow maps, 0 = no shadows
    vec4 options;                   // x: 1 = metre grid; y: pixels of the picture per pixel of what it is shown in
    // A point of the picture at (x, y), 0 .. 1 from the lower left, lies at eye + depth * (ray_corner + x ray_right + y ray_up),
    // world, with depth in metres along the view. Of an orthographic view, at eye + ray_corner + x ray_right + y ray_up + depth
    // along the view.
    vec4 ray_corner;
    vec4 ray_right;
    vec4 ray_up;
    // x: near, m; y: far, m; z: pixels that a metre at a depth of one metre spans, or at any in an orthographic view;
    // w: 0, of an orthographic view the distance of the target, m
    vec4 depth_range;
};

bool is_orthographic() { return depth_range.w > 0.0; }
