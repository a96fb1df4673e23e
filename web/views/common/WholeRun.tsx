/** Beside a number that the filter does not narrow. */
export function WholeRun() {
  return (
    <span
      class="whole-run"
      title="Whole run: the recording does not say which part belongs to the selection"
    >
      whole run
    </span>
  );
}
