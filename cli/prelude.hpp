#pragma once

// What nearly every file of the command line includes, compiled once for all of them: reading
// CLI11's headers took a third of the time of each unit.
#include "cli/asked.hpp"
#include "cli/command.hpp"
#include "cli/output.hpp"
#include "core/export/export.hpp"
