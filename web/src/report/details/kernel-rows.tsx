import { Table } from '@mantine/core';
import { type Report } from '../../../../src/presentation/present-report';
import { formatNs, formatRatio } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { KernelName } from '../kernel-name';
import { type Kernel, meanNs } from './sort-kernels';

interface Props {
  kernels: readonly Kernel[];
  /** What shares are shares of. */
  totalNs: number;
  /** With them each class has a row of its own above its kernels. */
  classes: Report['kernelClasses'] | null;
}

/** A row for each kernel. */
export function KernelRows({ kernels, totalNs, classes }: Props) {
  const share = (ns: number) => (totalNs > 0 ? formatRatio(ns / totalNs) : '');
  return (
    <Table.Tbody>
      {kernels.flatMap((kernel, i) => {
        const ofClass =
          kernels[i - 1]?.kind === kernel.kind ? null : classes?.find((one) => one.class === kernel.kind);
        return [
          ofClass && (
            <Table.Tr key={ofClass.class} bg="var(--mantine-color-default-hover)" fw={600}>
              <Table.Th scope="rowgroup" colSpan={2}>
                {ofClass.class}
              </Table.Th>
              <FigureCell>{share(ofClass.totalNs)}</FigureCell>
              <FigureCell>{formatNs(ofClass.totalNs)}</FigureCell>
              <FigureCell>{ofClass.count}</FigureCell>
              <FigureCell>{formatNs(meanNs(ofClass))}</FigureCell>
            </Table.Tr>
          ),
          <Table.Tr key={`${i}/${kernel.name}`}>
            <Table.Td>
              <KernelName name={kernel.name} />
            </Table.Td>
            <Table.Td>{kernel.kind}</Table.Td>
            <FigureCell>{share(kernel.totalNs)}</FigureCell>
            <FigureCell>{formatNs(kernel.totalNs)}</FigureCell>
            <FigureCell>{kernel.count}</FigureCell>
            <FigureCell>{formatNs(meanNs(kernel))}</FigureCell>
          </Table.Tr>,
        ];
      })}
    </Table.Tbody>
  );
}
