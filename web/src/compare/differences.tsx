import { Stack } from '@mantine/core';
import { ConfigurationChanges } from '../explanation/configuration-changes';
import { PartChanges } from '../explanation/part-changes';
import { WorkChanges } from '../explanation/work-changes';
import { Headline } from './headline';
import { MetricChanges } from './metric-changes';
import { NoSteps } from './no-steps';
import { NotAlike } from './not-alike';
import { type Comparison } from './use-comparison';
import { Waterfall } from './waterfall';

/** What a comparison found: the answer first, then whether it may be asked at all, why, and where the time went. */
export function Differences({ comparison }: { comparison: Comparison }) {
  const { explanation } = comparison;
  const why = explanation && <ConfigurationChanges explanation={explanation} />;
  return (
    <Stack gap="lg">
      <Headline comparison={comparison} />
      <NotAlike comparison={comparison} />
      {explanation?.explainedByConfiguration && why}
      {explanation ? (
        <PartChanges explanation={explanation} Chart={Waterfall} />
      ) : (
        <NoSteps configuration={comparison.configuration} />
      )}
      {!explanation?.explainedByConfiguration && why}
      {explanation && <WorkChanges explanation={explanation} />}
      <MetricChanges metrics={comparison.metrics} />
    </Stack>
  );
}
