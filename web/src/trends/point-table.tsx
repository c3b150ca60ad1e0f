import { Anchor, Button, Group, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { FigureCell } from '../report/figure-cell';
import { reportAddress } from '../session/addresses';
import { WideTable } from '../states/wide-table';
import { timeText } from './time-text';
import { type PlottedPoint, type TrendPlot } from './trend-plot';
import { type TimeRange } from './trend-question';

/** Rows that a browser adds without a pause. */
const ROWS = 50;

interface Props {
  team: string;
  plot: TrendPlot;
  unit: string;
  choose: (range: TimeRange) => void;
  showOnly: (range: TimeRange) => void;
}

/** The figures of the chart, the newest first; also how points are chosen without a pointer. */
export function PointTable({ team, plot, unit, choose, showOnly }: Props) {
  const [shown, setShown] = useState(ROWS);
  const points = plot.points;
  const newest = points.slice(-shown).reverse();
  const hasLines = plot.lines.length > 1;
  const isDays = points.some(({ point }) => point.spread);
  const isCommits = plot.slots !== null;
  const figure = (value: number) => formatFigure({ value, unit });
  return (
    <details>
      <summary>The same as a table</summary>
      <WideTable label="Points">
        <Table verticalSpacing={2} fz="sm" style={{ whiteSpace: 'nowrap' }}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{isDays ? 'Day' : 'Time'}</Table.Th>
              {isCommits && <Table.Th>Commit</Table.Th>}
              {hasLines && <Table.Th>Line</Table.Th>}
              {(isDays || isCommits) && <Table.Th ta="right">Runs</Table.Th>}
              <Table.Th ta="right">{isDays || isCommits ? 'Median' : 'Value'}</Table.Th>
              {isDays && (
                <>
                  <Table.Th ta="right">Minimum</Table.Th>
                  <Table.Th ta="right">95 % up to</Table.Th>
                  <Table.Th ta="right">Maximum</Table.Th>
                </>
              )}
              <Table.Th>
                <VisuallyHidden>Comparison</VisuallyHidden>
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {newest.map((plotted) => (
              <Table.Tr key={keyOf(plotted)}>
                <Table.Td>
                  <Opened team={team} plotted={plotted} showOnly={showOnly} />
                </Table.Td>
                {isCommits && <Table.Td ff="monospace">{plotted.point.commit?.slice(0, 10) ?? '–'}</Table.Td>}
                {hasLines && <Table.Td>{plot.lines[plotted.line].name}</Table.Td>}
                {(isDays || isCommits) && <FigureCell>{plotted.point.runs}</FigureCell>}
                <FigureCell>{figure(plotted.point.value)}</FigureCell>
                {isDays && (
                  <>
                    <FigureCell>{figure(plotted.point.spread?.min ?? plotted.point.value)}</FigureCell>
                    <FigureCell>{figure(plotted.point.spread?.p95 ?? plotted.point.value)}</FigureCell>
                    <FigureCell>{figure(plotted.point.spread?.max ?? plotted.point.value)}</FigureCell>
                  </>
                )}
                <Table.Td ta="right">
                  <Button size="compact-xs" variant="default" onClick={() => choose(rangeOf(plotted))}>
                    Choose to compare
                  </Button>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      <Group mt="xs">
        <Text size="sm" c="dimmed">
          {newest.length} of {points.length}
        </Text>
        {newest.length < points.length && (
          <Button size="compact-xs" variant="default" onClick={() => setShown(shown + ROWS)}>
            Show {ROWS} more
          </Button>
        )}
      </Group>
    </details>
  );
}

/** The report of a run, or the runs of a day. */
function Opened({
  team,
  plotted,
  showOnly,
}: {
  team: string;
  plotted: PlottedPoint;
  showOnly: Props['showOnly'];
}) {
  const { point } = plotted;
  if (point.runId !== null)
    return (
      <Anchor component={Link} to={reportAddress(team, point.runId)} inherit>
        {timeText(point)}
      </Anchor>
    );
  return (
    <Anchor component="button" inherit onClick={() => showOnly(rangeOf(plotted))}>
      {timeText(point)}
    </Anchor>
  );
}

const rangeOf = ({ point }: PlottedPoint): TimeRange => rangeOfPoint(point);

const keyOf = ({ point, line }: PlottedPoint) => `${line}/${point.atMs}/${point.runId}`;

const DAY_MS = 86_400_000;

/** The time of a point: of a day all of it. */
export function rangeOfPoint({ atMs, spread }: PlottedPoint['point']): TimeRange {
  return { fromMs: atMs, toMs: spread ? atMs + DAY_MS - 1 : atMs };
}
