// What the compiler makes and the driver loads: a mark, then the program's text, which ends with a zero.
#pragma once
#define IMAGE_MARK "\x7f" "ELF of the stand-in for CUDA, sm_90\n"
