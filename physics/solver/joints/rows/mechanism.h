// What hangs together with a joint, for rows that are solved one after the other.
#pragma once

#include "physics/solver/joints/rows/joint_rows.h"

namespace cairn::physics {

// A motor or a limit moves all that hangs rigidly on its bodies. With the mass of these two alone a light carriage
// would need hundreds of passes to stop the tonne that is welded to it.
class Mechanism {
  public:
    // By how much greater the row's mass is with all of it than with the joint's own rigid rows alone, `own_mass`: 1 if
    // that makes no difference that a few passes would not find.
    virtual float load_on(const JointRows& joint, const JointRow& row, float own_mass) = 0;
    // All rigid rows answer what a row has just done.
    virtual void answer() = 0;

  protected:
    ~Mechanism() = default;
};

} // namespace cairn::physics
