// Curves of the last steps.
#include "app/ui/widgets/charts/step_course.h"

#include <array>
#include <gtest/gtest.h>

namespace cairn::ui {
namespace {

TEST(StepCourses, KeepTimeWhereFramesSkipSteps) {
    StepCourse course;
    course.add(100, std::array{0.0f, 8.0f});
    course.add(104, std::array{4.0f, 8.0f});
    course.add(104, std::array{9.0f, 9.0f}); // the same step again
    EXPECT_EQ(course.curves[0], (std::vector<float>{0, 1, 2, 3, 4}));
    EXPECT_EQ(course.curves[1], (std::vector<float>{8, 8, 8, 8, 8}));
    course.add(105, std::array{5.0f, 8.0f});
    EXPECT_EQ(course.curves[0].size(), 6u);
    course.add(400, std::array{7.0f, 8.0f});
    EXPECT_EQ(course.curves[0], (std::vector<float>{7})) << "what was between is not known";
    for (std::uint64_t step = 401; step < 1000; step += 3) {
        course.add(step, std::array{1.0f, 2.0f});
    }
    EXPECT_EQ(course.curves[1].size(), StepCourse::most);
    course.add(10, std::array{1.0f, 2.0f});
    EXPECT_EQ(course.curves[0].size(), 1u) << "an earlier step";
    course.add(0, std::array{1.0f, 2.0f, 3.0f});
    ASSERT_EQ(course.curves.size(), 3u) << "other curves";
    EXPECT_EQ(course.curves[2], (std::vector<float>{3}));
}

} // namespace
} // namespace cairn::ui
