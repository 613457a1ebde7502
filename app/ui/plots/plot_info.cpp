#include "app/ui/plots/plot_info.h"

namespace cairn::ui {

namespace {

constexpr colours::Paint pale{0.93f, 0.0f, 0.0f}, violet{0.62f, 0.2f, 297.938049f};

} // namespace

const std::vector<PlotInfo>& plots() {
    static const std::vector<PlotInfo> table = {
        {"energy",
         "Energy",
         "J",
         1.0f,
         {{Metric::kinetic, "kinetic", "kinetic_J", colours::velocities},
          {Metric::potential, "potential", "potential_J", colours::bounds},
          {Metric::energy, "total", "total_J", pale}},
         Metric::energy,
         false,
         "Kinetic energy, potential energy relative to z = 0, and their sum.",
         core::Measure::energy},
        {"momentum",
         "Momentum",
         "kg m/s",
         1.0f,
         {{Metric::momentum, "momentum", "momentum_kg_m_per_s", colours::impulses}},
         Metric::momentum,
         false,
         "Magnitude of the total linear momentum.",
         core::Measure::momentum},
        {"penetration",
         "Penetration",
         "mm",
         1e3f,
         {{Metric::penetration, "deepest", "penetration_mm", colours::contacts}},
         Metric::penetration,
         false,
         "Depth of the deepest contact point.",
         core::Measure::penetration},
        {"drift",
         "Drift",
         "mm",
         1e3f,
         {{Metric::drift, "mean", "drift_mm", violet}},
         Metric::drift,
         false,
         "Mean horizontal distance of the dynamic bodies from where each started, or was when drift was zeroed: "
         "how far a stack that should stand has crept.",
         core::Measure::mean_drift},
        {"contacts",
         "Contacts",
         "",
         1.0f,
         {{Metric::contacts, "pairs", "pairs", colours::contacts},
          {Metric::points, "points", "points", colours::normals}},
         Metric::contacts,
         false,
         "Pairs that touch or nearly touch, and their contact points.",
         core::Measure::contacts},
        {"step",
         "Step time",
         "ms",
         1e3f,
         {{Metric::broadphase, "broad", "broadphase_ms", colours::bounds},
          {Metric::narrowphase, "narrow", "narrowphase_ms", colours::contacts},
          {Metric::islands, "islands", "islands_ms", colours::joints},
          {Metric::solver, "solver", "solver_ms", colours::impulses},
          {Metric::continuous, "CCD", "ccd_ms", violet},
          {Metric::finish, "finish", "finish_ms", colours::velocities}},
         Metric::step,
         true,
         "Time taken by each stage of the step, stacked.",
         std::nullopt},
    };
    return table;
}

} // namespace cairn::ui
