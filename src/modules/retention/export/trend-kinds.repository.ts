import { byId, type ExportKind, ROWS_PER_PAGE, toPage } from './export-kind';

const page = { take: ROWS_PER_PAGE, orderBy: { id: 'asc' }, omit: { teamId: true } } as const;

const trendSetting: ExportKind = {
  kind: 'trendSetting',
  readPage: async ({ teamId, trendSetting: settings }, after) => {
    const rows = await settings.findMany({
      where: { teamId, ...(after === undefined ? {} : { metricId: { gt: after } }) },
      omit: { teamId: true },
      orderBy: { metricId: 'asc' },
      take: ROWS_PER_PAGE,
    });
    return toPage(rows, ({ metricId }) => metricId);
  },
};

/** Series, their levels and regressions, and what people say of trends. Values and verdicts of runs follow from the reports. */
export const trendKinds: readonly ExportKind[] = [
  byId('series', ({ series }, where) => series.findMany({ where, ...page })),
  byId('seriesSegment', ({ seriesSegment }, where) => seriesSegment.findMany({ where, ...page })),
  byId('regression', ({ regression }, where) => regression.findMany({ where, ...page })),
  byId('regressionAct', ({ regressionAct }, where) => regressionAct.findMany({ where, ...page })),
  trendSetting,
];
