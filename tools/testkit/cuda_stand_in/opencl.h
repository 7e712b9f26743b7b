// The part of OpenCL 1.2 that the stand-in runs kernels with, declared here: machines that run OpenCL programs seldom
// have its headers.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

#define CL_DEVICE_TYPE_CPU 2
#define CL_MEM_READ_WRITE 1
#define CL_MEM_USE_HOST_PTR 8
#define CL_PROGRAM_BUILD_LOG 0x1183
#define CL_KERNEL_NUM_ARGS 0x1191
#define CL_KERNEL_ARG_ADDRESS_QUALIFIER 0x1196
#define CL_KERNEL_ARG_TYPE_NAME 0x1198
#define CL_KERNEL_ARG_TYPE_QUALIFIER 0x1199
#define CL_KERNEL_ARG_ADDRESS_PRIVATE 0x119E
#define CL_KERNEL_ARG_TYPE_CONST 1
#define CL_KERNEL_COMPILE_WORK_GROUP_SIZE 0x11B1
#define CL_KERNEL_LOCAL_MEM_SIZE 0x11B2

extern cl_int clGetPlatformIDs(cl_uint, cl_platform_id *, cl_uint *);
extern cl_int clGetDeviceIDs(cl_platform_id, cl_ulong, cl_uint, cl_device_id *, cl_uint *);
extern cl_context clCreateContext(const intptr_t *, cl_uint, const cl_device_id *, void *, void *, cl_int *);
extern cl_command_queue clCreateCommandQueue(cl_context, cl_device_id, cl_ulong, cl_int *);
extern cl_int clWaitForEvents(cl_uint, const cl_event *);
extern cl_int clReleaseEvent(cl_event);
extern cl_mem clCreateBuffer(cl_context, cl_ulong, size_t, void *, cl_int *);
extern cl_int clReleaseMemObject(cl_mem);
extern cl_program clCreateProgramWithSource(cl_context, cl_uint, const char **, const size_t *, cl_int *);
extern cl_int clBuildProgram(cl_program, cl_uint, const cl_device_id *, const char *, void *, void *);
extern cl_int clGetProgramBuildInfo(cl_program, cl_device_id, cl_uint, size_t, void *, size_t *);
extern cl_int clReleaseProgram(cl_program);
extern cl_kernel clCreateKernel(cl_program, const char *, cl_int *);
extern cl_int clReleaseKernel(cl_kernel);
extern cl_int clGetKernelInfo(cl_kernel, cl_uint, size_t, void *, size_t *);
extern cl_int clGetKernelArgInfo(cl_kernel, cl_uint, cl_uint, size_t, void *, size_t *);
extern cl_int clGetKernelWorkGroupInfo(cl_kernel, cl_device_id, cl_uint, size_t, void *, size_t *);
extern cl_int clSetKernelArg(cl_kernel, cl_uint, size_t, const void *);
extern cl_int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *,
                                     cl_uint, const cl_event *, cl_event *);
