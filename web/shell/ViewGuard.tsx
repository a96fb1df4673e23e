import { Component, type ComponentChildren } from 'preact';

interface State {
  problem: string;
}

/** A view that fails says so in its place: the other views and the next opening still work. */
export class ViewGuard extends Component<{ children: ComponentChildren }, State> {
  override state: State = { problem: '' };

  override componentDidCatch(problem: unknown): void {
    this.setState({ problem: problem instanceof Error ? problem.message : String(problem) });
  }

  override render() {
    const { problem } = this.state;
    if (!problem) return this.props.children;
    return (
      <section class="panel" role="alert" data-testid="view-error">
        <h2>This view cannot be shown</h2>
        <p class="refusal">{problem}</p>
        <p class="muted">This is a fault of Crema, not of your data. The other views are not affected.</p>
      </section>
    );
  }
}
