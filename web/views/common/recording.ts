/**
 * What to write in one's own code so that a bundle holds the part that is missing: short, to be
 * copied as it is.
 */

export const decorator = '@track_metrics\ndef process(self, events): ...';

export const collector =
  'with MetricsCollector(client, processor_instance=processor, track_workers=True) as collector:';

/** The whole recording, as the README has it. */
export const recordRun = `import cremascope as crema
from roastcoffea import MetricsCollector, track_metrics

class MyProcessor(ProcessorABC):
    @track_metrics        # chunks: throughput, datasets, sections
    def process(self, events): ...

with crema.record(client, "runs/zprime") as recording:
    with MetricsCollector(client, processor_instance=processor) as collector:
        output, report = runner(fileset, processor_instance=processor)
        collector.extract_metrics_from_output(output)
        collector.set_coffea_report(report)
recording.add(collector)`;

/** Dask forgets its profiles with the cluster. */
export const recordProfiles = `import cremascope as crema

with crema.record(client, "runs/zprime"):
    ...`;
