// Kernels of the kinds that PolyBench/GPU has, for OpenCL and CUDA: what sunzi paper 2021-table-4.1 runs by all shapes of their blocks.
// Matrices have n rows of n numbers, row by row; cubes n such matrices. Nothing is updated in place, so that a kernel can be run again.
#ifdef __OPENCL_VERSION__
#define KERNEL __kernel
#define GLOBAL __global
#define X ((int)get_global_id(0))
#define Y ((int)get_global_id(1))
#define SQRT sqrt
#else
#define KERNEL extern "C" __global__
#define GLOBAL
#define X ((int)(blockIdx.x * blockDim.x + threadIdx.x))
#define Y ((int)(blockIdx.y * blockDim.y + threadIdx.y))
#define SQRT sqrtf
#endif
#define IN GLOBAL const float*
#define OUT GLOBAL float*
#define ALPHA 1.5f
#define BETA 1.25f

// t = A x: the first half of Aᵀ A x, and the second of a step of BiCG.
KERNEL void atax_k1(OUT t, IN A, IN x, int n) {
  int row = X;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * x[k];
  t[row] = sum;
}

// y = Aᵀ t: the second half of Aᵀ A x, and the first of a step of BiCG.
KERNEL void atax_k2(OUT y, IN A, IN t, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[k * n + column] * t[k];
  y[column] = sum;
}

// A filter of 3 x 3 weights.
KERNEL void convolution2d(OUT to, IN from, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  float sum = 0;
  if (row > 0 && row < n - 1 && column > 0 && column < n - 1) {
    for (int i = -1; i <= 1; i++)
      for (int j = -1; j <= 1; j++) sum += (0.1f * i - 0.3f * j + 0.2f) * from[(row + i) * n + column + j];
  }
  to[row * n + column] = sum;
}

// A filter of 9 of the 3 x 3 x 3 neighbours, plane after plane.
KERNEL void convolution3d(OUT to, IN from, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  for (int plane = 0; plane < n; plane++) {
    float sum = 0;
    if (plane > 0 && plane < n - 1 && row > 0 && row < n - 1 && column > 0 && column < n - 1) {
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          sum += (0.2f * i - 0.1f * j + 0.4f) * from[((plane + i) * n + row + j) * n + column + i * j];
    }
    to[(plane * n + row) * n + column] = sum;
  }
}

// Means of columns.
KERNEL void mean(OUT mean, IN data, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += data[k * n + column];
  mean[column] = sum / n;
}

// Standard deviations of columns.
KERNEL void deviation(OUT deviation, IN data, IN mean, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    float d = data[k * n + column] - mean[column];
    sum += d * d;
  }
  deviation[column] = SQRT(sum / n);
}

// Columns centred and scaled.
KERNEL void reduce(OUT to, IN data, IN mean, IN deviation, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  to[row * n + column] = (data[row * n + column] - mean[column]) / (SQRT((float)n) * (deviation[column] + 1));
}

// Correlations of columns that are centred and scaled.
KERNEL void corr(OUT to, IN data, int n) {
  int first = X;
  if (first >= n) return;
  for (int second = first + 1; second < n; second++) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += data[k * n + first] * data[k * n + second];
    to[first * n + second] = sum;
    to[second * n + first] = sum;
  }
}

// Covariances of columns that are centred.
KERNEL void covar(OUT to, IN data, int n) {
  int first = X;
  if (first >= n) return;
  for (int second = first; second < n; second++) {
    float sum = 0;
    for (int k = 0; k < n; k++) sum += data[k * n + first] * data[k * n + second];
    to[first * n + second] = sum;
    to[second * n + first] = sum;
  }
}

// A field of a two-dimensional difference scheme (FDTD), of three.
KERNEL void fdtd_step1(OUT to, IN ey, IN hz, IN source, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  int i = row * n + column;
  to[i] = row == 0 ? source[column] : ey[i] - 0.5f * (hz[i] - hz[i - n]);
}

// The second field.
KERNEL void fdtd_step2(OUT to, IN ex, IN hz, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  int i = row * n + column;
  to[i] = column == 0 ? ex[i] : ex[i] - 0.5f * (hz[i] - hz[i - 1]);
}

// The third one.
KERNEL void fdtd_step3(OUT to, IN ex, IN ey, IN hz, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  int i = row * n + column;
  float change = 0;
  if (row < n - 1 && column < n - 1) change = ex[i + 1] - ex[i] + ey[i + n] - ey[i];
  to[i] = hz[i] - 0.7f * change;
}

// D = alpha A B + beta C.
KERNEL void gemm(OUT D, IN A, IN B, IN C, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
  D[row * n + column] = ALPHA * sum + BETA * C[row * n + column];
}

// A and two products of a column and a row.
KERNEL void gemver_k1(OUT to, IN A, IN u1, IN v1, IN u2, IN v2, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  to[row * n + column] = A[row * n + column] + u1[row] * v1[column] + u2[row] * v2[column];
}

// beta Aᵀ y + z.
KERNEL void gemver_k2(OUT to, IN A, IN y, IN z, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[k * n + column] * y[k];
  to[column] = BETA * sum + z[column];
}

// alpha A x.
KERNEL void gemver_k3(OUT to, IN A, IN x, int n) {
  int row = X;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * x[k];
  to[row] = ALPHA * sum;
}

// y = alpha A x + beta B x.
KERNEL void gesummv(OUT y, IN A, IN B, IN x, int n) {
  int row = X;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += (ALPHA * A[row * n + k] + BETA * B[row * n + k]) * x[k];
  y[row] = sum;
}

// The length of a column, by one thread.
KERNEL void gramschmidt_k1(OUT norm, IN A, int n) {
  if (X > 0) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[k * n] * A[k * n];
  norm[0] = SQRT(sum);
}

// That column over its length.
KERNEL void gramschmidt_k2(OUT q, IN A, IN norm, int n) {
  int row = X;
  if (row < n) q[row] = A[row * n] / (norm[0] + 1);
}

// What of all columns is in its direction, taken off.
KERNEL void gramschmidt_k3(OUT to, IN A, IN q, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += q[k] * A[k * n + column];
  for (int k = 0; k < n; k++) to[k * n + column] = A[k * n + column] - sum * q[k];
}

// A B: each of the products of mm2 and mm3.
KERNEL void mm(OUT C, IN A, IN B, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

// x + A y.
KERNEL void mvt_k1(OUT to, IN A, IN x, IN y, int n) {
  int row = X;
  if (row >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * y[k];
  to[row] = x[row] + sum;
}

// x + Aᵀ y.
KERNEL void mvt_k2(OUT to, IN A, IN x, IN y, int n) {
  int column = X;
  if (column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[k * n + column] * y[k];
  to[column] = x[column] + sum;
}

// D = alpha A Aᵀ + beta C.
KERNEL void syrk(OUT D, IN A, IN C, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * A[column * n + k];
  D[row * n + column] = ALPHA * sum + BETA * C[row * n + column];
}

// D = alpha (A Bᵀ + B Aᵀ) + beta C.
KERNEL void syr2k(OUT D, IN A, IN B, IN C, int n) {
  int column = X, row = Y;
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[column * n + k] + B[row * n + k] * A[column * n + k];
  D[row * n + column] = ALPHA * sum + BETA * C[row * n + column];
}
