import { Anchor, Group, Table } from '@mantine/core';
import { formatRatio } from '../../../src/presentation/quantity';
import { PART_LABELS } from '../explanation/part-labels';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { colorOf } from '../report/step-parts';
import { type Usage } from './causes';
import { formatGpuHours } from './gpu-hours';
import { type useFleetFilters } from './use-fleet-filters';
import classes from '../report/mean-step.module.css';

/** Where all of the time went; a cause chooses what the heat map shows. */
export function ByCause({ total, filters }: { total: Usage; filters: ReturnType<typeof useFleetFilters> }) {
  const parts = total.parts
    .filter(({ share }) => share !== null && share > 0)
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  if (parts.length === 0) return null;
  return (
    <Section title="Where all of the time went" about="A cause, chosen, is what the heat map shows.">
      <div className={classes.bar} aria-hidden>
        {parts.map(({ part, share }) => (
          <div key={part} style={{ flexGrow: share ?? 0, background: colorOf(PART_LABELS[part]) }} />
        ))}
      </div>
      <Table verticalSpacing={2} withRowBorders={false} fz="sm" maw={560} mt="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Part of the step</Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">GPU-hours</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.map(({ part, share, gpuHours }) => (
            <Table.Tr key={part}>
              <Table.Th scope="row" fw={400}>
                <Group gap="xs" wrap="nowrap">
                  <span className={classes.swatch} style={{ background: colorOf(PART_LABELS[part]) }} />
                  {part === 'compute' ? (
                    PART_LABELS[part]
                  ) : (
                    <Anchor
                      component="button"
                      type="button"
                      size="sm"
                      ta="left"
                      aria-pressed={filters.cause === part}
                      onClick={() => filters.change({ cause: part })}
                    >
                      {PART_LABELS[part]}
                    </Anchor>
                  )}
                </Group>
              </Table.Th>
              <FigureCell>{share === null ? '–' : formatRatio(share)}</FigureCell>
              <FigureCell>{gpuHours === null ? 'not told' : formatGpuHours(gpuHours)}</FigureCell>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
