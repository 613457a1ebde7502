#include "app/core/report/pages/page.h"

#include "app/core/base/error.h"
#include "app/core/base/files/text_file.h"
#include "app/core/report/formats/markup.h"
#include "app/core/scene/scene.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace cairn::core {

std::string page_of(const std::string& title, const std::string& body, const Json& data) {
    std::string json = data.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = json.find("</", at)) != std::string::npos; at += 3) {
        json.insert(at + 1, 1, '\\'); // the text must not end the script that it stands in
    }
    const std::filesystem::path path = data_folder() / "assets" / "pages" / "page.html";
    const std::string page = read_whole_file(path);
    const std::array<std::pair<std::string_view, std::string>, 3> places{
        {{"<!--TITLE-->", escaped(title)}, {"<!--BODY-->", body}, {"/*DATA*/null", std::move(json)}}};
    std::string out;
    std::size_t from = 0;
    for (const auto& [place, text] : places) {
        const std::size_t at = page.find(place, from);
        if (at == std::string::npos) {
            throw InputError(Location{path.string(), 0, 0}, "has no place for " + std::string(place) +
                                                                ": it is not the page that came with this program");
        }
        out.append(page, from, at - from).append(text);
        from = at + place.size();
    }
    return out.append(page, from);
}

} // namespace cairn::core
