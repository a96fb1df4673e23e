/** Beside a number that the filter does not narrow. */
export function WholeRun() {
  return (
    <span
      class="whole-run"
      title="The filter does not narrow this number: the bundle does not say which part of it belongs to the selection"
    >
      whole run
    </span>
  );
}
