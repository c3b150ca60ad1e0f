import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { meQuery } from '../../session/me-query';
import { ProblemAlert } from '../../states/problem-alert';
import { type Regression } from '../regression-query';
import { type DialogProps } from './act-dialog';
import { AssignDialog } from './assign-dialog';
import { MuteDialog } from './mute-dialog';
import { AcknowledgeDialog, ReopenDialog } from './reason-dialogs';
import { ResolveDialog } from './resolve-dialog';
import { doneWords, useAct } from './use-act';

type Dialog = ComponentType<DialogProps>;

/** What may be done with a regression in its state, for those who may; others are told why there is nothing. */
export function Acts({ team, regression }: { team: string; regression: Regression }) {
  const { data: me } = useQuery(meQuery(team));
  if (!me) return null;
  return me.scopes.includes('runs:write') ? (
    <Buttons team={team} regression={regression} />
  ) : (
    <Text size="sm" c="dimmed" mt="xs">
      You are a {me.role} of this team and may read. Members may acknowledge, assign, mute and resolve.
    </Text>
  );
}

function Buttons({ team, regression }: { team: string; regression: Regression }) {
  const [open, setOpen] = useState<{ Dialog: Dialog; button: HTMLElement } | null>(null);
  const [done, setDone] = useState<{ words: string } | null>(null);
  const said = useRef<HTMLParagraphElement>(null);
  const unmute = useAct(team, regression.id);
  // The button that was used may be gone with the state: the focus goes to what is said instead.
  useEffect(() => {
    if (done) said.current?.focus();
  }, [done]);

  const close = (words?: string) => {
    const button = open?.button;
    setOpen(null);
    if (words !== undefined) setDone({ words });
    else requestAnimationFrame(() => (button?.isConnected ? button : said.current)?.focus());
  };
  const opener = (label: string, Dialog: Dialog) => (
    <Button
      key={label}
      size="xs"
      variant="default"
      onClick={({ currentTarget }) => setOpen({ Dialog, button: currentTarget })}
    >
      {label}
    </Button>
  );
  return (
    <>
      <Group gap="xs" mt="sm" role="group" aria-label="What to do with it">
        {regression.state === 'open' && opener('Acknowledge', AcknowledgeDialog)}
        {regression.state === 'resolved' ? (
          opener('Open again', ReopenDialog)
        ) : (
          <>
            {opener('Assign', AssignDialog)}
            {opener('Resolve', ResolveDialog)}
            {regression.mutedUntil === null ? (
              opener('Mute', MuteDialog)
            ) : (
              <Button
                size="xs"
                variant="default"
                loading={unmute.isPending}
                onClick={() => {
                  const act = { kind: 'unmute' } as const;
                  unmute.mutate(act, { onSuccess: () => setDone({ words: doneWords(act) }) });
                }}
              >
                Unmute
              </Button>
            )}
          </>
        )}
        <Text ref={said} size="sm" role="status" tabIndex={-1} style={{ outline: 'none' }}>
          {done?.words}
        </Text>
      </Group>
      {unmute.error && <ProblemAlert error={unmute.error} mt="xs" />}
      {open && <open.Dialog team={team} regression={regression} close={close} />}
    </>
  );
}
