import { Button, Group, Paper, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatFigure } from '../../../src/presentation/quantity';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { ProblemAlert } from '../states/problem-alert';
import { type Ladder, useLadderAct } from './ladder-queries';

/** The latest runs that can be chosen; others are put in by their id. */
const RUNS = 100;
const MOST_RUNGS = 50;
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

interface EditedRung {
  runId: string;
  label: string;
}

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

interface PickerProps {
  team: string;
  chosen: readonly EditedRung[];
  choose: (rung: EditedRung) => void;
}

/** Whether the text is in the words of a run or in its id. */
function isMatch({ label, value }: { label: string; value: string }, text: string): boolean {
  return `${label} ${value}`.toLowerCase().includes(text.trim().toLowerCase());
}

/** A run for the next rung: one of the latest, or any by its id. */
function RunPicker({ team, chosen, choose }: PickerProps) {
  const [text, setText] = useState('');
  const { data, error } = useQuery({
    queryKey: [team, 'runs', 'to-choose'],
    queryFn: ({ signal }) => {
      const query = { state: 'done' as const, limit: RUNS };
      return unwrap(teamApi(team).GET('/v1/runs', { params: { query }, signal }));
    },
  });
  const isFree = (id: string) => !chosen.some(({ runId }) => runId === id);
  const options = (data?.items ?? [])
    .filter(({ id }) => isFree(id))
    .map((run) => ({ value: run.id, label: describe(run) }));
  const typed = text.trim().toLowerCase();
  const isOther = RUN_ID.test(typed) && isFree(typed) && !options.some(({ value }) => value === typed);
  return (
    <>
      {error && <ProblemAlert error={error} />}
      <Select
        label="Add a run"
        description="One of the latest, or the id of any other"
        placeholder="Model, commit, or id of a run"
        searchable
        limit={50}
        data={isOther ? [...options, { value: typed, label: typed }] : options}
        filter={({ options: all, search }) => all.filter((one) => 'value' in one && isMatch(one, search))}
        value={null}
        searchValue={text}
        onSearchChange={setText}
        onChange={(runId) => {
          const run = data?.items.find(({ id }) => id === runId);
          if (runId)
            choose({ runId, label: run?.commit?.slice(0, 10) ?? run?.tags.at(0) ?? run?.model ?? 'change' });
          setText('');
        }}
        nothingFoundMessage="No such run among the latest; put in its id."
      />
    </>
  );
}

function describe({ model, workload, commit, tags, metrics, createdAt, id }: Schemas['RunSummary']): string {
  const step = metrics.find((metric) => metric.id === 'step-time');
  const facts = [
    workload === null ? model : `${model} / ${workload}`,
    commit?.slice(0, 10),
    ...tags.slice(0, 2),
    step && formatFigure(step),
    new Date(createdAt).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }),
    id.slice(-6),
  ];
  return facts.filter(Boolean).join(', ');
}
