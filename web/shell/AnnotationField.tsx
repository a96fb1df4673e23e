import { draft, keepAnnotation } from '../state/annotating';

/** A note on what is on screen: the run, what is selected in it, or a change of a history. */
export function AnnotationField({ about }: { about: string }) {
  return (
    <form
      class="snippet"
      onSubmit={(event) => {
        event.preventDefault();
        keepAnnotation();
      }}
    >
      <input
        class="field"
        aria-label={`Note on ${about}`}
        placeholder={`Note on ${about}: shown above it, in the link and in the report`}
        value={draft.value}
        data-testid="annotation-text"
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
      />
      <button type="submit" class="button" data-testid="annotation-add">
        Add
      </button>
    </form>
  );
}
