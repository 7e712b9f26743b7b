"""A program of OpenCL in Python: it launches a kernel by blocks of two, and prints what that computed. Arguments: sizes."""

import sys

import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void adds(__global uint *sums, __global const uint *of, uint n) {
  if (get_global_id(0) < n) sums[get_global_id(0)] += of[get_global_id(0)] * 3u + 1u;
}
"""

device = cl.get_platforms()[0].get_devices()[0]
context = cl.Context([device])
queue = cl.CommandQueue(context)
program = cl.Program(context, SOURCE).build()
adds = program.adds
for n in map(int, sys.argv[1:] or [65536, 1048576]):
    of = np.arange(n, dtype=np.uint32) * np.uint32(2654435761)
    flags = cl.mem_flags
    of_there = cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=of)
    sums_there = cl.Buffer(context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=np.zeros(n, np.uint32))
    for _ in range(3):
        adds(queue, (n,), (2,), sums_there, of_there, np.uint32(n))
    sums = np.empty(n, np.uint32)
    cl.enqueue_copy(queue, sums, sums_there)
    assert (sums == 3 * (of * np.uint32(3) + np.uint32(1))).all()
    print("adds", n, int(sums.astype(np.uint64).sum()))
