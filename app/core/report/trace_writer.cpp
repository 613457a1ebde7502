#include "app/core/base/error.h"
#include "app/core/base/text_file.h"
#include "app/core/report/number_text.h"
#include "app/core/report/report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cairn::core {
namespace {

constexpr std::size_t write_at = std::size_t{1} << 18; // bytes collected before a write

} // namespace

struct TraceWriter::Impl {
    std::filesystem::path path;
    std::FILE* file = nullptr;
    bool owned = true;
    std::string text;

    [[noreturn]] void fail() const {
        throw InputError(Location{path.string(), 0, 0}, std::string("cannot be written: ") + std::strerror(errno));
    }
    void flush() {
        if (std::fwrite(text.data(), 1, text.size(), file) != text.size()) {
            fail();
        }
        text.clear();
    }
};

TraceWriter::TraceWriter(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
    impl_->path = path;
    impl_->owned = path != "-";
    impl_->file = impl_->owned ? std::fopen(path.c_str(), "wb") : stdout;
    if (impl_->file == nullptr) {
        impl_->fail();
    }
    impl_->text = "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n";
}

TraceWriter::~TraceWriter() {
    try {
        finish();
    } catch (const std::exception&) {
        // As documented: whoever needs to know calls finish().
    }
}

void TraceWriter::add(const physics::FrameState& frame) {
    std::string& out = impl_->text;
    for (const physics::BodyState& body : frame.bodies) {
        append_number(out, frame.step);
        out += ',';
        append_number(out, frame.time);
        out += ',';
        append_number(out, body.id.index);
        const physics::Vec3& p = body.pose.position;
        const physics::Quat& q = body.pose.orientation;
        const physics::Vec3& v = body.linear_velocity;
        const physics::Vec3& w = body.angular_velocity;
        for (const float value : {p.x, p.y, p.z, q.w, q.x, q.y, q.z, v.x, v.y, v.z, w.x, w.y, w.z}) {
            out += ',';
            append_number(out, value);
        }
        out += '\n';
    }
    if (out.size() >= write_at) {
        impl_->flush();
    }
}

void TraceWriter::finish() {
    if (impl_->file == nullptr) {
        return;
    }
    std::FILE* file = impl_->file;
    const bool written =
        std::fwrite(impl_->text.data(), 1, impl_->text.size(), file) == impl_->text.size() && std::fflush(file) == 0;
    impl_->file = nullptr;
    impl_->text.clear();
    const bool closed = !impl_->owned || std::fclose(file) == 0;
    if (!written || !closed) {
        impl_->fail();
    }
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    if (path != "-") {
        replace_file(path, text);
        return;
    }
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
        throw InputError(std::string("the standard output cannot be written: ") + std::strerror(errno));
    }
}

} // namespace cairn::core
