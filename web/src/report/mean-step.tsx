import { Group, Table } from '@mantine/core';
import { meanBreakdown } from '../../../src/presentation/mean-breakdown';
import { formatNs, formatRatio } from '../../../src/presentation/quantity';
import { WideTable } from '../states/wide-table';
import { FigureCell } from './figure-cell';
import { type ShownReport } from './report-query';
import { Section } from './section';
import { colorOf } from './step-parts';
import classes from './mean-step.module.css';

/** Where the mean step goes: a bar whose parts sum to the step, and the figures. */
export function MeanStep({ report }: { report: ShownReport }) {
  const mean = meanBreakdown(report);
  if (!mean) return null;
  const wallNs = mean.trueWallNs ?? mean.wallNs;
  const ofStep = ({ ns, trueNs }: { ns: number; trueNs: number | null }) => trueNs ?? ns;
  // Idle time is in the bar by its causes.
  const parts = mean.parts.filter(({ label, indent }) => indent || label !== 'idle');
  const known = mean.trueWallNs !== null;
  return (
    <Section
      title={`Where the mean step of ${formatNs(wallNs)} goes`}
      about={known ? 'Without what the profiler adds; the figures as traced are beside it.' : null}
    >
      <div className={classes.bar} aria-hidden>
        {parts.map((part) => (
          <div
            key={part.label}
            title={`${part.label}: ${formatNs(ofStep(part))}`}
            style={{ flexGrow: ofStep(part), background: colorOf(part.label) }}
          />
        ))}
      </div>
      <WideTable label="Parts of the mean step">
        <Table withRowBorders={false} verticalSpacing={2} mt="xs" maw={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Part</Table.Th>
              <Table.Th ta="right">Share</Table.Th>
              <Table.Th ta="right">Time</Table.Th>
              {known && <Table.Th ta="right">Traced</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {mean.parts.map((part) => (
              <Table.Tr key={part.label}>
                <Table.Td pl={part.indent ? 'xl' : undefined}>
                  <Group gap="xs" wrap="nowrap">
                    <span
                      className={classes.swatch}
                      style={{ background: part.label === 'idle' ? 'transparent' : colorOf(part.label) }}
                    />
                    {part.label}
                  </Group>
                </Table.Td>
                <FigureCell>{formatRatio(ofStep(part) / wallNs)}</FigureCell>
                <FigureCell>{formatNs(ofStep(part))}</FigureCell>
                {known && <FigureCell>{formatNs(part.ns)}</FigureCell>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}
