import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode } from 'react';
import { ProblemAlert } from '../states/problem-alert';
import { useAnnounce } from './announcements';
import { DialogButton, type NamedButtonProps } from './dialog-button';
import { type Act, useAct } from './use-act';

interface Confirmation {
  act: Act<unknown>;
  /** On the button that does it. */
  confirm: string;
  /** Announced when it is done. */
  said: string;
  /** Called when it is done, to go where that is announced; it gives the path. */
  leave?: () => string;
  /** What will happen. */
  children: ReactNode;
}

interface Props extends Confirmation, NamedButtonProps {
  title: string;
}

/** Does something that cannot be undone, after asking. */
export function ConfirmButton({ act, confirm, said, leave, children, ...button }: Props) {
  return (
    <DialogButton {...button} isPassing>
      {(close) => <Confirm {...{ act, confirm, said, leave, close }}>{children}</Confirm>}
    </DialogButton>
  );
}

function Confirm({ act, confirm, said, leave, close, children }: Confirmation & { close: () => void }) {
  const announce = useAnnounce();
  const doing = useAct(act, () => {
    close();
    announce(said, leave?.());
  });
  return (
    <Stack>
      {children}
      {doing.error && <ProblemAlert error={doing.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={doing.isPending} onClick={() => doing.mutate()}>
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}
