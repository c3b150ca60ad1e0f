import { Progress, Table } from '@mantine/core';
import { formatBytes } from '../../../../src/presentation/quantity';
import { type Report } from '../../../../src/presentation/present-report';
import { FigureCell } from '../figure-cell';
import { Paged } from '../paged';
import { Section } from '../section';
import { WideTable } from '../../states/wide-table';

type Device = NonNullable<Report['memory']>['devices'][number];

/** Peaks of each process against the memory of its device. */
export function MemoryBars({ devices }: { devices: readonly Device[] }) {
  if (devices.length === 0) return null;
  const bytes = (value: number | null) => (value === null ? 'not told' : formatBytes(value));
  return (
    <Section
      title="Peaks against the device"
      about="Dark: held by tensors at the peak. Pale: kept by the allocator besides."
    >
      <Paged rows={devices} what="devices" perPage={16}>
        {(shown) => (
          <WideTable label="Peaks of memory">
            <Table verticalSpacing={4} fz="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Rank</Table.Th>
                  <Table.Th miw={160}>Peak</Table.Th>
                  <Table.Th ta="right">Allocated</Table.Th>
                  <Table.Th ta="right">Reserved</Table.Th>
                  <Table.Th ta="right">Of the device</Table.Th>
                  <Table.Th>Source</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((device, i) => (
                  <Table.Tr key={i}>
                    <Table.Td>{device.rank ?? 'all'}</Table.Td>
                    <Table.Td>
                      <MemoryBar device={device} />
                    </Table.Td>
                    <FigureCell>{bytes(device.allocatedPeakBytes)}</FigureCell>
                    <FigureCell>{bytes(device.reservedPeakBytes)}</FigureCell>
                    <FigureCell>{bytes(device.capacityBytes)}</FigureCell>
                    <Table.Td>{device.source}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </Paged>
    </Section>
  );
}

function MemoryBar({ device }: { device: Device }) {
  const { capacityBytes, allocatedPeakBytes, reservedPeakBytes } = device;
  if (!capacityBytes) return null;
  const allocated = (100 * (allocatedPeakBytes ?? 0)) / capacityBytes;
  const reserved = Math.max(0, (100 * (reservedPeakBytes ?? 0)) / capacityBytes - allocated);
  return (
    <Progress.Root size="lg" aria-hidden>
      <Progress.Section value={Math.min(100, allocated)} withAria={false} />
      <Progress.Section value={Math.min(100 - allocated, reserved)} color="indigo.3" withAria={false} />
    </Progress.Root>
  );
}
