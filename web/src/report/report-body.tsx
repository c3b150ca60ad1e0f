import { Stack } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { type Schemas } from '../api/client';
import { Loading } from '../states/loading';
import { EvidenceTables } from './evidence-tables';
import { Findings } from './findings';
import { MeanStep } from './mean-step';
import { InputProblems } from './input-problems';
import { type ShownReport } from './report-query';
import { RunFacts } from './run-facts';
import { Section } from './section';
import { StepTable } from './step-table';
import { VerdictPanel } from './verdict-panel';

// The chart library is larger than all else together.
const StepChart = lazy(() => import('./step-chart').then((m) => ({ default: m.StepChart })));

const PALE =
  'Pale steps are left out of all means: something disturbed them, such as the start or a compilation.';

/** What an analysis found: the answer first, then where the time goes, what to do, and what that rests on. */
export function ReportBody({ report, run }: { report: ShownReport; run: Schemas['Run'] }) {
  const hasSteps = report.ranks.some(({ steps }) => steps.length > 0);
  const hasExcluded = report.ranks.some(({ steps }) => steps.some(({ excluded }) => excluded !== null));
  return (
    <Stack gap="lg">
      <VerdictPanel report={report} />
      <MeanStep report={report} />
      <Findings findings={report.findings} />
      {hasSteps && (
        <Section title="Every step of every rank" about={hasExcluded ? PALE : null}>
          <Suspense fallback={<Loading what="Loading the chart" />}>
            <StepChart ranks={report.ranks} />
          </Suspense>
          <StepTable ranks={report.ranks} stepsOmitted={report.stepsOmitted} />
        </Section>
      )}
      <EvidenceTables report={report} />
      <InputProblems problems={report.problems} />
      <RunFacts report={report} run={run} />
    </Stack>
  );
}
