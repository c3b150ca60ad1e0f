import { Button } from '@mantine/core';
import { useAnnounce } from './announcements';
import { accessibleName, type NamedButtonProps } from './dialog-button';
import { type Act, useAct } from './use-act';

interface Props extends NamedButtonProps {
  act: Act<unknown>;
  /** Announced when it is done. */
  said: string;
}

/** Does something at once; for what can be undone. */
export function ActButton({ label, to, act, said, ...props }: Props) {
  const announce = useAnnounce();
  const doing = useAct(act, () => announce(said));
  return (
    <Button
      size="compact-sm"
      variant="default"
      fw={500}
      {...props}
      aria-label={accessibleName({ label, to })}
      loading={doing.isPending}
      onClick={() => doing.mutate(undefined, { onError: (error) => announce(error) })}
    >
      {label}
    </Button>
  );
}
