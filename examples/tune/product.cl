// C = A B for square matrices of n rows: a thread computes an element.
__kernel void product(__global float* C, __global const float* A, __global const float* B, int n) {
  int column = get_global_id(0), row = get_global_id(1);
  if (row >= n || column >= n) return;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}
