#include "app/core/base/files/output_file.h"
#include "app/core/base/files/text_file.h"
#include "app/core/report/formats/csv.h"
#include "app/core/report/formats/number_text.h"
#include "app/core/report/report.h"

#include <cmath>

namespace cairn::core {
namespace {

constexpr std::size_t write_at = std::size_t{1} << 18; // bytes collected before a write
constexpr double nanoseconds = 1e9;                    // per second

} // namespace

struct TraceWriter::Impl {
    OutputFile file;
    Names names;
    std::string text;

    void flush() {
        file.write(text);
        text.clear();
    }
};

TraceWriter::TraceWriter(const std::filesystem::path& path, Names names)
    : impl_(new Impl{OutputFile(path), names, "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz"}) {
    impl_->text += names == Names::yes ? ",name\n" : "\n";
}

TraceWriter::~TraceWriter() = default;

void TraceWriter::add(const physics::FrameState& frame) {
    std::string& out = impl_->text;
    // A sum of steps that are no binary fractions has digits that mean nothing.
    const double time = std::round(frame.time * nanoseconds) / nanoseconds;
    for (std::size_t i = 0; i < frame.bodies.size(); ++i) {
        const physics::BodyState& body = frame.bodies[i];
        append_number(out, frame.step);
        out += ',';
        append_number(out, time);
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
        if (impl_->names == Names::yes) {
            append_cell(out, frame.models[i]->def.name);
        }
        out += '\n';
    }
    if (out.size() >= write_at) {
        impl_->flush();
    }
}

void TraceWriter::finish() {
    impl_->flush();
    impl_->file.finish();
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
    if (path != "-") {
        replace_file(path, text);
        return;
    }
    OutputFile file(path);
    file.finish(text);
}

} // namespace cairn::core
