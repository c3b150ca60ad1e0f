import { Button, Group, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { type Report } from '../../../../src/presentation/present-report';
import { formatBytes, formatFigure, formatNs } from '../../../../src/presentation/quantity';
import { FigureCell } from '../figure-cell';
import { KernelName } from '../kernel-name';
import { Paged } from '../paged';
import { Section } from '../section';
import { WideTable } from '../../states/wide-table';
import { WaitCell } from './wait-cell';

type Communication = NonNullable<Report['communication']>;

/** Ranks that stand side by side. */
const RANKS_IN_VIEW = 16;

/** Collectives by kind, and the mean time that each rank waits in one of them before the last rank has come. */
export function CollectiveTable({ communication }: { communication: Communication }) {
  const { collectives, collectivesLeftOut = 0, matchedBy } = communication;
  const ranks = communication.perRank.map(({ rank }) => rank);
  const [start, setStart] = useState(0);
  const columns = ranks.slice(start, start + RANKS_IN_VIEW);
  const longestNs = collectives
    .flatMap(({ waitNsByRank = [] }) => waitNsByRank)
    .reduce((longest: number, ns) => Math.max(longest, ns ?? 0), 0);
  const how =
    matchedBy === 'sequence'
      ? 'Matched over ranks by their sequence numbers.'
      : 'Matched over ranks by their order.';
  return (
    <Section
      title="Collectives and ranks"
      about={`For one collective: the time in which bytes move, then the wait of each rank, darker the longer. ${how}`}
    >
      {ranks.length > RANKS_IN_VIEW && (
        <Group gap="xs" mb={4}>
          <Turn label="Previous ranks" to={start - RANKS_IN_VIEW} isThere={start > 0} onTurn={setStart} />
          <Turn
            label="Next ranks"
            to={start + RANKS_IN_VIEW}
            isThere={start + RANKS_IN_VIEW < ranks.length}
            onTurn={setStart}
          />
          <Text size="sm" c="dimmed" role="status">
            ranks {columns[0]} to {columns.at(-1)}
          </Text>
        </Group>
      )}
      <Paged rows={collectives} what="collectives" perPage={25}>
        {(shown) => (
          <WideTable label="Collectives and ranks">
            <Table verticalSpacing={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th miw={180}>Collective</Table.Th>
                  {['Times', 'Size', 'Bus bandwidth', 'Transfer'].map((name) => (
                    <Table.Th key={name} ta="right">
                      {name}
                    </Table.Th>
                  ))}
                  {columns.map((rank) => (
                    <Table.Th key={rank} ta="right">
                      rank {rank}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {shown.map((one, i) => (
                  <Table.Tr key={i}>
                    <Table.Td style={{ whiteSpace: 'normal' }}>
                      <KernelName name={one.name} />
                      <Text size="xs" c="dimmed">
                        {[one.dtype, one.groupSize !== null && `${one.groupSize} ranks`]
                          .filter(Boolean)
                          .join(', ')}
                      </Text>
                    </Table.Td>
                    <FigureCell>{one.count}</FigureCell>
                    <FigureCell>{one.sizeBytes === null ? '–' : formatBytes(one.sizeBytes)}</FigureCell>
                    <FigureCell>
                      {one.busBandwidthBytesPerSec === null
                        ? '–'
                        : formatFigure({ value: one.busBandwidthBytesPerSec, unit: 'bytesPerSec' })}
                    </FigureCell>
                    <FigureCell>{formatNs(one.transferNs)}</FigureCell>
                    {columns.map((rank, c) => (
                      <WaitCell key={rank} ns={one.waitNsByRank?.[start + c]} longestNs={longestNs} />
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </WideTable>
        )}
      </Paged>
      {collectivesLeftOut > 0 && (
        <Text size="sm">{collectivesLeftOut} more kinds of collectives are not shown.</Text>
      )}
    </Section>
  );
}

interface TurnProps {
  label: string;
  to: number;
  isThere: boolean;
  onTurn: (to: number) => void;
}

function Turn({ label, to, isThere, onTurn }: TurnProps) {
  return (
    <Button size="compact-xs" variant="default" disabled={!isThere} onClick={() => onTurn(to)}>
      {label}
    </Button>
  );
}
