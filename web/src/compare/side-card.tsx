import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { type Schemas } from '../api/client';
import { RunBadge } from '../runs/run-badge';
import { When } from '../runs/when';
import { reportAddress } from '../session/addresses';
import { type Side } from './sides';
import { type Comparison, SHOWN_RUNS, useRuns } from './use-comparison';

interface Props {
  team: string;
  title: string;
  side: Side | null;
  /** Its runs as the comparison has them; undefined while there is none. */
  found: Comparison['before'] | undefined;
  /** Where another run is chosen for this side; null where there is nothing to change. */
  change: string | null;
}

/** The runs of one side: what they are, and the way to their reports. */
export function SideCard({ team, title, side, found, change }: Props) {
  const ids = side && 'ids' in side ? side.ids : (found?.runIds ?? []);
  const about = side && aboutOf(side);
  const { runs } = useRuns(team, ids);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Group justify="space-between" mb={4}>
        <Title order={2} size="h5">
          {title}
          {ids.length > 1 && `: ${ids.length} runs`}
        </Title>
        {change && (
          <Anchor component={Link} to={change} size="sm">
            Choose another
          </Anchor>
        )}
      </Group>
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      <Stack gap="xs">
        {runs.map((run) => (
          <RunLines key={run.id} team={team} run={run} />
        ))}
        {side === null && <Text size="sm">Not chosen yet</Text>}
        {ids.length > SHOWN_RUNS && (
          <Text size="sm">
            and {ids.length - SHOWN_RUNS} more
            {side && 'conditions' in side && found?.isTruncated && ', the latest of those that match'}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** How its runs were found, when not by their ids. */
function aboutOf(side: Side): string | null {
  if ('before' in side)
    return side.before === 1
      ? 'The run before it in its series'
      : `Up to ${side.before} runs before it in its series`;
  if ('ids' in side) return null;
  const conditions = Object.entries(side.conditions).filter(([, value]) => value !== undefined);
  return `Runs with ${conditions.map(([name, value]) => `${WORDS[name] ?? name} ${textOf(value)}`).join(', ')}`;
}

const WORDS: Readonly<Record<string, string>> = {
  seriesId: 'series',
  from: 'a time from',
  to: 'a time before',
};

/** Times in the words of the place; an id by its end, which differs where they were made together. */
function textOf(value: string): string {
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(value).toLocaleString();
  return /^[0-9a-f-]{36}$/.test(value) ? `…${value.slice(-8)}` : value;
}

function RunLines({ team, run }: { team: string; run: Schemas['Run'] }) {
  const ranks = run.worldSize !== null && `${run.worldSize} ${run.worldSize === 1 ? 'rank' : 'ranks'}`;
  const facts = [run.cluster, run.branch, run.commit?.slice(0, 10), ranks].filter(Boolean).join(', ');
  return (
    <div>
      <Group gap="xs">
        <Anchor
          component={Link}
          to={reportAddress(team, run.id)}
          fw={600}
          style={{ overflowWrap: 'anywhere' }}
        >
          {run.model}
          {run.workload !== null && ` / ${run.workload}`}
        </Anchor>
        <RunBadge run={run} />
      </Group>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {facts}, <When at={run.startedAt ?? run.createdAt} />
      </Text>
    </div>
  );
}
