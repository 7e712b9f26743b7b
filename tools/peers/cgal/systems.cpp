// Solves systems of two equations by CGAL's algebraic kernel. Input: the number of runs, then two polynomials, each as its
// number of terms and, for each term, the powers of x and y and the coefficient. Output: seconds of all runs, the number of
// solutions, and each solution's approximate coordinates.
#include <CGAL/Gmpz.h>
#include <CGAL/Algebraic_kernel_d_2.h>

#include <ctime>
#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

using Kernel = CGAL::Algebraic_kernel_d_2<CGAL::Gmpz>;
using Polynomial = Kernel::Polynomial_2;
using Traits = CGAL::Polynomial_traits_d<Polynomial>;

static Polynomial read(std::istream& in) {
    std::size_t count = 0;
    in >> count;
    std::vector<std::pair<CGAL::Exponent_vector, CGAL::Gmpz>> terms;
    for (std::size_t i = 0; i < count; ++i) {
        int x = 0, y = 0;
        CGAL::Gmpz coefficient;
        in >> x >> y >> coefficient;
        terms.emplace_back(CGAL::Exponent_vector(x, y), coefficient);
    }
    return Traits::Construct_polynomial()(terms.begin(), terms.end());
}

int main() {
    int runs = 0;
    std::cin >> runs;
    const Polynomial f = read(std::cin), g = read(std::cin);
    std::vector<std::pair<double, double>> found;
    const std::clock_t start = std::clock();
    for (int run = 0; run < runs; ++run) {
        // A kernel keeps what it knows of a curve: each run has its own.
        Kernel kernel;
        std::vector<std::pair<Kernel::Algebraic_real_2, Kernel::Multiplicity_type>> solutions;
        kernel.solve_2_object()(f, g, std::back_inserter(solutions));
        found.clear();
        for (auto& solution : solutions) found.push_back(solution.first.to_double());
    }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout.precision(17);
    std::cout << seconds << '\n' << found.size() << '\n';
    for (auto& point : found) std::cout << point.first << ' ' << point.second << '\n';
}
