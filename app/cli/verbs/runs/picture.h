// Pictures without a window, for the verbs that make them.
#pragma once

#include "app/cli/options/verbs.h"
#include "app/core/base/files/output_file.h"
#include "app/core/runner/runner.h"
#ifdef CAIRN_GUI
#include "app/ui/view/picture.h"
#include "app/ui/view/quality.h"
#endif

namespace cairn::cli {

#ifdef CAIRN_GUI
// nullopt for an empty name. Throws core::InputError for one that there is not.
std::optional<ui::Quality> quality_option(const std::string& name);
// Throws core::InputError for a quality or a meaning of colours that there is not.
ui::PictureOptions picture_options(const PictureArguments& picture);
#else
// Throws core::MachineError: there is no renderer.
[[noreturn]] void reject_pictures();
#endif

// Has the runner keep what the picture will show; to be called before the steps that lead to it. Throws
// core::InputError for a layer or a meaning of colours that does not exist.
void prepare_picture(core::Runner& runner, const PictureArguments& picture);

// The runner's present state as a PNG, from its scene's camera. Throws core::MachineError where there is no OpenGL, or
// where the program was built without it.
void write_picture(const core::Runner& runner, const PictureArguments& picture, core::OutputFile& out);

} // namespace cairn::cli
