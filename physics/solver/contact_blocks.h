// The contacts of a step, sorted into blocks of rows by colour and kind.
#pragma once

#include "physics/base/executor.h"
#include "physics/narrowphase/contact_pool.h"
#include "physics/solver/colouring.h"
#include "physics/solver/impacts.h"
#include "physics/solver/row_passes.h"

#include <span>
#include <vector>

namespace cairn::physics {

// A touching contact and the motion indices of its bodies (0 = static).
struct TouchingContact {
    std::uint32_t slot = 0;
    RowBodies bodies;
};

// Keeps its memory from step to step.
//
// The work is shared out among threads by place in the list of bodies, so that most bodies are written by one thread
// alone: what another core has written takes a quarter of a microsecond a line to come over. Threads need not meet for
// the sake of those bodies. A pass that goes by colours has stages, and in each a thread first works on the blocks that
// touch bodies of several threads ("shared"), and then on its own. A stage's shared blocks may begin when all shared
// blocks of the stage before are done; its own blocks need nothing but their turn on the same thread.
class ContactBlocks {
  public:
    // Contacts in a canonical order. `work` names the bodies, of which those listed in `members` move; its blocks
    // become these. Colours from last to first if `backward`.
    void build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
               std::span<const BodyDynamics> dynamics, std::span<const std::uint32_t> members, RowWork& work,
               bool backward);

    std::size_t stages() const { return stages_; }
    std::size_t parts() const { return used_parts_; }
    void run_shared(RowPass pass, std::size_t stage, std::size_t part, const RowWork& work) const {
        run(pass, parts_[part], 2 * stage, work);
    }
    void run_own(RowPass pass, std::size_t stage, std::size_t part, const RowWork& work) const {
        run(pass, parts_[part], 2 * stage + 1, work);
    }
    // All blocks of the part. For passes that write to no body.
    void run_all(RowPass pass, std::size_t part, const RowWork& work) const;
    // Motion indices: those that blocks of other parts touch or may read, and the others. Together with those of the
    // other parts they are all members.
    std::span<const std::uint32_t> shared_bodies(std::size_t part) const { return parts_[part].shared_bodies; }
    std::span<const std::uint32_t> own_bodies(std::size_t part) const { return parts_[part].own_bodies; }

    // Contacts that give back speed.
    std::span<const RowPlace> bouncy() const { return bouncy_; }
    RowBlocks& blocks() { return blocks_; }
    std::size_t used_colours() const { return colouring_.used_colours(); }

    std::size_t memory_bytes() const; // of heap

  private:
    // Blocks of one kind and one colour, which stand next to each other.
    struct Run {
        RowKind kind = RowKind::one;
        std::uint32_t first_block = 0, blocks = 0;
        std::uint32_t first_row = 0, rows = 0; // in order_
        bool in_turn = false;                  // rows that share bodies
    };
    // Blocks of a run that one thread goes through.
    struct Stretch {
        RowKind kind = RowKind::one;
        bool in_turn = false;
        std::uint32_t begin = 0, end = 0;
        std::uint32_t first_row = 0, end_row = 0; // the former of block `begin`, the latter of the whole run
    };
    // A block that is to be given to a part, and a body of it.
    struct Placed {
        std::uint32_t body = 0;
        std::uint32_t run = 0, block = 0;
    };

    // What one thread does.
    struct alignas(128) Part {
        std::vector<Stretch> stretches;    // by stage: shared ones, then its own
        std::vector<std::uint32_t> first;  // of these, and where the last end
        std::vector<std::uint8_t> touches; // by motion
        std::vector<std::size_t> owned; // by part, for a stretch of the bodies: those that it alone touches, then the
                                        // ones that nobody does
        std::vector<std::uint32_t> shared_bodies, own_bodies;
        std::vector<Stretch> all; // scratch: as they are given out, by stage
        std::vector<std::uint32_t> first_of_all;
    };

    void sort_into_runs();
    void make_room_for(const std::array<std::uint32_t, row_kinds>& blocks);
    void fill(const Stretch& stretch, std::span<const TouchingContact> touching, const ContactPool& contacts);
    void list_bouncy();
    void run(RowPass pass, const Part& part, std::size_t i, const RowWork& work) const;

    // contact_shares.cpp
    std::span<Part> used() { return std::span(parts_).first(used_parts_); }
    void share_out(std::size_t threads, std::size_t members, bool backward);
    void share_out_colour(std::span<const Run> runs, std::size_t weight, std::size_t parts);
    void begin_stage();
    void add_stretch(Part& part, const Run& run, std::uint32_t begin, std::uint32_t end) const;
    void mark_bodies(std::size_t part);
    void find_owners(std::size_t part, std::span<const std::uint32_t> members, const BodyMotion* motions);
    void split(std::size_t part);
    void list_bodies(std::size_t part, std::span<const std::uint32_t> members);
    bool is_shared(std::size_t part, RowKind kind, std::uint32_t block) const;

    RowBlocks blocks_;
    Colouring colouring_;
    std::vector<RowBodies> row_bodies_;
    std::vector<RowKind> kinds_;       // by touching contact
    std::vector<std::uint32_t> order_; // indices of touching contacts, by colour, then kind
    std::vector<Run> runs_;
    std::array<std::uint32_t, Colouring::colour_count + 1> first_run_{}; // by colour
    std::vector<Part> parts_;                                            // as many as were ever used, for their memory
    std::size_t used_parts_ = 1;
    std::size_t stages_ = 0;
    std::vector<bool> several_colours_;          // by stage, of a thread that has it alone
    std::vector<std::uint8_t> owners_;           // by motion: the part that alone touches it
    std::vector<Placed> placed_;                 // scratch
    std::array<std::size_t, row_kinds> peaks_{}; // blocks needed, since room was last looked at
    int builds_ = 0;                             // since then
    std::vector<RowPlace> bouncy_;
};

} // namespace cairn::physics
