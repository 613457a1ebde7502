// A vector turned by a unit quaternion x, y, z, w.
vec3 rotate(vec4 q, vec3 v) {
    vec3 twice = 2.0 * cross(q.xyz, v);
    return v + q.w * twice + cross(q.xyz, twice);
}
