// A page for people: one HTML file that needs nothing else, made from assets/pages/page.html.
#pragma once

#include "app/core/report/formats/json.h"

#include <string>

namespace cairn::core {

// `title`: of the browser's tab. `body`: HTML. `data`: what the page's script draws. It has "table", for which the body
// has an element "explorer", or "plots", each for an element "plot-" and its index. Throws InputError when the
// program's own files are not where they belong.
std::string page_of(const std::string& title, const std::string& body, const Json& data);

} // namespace cairn::core
