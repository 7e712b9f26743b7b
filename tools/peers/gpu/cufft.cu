// cuFFT, for the bandwidth: complex transforms that read and write as many bytes as one modulo a prime does. A complex
// number of two floats has eight bytes, a word of 64 bits or two of 32.
#include <cufft.h>

#include "harness.hpp"

using namespace harness;

static void check_fft(cufftResult result, const char *what) {
  if (result == CUFFT_ALLOC_FAILED) cannot("the device has too little memory for this size");
  if (result != CUFFT_SUCCESS) fail(std::string(what) + ": cuFFT's error " + std::to_string(result));
}
#define CHECK_FFT(call) check_fft((call), #call)

/// The value at e^(-2 pi i k / n), in doubles.
static double2 value_at(const std::vector<float2> &input, size_t first, size_t points, size_t k) {
  double2 sum{0, 0};
  for (size_t i = 0; i < points; i++) {
    const double angle = -2 * M_PI * static_cast<double>(i * k % points) / static_cast<double>(points);
    const float2 x = input[first + i];
    sum.x += x.x * std::cos(angle) - x.y * std::sin(angle);
    sum.y += x.x * std::sin(angle) + x.y * std::cos(angle);
  }
  return sum;
}

int main(int count, char **arguments) {
  const Question asked = question(count, arguments, "ntt");
  if (asked.word != 32 && asked.word != 64) cannot("words of neither 32 nor 64 bits");
  const unsigned log = asked.word == 32 ? asked.size - 1 : asked.size;
  const size_t points = size_t{1} << log, all = points * asked.batch;

  std::vector<float2> input(all), values(all), back(all);
  Random random(asked.size);
  for (float2 &x : input) {
    const uint64_t bits = random.next();
    x = {static_cast<int32_t>(bits) * 0x1p-31f, static_cast<int32_t>(bits >> 32) * 0x1p-31f};
  }
  Buffer<float2> data(all);
  data.write(input);
  cufftHandle plan;
  CHECK_FFT(cufftPlan1d(&plan, static_cast<int>(points), CUFFT_C2C, static_cast<int>(asked.batch)));
  auto run = [&](int direction) { CHECK_FFT(cufftExecC2C(plan, data.get(), data.get(), direction)); };

  run(CUFFT_FORWARD);
  data.read(values);
  run(CUFFT_INVERSE);
  data.read(back);
  const double scale = std::sqrt(static_cast<double>(points));
  for (size_t transform : {size_t{0}, size_t{asked.batch} - 1}) {
    const size_t k = random.next() % points;
    const double2 expected = value_at(input, transform * points, points, k);
    const float2 found = values[transform * points + k];
    if (!(std::hypot(found.x - expected.x, found.y - expected.y) < 1e-4 * scale)) fail("a value is wrong; nothing was timed");
  }
  for (size_t i = 0; i < all; i++) {
    const double x = back[i].x / static_cast<double>(points), y = back[i].y / static_cast<double>(points);
    if (!(std::hypot(x - input[i].x, y - input[i].y) < 1e-4)) {
      fail("the transform back does not restore the input; nothing was timed");
    }
  }

  // Each run multiplies what is in the buffer by up to the points: zeros take as long, and stay.
  CHECK(cudaMemset(data.get(), 0, all * sizeof(float2)));
  const std::string how = "complex transforms of floats of as many bytes, values in order";
  auto clock = [&](int direction) { return time_by_events(nullptr, asked.seconds, [&] { run(direction); }); };
  tell(asked, "forward", clock(CUFFT_FORWARD), "reference", how);
  tell(asked, "inverse", clock(CUFFT_INVERSE), "reference", how);
  cufftDestroy(plan);
}
