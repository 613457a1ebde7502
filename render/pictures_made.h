// The count behind pictures_made().
#pragma once

namespace cairn::render {

void note_picture();

} // namespace cairn::render
