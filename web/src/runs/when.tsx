import { useState } from 'react';

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** How long ago something was when it appeared; the time itself is in the title. */
export function When({ at }: { at: string }) {
  const [nowMs] = useState(() => Date.now());
  const agoS = (nowMs - Date.parse(at)) / 1000;
  const [unit, seconds] = UNITS.find(([, s]) => Math.abs(agoS) >= s) ?? ['second', 1];
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return (
    <time dateTime={at} title={new Date(at).toLocaleString()}>
      {unit === 'second' ? 'just now' : words.format(-Math.round(agoS / seconds), unit)}
    </time>
  );
}
