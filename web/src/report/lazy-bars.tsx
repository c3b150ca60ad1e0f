import { type ComponentProps, lazy, Suspense } from 'react';
import { Loading } from '../states/loading';
import { type StackedBars } from './stacked-bars';

// The chart library is larger than all else together.
const Bars = lazy(() => import('./stacked-bars').then((m) => ({ default: m.StackedBars })));

/** Stacked bars, loaded when they are shown. */
export function LazyBars(props: ComponentProps<typeof StackedBars>) {
  return (
    <Suspense fallback={<Loading what="Loading the chart" />}>
      <Bars {...props} />
    </Suspense>
  );
}
