#pragma once

// What nearly every test includes, compiled once for all of them.
#include "tests/core/catch.hpp"
#include "tests/core/open_run.hpp"
#include "tests/core/test_data.hpp"
