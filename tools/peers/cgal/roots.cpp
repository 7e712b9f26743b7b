// Isolates the real roots of a polynomial by CGAL's algebraic kernel, and refines them to 128 bits. Input: the number of runs,
// the number of coefficients, and these from the constant term upward. Output: seconds of all runs, the number of roots, and
// each root approximately.
#include <CGAL/Gmpz.h>
#include <CGAL/Algebraic_kernel_d_1.h>

#include <ctime>
#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

using Kernel = CGAL::Algebraic_kernel_d_1<CGAL::Gmpz>;
using Polynomial = Kernel::Polynomial_1;

int main() {
    int runs = 0;
    std::size_t count = 0;
    std::cin >> runs >> count;
    std::vector<CGAL::Gmpz> coefficients(count);
    for (auto& coefficient : coefficients) std::cin >> coefficient;
    const Polynomial f(coefficients.begin(), coefficients.end());
    std::vector<double> found;
    const std::clock_t start = std::clock();
    for (int run = 0; run < runs; ++run) {
        Kernel kernel;
        std::vector<std::pair<Kernel::Algebraic_real_1, Kernel::Multiplicity_type>> roots;
        kernel.solve_1_object()(f, std::back_inserter(roots));
        found.clear();
        for (auto& root : roots) {
            kernel.approximate_absolute_1_object()(root.first, 128);
            found.push_back(root.first.to_double());
        }
    }
    const double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout.precision(17);
    std::cout << seconds << '\n' << found.size() << '\n';
    for (double root : found) std::cout << root << '\n';
}
