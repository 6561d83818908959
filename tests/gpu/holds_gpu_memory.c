/* Holds 512 MiB of the first GPU until it is ended, by nothing but the driver's library.
   https://docs.nvidia.com/cuda/cuda-driver-api/ has the functions. */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

static void *function(void *library, const char *name) {
    void *address = dlsym(library, name);
    if (!address) fprintf(stderr, "%s\n", dlerror());
    return address;
}

int main(void) {
    int device = 0;
    void *context = NULL;
    unsigned long long memory = 0;
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return fprintf(stderr, "%s\n", dlerror()), 1;
    int (*init)(unsigned) = function(library, "cuInit");
    int (*get)(int *, int) = function(library, "cuDeviceGet");
    int (*retain)(void **, int) = function(library, "cuDevicePrimaryCtxRetain");
    int (*use)(void *) = function(library, "cuCtxSetCurrent");
    int (*allocate)(unsigned long long *, size_t) = function(library, "cuMemAlloc_v2");
    if (!init || !get || !retain || !use || !allocate) return 1;
    int error = init(0);
    if (!error) error = get(&device, 0);
    if (!error) error = retain(&context, device);
    if (!error) error = use(context);
    if (!error) error = allocate(&memory, 512ULL << 20);
    if (error) return fprintf(stderr, "CUDA's error %d\n", error), 1;
    puts("holds");
    fflush(stdout);
    for (;;) pause();
}
