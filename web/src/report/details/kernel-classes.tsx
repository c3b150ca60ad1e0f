import { Table, VisuallyHidden } from '@mantine/core';
import { type Report } from '../../../../src/presentation/present-report';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { Section } from '../section';
import { ShareBar } from './share-bar';

/** Time by kind of kernel: the first look at what the device is used for. */
export function KernelClasses({ classes }: { classes: Report['kernelClasses'] }) {
  const totalNs = classes.reduce((sum, one) => sum + one.totalNs, 0);
  return (
    <Section
      title="By class"
      about="Kernels and copies that the counted steps of all ranks launched; kernels that run at the same time count twice."
    >
      <Table verticalSpacing={2} fz="sm" maw={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Class</Table.Th>
            <Table.Th w="40%" visibleFrom="sm">
              <VisuallyHidden>As a bar</VisuallyHidden>
            </Table.Th>
            <Table.Th ta="right">Share</Table.Th>
            <Table.Th ta="right">Time</Table.Th>
            <Table.Th ta="right">Launches</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {classes.map((one) => (
            <Table.Tr key={one.class}>
              <Table.Td>{one.class}</Table.Td>
              <Table.Td visibleFrom="sm">
                <ShareBar share={totalNs > 0 ? one.totalNs / totalNs : 0} />
              </Table.Td>
              <FigureCell>{totalNs > 0 && formatRatio(one.totalNs / totalNs)}</FigureCell>
              <FigureCell>{formatNs(one.totalNs)}</FigureCell>
              <FigureCell>{one.count}</FigureCell>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
