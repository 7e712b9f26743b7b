// Dense matrices modulo a word-size prime by FFLAS-FFPACK. Input: the number of runs, what is found (determinant, rank,
// solve, inverse, reduced, product), the prime, the order n, the n^2 entries of a matrix, and for solve and product those of
// a second one. Output: seconds of all runs by the wall clock, the number of words, and the words.
#include <fflas-ffpack/fflas-ffpack.h>
#include <givaro/modular.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

template <class Field>
static int find(int runs, const std::string& what, std::uint64_t p, std::size_t n) {
    using Element = typename Field::Element;
    const Field field(p);
    const auto read = [&] {
        std::vector<Element> entries(n * n);
        for (auto& entry : entries) {
            std::uint64_t value = 0;
            std::cin >> value;
            field.init(entry, value);
        }
        return entries;
    };
    const bool is_pair = what == "solve" || what == "product";
    const std::vector<Element> matrix = read(), right = is_pair ? read() : std::vector<Element>();
    std::vector<Element> out;
    Element one = field.one;
    const auto start = std::chrono::steady_clock::now();
    for (int run = 0; run < runs; ++run) {
        // Elimination overwrites its matrix.
        std::vector<Element> work = matrix;
        if (what == "determinant") {
            FFPACK::Det(field, one, n, work.data(), n);
            out = {one};
        } else if (what == "rank") {
            const std::size_t rank = FFPACK::Rank(field, n, n, work.data(), n);
            out = {Element(rank)};
        } else if (what == "solve") {
            out = right;
            int info = 0;
            FFPACK::fgesv(field, FFLAS::FflasLeft, n, n, work.data(), n, out.data(), n, &info);
        } else if (what == "inverse") {
            out.resize(n * n);
            int nullity = 0;
            FFPACK::Invert(field, n, work.data(), n, out.data(), n, nullity);
        } else if (what == "reduced") {
            std::vector<std::size_t> rows(n), columns(n);
            const std::size_t rank = FFPACK::ReducedRowEchelonForm(
                field, n, n, work.data(), n, rows.data(), columns.data(), false, FFPACK::FfpackTileRecursive);
            out.assign(n * n, field.zero);
            FFPACK::getReducedEchelonForm(field, FFLAS::FflasUpper, n, n, rank, columns.data(), work.data(), n, out.data(),
                                          n, false, FFPACK::FfpackTileRecursive);
        } else {
            out.resize(n * n);
            FFLAS::fgemm(field, FFLAS::FflasNoTrans, FFLAS::FflasNoTrans, n, n, n, field.one, matrix.data(), n,
                         right.data(), n, field.zero, out.data(), n);
        }
    }
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout.precision(17);
    std::cout << seconds.count() << '\n' << out.size() << '\n';
    for (const Element& entry : out) {
        std::uint64_t value = 0;
        std::cout << field.convert(value, entry) << '\n';
    }
    return 0;
}

int main() {
    std::ios::sync_with_stdio(false);
    int runs = 0;
    std::string what;
    std::uint64_t p = 0;
    std::size_t n = 0;
    std::cin >> runs >> what >> p >> n;
    // Doubles hold a product and more of smaller primes alone.
    if (p <= Givaro::Modular<double>::maxCardinality()) return find<Givaro::Modular<double>>(runs, what, p, n);
    return find<Givaro::Modular<std::int64_t>>(runs, what, p, n);
}
