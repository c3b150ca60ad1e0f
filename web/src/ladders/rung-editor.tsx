import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { ProblemAlert } from '../states/problem-alert';
import { type Ladder, useLadderAct } from './ladder-queries';
import { type EditedRung, RunPicker } from './run-picker';

const MOST_RUNGS = 50;

/** The rungs as a list to change; nothing is changed before it is saved, all at once. */
export function RungEditor({ team, ladder, close }: { team: string; ladder: Ladder; close: () => void }) {
  const [rungs, setRungs] = useState<readonly EditedRung[]>(() =>
    ladder.rungs.flatMap(({ label, run }) => (run ? [{ runId: run.id, label }] : [])),
  );
  const gone = ladder.rungs.length - ladder.rungs.filter(({ run }) => run).length;
  const path = { id: ladder.id };
  const save = useLadderAct(
    team,
    (body: Schemas['NewRungs']) =>
      unwrap(teamApi(team).PUT('/v1/ladders/{id}/rungs', { params: { path }, body })),
    close,
  );
  const change = (i: number, label: string) =>
    setRungs(rungs.map((rung, k) => (k === i ? { ...rung, label } : rung)));
  const move = (i: number, by: number) => {
    const moved = [...rungs];
    moved.splice(i + by, 0, ...moved.splice(i, 1));
    setRungs(moved);
  };
  const isNamed = rungs.every(({ label }) => label.trim() !== '');
  return (
    <Paper withBorder p="md" component="section" aria-label="Change the rungs">
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          The baseline first. Name each rung by what it changed.
          {gone > 0 &&
            ` ${gone === 1 ? 'One rung' : `${gone} rungs`} whose run was deleted will not be kept.`}
        </Text>
        {rungs.map((rung, i) => (
          <Group key={rung.runId} gap="xs" align="flex-end" wrap="nowrap">
            <TextInput
              label={i === 0 ? 'Baseline' : `Rung ${i}`}
              value={rung.label}
              maxLength={200}
              onChange={({ currentTarget }) => change(i, currentTarget.value)}
              flex={1}
              miw={0}
            />
            <Button.Group>
              <Button
                variant="default"
                px="xs"
                disabled={i === 0}
                onClick={() => move(i, -1)}
                aria-label={`Move ${rung.label} up`}
              >
                ↑
              </Button>
              <Button
                variant="default"
                px="xs"
                disabled={i === rungs.length - 1}
                onClick={() => move(i, 1)}
                aria-label={`Move ${rung.label} down`}
              >
                ↓
              </Button>
              <Button
                variant="default"
                px="xs"
                onClick={() => setRungs(rungs.filter((_, k) => k !== i))}
                aria-label={`Remove ${rung.label}`}
              >
                ✕
              </Button>
            </Button.Group>
          </Group>
        ))}
        {rungs.length < MOST_RUNGS && (
          <RunPicker team={team} chosen={rungs} choose={(rung) => setRungs([...rungs, rung])} />
        )}
        {save.error && <ProblemAlert error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button
            loading={save.isPending}
            disabled={!isNamed}
            onClick={() =>
              save.mutate({ rungs: rungs.map(({ runId, label }) => ({ runId, label: label.trim() })) })
            }
          >
            Save the rungs
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
