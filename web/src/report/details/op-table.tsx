import { Table, Text } from '@mantine/core';
import { formatCount, formatFlop } from '../../../../src/presentation/flop-quantity';
import { type Report } from '../../../../src/presentation/present-report';
import { formatFigure, formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { Paged } from '../paged';
import { Section } from '../section';
import { WideTable } from '../../states/wide-table';

type Roofline = NonNullable<Report['roofline']>;

const HEADS = ['Time per step', 'Attained', 'Moved', 'flop per byte', 'Of its roof'];

/** The figures of the plot, and of the operators that have no place in it. */
export function OpTable({ roofline: { ops, opsLeftOut, stepCount } }: { roofline: Roofline }) {
  if (ops.length === 0) return null;
  const perStep = (ns: number) => formatNs(ns / Math.max(1, stepCount));
  return (
    <Section title="Operators by device time" about="Modelled from the shapes of their inputs.">
      <Paged rows={ops} what="operators" perPage={20}>
        {(shown) => (
          <WideTable label="Operators">
            <Table verticalSpacing={2} fz="sm" miw={860}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Operator and shapes</Table.Th>
                  {HEADS.map((name) => (
                    <Table.Th key={name} ta="right" style={{ whiteSpace: 'nowrap' }}>
                      {name}
                    </Table.Th>
                  ))}
                  <Table.Th>Roof</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((op, i) => (
                  <Table.Tr key={i}>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>
                      {op.op}
                      <Text size="xs" c="dimmed" lineClamp={2}>
                        {op.inputDims}
                      </Text>
                    </Table.Td>
                    <FigureCell>{perStep(op.deviceNs)}</FigureCell>
                    <FigureCell>{op.flopPerSec ? formatFlop(op.flopPerSec, 'flopPerSec') : '–'}</FigureCell>
                    <FigureCell>
                      {op.bytesPerSec ? formatFigure({ value: op.bytesPerSec, unit: 'bytesPerSec' }) : '–'}
                    </FigureCell>
                    <FigureCell>
                      {op.intensityFlopPerByte ? formatCount(op.intensityFlopPerByte) : '–'}
                    </FigureCell>
                    <FigureCell>
                      {op.efficiencyRatio === null ? '–' : formatRatio(op.efficiencyRatio)}
                    </FigureCell>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      {[op.roof, op.dtype].filter(Boolean).join(', ') || '–'}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </Paged>
      {opsLeftOut.groups > 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {opsLeftOut.groups} more take {perStep(opsLeftOut.deviceNs)} of a step together.
        </Text>
      )}
    </Section>
  );
}
