// The settings of glibc's allocator, which Swift's own view of the C library leaves out.
#if defined(__GLIBC__) || defined(__linux__)
#include <malloc.h>
#endif
