import { Button, Group, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { laddersAddress } from '../session/addresses';
import { Dialog } from '../states/dialog';
import { ProblemAlert } from '../states/problem-alert';
import { LadderForm } from './ladder-form';
import { type Ladder, useLadderAct } from './ladder-queries';
import { speedupText } from './rung-figures';

interface Props {
  team: string;
  ladder: Ladder;
  mayWrite: boolean;
  isEditing: boolean;
  edit: () => void;
}

/** What the ladder is, what it gained in all, and what may be done with it. */
export function LadderHeader({ team, ladder, mayWrite, isEditing, edit }: Props) {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const path = { id: ladder.id };
  const rename = useLadderAct(
    team,
    (body: Schemas['LadderChange']) =>
      unwrap(teamApi(team).PATCH('/v1/ladders/{id}', { params: { path }, body })),
    () => setOpen(undefined),
  );
  return (
    <Group justify="space-between" align="flex-start">
      <div style={{ minWidth: 0 }}>
        <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
          {ladder.name}
        </Title>
        {ladder.speedup !== null && (
          <Text size="lg" fw={600} className="figures">
            The last rung is {speedupText(ladder.speedup)} as fast as the baseline
          </Text>
        )}
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {ladder.description}
        </Text>
      </div>
      {mayWrite && !isEditing && (
        <Group gap="xs">
          <Button size="xs" onClick={edit}>
            Change the rungs
          </Button>
          <Button size="xs" variant="default" onClick={() => setOpen('rename')}>
            Rename
          </Button>
          <Button size="xs" variant="default" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        </Group>
      )}
      {open === 'rename' && (
        <LadderForm
          title="Rename the ladder"
          button="Save"
          given={ladder}
          act={rename}
          close={() => setOpen(undefined)}
        />
      )}
      {open === 'delete' && <Deletion team={team} ladder={ladder} close={() => setOpen(undefined)} />}
    </Group>
  );
}

function Deletion({ team, ladder, close }: { team: string; ladder: Ladder; close: () => void }) {
  const navigate = useNavigate();
  const remove = useLadderAct(
    team,
    () => unwrap(teamApi(team).DELETE('/v1/ladders/{id}', { params: { path: { id: ladder.id } } })),
    () => navigate(laddersAddress(team)),
  );
  return (
    <Dialog title="Delete this ladder?" close={close}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        “{ladder.name}” is gone for everybody. Its runs stay.
      </Text>
      {remove.error && <ProblemAlert error={remove.error} mt="xs" />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>
          Delete the ladder
        </Button>
      </Group>
    </Dialog>
  );
}
