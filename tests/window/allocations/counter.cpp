// Loaded into the running program before its own libraries (LD_PRELOAD), this counts what the thread that shows
// pictures allocates from one picture to the next: on behalf of the program itself (operator new, however deep in the
// standard library), of the panels' library (it is linked in, and calls malloc), and of the libraries for the window
// and for drawing.
//
// The counts lie in a file that CAIRN_ALLOCATIONS names, in memory that both sides map: see `Record`.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

namespace {

constexpr std::size_t most_pictures = 1 << 16, depth = 12, kept = 64;

struct Picture {
    std::uint32_t ours, panels, libraries;
};

struct Record {
    std::uint64_t pictures;      // that are complete
    std::uint64_t program_start; // the address at which the program was loaded
    // Return addresses of the last allocations of the program itself, and during which picture that was.
    std::uint64_t places[kept][depth];
    std::uint64_t picture_of[kept];
    std::uint64_t allocations; // the newest is at (allocations - 1) % kept
    Picture counts[most_pictures];
};

struct Range {
    std::uintptr_t low = 0, high = 0;
    bool holds(std::uintptr_t at) const { return at >= low && at < high; }
};

Record* record = nullptr;
Range program, standard_library, own;
thread_local bool busy = false;
bool swapped = false;
pthread_t picture_thread;
Picture now{}, shown{};
bool reported = false;                 // the program has written its state, which costs what it costs
std::uint64_t places_now[kept][depth]; // the first ones of this picture

int note_module(dl_phdr_info* info, std::size_t, void* first) {
    Range range{~std::uintptr_t{0}, 0};
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& segment = info->dlpi_phdr[i];
        if (segment.p_type == PT_LOAD) {
            const std::uintptr_t low = info->dlpi_addr + segment.p_vaddr, high = low + segment.p_memsz;
            range.low = low < range.low ? low : range.low;
            range.high = high > range.high ? high : range.high;
        }
    }
    if (*static_cast<bool*>(first)) {
        *static_cast<bool*>(first) = false;
        program = range;
        record->program_start = info->dlpi_addr;
    } else if (std::strstr(info->dlpi_name, "libstdc++") != nullptr) {
        standard_library = range;
    } else if (range.holds(reinterpret_cast<std::uintptr_t>(&record))) {
        own = range;
    }
    return 0;
}

// The calls that lead to an allocation, up to the library that called the program.
struct Walk {
    std::uintptr_t at[depth]{};   // in the program, the innermost first
    std::size_t count = 0;        // of these
    std::uintptr_t outermost = 0; // in the program
};

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
    Walk& walk = *static_cast<Walk*>(data);
    const std::uintptr_t at = _Unwind_GetIP(context);
    if (own.holds(at) || standard_library.holds(at)) {
        return _URC_NO_REASON; // it asks on behalf of others
    }
    if (!program.holds(at)) {
        return _URC_END_OF_STACK;
    }
    if (walk.count < depth) {
        walk.at[walk.count++] = at;
    }
    walk.outermost = at;
    return _URC_NO_REASON;
}

// Whether a function of that address can be called by its name from a library. The program exports what its libraries
// share with it, its instances of the standard library's templates: the compiler of shaders puts its texts together
// with the program's std::string.
bool exported(std::uintptr_t at) {
    Dl_info function;
    return dladdr(reinterpret_cast<void*>(at), &function) != 0 && function.dli_sname != nullptr;
}

bool counts() {
    return swapped && !busy && pthread_equal(pthread_self(), picture_thread) != 0;
}

void note_malloc(const void* caller) {
    if (counts()) {
        ++(program.holds(reinterpret_cast<std::uintptr_t>(caller)) ? now.panels : now.libraries);
    }
}

void note_new() {
    if (!counts()) {
        return;
    }
    busy = true;
    Walk walk;
    _Unwind_Backtrace(step, &walk);
    if (walk.count > 0 && !exported(walk.outermost)) {
        if (now.ours < kept) {
            std::memcpy(places_now[now.ours], walk.at, sizeof walk.at);
        }
        ++now.ours;
    } else {
        ++now.libraries;
    }
    busy = false;
}

template <typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

__attribute__((constructor)) void begin() {
    const char* path = std::getenv("CAIRN_ALLOCATIONS");
    const int file = path != nullptr ? open(path, O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (file < 0 || ftruncate(file, sizeof(Record)) != 0) {
        _exit(4);
    }
    void* memory = mmap(nullptr, sizeof(Record), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) {
        _exit(4);
    }
    record = static_cast<Record*>(memory);
    bool first = true;
    dl_iterate_phdr(note_module, &first);
    Walk walk;
    _Unwind_Backtrace(step, &walk); // the unwinder makes its tables
}

void* allocated(void* memory) {
    if (memory == nullptr) {
        std::abort(); // no test runs a machine out of memory
    }
    return memory;
}

// What operator new does, without being counted once more as a malloc.
void* taken(std::size_t size, std::size_t alignment = 0) {
    const bool before = busy;
    busy = true;
    void* memory = alignment == 0 ? std::malloc(size != 0 ? size : 1) : nullptr;
    if (alignment != 0 && posix_memalign(&memory, alignment, size != 0 ? size : 1) != 0) {
        memory = nullptr;
    }
    busy = before;
    return allocated(memory);
}

} // namespace

extern "C" {
// The functions of the C library under their second names, which nothing interposes.
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);

void* malloc(std::size_t size) {
    note_malloc(__builtin_return_address(0));
    return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
    note_malloc(__builtin_return_address(0));
    return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
    note_malloc(__builtin_return_address(0));
    return __libc_realloc(memory, size);
}

// A picture is shown. What follows is of the same picture, unless it is a report.
void glfwSwapBuffers(void* window) {
    static const auto swap = next<void (*)(void*)>("glfwSwapBuffers");
    picture_thread = pthread_self();
    swap(window);
    swapped = true;
    shown = now;
}

// The first act of the next picture.
void glfwPollEvents() {
    static const auto poll = next<void (*)()>("glfwPollEvents");
    if (swapped) {
        if (reported) {
            now = shown;
        }
        for (std::size_t i = 0; i < now.ours && i < kept; ++i) {
            const std::size_t at = record->allocations++ % kept;
            std::memcpy(record->places[at], places_now[i], sizeof places_now[i]);
            record->picture_of[at] = record->pictures;
        }
        record->counts[record->pictures % most_pictures] = now;
        __atomic_add_fetch(&record->pictures, 1, __ATOMIC_RELEASE);
    }
    now = {};
    reported = false;
    poll();
}

// The last act of writing a report.
int rename(const char* from, const char* to) {
    static const auto real = next<int (*)(const char*, const char*)>("rename");
    if (swapped && pthread_equal(pthread_self(), picture_thread)) {
        reported = true;
    }
    return real(from, to);
}
}

void* operator new(std::size_t size) {
    note_new();
    return taken(size);
}
void* operator new[](std::size_t size) {
    note_new();
    return taken(size);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    note_new();
    return taken(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    note_new();
    return taken(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    note_new();
    return taken(size);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    note_new();
    return taken(size);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}
