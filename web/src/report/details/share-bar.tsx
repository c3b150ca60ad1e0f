import { Progress } from '@mantine/core';

/** A share as a bar beside its figure. */
export function ShareBar({ share }: { share: number }) {
  return (
    <Progress.Root size="md" aria-hidden>
      <Progress.Section value={100 * Math.min(1, share)} withAria={false} />
    </Progress.Root>
  );
}
