import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode } from 'react';
import { ProblemAlert } from '../../states/problem-alert';
import { actorWords, actWords, reasonWords } from '../act-words';
import { usePeople } from '../people';
import { type Regression } from '../regression-query';
import { type Act, doneWords, isConflict, useAct } from './use-act';

/** What every dialog of an act is given. */
export interface DialogProps {
  team: string;
  regression: Regression;
  /** Closes it; with words when the act is done. */
  close: (done?: string) => void;
}

interface Props extends DialogProps {
  title: string;
  about: string;
  confirm: string;
  /** The act of what is in the fields; null when a field is wrong, and says so. */
  toAct: () => Act | null;
  children: ReactNode;
}

/** The frame of a dialog: fields, what went wrong, and what others did meanwhile. */
export function ActDialog({ team, regression, close, title, about, confirm, toAct, children }: Props) {
  const act = useAct(team, regression.id);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const meant = toAct();
    if (meant) act.mutate(meant, { onSuccess: () => close(doneWords(meant)) });
  };
  return (
    <Modal.Root opened onClose={() => close()} returnFocus={false} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      {/* Not in a Modal.Header: a page has one banner. */}
      <Modal.Content>
        <Modal.Body>
          <Group justify="space-between" wrap="nowrap" mb="sm" align="flex-start">
            <Modal.Title fw={600}>{title}</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Group>
          <form onSubmit={submit} noValidate>
            <Stack>
              {!isConflict(act.error) && <Text size="sm">{about}</Text>}
              {!isConflict(act.error) && children}
              {act.error && <ProblemAlert error={act.error} />}
              {isConflict(act.error) && <Meanwhile team={team} regression={regression} />}
              <Group justify="flex-end">
                <Button variant="default" onClick={() => close()}>
                  {isConflict(act.error) ? 'Look at it again' : 'Cancel'}
                </Button>
                {!isConflict(act.error) && (
                  <Button type="submit" loading={act.isPending}>
                    {confirm}
                  </Button>
                )}
              </Group>
            </Stack>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** The latest act, which somebody else, or the detector, was faster with. */
function Meanwhile({ team, regression: { acts } }: { team: string; regression: Regression }) {
  const { people } = usePeople(team);
  const latest = acts.at(0);
  if (!latest) return null;
  return (
    <Alert color="blue" title="What was done last">
      <Text size="sm">
        {actWords(latest, people)}, by {actorWords(latest)}, {new Date(latest.at).toLocaleString()}.
      </Text>
      <Text size="sm">{reasonWords(latest)}</Text>
    </Alert>
  );
}
