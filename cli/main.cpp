// crema, as a program of its own. In Python the same commands are a function of the module.
#include "cli/program.hpp"

int main(int argc, char** argv) { return crema::cli::run_program(argc, argv); }
