import { colorOf } from '../step-parts';
import classes from '../mean-step.module.css';

/** The colour that a part of a step has in bars. */
export function Swatch({ label }: { label: string }) {
  return <span className={classes.swatch} style={{ background: colorOf(label) }} />;
}
