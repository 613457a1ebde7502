#include "render/shader.h"

#include "render/renderer.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace cairn::render {

namespace {

// Drivers locate errors as "SOURCE:LINE(COLUMN): ..." (Mesa), "SOURCE(LINE) : ..." (NVIDIA) or "ERROR: SOURCE:LINE:
// ..." (Apple, AMD), where SOURCE is the number that a #line directive gave. Returns the line with SOURCE replaced by a
// file name.
std::optional<std::string> locate(std::string_view line, const std::vector<std::string>& files) {
    constexpr std::string_view prefix = "ERROR: ";
    if (line.starts_with(prefix)) {
        line.remove_prefix(prefix.size());
    }
    std::size_t at = 0;
    const auto number = [&]() -> std::optional<std::size_t> {
        const std::size_t start = at;
        std::size_t value = 0;
        while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at])) != 0 && at - start < 9) {
            value = value * 10 + static_cast<std::size_t>(line[at] - '0');
            ++at;
        }
        return at == start ? std::nullopt : std::optional(value);
    };
    const auto source = number();
    if (!source || *source >= files.size() || at >= line.size() || (line[at] != ':' && line[at] != '(')) {
        return std::nullopt;
    }
    ++at;
    const auto row = number();
    if (!row) {
        return std::nullopt;
    }
    const std::size_t message = line.find(": ", at);
    const std::string_view rest = message == std::string_view::npos ? line.substr(at) : line.substr(message + 2);
    return files[*source] + ":" + std::to_string(*row) + ": " + std::string(rest);
}

std::string located_log(const std::string& log, const std::vector<std::string>& files) {
    std::istringstream lines(log);
    std::string out;
    for (std::string line; std::getline(lines, line);) {
        while (!line.empty() && (line.back() == '\0' || line.back() == '\r' || line.back() == ' ')) {
            line.pop_back();
        }
        if (line.empty()) {
            continue;
        }
        out += out.empty() ? "" : "\n";
        out += locate(line, files).value_or(line);
    }
    return out;
}

struct ShaderName {
    GLuint name = 0;
    ~ShaderName() { glDeleteShader(name); }
};

} // namespace

Program::~Program() {
    if (name_ != 0) {
        glDeleteProgram(name_);
    }
}

ShaderFolder::ShaderFolder(std::filesystem::path override_folder) : folder_(std::move(override_folder)) {
    seen_ = times();
}

std::string ShaderFolder::shown_name(const std::string& name) const {
    return folder_.empty() ? "shaders/" + name : (folder_ / name).string();
}

std::string ShaderFolder::text(const std::string& name) const {
    if (folder_.empty()) {
        for (std::size_t i = 0; i < embedded_shader_count; ++i) {
            if (name == embedded_shaders[i].name) {
                return embedded_shaders[i].text;
            }
        }
        throw RenderError(shown_name(name) + ": no such shader is embedded");
    }
    std::ifstream file(folder_ / name, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file) {
        throw RenderError(shown_name(name) + ": cannot read the shader");
    }
    return content.str();
}

// Appends the file with its includes in place; `files` collects the names behind the source numbers of the #line
// directives. A file is taken once, so that two includes may share a third.
void ShaderFolder::expand(const std::string& name, std::string& out, std::vector<std::string>& files) const {
    const std::string shown = shown_name(name);
    const std::size_t number = files.size();
    files.push_back(shown);
    std::istringstream lines(text(name));
    out += "#line 1 " + std::to_string(number) + "\n";
    int row = 0;
    for (std::string line; std::getline(lines, line);) {
        ++row;
        constexpr std::string_view directive = "#include \"";
        if (!std::string_view(line).starts_with(directive)) {
            out += line;
            out += '\n';
            continue;
        }
        const std::size_t end = line.find('"', directive.size());
        if (end == std::string::npos) {
            throw RenderError(shown + ":" + std::to_string(row) + ": the include lacks its closing quote");
        }
        const std::string included = line.substr(directive.size(), end - directive.size());
        if (std::find(files.begin(), files.end(), shown_name(included)) == files.end()) {
            expand(included, out, files);
        }
        out += "#line " + std::to_string(row + 1) + " " + std::to_string(number) + "\n";
    }
}

GLuint ShaderFolder::compile(GLenum stage, const std::string& name, std::span<const char* const> defines) const {
    std::string source = "#version 410 core\n";
    for (const char* define : defines) {
        source += "#define " + std::string(define) + " 1\n";
    }
    std::vector<std::string> files;
    expand(name, source, files);
    const GLuint shader = glCreateShader(stage);
    const char* data = source.c_str();
    glShaderSource(shader, 1, &data, nullptr);
    glCompileShader(shader);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) {
        return shader;
    }
    GLint length = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    glGetShaderInfoLog(shader, length, nullptr, log.data());
    glDeleteShader(shader);
    const std::string located = located_log(log, files);
    throw RenderError(located.empty() ? shown_name(name) + ": the shader does not compile" : located);
}

Program ShaderFolder::build(const ProgramSource& source) const {
    const ShaderName vertex{compile(GL_VERTEX_SHADER, source.vertex, source.defines)};
    const ShaderName fragment{compile(GL_FRAGMENT_SHADER, source.fragment, source.defines)};
    Program program(glCreateProgram());
    glAttachShader(program.name(), vertex.name);
    glAttachShader(program.name(), fragment.name);
    glLinkProgram(program.name());
    GLint linked = 0;
    glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) {
        GLint length = 0;
        glGetProgramiv(program.name(), GL_INFO_LOG_LENGTH, &length);
        std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
        glGetProgramInfoLog(program.name(), length, nullptr, log.data());
        throw RenderError(shown_name(source.vertex) + " with " + shown_name(source.fragment) +
                          ": the program does not link: " + located_log(log, {}));
    }
    const GLuint block = glGetUniformBlockIndex(program.name(), "Frame");
    if (block != GL_INVALID_INDEX) {
        glUniformBlockBinding(program.name(), block, 0);
    }
    program.use();
    const std::pair<const char*, TextureUnit> samplers[] = {{"shadow_map", unit_shadow_map},
                                                            {"body_textures", unit_body_textures},
                                                            {"ground_texture", unit_ground_texture},
                                                            {"mask", unit_mask},
                                                            {"scene_colour", unit_scene_colour},
                                                            {"scene_depth", unit_scene_depth},
                                                            {"occlusion", unit_occlusion}};
    for (const auto& [sampler, unit] : samplers) {
        const GLint location = glGetUniformLocation(program.name(), sampler);
        if (location >= 0) {
            glUniform1i(location, unit);
        }
    }
    glUseProgram(0);
    return program;
}

std::map<std::string, std::filesystem::file_time_type> ShaderFolder::times() const {
    std::map<std::string, std::filesystem::file_time_type> result;
    if (folder_.empty()) {
        return result;
    }
    for (std::size_t i = 0; i < embedded_shader_count; ++i) {
        std::error_code error;
        const auto time = std::filesystem::last_write_time(folder_ / embedded_shaders[i].name, error);
        if (!error) {
            result[embedded_shaders[i].name] = time;
        }
    }
    return result;
}

bool ShaderFolder::changed() {
    auto now = times();
    if (now == seen_) {
        return false;
    }
    seen_ = std::move(now);
    return true;
}

} // namespace cairn::render
