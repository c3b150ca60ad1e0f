import { Table, Text } from '@mantine/core';
import { type Report } from '../../../../src/presentation/present-report';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { ANOMALY_WORDING, NO_MODEL_WORDING } from '../../../../src/presentation/wording/roofline';
import { FigureCell } from '../figure-cell';
import { Section } from '../section';
import { ShareBar } from './share-bar';

type Roofline = NonNullable<Report['roofline']>;

/** What holds the compute time back, and for how much of it nobody can say. */
export function RooflineSummary({ roofline }: { roofline: Roofline }) {
  const { totals, withoutModel, anomalies, leastStepComputeNs, stepCount } = roofline;
  const reasons = [...new Set(withoutModel.map(({ reason }) => NO_MODEL_WORDING[reason]))].slice(0, 3);
  const rows = [
    ['arithmetic is the limit', totals.computeRoofNs, 'operators right of the ridge'],
    ['the memory is the limit', totals.memoryRoofNs, 'operators left of the ridge'],
    ['no peak known', totals.withoutPeakNs, 'the GPU, or its peak for the format, is not in the catalogue'],
    ['no model', totals.withoutModelNs, reasons.join('; ')],
  ] as const;
  if (totals.computeNs === 0) return null;
  return (
    <Section title="What limits the compute time">
      <Table verticalSpacing={2} fz="sm">
        <Table.Tbody>
          {rows
            .filter(([, ns]) => ns > 0)
            .map(([label, ns, text]) => (
              <Table.Tr key={label}>
                <Table.Th scope="row" fw={400} w="24%">
                  {label}
                </Table.Th>
                <FigureCell>{formatRatio(ns / totals.computeNs)}</FigureCell>
                <Table.Td w="24%">
                  <ShareBar share={ns / totals.computeNs} />
                </Table.Td>
                <Table.Td c="dimmed" visibleFrom="sm">
                  {text}
                </Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
      {leastStepComputeNs !== null && stepCount > 0 && (
        <Text size="sm" mt={4}>
          With every operator at its roof the compute of a step would take {formatNs(leastStepComputeNs)}{' '}
          instead of {formatNs(totals.computeNs / stepCount)}.
        </Text>
      )}
      {anomalies.map((one, i) => (
        <Text size="sm" key={i}>
          <b>{one.op}</b> is above its {one.roof} roof ({formatRatio(one.efficiencyRatio)}):{' '}
          {ANOMALY_WORDING[one.likelyCause]}.
        </Text>
      ))}
    </Section>
  );
}
