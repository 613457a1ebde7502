// What plays sounds, through OpenAL. A machine without a device is silent and says why; nothing else changes.
#pragma once

#include "app/ui/sound/voices.h"

#include <glm/glm.hpp>
#include <memory>
#include <string>

namespace cairn::ui {

struct Listener { // world
    glm::vec3 position{0.0f};
    glm::vec3 forward{0.0f, 1.0f, 0.0f}, up{0.0f, 0.0f, 1.0f};
    float near_distance = 10.0f; // m, up to which sounds are as loud as they are; farther ones go by its share
};

class AudioDevice {
  public:
    AudioDevice(); // opens the device that the system prefers
    ~AudioDevice();
    AudioDevice(const AudioDevice&) = delete;
    AudioDevice& operator=(const AudioDevice&) = delete;

    bool works() const;
    const std::string& name() const;    // of the device; empty without one
    const std::string& trouble() const; // why there is none; empty if there is

    void set_volume(float volume); // 0..1
    void set_listener(const Listener& listener);
    // Begins a sound. When as many play as there are voices, the one that has played longest gives way.
    void play(const Voice& voice);
    void play_click(float gain);
    std::uint64_t played() const; // sounds begun so far

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace cairn::ui
