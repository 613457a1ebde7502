// The contacts of a step, sorted into blocks of rows by thread, colour and kind.
#pragma once

#include "physics/base/executor.h"
#include "physics/base/growth.h"
#include "physics/narrowphase/pool/contact_pool.h"
#include "physics/solver/impacts/impacts.h"
#include "physics/solver/motion/colouring.h"
#include "physics/solver/motion/regions.h"
#include "physics/solver/rows/row_passes.h"

#include <array>
#include <span>
#include <vector>

namespace cairn::physics {

// A touching contact and the motion indices of its bodies (0 = static).
struct TouchingContact {
    std::uint32_t slot = 0;
    RowBodies bodies;
    bool overlaps = false; // the surfaces touch or are in each other, and are not just near
};

// Keeps its memory from step to step.
//
// A thread has the contacts of the bodies in its region, in blocks of its own, and most bodies are written by it alone:
// it need not meet the others for the sake of those. A pass that goes by colours has stages, and in each a thread first
// works on the blocks that touch bodies of several threads ("shared"), and then on its own. A stage's shared blocks may
// begin when all shared blocks of the stage before are done; its own blocks need nothing but their turn on the same
// thread. Rows of one colour share no body, so which of them stand in a block, and in which order, shows in no result.
class ContactBlocks {
  public:
    // Contacts in a canonical order. `work` names the bodies, which are divided into `regions`. Colours from last to
    // first if `backward`. `colour_of_contact` gets the colour of each by its slot, unless it is empty.
    void build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
               std::span<const BodyTraits> traits, const Regions& regions, RowWork work, bool backward,
               std::span<std::uint8_t> colour_of_contact);

    std::size_t stages() const { return stages_; }
    std::size_t parts() const { return used_parts_; }
    bool has_shared(std::size_t stage) const; // on any thread
    void run_shared(RowPass pass, std::size_t stage, std::size_t part) const { run(pass, part, 2 * stage); }
    void run_own(RowPass pass, std::size_t stage, std::size_t part) const { run(pass, part, 2 * stage + 1); }
    // All blocks of the part. For passes that write to no body.
    void run_all(RowPass pass, std::size_t part) const;
    // Motion indices: those that blocks of other parts touch or may read, and the others. Together with those of the
    // other parts they are all members.
    std::span<const std::uint32_t> shared_bodies(std::size_t part) const { return parts_[part].shared_bodies; }
    std::span<const std::uint32_t> own_bodies(std::size_t part) const { return parts_[part].own_bodies; }

    // Contacts that give back speed, that are foreseen for a time within the step, or with a body on joints, through
    // which a blow must pass: in an order that does not depend on the regions.
    std::span<const RowPlace> impacts() const { return impacts_; }
    std::span<RowBlocks> blocks() { return blocks_; } // by part
    std::size_t used_colours() const { return colouring_.used_colours(); }

    std::size_t memory_bytes() const; // of heap

  private:
    // Blocks of one kind and one colour that stand next to each other.
    struct Stretch {
        RowKind kind = RowKind::one;
        bool in_turn = false; // rows that share bodies
        std::uint32_t begin = 0, end = 0;
    };
    // Blocks of one kind and one colour, and their rows.
    struct Run {
        std::uint8_t colour = 0;
        RowKind kind = RowKind::one;
        std::uint32_t first_block = 0, blocks = 0, shared_blocks = 0; // the shared ones come first
        std::uint32_t first_row = 0, rows = 0;
    };

    // What one thread does.
    struct alignas(128) Part {
        RowWork work;
        std::vector<std::uint32_t> rows;   // indices of touching contacts, by colour, kind, shared ones first
        std::vector<std::uint8_t> touches; // by motion
        std::vector<Run> runs;
        std::vector<Stretch> stretches;   // by stage: shared ones, then its own
        std::vector<std::uint32_t> first; // of these, and where the last end
        std::vector<std::uint32_t> shared_bodies, own_bodies;
        std::array<RecentPeak, row_kinds> peaks; // blocks needed
        std::vector<std::uint32_t> unsorted;     // scratch
        std::vector<std::uint16_t> keys;         // scratch
        std::vector<std::uint32_t> starts;       // scratch
    };

    void fill(std::size_t part, const Run& run, std::span<const TouchingContact> touching, const ContactPool& contacts);
    void list_impacts(std::span<const BodyTraits> traits, const ContactPool& contacts);
    void run(RowPass pass, std::size_t part, std::size_t i) const;

    // contact_shares.cpp
    void share_out(const Regions& regions, bool backward);
    void take_rows(std::size_t part, const Regions& regions);
    void sort_rows(std::size_t part, std::span<const TouchingContact> touching, const ContactPool& contacts,
                   std::span<const BodyTraits> traits, const Regions& regions);
    void list_runs(std::size_t part);
    void list_stages(std::size_t part);
    void list_bodies(std::size_t part, std::span<const BodyTraits> traits, const Regions& regions);
    void make_room(std::size_t part, const std::array<std::uint32_t, row_kinds>& wanted);
    std::size_t part_of(const Regions& regions, std::uint32_t body) const {
        return used_parts_ == regions.count() ? regions.of(body) : regions.of(body) * used_parts_ / regions.count();
    }
    bool is_shared(std::size_t part, std::uint32_t body, std::span<const BodyTraits> traits,
                   const Regions& regions) const;

    std::vector<RowBlocks> blocks_; // by part
    Colouring colouring_;
    std::vector<RowBodies> row_bodies_; // by touching contact: those that can be pushed
    std::vector<Part> parts_;           // as many as were ever used, for their memory
    std::size_t used_parts_ = 1;
    std::size_t stages_ = 0;
    std::array<std::uint8_t, Colouring::colour_count> colour_of_stage_{};
    struct PossibleImpact {
        std::uint32_t order = 0, row = 0; // by colour and kind, of the touching contacts
        RowPlace place;
    };
    std::vector<PossibleImpact> found_impacts_; // scratch
    std::vector<RowPlace> impacts_;
};

} // namespace cairn::physics
