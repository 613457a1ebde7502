#!/usr/bin/env python3
"""The checks of check_sources.py must find planted faults, and must not find what is allowed."""
import pathlib
import tempfile
import unittest

import check_sources


class CheckSourcesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def problems(self, check):
        return [problem.split(": ")[0] for problem in check_sources.CHECKS[check](self.root)]

    def test_includes_that_point_back_are_found(self):
        self.write("physics/world/engine/world.cpp", '#include "physics/world/world.h"\n#include "app/core/scene/scene.h"\n')
        self.write("render/renderer.cpp", '#include "physics/base/math.h"\n#include <imgui.h>\n#include <glad/gl.h>\n')
        self.write("app/core/runner/runner.cpp", '#include "physics/world/world.h"\n# include "app/ui/session/window.h"\n')
        self.write("app/ui/session/window.cpp", '#include "render/renderer.h"\n#include "app/core/runner/runner.h"\n')
        self.write("app/cli/main.cpp", '#include "app/ui/session/window.h"\n')
        self.assertEqual(sorted(self.problems("includes")),
                         ["app/core/runner/runner.cpp:2", "physics/world/engine/world.cpp:2", "render/renderer.cpp:1",
                          "render/renderer.cpp:2"])

    def test_rooms_of_the_window_that_point_back_are_found(self):
        self.write("app/ui/tools/tool_box.cpp", '#include "app/ui/tools/tool.h"\n#include "app/ui/tools/gizmo/gizmo.h"\n')
        self.write("app/ui/tools/gizmo/gizmo.cpp", '#include "app/ui/tools/tool.h"\n#include "app/ui/panels/panels.h"\n')
        self.write("app/ui/attic/a.cpp", '#include "app/ui/text/paths.h"\n')
        self.assertEqual(sorted(self.problems("includes")),
                         ["app/ui/attic/a.cpp:1", "app/ui/tools/gizmo/gizmo.cpp:2", "app/ui/tools/tool_box.cpp:2"])

    def test_rooms_of_the_world_that_point_back_are_found(self):
        self.write("physics/world/world.h", '#include "physics/world/settings.h"\n#include "physics/world/engine/world_impl.h"\n')
        self.write("physics/world/engine/step.cpp", '#include "physics/world/store/body_store.h"\n')
        self.write("physics/world/store/body_store.h", '#include "physics/world/islands/partition.h"\n')
        self.assertEqual(sorted(self.problems("includes")),
                         ["physics/world/store/body_store.h:1", "physics/world/world.h:2"])

    def test_headers_for_programs_include_no_others(self):
        self.write("physics/world/joint_def.h", '#include "physics/solver/joints/rows/joint_terms.h"\n#include "physics/solver/solver.h"\n')
        self.write("physics/world/store/joint_store.h", '#include "physics/solver/solver.h"\n')
        self.assertEqual(self.problems("includes"), ["physics/world/joint_def.h:2"])

    def test_crowded_rooms_are_found(self):
        for number in range(13):
            self.write(f"app/ui/tools/{number}.h", "")
            self.write(f"app/ui/tools/{number % 12}/a.h", "")
        self.assertEqual(self.problems("rooms"), ["app/ui/tools"])

    def test_includes_are_written_from_the_root(self):
        self.write("physics/base/math.h", "#pragma once\n")
        self.write("physics/base/a.cpp", '#include "math.h"\n#include <math.h>\n')
        self.assertEqual(self.problems("includes"), ["physics/base/a.cpp:1"])

    def test_inexact_functions_in_the_step_are_found(self):
        self.write("physics/solver/a.cpp",
                   "float f(float x) {\n"
                   "  // std::sin(x) in a comment, and expect(x), body.angle(x), using_exp(x) are no calls of these\n"
                   "  expect(x); body.angle(x); table->log(x);\n"
                   "  return std::sqrt(x) + glm::dot(v, v);\n"
                   "  return std::sin(x);\n"
                   "  return cosf(x);\n"
                   "  return glm::angleAxis(x, v);\n"
                   "  return _mm_rsqrt_ss(x);\n"
                   "  return std::fma(x, x, x);\n"
                   "}\n")
        self.write("physics/geometry/a.cpp", "float f(float x) { return std::sin(x); }\n")
        self.assertEqual(self.problems("arithmetic"), [f"physics/solver/a.cpp:{line}" for line in range(5, 10)])

    def test_paths_of_one_machine_are_found(self):
        self.write("docs/a.md", "see ~/ho" + "me/x, https://example.org/wo" + "rk/x and /usr/share/x\n/ho" + "me/x/cairn\n")
        self.assertEqual(self.problems("paths"), ["docs/a.md:2"])

    def test_bad_format_is_found(self):
        self.write(".clang-format", "BasedOnStyle: LLVM\n")
        self.write("physics/a.cpp", "int a;\nint  b ;\n")
        self.write("physics/b.cpp", "int a;\n")
        self.assertEqual(set(self.problems("format")), {"physics/a.cpp:2"})


if __name__ == "__main__":
    unittest.main()
