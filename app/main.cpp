// The program `cairn`.
#include "app/cli/cli.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace {

// A caller may have closed the standard streams. The next file to be opened would get the number of one, and what is
// printed would go into that file: something that can be neither read nor written takes their places.
void fill_standard_streams() {
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
        while (::fcntl(stream, F_GETFD) < 0 && errno == EBADF && ::open("/", O_PATH | O_DIRECTORY) >= 0) {
        }
    }
}

} // namespace

int main(int argc, char** argv) {
    fill_standard_streams();
    return cairn::cli::run(argc, argv);
}
