/* A processor with AVX-512 looks like one without, to measure what programs do on AVX2:

       gcc -O2 -shared -fPIC tools/peers/without-avx512.c -o without-avx512.so
       LD_PRELOAD=$PWD/without-avx512.so target/release/sunzi info

   The instruction `cpuid`, by which programs find what a processor has, faults (Linux on x86-64, where `cpuid_fault` is among
   the flags of /proc/cpuinfo); the handler answers in its place, and leaves AVX-512 out. What was compiled for AVX-512 still
   runs it: FLINT is built without if PEERS_WITHOUT_AVX512 is set (config.site). */

#define _GNU_SOURCE
#include <asm/prctl.h>
#include <cpuid.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* Features of leaf 7, by the register that tells them. */
enum {
    EBX_AVX512 = 1 << 16 | 1 << 17 | 1 << 21 | 1 << 26 | 1 << 27 | 1 << 28 | 1 << 30 | 1u << 31,
    ECX_AVX512 = 1 << 1 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14,
    EDX_AVX512 = 1 << 2 | 1 << 3 | 1 << 8 | 1 << 23,
    /* Of subleaf 1: AVX-VNNI, AVX512-BF16, AVX-IFMA. */
    EAX_LATER = 1 << 4 | 1 << 5 | 1 << 23,
};

static long let_cpuid(int run) { return syscall(SYS_arch_prctl, ARCH_SET_CPUID, run); }

static void answer(int signal, siginfo_t *info, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    const unsigned char *at = (const unsigned char *)registers[REG_RIP];
    (void)info;
    if (at[0] != 0x0f || at[1] != 0xa2) {
        /* A fault of the program's own: it runs into it again. */
        sigaction(signal, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
        return;
    }
    unsigned leaf = registers[REG_RAX], subleaf = registers[REG_RCX], a, b, c, d;
    let_cpuid(1);
    __cpuid_count(leaf, subleaf, a, b, c, d);
    let_cpuid(0);
    if (leaf == 7 && subleaf == 0) {
        b &= ~(unsigned)EBX_AVX512;
        c &= ~(unsigned)ECX_AVX512;
        d &= ~(unsigned)EDX_AVX512;
    } else if (leaf == 7 && subleaf == 1) {
        a &= ~(unsigned)EAX_LATER;
    }
    registers[REG_RAX] = a;
    registers[REG_RBX] = b;
    registers[REG_RCX] = c;
    registers[REG_RDX] = d;
    registers[REG_RIP] += 2;
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction action = {.sa_sigaction = answer, .sa_flags = SA_SIGINFO | SA_NODEFER};
    if (sigaction(SIGSEGV, &action, NULL) != 0 || let_cpuid(0) != 0) {
        fputs("without-avx512: this machine does not let cpuid fault\n", stderr);
        exit(2);
    }
}
