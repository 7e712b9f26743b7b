// What the programs that measure others' GPU codes share: the question and the answer (README.md has the protocol), times
// by the device's events, and a check of transforms that knows neither their roots nor their order.
//
// A transform takes the monomial X to its points v_k, and any other polynomial to its values at them. So some values of a
// random polynomial are compared with Horner's rule at the v_k, which must be roots of unity; and the transform back must
// restore everything, which it cannot where two points are the same. Words may be residues in Montgomery's form as well:
// the map from words to words is the same.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace harness {

/// Ends the program: the measurement failed.
[[noreturn]] inline void fail(const std::string &why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

/// Ends the program: it does nothing of the kind that is asked for.
[[noreturn]] inline void cannot(const std::string &why) {
  std::printf("\npeer\tcannot\t%s\n", why.c_str());
  std::exit(0);
}

inline void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess) fail(std::string(what) + ": " + cudaGetErrorString(error));
}
#define CHECK(call) ::harness::check((call), #call)

/// What is asked for.
struct Question {
  std::string task;
  unsigned word, size, batch;
  double seconds;

  /// Words of 32 or 64 bits of a batch of transforms.
  size_t points() const { return static_cast<size_t>(batch) << size; }
};

/// Reads the command line: TASK WORD SIZE BATCH SECONDS.
inline Question question(int count, char **arguments, const std::string &task) {
  if (count != 6) fail("asked for five things: TASK WORD SIZE BATCH SECONDS");
  auto number = [&](int index) {
    char *end = nullptr;
    unsigned long value = std::strtoul(arguments[index], &end, 10);
    if (end == arguments[index] || *end != 0 || value == 0 || value > 1ul << 30) {
      fail(std::string(arguments[index]) + " is no number that can be meant");
    }
    return static_cast<unsigned>(value);
  };
  Question asked{arguments[1], number(2), number(3), number(4), std::strtod(arguments[5], nullptr)};
  if (!(asked.seconds > 0 && asked.seconds <= 86400)) fail("the seconds are not above 0");
  if (asked.task != task) cannot(asked.task == "multiply" ? "it has no products" : "it has no transforms");
  if (task == "ntt" && asked.size > 30) cannot("transforms of more than 2^30 points");
  return asked;
}

/// Seconds of one run.
struct Timing {
  double median, quartile1, quartile3;
};

/// Prints a time.
inline void tell(const Question &asked, const char *task, Timing timing, const char *verdict, const std::string &how) {
  int device = 0;
  cudaDeviceProp facts;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&facts, device));
  std::printf("\npeer\ttime\t%s\t%u\t%u\t%u\t%.9e\t%.9e\t%.9e\t%s\t%s\t%s\n", task, asked.word, asked.size, asked.batch,
              timing.median, timing.quartile1, timing.quartile3, verdict, facts.name, how.c_str());
}

/// Times by what a pass of so many runs says that it took.
template <class Pass>
Timing time(double seconds, Pass pass) {
  constexpr double longest_pass = 3e-3;
  constexpr size_t fewest = 5, most = 301;
  const auto each = [&](size_t repeats) { return std::max(1e-9, pass(repeats) / repeats); };
  each(1);
  const double target = std::min(longest_pass, seconds / 10);
  size_t repeats = 1;
  while (each(repeats) * repeats < target / 2) repeats *= 2;
  std::vector<double> passes;
  double spent = 0;
  while (passes.size() < fewest || (passes.size() < most && spent < seconds)) {
    passes.push_back(each(repeats));
    spent += passes.back() * repeats;
  }
  std::sort(passes.begin(), passes.end());
  const auto at = [&](double part) { return passes[static_cast<size_t>(std::lround(part * (passes.size() - 1)))]; };
  return {at(0.5), at(0.25), at(0.75)};
}

/// Times what is submitted to a stream again and again, by the device's events before the first and after the last.
template <class Submit>
Timing time_by_events(cudaStream_t stream, double seconds, Submit submit) {
  cudaEvent_t start, end;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&end));
  const Timing timing = time(seconds, [&](size_t repeats) {
    CHECK(cudaEventRecord(start, stream));
    for (size_t i = 0; i < repeats; i++) submit();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaGetLastError());
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start, end));
    return milliseconds * 1e-3;
  });
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(end));
  return timing;
}

/// The same by the wall clock, from the first submission until the device has done all: for who has streams of its own.
template <class Submit>
Timing time_by_wall(double seconds, Submit submit) {
  return time(seconds, [&](size_t repeats) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < repeats; i++) submit();
    CHECK(cudaDeviceSynchronize());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  });
}

/// The same numbers in every run (Steele, Lea and Flood, 2014).
class Random {
  uint64_t state;

 public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }
};

inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t prime) {
  if (prime >> 32 == 0) return a * b % prime;
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b % prime);
}

inline uint64_t add(uint64_t a, uint64_t b, uint64_t prime) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(a) + b) % prime);
}

inline uint64_t power(uint64_t base, uint64_t exponent, uint64_t prime) {
  uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1, base = multiply(base, base, prime)) {
    if (exponent & 1) result = multiply(result, base, prime);
  }
  return result;
}

/// A buffer of the device.
template <class Word>
class Buffer {
  Word *words = nullptr;
  bool lent = false;

 public:
  explicit Buffer(size_t count) {
    cudaError_t error = cudaMalloc(&words, count * sizeof(Word));
    if (error == cudaErrorMemoryAllocation) cannot("the device has too little memory for this size");
    check(error, "cudaMalloc");
  }
  /// One that somebody else has made, and frees.
  explicit Buffer(Word *words) : words(words), lent(true) {}
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() {
    if (!lent) cudaFree(words);
  }
  Word *get() const { return words; }
  void write(const std::vector<Word> &from) {
    CHECK(cudaMemcpy(words, from.data(), from.size() * sizeof(Word), cudaMemcpyHostToDevice));
  }
  void read(std::vector<Word> &to) const {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(to.data(), words, to.size() * sizeof(Word), cudaMemcpyDeviceToHost));
  }
};

/// Checks transforms in place modulo a prime; leaves a random input in the buffer. They may leave residues that are not
/// reduced.
template <class Word, class Forward, class Inverse>
void check_transforms(const Question &asked, uint64_t prime, Buffer<Word> &data, Forward forward, Inverse inverse) {
  const size_t points = size_t{1} << asked.size;
  Random random(asked.size);
  std::vector<Word> input(asked.points()), roots(asked.points()), values(asked.points());
  for (Word &word : input) word = static_cast<Word>(random.next() % prime);

  std::fill(roots.begin(), roots.end(), Word{0});
  for (size_t i = 1; i < roots.size(); i += points) roots[i] = 1;
  data.write(roots);
  forward();
  data.read(roots);
  data.write(input);
  forward();
  data.read(values);
  for (size_t transform : {size_t{0}, size_t{asked.batch} - 1}) {
    const size_t first = transform * points;
    for (int sample = 0; sample < 2; sample++) {
      const size_t place = first + random.next() % points;
      const uint64_t root = roots[place] % prime;
      uint64_t value = 0;
      for (size_t i = points; i-- > 0;) value = add(multiply(value, root, prime), input[first + i], prime);
      if (power(root, points, prime) != 1 || values[place] % prime != value) {
        fail("value " + std::to_string(place) + " of the transforms is wrong; nothing was timed");
      }
    }
  }
  inverse();
  data.read(values);
  for (size_t i = 0; i < values.size(); i++) {
    if (values[i] % prime != input[i]) fail("the transform back does not restore the input; nothing was timed");
  }
}

/// Checks both directions, and times them by a clock that takes what is to be submitted.
template <class Word, class Forward, class Inverse, class Clock>
void measure_transforms(const Question &asked, uint64_t prime, Buffer<Word> &data, Forward forward, Inverse inverse,
                        Clock clock, const std::string &how) {
  check_transforms(asked, prime, data, forward, inverse);
  tell(asked, "forward", clock(forward), "checked", how);
  tell(asked, "inverse", clock(inverse), "checked", how);
}

}  // namespace harness
