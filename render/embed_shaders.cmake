# Writes OUTPUT, a C++ file that holds every file of SOURCES as a string literal.
# Run as: cmake -D OUTPUT=... -D SOURCES="a;b" -P embed_shaders.cmake
set(text "// Generated from the shaders folder; do not edit.\n#include \"render/shader.h\"\n\n")
string(APPEND text "namespace cairn::render {\n\nconst EmbeddedShader embedded_shaders[] = {\n")
foreach(source IN LISTS SOURCES)
  get_filename_component(name "${source}" NAME)
  file(READ "${source}" content)
  # Square brackets and semicolons survive because the content is never used as a list.
  string(APPEND text "    {\"${name}\", R\"CAIRN_GLSL(${content})CAIRN_GLSL\"},\n")
endforeach()
string(APPEND text "};\nconst std::size_t embedded_shader_count = sizeof embedded_shaders / sizeof embedded_shaders[0];\n")
string(APPEND text "\n} // namespace cairn::render\n")
file(WRITE "${OUTPUT}" "${text}")
