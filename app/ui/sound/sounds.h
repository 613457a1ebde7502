// The sound of the window: what the settings say, and the strikes of the running world.
#pragma once

#include "app/ui/context/parts.h"
#include "app/ui/sound/audio_device.h"

#include <memory>

namespace cairn::ui {

struct SoundSettings {
    bool on = true;
    float volume = 0.6f; // 0..1
};

class Sounds : public Part {
  public:
    SoundSettings settings;

    // Once a frame: plays what the simulation has struck since the last one. The device is opened when sound is on for
    // the first time.
    void update(Context& ctx);
    void click();
    void remember(Context& ctx, SettingsArchive& archive) override;
    void world_replaced(Context&, WorldChange) override { picker_.forget(); }

    bool opened() const { return device_ != nullptr; }
    bool works() const { return device_ && device_->works(); }
    std::string trouble() const { return device_ ? device_->trouble() : std::string(); }
    std::uint64_t played() const { return device_ ? device_->played() : 0; }
    std::uint64_t strikes() const { return strikes_; } // that the world has reported so far
    float loudest() const { return loudest_; }         // gain of the loudest sound of the last frame that had any

  private:
    std::unique_ptr<AudioDevice> device_;
    VoicePicker picker_;
    std::uint64_t strikes_ = 0;
    float loudest_ = 0.0f;
    bool listening_ = false;
};

void sound_panel(Context& ctx);

} // namespace cairn::ui
