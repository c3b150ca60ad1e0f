import { Anchor, Badge, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { type ReactNode } from 'react';
import { type Schemas } from '../api/client';
import { ProblemError } from '../api/problem';
import { CompareMenu } from '../compare/compare-menu';
import { OpenTrace } from '../originals/open-trace';
import { PerfettoStatus } from '../originals/perfetto-status';
import { RunFiles } from '../originals/run-files';
import { usePerfetto } from '../originals/use-perfetto';
import { RunBadge } from '../runs/run-badge';
import { When } from '../runs/when';
import { runsAddress, trendsAddress } from '../session/addresses';
import { NotFoundPage } from '../shell/not-found-page';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { Downloads } from './downloads';
import { ReportBody } from './report-body';
import { reportQuery, runQuery } from './report-query';
import { RunProgress } from './run-progress';

/** One run: its state while it is analysed, then what the analysis found. */
export function ReportPage() {
  const { team = '', runId = '' } = useParams();
  const { data: run, error, refetch } = useQuery(runQuery(team, runId));
  useTitle(run ? `${run.model} on ${run.cluster}` : 'Run');
  if (error) {
    const status = error instanceof ProblemError ? error.problem.status : 0;
    // 400: the address has no id of a run in it.
    return status === 404 || status === 400 ? (
      <NotFoundPage />
    ) : (
      <ProblemAlert error={error} retry={refetch} />
    );
  }
  if (!run) return <Loading what="Loading the run" />;
  return <Run team={team} run={run} />;
}

function Run({ team, run }: { team: string; run: Schemas['Run'] }) {
  const perfetto = usePerfetto(team, run);
  return (
    <Stack gap="lg">
      <RunHeader team={team} run={run}>
        <OpenTrace team={team} run={run} perfetto={perfetto} />
        <CompareMenu team={team} run={run} />
      </RunHeader>
      <PerfettoStatus perfetto={perfetto} />
      <RunProgress run={run} />
      {run.analyses.length > 0 && <Report team={team} run={run} generation={run.analyses[0].generation} />}
      <RunFiles team={team} run={run} perfetto={perfetto} />
    </Stack>
  );
}

function Report({ team, run, generation }: { team: string; run: Schemas['Run']; generation: number }) {
  const { data: report, error, refetch } = useQuery(reportQuery(team, run.id, generation));
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  return report ? (
    <ReportBody of={{ team, runId: run.id, generation }} shown={report} run={run} />
  ) : (
    <Loading what="Loading the report" />
  );
}

function RunHeader({ team, run, children }: { team: string; run: Schemas['Run']; children: ReactNode }) {
  const facts = [
    run.cluster,
    run.branch,
    run.commit?.slice(0, 10),
    run.worldSize !== null && `${run.worldSize} ${run.worldSize === 1 ? 'rank' : 'ranks'}`,
  ].filter(Boolean);
  return (
    <header>
      <Anchor component={Link} to={runsAddress(team)} size="sm">
        Runs
      </Anchor>
      <Group justify="space-between" align="flex-start">
        <div>
          <Group gap="sm">
            <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
              {run.model}
              {run.workload !== null && ` / ${run.workload}`}
            </Title>
            <RunBadge run={run} size="lg" />
          </Group>
          <Text size="sm" c="dimmed">
            {facts.join(', ')}, <When at={run.createdAt} />
            {run.seriesId !== null && (
              <>
                ,{' '}
                <Anchor
                  component={Link}
                  to={trendsAddress(team, { series: run.seriesId })}
                  inherit
                  underline="always"
                >
                  trend of its series
                </Anchor>
              </>
            )}
          </Text>
          {run.tags.length > 0 && (
            <Group gap={4} mt={4}>
              {run.tags.map((tag) => (
                <Badge key={tag} variant="default" size="sm" fw={400}>
                  {tag}
                </Badge>
              ))}
            </Group>
          )}
        </div>
        <Group gap="xs" align="flex-start">
          {children}
          {run.analyses.length > 0 && <Downloads team={team} run={run} />}
        </Group>
      </Group>
    </header>
  );
}
