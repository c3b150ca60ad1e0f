import { Group, Table } from '@mantine/core';
import { type ComponentType, lazy, Suspense } from 'react';
import { formatNs } from '../../../src/presentation/quantity';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { colorOf } from '../report/step-parts';
import { WideTable } from '../states/wide-table';
import { Loading } from '../states/loading';
import { formatChange } from './change-words';
import { type Explanation } from './explanation';
import { PART_LABELS } from './part-labels';
import classes from './part-changes.module.css';

const PartChart = lazy(() => import('./part-chart').then((m) => ({ default: m.PartChart })));

interface Props {
  explanation: Explanation;
  /** What is beside the table. */
  Chart?: ComponentType<{ explanation: Explanation }>;
}

/** Where the difference of two mean steps went; the changes of the parts add up to that of the step. */
export function PartChanges({ explanation, Chart = Bars }: Props) {
  const { clock, beforeNs, afterNs, changeNs } = explanation;
  const parts = seenParts(explanation);
  const read = clock === 'unprofiled' ? 'without what the profiler adds' : 'as traced, the profiler included';
  return (
    <Section
      title="Where the time went"
      about={`The mean step, ${read}: ${formatNs(beforeNs)} before, ${formatNs(afterNs)} after. The changes of its parts add up.`}
    >
      <div className={classes.split}>
        <Suspense fallback={<Loading what="Loading the chart" />}>
          <Chart explanation={explanation} />
        </Suspense>
        <WideTable label="Parts of the step">
          <Table verticalSpacing={4} fz="sm" miw={400}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Part of the step</Table.Th>
                <Table.Th ta="right">Before</Table.Th>
                <Table.Th ta="right">After</Table.Th>
                <Table.Th ta="right">Change</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {parts.map((part) => (
                <Table.Tr key={part.part}>
                  <Table.Th scope="row" fw={400}>
                    <Group gap="xs" wrap="nowrap">
                      <span
                        className={classes.swatch}
                        style={{ background: colorOf(PART_LABELS[part.part]) }}
                      />
                      {PART_LABELS[part.part]}
                    </Group>
                  </Table.Th>
                  <FigureCell>{formatNs(part.beforeNs)}</FigureCell>
                  <FigureCell>{formatNs(part.afterNs)}</FigureCell>
                  <FigureCell>{formatChange(part.changeNs)}</FigureCell>
                </Table.Tr>
              ))}
            </Table.Tbody>
            <Table.Tfoot>
              <Table.Tr>
                <Table.Th scope="row">The step</Table.Th>
                <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {formatNs(beforeNs)}
                </Table.Th>
                <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {formatNs(afterNs)}
                </Table.Th>
                <Table.Th ta="right" style={{ whiteSpace: 'nowrap' }}>
                  {formatChange(changeNs)}
                </Table.Th>
              </Table.Tr>
            </Table.Tfoot>
          </Table>
        </WideTable>
      </div>
    </Section>
  );
}

function Bars({ explanation }: { explanation: Explanation }) {
  return <PartChart parts={seenParts(explanation)} />;
}

function seenParts({ parts }: Explanation): Explanation['parts'] {
  return parts.filter(({ beforeNs, afterNs }) => beforeNs !== 0 || afterNs !== 0);
}
