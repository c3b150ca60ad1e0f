import { Table } from '@mantine/core';
import { formatNs } from '../../../../src/presentation/quantity';

/** Text stays readable on the darkest. */
const DARKEST_PERCENT = 32;

/** A wait, darker the longer it is; nothing where the rank takes no part, or where it was not told. */
export function WaitCell({ ns, longestNs }: { ns: number | null | undefined; longestNs: number }) {
  const percent = ns && longestNs > 0 ? Math.round((DARKEST_PERCENT * ns) / longestNs) : 0;
  return (
    <Table.Td
      ta="right"
      style={{
        whiteSpace: 'nowrap',
        background: percent > 0 ? `color-mix(in srgb, #f76707 ${percent}%, transparent)` : undefined,
      }}
    >
      {ns == null ? '–' : formatNs(ns)}
    </Table.Td>
  );
}
