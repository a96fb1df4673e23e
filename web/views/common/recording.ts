/**
 * What to write in one's own code so that a bundle holds all that can be recorded: for any
 * executor; a Dask client is found by itself.
 */
export const recordRun = `import cremascope as crema

with crema.record("runs/zprime"):
    output, report = runner(...)

# in process(), around each of its parts
with crema.section("name"):
    ...`;
