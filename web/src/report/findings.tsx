import { Stack } from '@mantine/core';
import { FindingCard } from './finding-card';
import { type ShownReport } from './report-query';
import { Section } from './section';

/** What was found, the costliest first. */
export function Findings({ findings }: { findings: ShownReport['findings'] }) {
  if (findings.length === 0) return null;
  return (
    <Section
      title={findings.length === 1 ? 'What was found' : `${findings.length} findings, the costliest first`}
    >
      <Stack>
        {findings.map((finding) => (
          <FindingCard key={finding.rule} finding={finding} />
        ))}
      </Stack>
    </Section>
  );
}
