import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';

/** Points of all series together; where there are more, the API gives a median for each day. */
const MOST_POINTS = 2_000;
const SHOWN_DAYS = 90;
const DAY_MS = 86_400_000;

/** The step times of the last months, ns, oldest first, by series. A page without them is still a page: no error. */
export function useStepTimeTrends(team: string, filter: { model?: string; cluster?: string }) {
  const [from] = useState(() => new Date(Date.now() - SHOWN_DAYS * DAY_MS).toISOString().slice(0, 10));
  const shape = { metric: 'step-time', splitBy: 'series', by: 'run', runIds: 'false' } as const;
  const query = { ...shape, ...filter, from: `${from}T00:00:00Z`, limit: MOST_POINTS };
  const { data } = useQuery({
    queryKey: [team, 'trends', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/trends', { params: { query }, signal })),
    select: toSeries,
    staleTime: 60_000,
  });
  return data ?? new Map<string, number[]>();
}

function toSeries({ lines }: Schemas['Trend']): Map<string, number[]> {
  return new Map(
    lines.flatMap(({ value, runs, days }) => {
      const stepNs = runs?.value ?? days?.p50 ?? [];
      return value === null ? [] : [[value, stepNs] as const];
    }),
  );
}
