import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { RunsPage } from './runs/runs-page';

type Page = ComponentType | LazyExoticComponent<ComponentType>;

/** Every page of a team, `/t/<team>/<path>`. All but the first are loaded when they are opened. */
export const TEAM_ROUTES: { path: string; Page: Page }[] = [
  { path: 'runs', Page: RunsPage },
  {
    path: 'runs/:runId',
    Page: lazy(() => import('./report/report-page').then((m) => ({ default: m.ReportPage }))),
  },
  {
    path: 'trends',
    Page: lazy(() => import('./trends/trends-page').then((m) => ({ default: m.TrendsPage }))),
  },
  {
    path: 'regressions',
    Page: lazy(() => import('./regressions/regressions-page').then((m) => ({ default: m.RegressionsPage }))),
  },
  {
    path: 'regressions/:id',
    Page: lazy(() => import('./regressions/regression-page').then((m) => ({ default: m.RegressionPage }))),
  },
  {
    path: 'fleet',
    Page: lazy(() => import('./fleet/fleet-page').then((m) => ({ default: m.FleetPage }))),
  },
  {
    path: 'ladders',
    Page: lazy(() => import('./ladders/ladders-page').then((m) => ({ default: m.LaddersPage }))),
  },
  {
    path: 'ladders/:ladderId',
    Page: lazy(() => import('./ladders/ladder-page').then((m) => ({ default: m.LadderPage }))),
  },
  {
    path: 'compare',
    Page: lazy(() => import('./compare/compare-page').then((m) => ({ default: m.ComparePage }))),
  },
  {
    path: 'settings/*',
    Page: lazy(() => import('./settings/settings-pages').then((m) => ({ default: m.SettingsPages }))),
  },
];
