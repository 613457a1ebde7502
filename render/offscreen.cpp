#include "render/offscreen.h"

#include "render/renderer.h"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <sstream>
#include <string>
#include <vector>

namespace cairn::render {

namespace {

bool has_extension(const char* list, const char* name) {
    if (list == nullptr) {
        return false;
    }
    // The list holds names with single spaces between them.
    std::istringstream names{std::string(list)};
    for (std::string entry; names >> entry;) {
        if (entry == name) {
            return true;
        }
    }
    return false;
}

std::string last_error() {
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    for (unsigned value = static_cast<unsigned>(eglGetError()); value != 0; value /= 16) {
        hex.insert(hex.begin(), digits[value % 16]);
    }
    return "EGL error 0x" + hex;
}

void* find_function(const char* name) {
    return reinterpret_cast<void*>(eglGetProcAddress(name));
}

// Every display worth trying, best first: Mesa's surfaceless platform needs no device at all; the devices come next.
std::vector<EGLDisplay> candidate_displays() {
    std::vector<EGLDisplay> displays;
    const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    const auto get_platform_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    if (get_platform_display == nullptr) {
        return displays;
    }
    if (has_extension(client, "EGL_MESA_platform_surfaceless")) {
        displays.push_back(get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    }
    const auto query_devices = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    if (has_extension(client, "EGL_EXT_platform_device") && query_devices != nullptr) {
        EGLint count = 0;
        if (query_devices(0, nullptr, &count) == EGL_TRUE && count > 0) {
            std::vector<EGLDeviceEXT> devices(static_cast<std::size_t>(count));
            query_devices(count, devices.data(), &count);
            for (EGLint i = 0; i < count; ++i) {
                displays.push_back(
                    get_platform_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr));
            }
        }
    }
    return displays;
}

} // namespace

struct OffscreenContext::Impl {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;

    // Returns why the display will not do; empty when its context is current.
    std::string open(EGLDisplay candidate) {
        if (candidate == EGL_NO_DISPLAY) {
            return "no display (" + last_error() + ")";
        }
        if (eglInitialize(candidate, nullptr, nullptr) != EGL_TRUE) {
            return "the display does not initialise (" + last_error() + ")";
        }
        display = candidate;
        std::string reason = make_context();
        if (!reason.empty()) {
            close();
        }
        return reason;
    }

    std::string make_context() {
        if (!has_extension(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context")) {
            return "the driver cannot draw without a surface (EGL_KHR_surfaceless_context is missing)";
        }
        if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) {
            return "the driver offers no desktop OpenGL (" + last_error() + ")";
        }
        const EGLint config_wishes[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint count = 0;
        if (eglChooseConfig(display, config_wishes, &config, 1, &count) != EGL_TRUE || count == 0) {
            return "no configuration draws with OpenGL (" + last_error() + ")";
        }
        const EGLint context_wishes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                         4,
                                         EGL_CONTEXT_MINOR_VERSION,
                                         1,
                                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                         EGL_CONTEXT_OPENGL_DEBUG,
                                         EGL_TRUE,
                                         EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wishes);
        if (context == EGL_NO_CONTEXT) {
            return "no OpenGL 4.1 core context (" + last_error() + ")";
        }
        if (eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE) {
            return "the context cannot be made current (" + last_error() + ")";
        }
        return {};
    }

    void close() {
        if (display == EGL_NO_DISPLAY) {
            return;
        }
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (context != EGL_NO_CONTEXT) {
            eglDestroyContext(display, context);
            context = EGL_NO_CONTEXT;
        }
        // EGL hands out one display per platform, shared by every context of the process: it stays initialised for the
        // next one.
        display = EGL_NO_DISPLAY;
    }

    ~Impl() { close(); }
};

OffscreenContext::OffscreenContext() : impl_(std::make_unique<Impl>()) {
    std::string reasons;
    for (EGLDisplay candidate : candidate_displays()) {
        const std::string reason = impl_->open(candidate);
        if (reason.empty()) {
            load_gl(find_function);
            return;
        }
        reasons += reasons.empty() ? "" : "; ";
        reasons += reason;
    }
    throw RenderError(
        "cannot draw offscreen: " +
        (reasons.empty() ? std::string("EGL offers neither a surfaceless nor a device platform") : reasons));
}

OffscreenContext::~OffscreenContext() = default;

} // namespace cairn::render
