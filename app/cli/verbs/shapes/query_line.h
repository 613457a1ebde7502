// One question of `cairn query`, and its answer. The format is that of docs/reference/query-format.md.
#pragma once

#include "app/cli/options/verbs.h"

#include <string>
#include <string_view>

namespace cairn::cli {

// `text` is a line that is not blank, the `number`-th of what is called `name`; meshes are looked for in `folder`. The
// answer is one line with its end, and for a question that cannot be answered an object that says why. False for such
// an object and for an answer that could not be refined.
bool answer_query(std::string_view text, std::size_t number, const std::string& name, const Path& folder,
                  std::string& answer);

} // namespace cairn::cli
