// One language out of two: what OpenCL C and CUDA C++ have in common, under one name.
// A program defines GROUP, the threads of a group, before this.
// ASM, where it is defined, is how NVIDIA's instructions are written. Whether OpenCL has it is found when a device is opened.
#ifdef __CUDACC__
  #define ASM asm
  // RESIDENT, where a program defines it: groups that one processor must have registers for at a time.
  #ifdef RESIDENT
    #define KERNEL extern "C" __global__ void __launch_bounds__(GROUP, RESIDENT)
  #else
    #define KERNEL extern "C" __global__ void __launch_bounds__(GROUP)
  #endif
  #define FN static __device__ __forceinline__
  #define GLOBAL
  #define LOCAL
  #define RESTRICT __restrict__
  #define TABLE static __device__ const
  // A kernel's local memory: one tile of any size, or small arrays.
  #define SHARED_TILE(type, name, count) \
    extern __shared__ unsigned long long sunzi_tile_[]; type* const name = (type*)sunzi_tile_
  #define SHARED __shared__
  #define BARRIER() __syncthreads()
  // Orders what the group wrote to the device's memory too.
  #define BARRIER_GLOBAL() __syncthreads()
  #define THREAD (threadIdx.x)
  #define BLOCK (blockIdx.x)
  #define BLOCKS (gridDim.x)
  #define BLOCK_Y (blockIdx.y)
  #define BLOCK_Z (blockIdx.z)
  typedef unsigned char u8;
  typedef unsigned int u32;
  typedef unsigned long long u64;
  typedef ulonglong2 u64x2;
  typedef int i32;
  typedef long long i64;
  typedef double f64;
  FN u32 mulhi32(u32 a, u32 b) { return __umulhi(a, b); }
  FN u64 mulhi64(u64 a, u64 b) { return __umul64hi(a, b); }
  FN f64 fma64(f64 a, f64 b, f64 c) { return __fma_rn(a, b, c); }
  FN f64 mul64(f64 a, f64 b) { return __dmul_rn(a, b); }
  FN f64 rint64(f64 a) { return rint(a); }
  FN u32 min32(u32 a, u32 b) { return min(a, b); }
  FN u64 min64(u64 a, u64 b) { return min(a, b); }
#else
  #pragma OPENCL FP_CONTRACT OFF
  #define KERNEL __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void
  // Where a function is not inlined, PoCL moves its loads across the caller's barriers.
  #define FN static inline __attribute__((always_inline))
  #define GLOBAL __global
  #define LOCAL __local
  #define RESTRICT restrict
  #define TABLE __constant const
  #define SHARED_TILE(type, name, count) __local type name[count]
  #define SHARED __local
  #define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
  #define BARRIER_GLOBAL() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
  #define THREAD ((u32)get_local_id(0))
  #define BLOCK ((u32)get_group_id(0))
  #define BLOCKS ((u32)get_num_groups(0))
  #define BLOCK_Y ((u32)get_group_id(1))
  #define BLOCK_Z ((u32)get_group_id(2))
  typedef uchar u8;
  typedef uint u32;
  typedef ulong u64;
  typedef ulong2 u64x2;
  typedef int i32;
  typedef long i64;
  FN u32 mulhi32(u32 a, u32 b) { return mul_hi(a, b); }
  FN u64 mulhi64(u64 a, u64 b) { return mul_hi(a, b); }
  FN u32 min32(u32 a, u32 b) { return min(a, b); }
  FN u64 min64(u64 a, u64 b) { return min(a, b); }
  #ifdef cl_khr_fp64
    #pragma OPENCL EXTENSION cl_khr_fp64 : enable
    typedef double f64;
    FN f64 fma64(f64 a, f64 b, f64 c) { return fma(a, b, c); }
    FN f64 mul64(f64 a, f64 b) { return a * b; }
    FN f64 rint64(f64 a) { return rint(a); }
  #endif
#endif
#define UNROLL _Pragma("unroll")
// For long loops of loads, of which some are to be under way at a time.
#define UNROLL_4 _Pragma("unroll 4")
// For loops whose rounds would take more room than they save time.
#define ROLLED _Pragma("unroll 1")
FN u64 mulwide32(u32 a, u32 b) { return (u64)a * b; }
