#include "app/ui/sound/audio_device.h"

#include "app/ui/sound/synthesis.h"

#include <AL/al.h>
#include <AL/alc.h>
#include <algorithm>
#include <alsa/error.h>
#include <array>
#include <cmath>
#include <cstdlib>

namespace cairn::ui {

namespace {

// Sizes for which sounds are made, m; between them the nearest is played faster or slower.
constexpr std::array<float, 6> made_sizes = {0.08f, 0.2f, 0.5f, 1.2f, 3.0f, 8.0f};
constexpr std::size_t most_voices = 32;

std::size_t nearest_size(float size) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < made_sizes.size(); ++i) {
        if (std::abs(std::log(size / made_sizes[i])) < std::abs(std::log(size / made_sizes[best]))) {
            best = i;
        }
    }
    return best;
}

void say_nothing(const char* /*file*/, int /*line*/, const char* /*function*/, int /*error*/, const char* /*format*/,
                 ...) {
}

// Looking for a device where there is none, both libraries fill the terminal; what came of it is said in the window.
void keep_libraries_quiet() {
    setenv("ALSOFT_LOGLEVEL", "0", 0); // unless somebody wants to see it
    snd_lib_error_set_handler(say_nothing);
}

} // namespace

struct AudioDevice::Impl {
    ALCdevice* device = nullptr;
    ALCcontext* context = nullptr;
    std::string name, trouble;
    std::array<std::array<ALuint, made_sizes.size()>, sound_materials.size()> buffers{}; // 0 = not made yet
    ALuint click = 0;
    std::vector<ALuint> sources;
    std::size_t next = 0; // the source that began longest ago
    std::uint64_t played = 0;
    float near_distance = 10.0f; // m

    Impl() {
        keep_libraries_quiet();
        device = alcOpenDevice(nullptr);
        if (device == nullptr) {
            trouble = "no sound device";
            return;
        }
        context = alcCreateContext(device, nullptr);
        if (context == nullptr || alcMakeContextCurrent(context) == ALC_FALSE) {
            trouble = "the sound device cannot be used";
            close();
            return;
        }
        name = alcGetString(device, ALC_DEVICE_SPECIFIER);
        alDistanceModel(AL_INVERSE_DISTANCE_CLAMPED);
        while (sources.size() < most_voices) {
            ALuint source = 0;
            alGenSources(1, &source);
            if (alGetError() != AL_NO_ERROR) {
                break; // the device has fewer
            }
            sources.push_back(source);
        }
        if (sources.empty()) {
            trouble = "the sound device cannot play";
            close();
        }
    }

    ~Impl() { close(); }

    void close() {
        if (context != nullptr) {
            alDeleteSources(static_cast<ALsizei>(sources.size()), sources.data());
            for (auto& row : buffers) {
                for (const ALuint buffer : row) {
                    if (buffer != 0) {
                        alDeleteBuffers(1, &buffer);
                    }
                }
            }
            if (click != 0) {
                alDeleteBuffers(1, &click);
            }
            alcMakeContextCurrent(nullptr);
            alcDestroyContext(context);
        }
        if (device != nullptr) {
            alcCloseDevice(device);
        }
        context = nullptr;
        device = nullptr;
        sources.clear();
    }

    static ALuint upload(const std::vector<std::int16_t>& samples) {
        ALuint buffer = 0;
        alGenBuffers(1, &buffer);
        alBufferData(buffer, AL_FORMAT_MONO16, samples.data(),
                     static_cast<ALsizei>(samples.size() * sizeof samples.front()), sound_rate);
        return buffer;
    }

    ALuint source() {
        for (const ALuint candidate : sources) {
            ALint state = 0;
            alGetSourcei(candidate, AL_SOURCE_STATE, &state);
            if (state != AL_PLAYING) {
                return candidate;
            }
        }
        const ALuint oldest = sources[next];
        next = (next + 1) % sources.size();
        alSourceStop(oldest);
        return oldest;
    }

    void begin(ALuint buffer, float gain, float pitch, const glm::vec3* position) {
        const ALuint voice = source();
        alSourcei(voice, AL_BUFFER, static_cast<ALint>(buffer));
        alSourcef(voice, AL_GAIN, gain);
        alSourcef(voice, AL_PITCH, pitch);
        alSourcei(voice, AL_SOURCE_RELATIVE, position == nullptr ? AL_TRUE : AL_FALSE);
        const glm::vec3 at = position == nullptr ? glm::vec3(0.0f) : *position;
        alSource3f(voice, AL_POSITION, at.x, at.y, at.z);
        alSourcef(voice, AL_REFERENCE_DISTANCE, near_distance);
        alSourcePlay(voice);
        ++played;
    }
};

AudioDevice::AudioDevice() : impl_(std::make_unique<Impl>()) {
}
AudioDevice::~AudioDevice() = default;

bool AudioDevice::works() const {
    return impl_->context != nullptr;
}
const std::string& AudioDevice::name() const {
    return impl_->name;
}
const std::string& AudioDevice::trouble() const {
    return impl_->trouble;
}
std::uint64_t AudioDevice::played() const {
    return impl_->played;
}

void AudioDevice::set_volume(float volume) {
    if (works()) {
        alListenerf(AL_GAIN, volume);
    }
}

void AudioDevice::set_listener(const Listener& listener) {
    if (!works()) {
        return;
    }
    const float facing[6] = {listener.forward.x, listener.forward.y, listener.forward.z,
                             listener.up.x,      listener.up.y,      listener.up.z};
    alListener3f(AL_POSITION, listener.position.x, listener.position.y, listener.position.z);
    alListenerfv(AL_ORIENTATION, facing);
    impl_->near_distance = listener.near_distance;
}

void AudioDevice::play(const Voice& voice) {
    if (!works()) {
        return;
    }
    const std::size_t size = nearest_size(std::clamp(voice.size, 0.02f, 20.0f));
    ALuint& buffer = impl_->buffers[static_cast<std::size_t>(voice.material)][size];
    if (buffer == 0) {
        buffer = Impl::upload(struck_sound(voice.material, made_sizes[size]));
    }
    const float pitch = std::clamp(made_sizes[size] / voice.size, 0.5f, 2.0f);
    impl_->begin(buffer, voice.gain, pitch, &voice.position);
}

void AudioDevice::play_click(float gain) {
    if (!works()) {
        return;
    }
    if (impl_->click == 0) {
        impl_->click = Impl::upload(click_sound());
    }
    impl_->begin(impl_->click, gain, 1.0f, nullptr);
}

} // namespace cairn::ui
