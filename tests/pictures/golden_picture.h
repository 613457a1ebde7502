// Pictures compared with those in tests/pictures/golden; CAIRN_BLESS=1 writes them anew.
#pragma once

#include "tests/render/picture_compare.h"

#include <string>

namespace cairn::ui {

// Fails the test if the picture is not like the one of that name; then both are left in the working folder.
void expect_golden(const std::string& name, const render::Image& image);

} // namespace cairn::ui
