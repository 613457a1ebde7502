// The program `cairn`.
#include "app/cli/cli.h"

int main(int argc, char** argv) {
    return cairn::cli::run(argc, argv);
}
