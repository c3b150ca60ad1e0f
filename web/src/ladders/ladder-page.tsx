import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Link, useParams } from 'react-router';
import { ProblemError } from '../api/problem';
import { Section } from '../report/section';
import { laddersAddress, reportAddress } from '../session/addresses';
import { useMay } from '../session/me-query';
import { NotFoundPage } from '../shell/not-found-page';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { LadderHeader } from './ladder-header';
import { type Ladder, ladderQuery } from './ladder-queries';
import { RungEditor } from './rung-editor';
import { RungTable } from './rung-table';

// The chart library is larger than all else together.
const LadderChart = lazy(() => import('./ladder-chart').then((m) => ({ default: m.LadderChart })));

/** One ladder: what each rung gained, and what to try next. */
export function LadderPage() {
  const { team = '', ladderId = '' } = useParams();
  const { data: ladder, error, refetch } = useQuery(ladderQuery(team, ladderId));
  const mayWrite = useMay(team, 'runs:write');
  const [isEditing, setEditing] = useState(false);
  useTitle(ladder?.name ?? 'Ladder');
  if (error) {
    const status = error instanceof ProblemError ? error.problem.status : 0;
    return status === 404 || status === 400 ? (
      <NotFoundPage />
    ) : (
      <ProblemAlert error={error} retry={refetch} />
    );
  }
  if (!ladder) return <Loading what="Loading the ladder" />;
  return (
    <Stack gap="lg">
      <div>
        <Anchor component={Link} to={laddersAddress(team)} size="sm">
          Ladders
        </Anchor>
        <LadderHeader
          team={team}
          ladder={ladder}
          mayWrite={mayWrite}
          isEditing={isEditing}
          edit={() => setEditing(true)}
        />
      </div>
      {isEditing && <RungEditor team={team} ladder={ladder} close={() => setEditing(false)} />}
      {ladder.rungs.length === 0 && !isEditing && (
        <Text>
          This ladder has no rungs yet.{' '}
          {mayWrite ? 'Set them with “Change the rungs”.' : 'Whoever may send runs can set them.'}
        </Text>
      )}
      {ladder.rungs.length > 0 && <Rungs team={team} ladder={ladder} />}
    </Stack>
  );
}

function Rungs({ team, ladder }: { team: string; ladder: Ladder }) {
  const hasSteps = ladder.rungs.some(({ step }) => step !== null);
  return (
    <>
      {ladder.next && <Next team={team} ladder={ladder} next={ladder.next} />}
      {hasSteps && (
        <Section title="Step time by rung">
          <Suspense fallback={<Loading what="Loading the chart" />}>
            <LadderChart rungs={ladder.rungs} />
          </Suspense>
        </Section>
      )}
      <Section title="Rungs" about="Each is compared with the one before; up to 1 % is noise.">
        <RungTable team={team} rungs={ladder.rungs} />
      </Section>
    </>
  );
}

/** What to try next, with the way to the report that says so. */
function Next({ team, ladder, next }: { team: string; ladder: Ladder; next: NonNullable<Ladder['next']> }) {
  const { label, run } = ladder.rungs[next.rung];
  const [fix] = next.finding?.fixes ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label="Next rung">
      <Text fw={600}>{fix ? `Try next: ${fix.title}` : 'Nothing more to try next'}</Text>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {next.text}
      </Text>
      {run && (
        <Text size="sm" mt={4}>
          From the{' '}
          <Anchor component={Link} to={reportAddress(team, run.id)} inherit>
            report of “{label}”
          </Anchor>
        </Text>
      )}
    </Paper>
  );
}
