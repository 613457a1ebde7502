// Loading GL and counting what the driver complains about.
#include "render/gl.h"
#include "render/renderer.h"

#include <algorithm>

namespace cairn::render {

namespace {

// Errors arrive by two roads: the debug callback, and the error flag. A driver that reports through the callback sets
// the flag as well, so the count is the larger of the two and not their sum.
struct ErrorLog {
    int called_back = 0;
    int polled = 0;
    std::vector<std::string> messages;
};

constexpr std::size_t kept_messages = 32;

ErrorLog& error_log() {
    static ErrorLog log;
    return log;
}

void keep_message(std::string text) {
    ErrorLog& log = error_log();
    if (log.messages.size() < kept_messages) {
        log.messages.push_back(std::move(text));
    }
}

void GLAD_API_PTR on_debug_message(GLenum source, GLenum type, GLuint, GLenum severity, GLsizei length,
                                   const GLchar* message, const void*) {
    if (source == GL_DEBUG_SOURCE_SHADER_COMPILER) {
        return; // thrown as a RenderError with file and line
    }
    const bool is_error = type == GL_DEBUG_TYPE_ERROR;
    if (is_error) {
        ++error_log().called_back;
    }
    if (is_error || severity == GL_DEBUG_SEVERITY_HIGH) {
        keep_message(length >= 0 ? std::string(message, static_cast<std::size_t>(length)) : std::string(message));
    }
}

GLADapiproc find_function(void* user, const char* name) {
    using Finder = void* (*)(const char*);
    const Finder find = *static_cast<Finder*>(user);
    return reinterpret_cast<GLADapiproc>(find(name));
}

const char* error_name(GLenum error) {
    switch (error) {
    case GL_INVALID_ENUM:
        return "GL_INVALID_ENUM";
    case GL_INVALID_VALUE:
        return "GL_INVALID_VALUE";
    case GL_INVALID_OPERATION:
        return "GL_INVALID_OPERATION";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
        return "GL_INVALID_FRAMEBUFFER_OPERATION";
    case GL_OUT_OF_MEMORY:
        return "GL_OUT_OF_MEMORY";
    default:
        return "unknown GL error";
    }
}

} // namespace

void load_gl(void* (*get_proc_address)(const char*)) {
    error_log() = {};
    const int version = gladLoadGLUserPtr(find_function, &get_proc_address);
    if (version == 0) {
        throw RenderError("the OpenGL functions could not be loaded");
    }
    if (version < GLAD_MAKE_VERSION(4, 1)) {
        throw RenderError("OpenGL 4.1 is needed, the driver offers " + std::to_string(GLAD_VERSION_MAJOR(version)) +
                          "." + std::to_string(GLAD_VERSION_MINOR(version)));
    }
    if (GLAD_GL_KHR_debug != 0) {
        glEnable(GL_DEBUG_OUTPUT);
        GLint flags = 0;
        glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
        if ((flags & GL_CONTEXT_FLAG_DEBUG_BIT) != 0) {
            // The callback then runs inside the faulty call, so that a debugger shows the culprit.
            glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        }
        glDebugMessageCallback(on_debug_message, nullptr);
    }
}

void poll_gl_error() {
    ErrorLog& log = error_log();
    // A lost context may return errors for ever; the number of flags is small.
    for (int i = 0; i < 8; ++i) {
        const GLenum error = glGetError();
        if (error == GL_NO_ERROR) {
            break;
        }
        ++log.polled;
        if (log.called_back < log.polled) {
            keep_message(error_name(error));
        }
    }
}

int gl_error_count() {
    if (glad_glGetError != nullptr) {
        poll_gl_error();
    }
    const ErrorLog& log = error_log();
    return std::max(log.called_back, log.polled);
}

std::vector<std::string> gl_messages() {
    return error_log().messages;
}

} // namespace cairn::render
