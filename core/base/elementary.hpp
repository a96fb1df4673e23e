#pragma once

/// Logarithms and exponentials of additions and multiplications alone: C libraries round them
/// differently, and what is computed natively must be the same to the last bit as WebAssembly. All
/// are within a few units of the last place.
namespace crema::elementary {

double log(double x);    ///< −infinity at 0, NaN below
double log1p(double x);  ///< log(1 + x), exact for small x
double exp(double x);
double expm1(double x);  ///< exp(x) − 1, exact for small x
double hypot(double x, double y);
/// The complement of the error function: the chance of |z| √2 standard deviations or more.
double erfc(double x);

}  // namespace crema::elementary
