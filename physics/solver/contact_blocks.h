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
class ContactBlocks {
  public:
    // Contacts in a canonical order. `work` names the bodies; its blocks become these. Colours from last to first if
    // `backward`.
    void build(Executor& executor, std::span<const TouchingContact> touching, ContactPool& contacts,
               std::span<const BodyDynamics> dynamics, RowWork& work, bool backward);

    // A pass that goes by colours takes so many stages, one after the other; each has parts that may run side by side.
    std::size_t stages() const { return (first_stretch_.size() - 1) / parts_; }
    std::size_t parts() const { return parts_; }
    void run(RowPass pass, std::size_t stage, std::size_t part, const RowWork& work) const;
    // One that may look at all blocks at once, since it changes no body.
    void run_all(RowPass pass, std::size_t part, const RowWork& work) const;
    // Bodies from here on lie nearer to the blocks of this part or a later one: a motion index.
    std::uint32_t first_body(std::size_t part) const { return first_body_[part]; }

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

    void sort_into_runs();
    void share_out(std::size_t threads, bool backward);
    void share_out_colour(std::span<const Run> runs, std::size_t weight, std::size_t parts, bool heaviest);
    std::span<const Stretch> stretches_of(std::size_t stage, std::size_t part) const;
    void add_stretch(const Run& run, std::uint32_t begin, std::uint32_t end);
    void fill(const Stretch& stretch, std::span<const TouchingContact> touching, const ContactPool& contacts);
    void list_bouncy();

    RowBlocks blocks_;
    Colouring colouring_;
    std::vector<RowBodies> row_bodies_;
    std::vector<RowKind> kinds_;       // by touching contact
    std::vector<std::uint32_t> order_; // indices of touching contacts, by colour, then kind
    std::vector<Run> runs_;
    std::array<std::uint32_t, Colouring::colour_count + 1> first_run_{}; // by colour
    std::size_t parts_ = 1;
    std::vector<Stretch> stretches_;           // by stage, then part
    std::vector<std::uint32_t> first_stretch_; // by stage, then part, and where the last ends
    std::vector<std::uint32_t> first_body_;    // by part
    std::vector<Placed> placed_;               // scratch
    std::vector<RowPlace> bouncy_;
};

} // namespace cairn::physics
