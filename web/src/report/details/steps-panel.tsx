import { NativeSelect, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Loading } from '../../states/loading';
import { ProblemAlert } from '../../states/problem-alert';
import { Folded } from '../folded';
import { LazyBars } from '../lazy-bars';
import { ReportPart } from '../report-part';
import { type Ranks, type ReportOf, stepsQuery } from '../report-query';
import { STEP_PARTS } from '../step-parts';
import { useChoice } from '../use-choice';
import { NotMeasurable } from './not-measurable';
import { StepTable } from './step-table';

/** Every step of every rank as a bar whose parts sum to its wall time. */
export function StepsPanel({ of }: { of: ReportOf }) {
  const [chosen, choose] = useChoice('rank', 'all');
  return (
    <ReportPart of={of} fields={['ranks']}>
      {({ ranks }) => {
        if (ranks.length === 0)
          return (
            <NotMeasurable
              of={of}
              what="Steps"
              because="there is no trace with a timeline among the files"
              record="step-trace"
            />
          );
        const rank = ranks.find((one) => String(one.rank) === chosen)?.rank ?? null;
        return (
          <Stack gap="xs">
            {ranks.length > 1 && (
              <NativeSelect
                label="Rank"
                size="xs"
                w={160}
                value={rank === null ? 'all' : chosen}
                onChange={({ currentTarget }) => choose(currentTarget.value)}
                data={[
                  { value: 'all', label: `All ${ranks.length} ranks` },
                  ...ranks.map((one) => ({ value: String(one.rank), label: `Rank ${one.rank}` })),
                ]}
              />
            )}
            <Steps of={of} rank={rank} />
          </Stack>
        );
      }}
    </ReportPart>
  );
}

function Steps({ of, rank }: { of: ReportOf; rank: number | null }) {
  const { data, error, refetch } = useQuery({
    ...stepsQuery(of, rank),
    placeholderData: keepPreviousData,
  });
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return data ? (
    <StepBars of={of} ranks={data.ranks} omitted={data.stepsOmitted} />
  ) : (
    <Loading what="Loading the steps" />
  );
}

function StepBars({ of, ranks, omitted }: { of: ReportOf; ranks: Ranks; omitted: number }) {
  const rows = useMemo(
    () => ranks.flatMap(({ rank, steps }) => steps.map((step) => ({ rank, step }))),
    [ranks],
  );
  const parts = useMemo(() => STEP_PARTS.filter(({ ns }) => rows.some(({ step }) => ns(step) > 0)), [rows]);
  const bars = useMemo(
    () =>
      rows.map(({ rank, step }) => ({
        name: ranks.length > 1 ? `rank ${rank}\nstep ${step.index}` : `step ${step.index}`,
        partsNs: parts.map(({ ns }) => ns(step)),
        isPale: step.excluded !== null,
      })),
    [parts, ranks, rows],
  );
  if (rows.length === 0)
    return <NotMeasurable of={of} what="Steps" because="the trace has no steps in it" record="step-trace" />;
  return (
    <>
      <LazyBars label="Parts of each step, by rank" parts={parts} bars={bars} />
      {rows.some(({ step }) => step.excluded !== null) && (
        <Text size="sm" c="dimmed">
          Pale steps are left out of all means: something disturbed them, such as the start or a compilation.
        </Text>
      )}
      {omitted > 0 && (
        <Text size="sm">
          The first steps of each rank; {omitted} more are not shown
          {ranks.length > 1 ? ': choose a rank to see more of it.' : '.'}
        </Text>
      )}
      <Folded summary="The same as a table">{() => <StepTable rows={rows} parts={parts} />}</Folded>
    </>
  );
}
