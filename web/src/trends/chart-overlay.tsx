import { Box, Paper } from '@mantine/core';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react';
import { ChartMarks } from './chart-marks';
import { type TrendMark } from './trend-marks';
import {
  placeOf,
  type PlottedPoint,
  pointNear,
  type Projection,
  rangeBetween,
  type TrendPlot,
} from './trend-plot';
import { type TimeRange } from './trend-question';
import classes from './trend-chart.module.css';

/** A pointer that moved less has clicked, pixels. */
const CLICK_PX = 5;
const CARD_WIDTH_PX = 230;

export interface OverlayProps {
  team: string;
  plot: TrendPlot;
  marks: readonly TrendMark[];
  projection: Projection;
  ranges: readonly TimeRange[];
  /** What is said of the point under the pointer. */
  describe: (plotted: PlottedPoint) => ReactNode;
  open: (plotted: PlottedPoint) => void;
  choose: (range: TimeRange) => void;
}

const HELP =
  'Arrow keys go from point to point, Enter opens one, space chooses it for a comparison. The table has the same.';

/** What lies over the chart: the point under the pointer, chosen ranges, and links to what moved the level. */
export function ChartOverlay({
  team,
  plot,
  marks,
  projection,
  ranges,
  describe,
  open,
  choose,
}: OverlayProps) {
  const [at, setAt] = useState<number>();
  const [drag, setDrag] = useState<{ fromPx: number; toPx: number }>();
  const pointed = at === undefined ? undefined : plot.points.at(at);

  const press = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0 || event.target !== event.currentTarget) return;
    const { px } = placeIn(event);
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromPx: px, toPx: px });
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { px, py } = placeIn(event);
    if (drag) setDrag({ ...drag, toPx: px });
    setAt(pointNear(plot, projection, px, py));
  };
  const release = (event: PointerEvent<HTMLDivElement>) => {
    if (!drag) return;
    setDrag(undefined);
    const { px, py } = placeIn(event);
    if (Math.abs(px - drag.fromPx) > CLICK_PX) {
      choose(rangeBetween(plot, projection.toX(drag.fromPx), projection.toX(px)));
      return;
    }
    const near = pointNear(plot, projection, px, py);
    if (near === undefined) return;
    if (event.shiftKey) choose(timeOf(plot.points[near]));
    else open(plot.points[near]);
  };
  const type = (event: KeyboardEvent) => {
    const next = nextPoint(event.key, at, plot.points.length);
    if (next !== undefined) setAt(next);
    else if (event.key === 'Escape') setAt(undefined);
    else if (pointed && event.key === 'Enter') open(pointed);
    else if (pointed && event.key === ' ') choose(timeOf(pointed));
    else return;
    event.preventDefault();
  };

  return (
    <Box
      className={classes.overlay}
      role="application"
      aria-label={`Points of the chart. ${HELP}`}
      tabIndex={0}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => setDrag(undefined)}
      onPointerLeave={() => setAt(undefined)}
      onKeyDown={type}
      onBlur={() => setAt(undefined)}
    >
      {ranges.map((range, i) => (
        <Range key={i} name={i === 0 ? 'before' : 'after'} {...pixelsOf(range, plot, projection)} />
      ))}
      {drag && <Range fromPx={Math.min(drag.fromPx, drag.toPx)} toPx={Math.max(drag.fromPx, drag.toPx)} />}
      <ChartMarks team={team} plot={plot} marks={marks} projection={projection} />
      {pointed && !drag && <Pointed pointed={pointed} projection={projection} text={describe(pointed)} />}
    </Box>
  );
}

function Range({ fromPx, toPx, name }: { fromPx: number; toPx: number; name?: string }) {
  return (
    <div className={classes.range} style={{ left: fromPx, width: toPx - fromPx }}>
      {name && <span className={classes.rangeName}>{name}</span>}
    </div>
  );
}

/** The point, and beside it, where there is room, what is known of it. */
function Pointed({
  pointed,
  projection,
  text,
}: {
  pointed: PlottedPoint;
  projection: Projection;
  text: ReactNode;
}) {
  const [x, y] = projection.toPx(pointed.x, pointed.point.value);
  const side = x > CARD_WIDTH_PX + 40 ? { left: x - CARD_WIDTH_PX - 16 } : { left: x + 16 };
  return (
    <>
      <div className={classes.dot} style={{ left: x, top: y }} />
      <Paper
        className={classes.card}
        withBorder
        shadow="sm"
        p="xs"
        aria-live="polite"
        style={{ ...side, top: 36 }}
      >
        {text}
      </Paper>
    </>
  );
}

function pixelsOf({ fromMs, toMs }: TimeRange, plot: TrendPlot, { toPx }: Projection) {
  const of = (atMs: number) => toPx(placeOf(plot, atMs), 0)[0];
  return { fromPx: of(fromMs), toPx: of(toMs) };
}

function placeIn({ clientX, clientY, currentTarget }: PointerEvent) {
  const { left, top } = currentTarget.getBoundingClientRect();
  return { px: clientX - left, py: clientY - top };
}

const timeOf = ({ point: { atMs } }: PlottedPoint): TimeRange => ({ fromMs: atMs, toMs: atMs });

function nextPoint(key: string, at: number | undefined, count: number): number | undefined {
  if (count === 0) return undefined;
  const within = (i: number) => Math.min(count - 1, Math.max(0, i));
  switch (key) {
    case 'ArrowLeft':
      return within((at ?? count) - 1);
    case 'ArrowRight':
      return within((at ?? -1) + 1);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
