// Carries the precompiled headers of CairnTarget.cmake; a target needs a source to have them.
