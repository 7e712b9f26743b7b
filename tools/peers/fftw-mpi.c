/* How long FFTW's transform among MPI's processes takes, of one vector of complex doubles that lies in memory:
 *
 *     mpicc -O3 -march=native fftw-mpi.c -o fftw-mpi -lfftw3_mpi -lfftw3 -lm     (Debian: libfftw3-dev, libfftw3-mpi-dev)
 *     mpirun -n 2 ./fftw-mpi 25
 *
 * The argument is the binary logarithm of the points, of 16 bytes each; twice as many residues of 8 bytes are as many bytes. Both orders
 * are timed: the natural one, and the one in which the transform leaves values, for which it exchanges less. */

#include <fftw3-mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { TIMES = 5 };

static double best(fftw_plan plan) {
    double least = 1e30;
    for (int i = 0; i < TIMES; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        fftw_execute(plan);
        double seconds = MPI_Wtime() - start, slowest;
        MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        least = slowest < least ? slowest : least;
    }
    return least;
}

int main(int count, char **words) {
    MPI_Init(&count, &words);
    fftw_mpi_init();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ptrdiff_t points = (ptrdiff_t)1 << (count > 1 ? atoi(words[1]) : 20), here[4];
    const struct { const char *name; unsigned flags; } orders[] = {
        {"natural", 0},
        {"as it is left", FFTW_MPI_SCRAMBLED_OUT},
    };
    for (int i = 0; i < 2; i++) {
        ptrdiff_t room = fftw_mpi_local_size_1d(points, MPI_COMM_WORLD, FFTW_FORWARD, orders[i].flags, here, here + 1, here + 2, here + 3);
        fftw_complex *values = fftw_alloc_complex(room);
        fftw_plan plan = fftw_mpi_plan_dft_1d(points, values, values, MPI_COMM_WORLD, FFTW_FORWARD, orders[i].flags | FFTW_MEASURE);
        for (ptrdiff_t j = 0; j < room; j++) values[j][0] = (double)(j % 1000), values[j][1] = 0;
        double seconds = best(plan);
        if (rank == 0) printf("%td points, order %s: %.3f s\n", points, orders[i].name, seconds);
        fftw_destroy_plan(plan);
        fftw_free(values);
    }
    MPI_Finalize();
}
