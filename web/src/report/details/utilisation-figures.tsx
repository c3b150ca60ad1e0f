import { Badge, Progress, Table, Text, VisuallyHidden } from '@mantine/core';
import { formatFigure } from '../../../../src/presentation/quantity';
import { type Report } from '../../../../src/presentation/present-report';
import { FigureCell } from '../figure-cell';
import { Folded } from '../folded';
import { type Recording } from '../report-query';
import { RecordingCommands } from './recording-commands';

type Figure = NonNullable<Report['advice']>['utilisation']['figures'][number];
type Command = Recording['commands'][number]['id'];

/** What records a figure that is missing. */
const RECORD: Readonly<Record<string, Command>> = {
  'gpu-util': 'record-trace',
  'gpu-util-unprofiled': 'record-step-times',
  'sm-activity': 'record-trace',
  occupancy: 'count-kernels',
  'tensor-core-share': 'record-trace',
  'memory-bandwidth': 'record-trace',
  power: 'monitor-gpu',
  mfu: 'write-metadata',
  'peak-memory': 'print-memory-summary',
};

/** The figures one below the other, each with where it comes from, or why it is missing and what records it. */
export function UtilisationFigures({
  figures,
  recordings,
}: {
  figures: readonly Figure[];
  recordings: readonly Recording[];
}) {
  const commands = recordings.flatMap((step) => step.commands);
  return (
    <Table verticalSpacing="xs" fz="sm" maw={900}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="40%">Figure</Table.Th>
          <Table.Th ta="right" w={72}>
            Value
          </Table.Th>
          <Table.Th visibleFrom="sm">
            <VisuallyHidden>As a bar</VisuallyHidden>
          </Table.Th>
          <Table.Th w={112}>Source</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {figures.map((figure) => {
          const { id, label, value, source } = figure;
          if (value === null) {
            const command = commands.find((one) => one.id === RECORD[id]);
            return <MissingRow key={id} figure={figure} command={command} />;
          }
          return (
            <Table.Tr key={id}>
              <Table.Td>{label}</Table.Td>
              <FigureCell>{formatFigure(figure)}</FigureCell>
              <Table.Td visibleFrom="sm">
                <Progress value={100 * Math.min(1, value)} aria-label={label} />
              </Table.Td>
              <Table.Td>
                <Badge size="sm" color={source === 'measured' ? 'blue' : 'grape'}>
                  {source}
                </Badge>
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function MissingRow({
  figure: { label, reason },
  command,
}: {
  figure: Figure;
  command?: Recording['commands'][number];
}) {
  return (
    <Table.Tr>
      <Table.Td c="dimmed">{label}</Table.Td>
      <Table.Td colSpan={3}>
        <Text size="sm" c="dimmed">
          Not measurable: {reason}.
        </Text>
        {command && <Folded summary="Record it">{() => <RecordingCommands commands={[command]} />}</Folded>}
      </Table.Td>
    </Table.Tr>
  );
}
