import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatFigure } from '../../../src/presentation/quantity';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { ProblemAlert } from '../states/problem-alert';

/** The latest runs that can be chosen; others are put in by their id. */
const RUNS = 100;
const RUN_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A rung before it is saved. */
export interface EditedRung {
  runId: string;
  label: string;
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
export function RunPicker({ team, chosen, choose }: PickerProps) {
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
