import { lazy } from 'react';

/** Loaded where it is shown: the chart library is larger than all else. */
export const Waterfall = lazy(() => import('./waterfall-chart').then((m) => ({ default: m.WaterfallChart })));
