import { Group, Stack, Table, Text } from '@mantine/core';
import { meanBreakdown } from '../../../../src/presentation/mean-breakdown';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { hostProfileSection } from '../../../../src/presentation/host-profile-section';
import { METRIC_WORDING } from '../../../../src/presentation/wording/metrics';
import { FigureCell } from '../figure-cell';
import { ReportPart } from '../report-part';
import { type ReportOf, type ShownReport } from '../report-query';
import { Section } from '../section';
import { SectionTable } from '../section-table';
import { IDLE_PARTS } from '../step-parts';
import { IdleByRank } from './idle-by-rank';
import { NotMeasurable } from './not-measurable';
import { Swatch } from './swatch';

/** Why the device is idle: by cause in the mean step, by rank, and what the host does meanwhile. */
export function IdlePanel({ of, shown }: { of: ReportOf; shown: ShownReport }) {
  const idle = shown.metrics.find(({ id }) => id === 'device-idle');
  if (idle?.value == null)
    return (
      <NotMeasurable
        of={of}
        what="Idle time"
        because={idle?.reason ?? 'the trace has no steps'}
        record="step-trace"
      />
    );
  return (
    <Stack>
      <IdleByCause shown={shown} />
      <ReportPart of={of} fields={['ranks', 'hostProfile']}>
        {({ ranks, hostProfile }) => (
          <>
            {ranks.length > 1 && <IdleByRank ranks={ranks} />}
            {hostProfile && <SectionTable section={hostProfileSection(hostProfile)} />}
          </>
        )}
      </ReportPart>
    </Stack>
  );
}

function IdleByCause({ shown }: { shown: ShownReport }) {
  const mean = meanBreakdown(shown);
  const parts = mean?.parts.filter(({ indent }) => indent) ?? [];
  if (!mean || parts.length === 0) return <Text>The device is never idle in the steps that count.</Text>;
  const stepNs = mean.trueWallNs ?? mean.wallNs;
  const known = mean.trueWallNs !== null;
  const sorted = parts
    .map((part) => ({ ...part, ofStepNs: part.trueNs ?? part.ns }))
    .sort((a, b) => b.ofStepNs - a.ofStepNs);
  return (
    <Section title="By cause, in the mean step">
      <Table verticalSpacing={4} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Cause</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
            {known && <Table.Th ta="right">Traced</Table.Th>}
            <Table.Th visibleFrom="sm">What it is</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.map(({ label, ns, ofStepNs }) => (
            <Table.Tr key={label}>
              <Table.Td>
                <Group gap="xs" wrap="nowrap">
                  <Swatch label={label} />
                  {label}
                </Group>
              </Table.Td>
              <FigureCell>{formatRatio(ofStepNs / stepNs)}</FigureCell>
              <FigureCell>{formatNs(ofStepNs)}</FigureCell>
              {known && <FigureCell>{formatNs(ns)}</FigureCell>}
              <Table.Td c="dimmed" visibleFrom="sm">
                {meaningOf(label)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function meaningOf(label: string): string {
  const metric = IDLE_PARTS.find((part) => part.label === label)?.metric ?? '';
  return METRIC_WORDING[metric]?.description ?? '';
}
