#pragma once

#include <limits>

namespace crema::stats {

/// The two-sided p-value of a difference of `errors` standard errors: how often chance alone gives
/// one at least as large. The error itself is estimated with `dof` degrees of freedom (any
/// number above 0; infinite: it is known), so that this is Student's t distribution, else the
/// normal one. Exact to 12 digits up to 10,000 degrees of freedom, to 6 above. Absent where
/// `errors` is absent or there is no degree of freedom.
///
/// No library does better here: compiled alone (em++ 3.1.6 -Oz, gzip) this is 7 kB, Boost.Math's
/// incomplete beta function 81 kB, and Eigen's is off by 4e-9.
double p_value(double errors, double dof = std::numeric_limits<double>::infinity());

/// The difference, in standard errors, whose p-value is `p`: 12.706 for 0.05 and 1 degree of
/// dof.
double errors_of_p_value(double p, double dof = std::numeric_limits<double>::infinity());

}  // namespace crema::stats
