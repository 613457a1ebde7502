// The lab's ten lessons, each at a telling step, compared with tests/pictures/golden. CAIRN_BLESS=1 writes them anew:
// look at them before committing.
#include "app/core/base/files/text_file.h"
#include "app/lab/pair_of_question.h"
#include "app/ui/lab/picture/lab_picture.h"
#include "render/offscreen.h"
#include "tests/pictures/golden_picture.h"

#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

namespace lab = core::lab;

constexpr int lessons = 10;

std::string lesson(int number) {
    const std::string text =
        core::read_whole_file(std::filesystem::path(CAIRN_SOURCE_DIR) / "assets" / "lab" / "lessons.jsonl");
    std::size_t begin = 0;
    for (int line = 1; line < number; ++line) {
        begin = text.find('\n', begin) + 1;
    }
    return text.substr(begin, text.find('\n', begin) - begin);
}

class LessonPicture : public ::testing::TestWithParam<int> {};

TEST_P(LessonPicture, IsAsItWas) {
    const std::string text = lesson(GetParam()); // which the document looks at
    const core::Document line = core::question_document(text, "lessons.jsonl");
    const core::Question question = core::read_question(line, ".");
    const lab::LabPair pair = lab::pair_of(question);
    const lab::LabRun run = lab::run(lab::algorithm_of(question), pair);
    ASSERT_GE(run.steps.size(), 3u);
    EXPECT_FALSE(run.failed);
    const render::OffscreenContext context;
    LabPictures pictures(480, 320);
    // Two thirds of the way something is happening; the last step has the answer.
    const std::size_t telling = run.steps.size() * 2 / 3;
    const render::Image image = pictures.draw(pair, run, telling);
    expect_golden("lesson_" + std::to_string(GetParam()), image);
    // The next step would not pass for it.
    const render::tests::Difference apart = render::tests::difference(image, pictures.draw(pair, run, telling + 1));
    EXPECT_TRUE(apart.rms > render::tests::largest_rms || apart.block > render::tests::largest_block);
}
INSTANTIATE_TEST_SUITE_P(Each, LessonPicture, ::testing::Range(1, lessons + 1));

} // namespace
} // namespace cairn::ui
