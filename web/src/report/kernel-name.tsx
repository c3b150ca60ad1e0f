import { Code } from '@mantine/core';
import { shortKernelName } from '../../../src/presentation/measured-section';

/** Characters of a name that stand in a row; templates make names of any length. */
const MOST_CHARS = 90;

/** The name of a kernel or an operator; the rest of a long one unfolds. */
export function KernelName({ name }: { name: string }) {
  const short = shortKernelName(name);
  if (short.length <= MOST_CHARS) return <Name text={short} />;
  return (
    <details>
      <summary>
        <Name text={`${short.slice(0, MOST_CHARS)}…`} />
      </summary>
      <Name text={name} />
    </details>
  );
}

function Name({ text }: { text: string }) {
  return <Code style={{ overflowWrap: 'anywhere', background: 'none', padding: 0 }}>{text}</Code>;
}
