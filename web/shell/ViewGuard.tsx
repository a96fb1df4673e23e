import { Component, type ComponentChildren } from 'preact';
import { NotFetched } from '../ui/later';

interface State {
  problem: string;
  isFault: boolean;
}

/** A view that fails says so in its place: the other views and the next opening still work. */
export class ViewGuard extends Component<{ children: ComponentChildren }, State> {
  override state: State = { problem: '', isFault: true };

  override componentDidCatch(problem: unknown): void {
    const message = problem instanceof Error ? problem.message : String(problem);
    this.setState({ problem: message, isFault: !(problem instanceof NotFetched) });
  }

  override render() {
    const { problem, isFault } = this.state;
    if (!problem) return this.props.children;
    return (
      <section class="panel" role="alert" data-testid="view-error">
        <h2>This view cannot be shown</h2>
        <p class="refusal">{problem}</p>
        <p class="muted">
          {isFault ? 'A bug in Crema; your data is fine. ' : ''}The other views are not affected.
        </p>
      </section>
    );
  }
}
