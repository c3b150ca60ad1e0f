import { type Report } from '../../../../src/presentation/present-report';
import classes from './distribution-strip.module.css';

type Distribution = NonNullable<Report['stepDistributions']>[number];

/** A distribution as a line, a bar and a mark; the figures stand beside it. */
export function DistributionStrip({ of, longestNs }: { of: Distribution; longestNs: number }) {
  const at = (ns: number) => `${longestNs > 0 ? (100 * ns) / longestNs : 0}%`;
  const between = (from: number, to: number) => ({ left: at(from), width: at(to - from) });
  return (
    <div className={classes.strip} aria-hidden>
      <div className={classes.whole} style={between(of.minNs, of.maxNs)} />
      <div className={classes.middle} style={between(of.p10Ns, of.p90Ns)} />
      <div className={classes.median} style={{ left: at(of.medianNs) }} />
    </div>
  );
}
