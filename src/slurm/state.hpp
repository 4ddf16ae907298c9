// What a node's state means, one vocabulary for whoever reads it: the launcher (may a job go there?), the agent (is its
// answer still awaited?) and the checks (does it fall short?). A state is written as scontrol has it, base first, flags
// after it: IDLE+DRAIN+NOT_RESPONDING.
#pragma once

#include <string>
#include <string_view>

namespace assay::slurm {

// Awaited: slurmctld has had no answer lately and gives it no new job, but hasn't given it up either. So it is for a
// moment after a RESUME or a restart, and so for SlurmdTimeout after a node has died: a look can't tell which.
enum class Fitness { available, planned, awaited, unfit };

// Powered down and reserved for maintenance are plans, not faults, and explain that a node is down, drained or silent.
// They don't explain what Slurm itself calls failing.
Fitness fitness_of(std::string_view state);

// Why no job gets onto it now, "drained and not responding"; "" if one may. A reservation of the caller's own lets it
// onto nodes that are reserved or in maintenance.
std::string why_no_job(std::string_view state, bool in_reservation);

// sinfo's "drained*" as scontrol has it: DRAINED+NOT_RESPONDING.
std::string state_of_sinfo(std::string_view shown);

}  // namespace assay::slurm
