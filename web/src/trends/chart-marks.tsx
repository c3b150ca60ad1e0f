import { Link } from 'react-router';
import { regressionAddress } from '../session/addresses';
import { changeText } from './change-text';
import { type TrendMark } from './trend-marks';
import { placeOf, type Projection, type TrendPlot } from './trend-plot';
import classes from './trend-chart.module.css';

const COLORS = {
  regressed: 'var(--mantine-color-red-8)',
  recovered: 'var(--mantine-color-teal-9)',
  improved: 'var(--mantine-color-teal-9)',
  accepted: 'var(--mantine-color-gray-7)',
};
const WORDS = { recovered: 'recovered', improved: 'improved', accepted: 'accepted' };
/** Two flags that are nearer than that stand in two rows. */
const FLAG_PX = 70;
const ROW_PX = 20;

/** Flags over the lines of changes; those of regressions lead to them. The table below the chart has the same for everybody. */
export function ChartMarks({
  team,
  plot,
  marks,
  projection,
}: {
  team: string;
  plot: TrendPlot;
  marks: readonly TrendMark[];
  projection: Projection;
}) {
  const flags = flagsOf(plot, marks, projection);
  return (
    <div aria-hidden>
      {flags.map(({ mark, style }, i) =>
        mark.regression ? (
          <Link
            key={i}
            className={classes.mark}
            style={style}
            tabIndex={-1}
            to={regressionAddress(team, mark.regression.id)}
          >
            {mark.kind === 'regressed' ? changeText(mark.regression) : WORDS.recovered}
          </Link>
        ) : (
          <span key={i} className={classes.mark} style={style}>
            {mark.kind === 'improved' ? WORDS.improved : WORDS.accepted}
          </span>
        ),
      )}
    </div>
  );
}

/** Where the flags stand, from left to right. */
function flagsOf(plot: TrendPlot, marks: readonly TrendMark[], { toPx }: Projection) {
  const places = [...marks]
    .reverse()
    .map((mark) => ({ mark, px: toPx(placeOf(plot, mark.atMs), 0)[0], row: 0 }));
  places.forEach((one, i) => {
    const before = places.at(i - 1);
    if (i > 0 && before && one.px - before.px < FLAG_PX) one.row = 1 - before.row;
  });
  return places.map(({ mark, px, row }) => ({
    mark,
    style: { left: px, top: 2 + row * ROW_PX, background: COLORS[mark.kind] },
  }));
}
