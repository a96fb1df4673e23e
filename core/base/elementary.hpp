#pragma once

/// Logarithms and exponentials, computed by additions and multiplications alone. C libraries round
/// theirs differently, but native and WebAssembly answers must be equal to the last bit. Each is
/// within a few units in the last place, over all of what a double holds.
namespace crema::elementary {

double log(double x);    ///< −infinity at 0, NaN below
double log1p(double x);  ///< log(1 + x), exact for small x
double exp(double x);
double expm1(double x);  ///< exp(x) − 1, exact for small x
double hypot(double x, double y);

}  // namespace crema::elementary
