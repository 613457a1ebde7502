// Compiled into every program of a sanitizer build. The reports name a function only while its library is loaded, and
// the leak check runs after the graphics drivers were closed: so closing does nothing.
extern "C" int dlclose(void*);

extern "C" int dlclose(void*) {
    return 0;
}
