import { Component, type ReactNode } from 'react';
import { ProblemAlert } from './problem-alert';

/** Keeps a page that breaks from taking the rest of the application with it. A new `place` is a new try. */
export class PageBoundary extends Component<{ place: string; children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: { place: string }) {
    if (before.place !== this.props.place && this.state.error) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    return error ? <ProblemAlert error={error} /> : this.props.children;
  }
}
