import { Button, Group, Paper, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { compareAddress } from '../session/addresses';
import { changeText } from './change-text';
import { comparedSide, type Side, sideOf } from './compared-side';
import { clockText } from './time-text';
import { type TrendPlot } from './trend-plot';
import { type Question } from './trend-question';

interface Props {
  team: string;
  question: Question;
  plot: TrendPlot;
  unit: string;
}

/** What was chosen in the chart: one range to look into, or two to compare. */
export function ComparisonBar({ team, question, plot, unit }: Props) {
  const { ranges, dropRanges, showOnly, query } = question;
  if (ranges.length === 0) return null;
  const [before, after] = ranges.map((range) => sideOf(plot, range));
  const isWhole = before.runs > 0 && (after?.runs ?? 0) > 0;
  return (
    <Paper withBorder p="sm" component="section" aria-label="Comparison">
      <Group justify="space-between" gap="md">
        <Group gap="xl" className="figures" aria-live="polite">
          <SideText name="Before" side={before} unit={unit} />
          {after ? (
            <SideText
              name="After"
              side={after}
              unit={unit}
              note={isWhole ? changeText({ changeRatio: ratio(before.median, after.median) }) : undefined}
            />
          ) : (
            <Text size="sm" c="dimmed">
              Drag over a second range to compare with it.
            </Text>
          )}
        </Group>
        <Group gap="xs">
          {isWhole && (
            <Button
              size="xs"
              component={Link}
              to={compareAddress(team, comparedSide(query, before), comparedSide(query, after))}
            >
              Compare
            </Button>
          )}
          {!after && (
            <Button size="xs" variant="default" onClick={() => showOnly(before.range)}>
              Show these days only
            </Button>
          )}
          <Button size="xs" variant="subtle" onClick={dropRanges}>
            Drop
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}

const ratio = (before: number, after: number) => (before === 0 ? null : (after - before) / before);

function SideText({ name, side, unit, note }: { name: string; side: Side; unit: string; note?: string }) {
  const { range, runs, median } = side;
  const isOne = range.fromMs === range.toMs;
  return (
    <div>
      <Text size="sm">
        <b>{name}</b>{' '}
        {runs === 0
          ? 'no run'
          : `${runs === 1 ? '1 run' : `median of ${runs.toLocaleString('en')} runs`}: ${formatFigure({ value: median, unit })}`}
        {note && ` (${note})`}
      </Text>
      <Text size="xs" c="dimmed">
        {clockText(range.fromMs)}
        {!isOne && ` – ${clockText(range.toMs)}`}
      </Text>
    </div>
  );
}
