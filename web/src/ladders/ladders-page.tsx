import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { teamApi, type Schemas } from '../api/client';
import { unwrap } from '../api/problem';
import { CursorPages } from '../filters/cursor-pages';
import { FigureCell } from '../report/figure-cell';
import { When } from '../runs/when';
import { ladderAddress } from '../session/addresses';
import { useMay } from '../session/me-query';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { LadderForm } from './ladder-form';
import { laddersQuery, useLadderAct } from './ladder-queries';
import { NoLadders } from './no-ladders';

/** The ladders of a team, the newest first. */
export function LaddersPage() {
  useTitle('Ladders');
  const { team = '' } = useParams();
  const [parameters, setParameters] = useSearchParams();
  const cursor = parameters.get('cursor');
  const { data, error, refetch } = useQuery(laddersQuery(team, cursor));
  const mayWrite = useMay(team, 'runs:write');
  const [isCreating, setCreating] = useState(false);
  const navigate = useNavigate();
  const create = useLadderAct(
    team,
    (body: Schemas['NewLadder']) => unwrap(teamApi(team).POST('/v1/ladders', { body })),
    ({ id }) => navigate(ladderAddress(team, id)),
  );
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <div>
          <Title order={1} size="h2">
            Ladders
          </Title>
          <Text size="sm" c="dimmed">
            Tuning as a table: a baseline, one change at a time, and what each of them bought.
          </Text>
        </div>
        {mayWrite && <Button onClick={() => setCreating(true)}>New ladder</Button>}
      </Group>
      {isCreating && (
        <LadderForm title="New ladder" button="Create" act={create} close={() => setCreating(false)} />
      )}
      {error && <ProblemAlert error={error} retry={refetch} />}
      {!data && !error && <Loading what="Loading the ladders" />}
      {data?.items.length === 0 && <NoLadders />}
      {data && data.items.length > 0 && <LadderList team={team} ladders={data.items} />}
      {data && (
        <CursorPages
          cursor={cursor}
          next={data.nextCursor}
          go={(next) => setParameters(next === null ? {} : { cursor: next })}
        />
      )}
    </Stack>
  );
}

function LadderList({ team, ladders }: { team: string; ladders: readonly Schemas['LadderSummary'][] }) {
  return (
    <Table highlightOnHover verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Ladder</Table.Th>
          <Table.Th ta="right">Rungs</Table.Th>
          <Table.Th>Created</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ladders.map(({ id, name, description, rungCount, createdAt }) => (
          <Table.Tr key={id}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              <Anchor component={Link} to={ladderAddress(team, id)} fw={600}>
                {name}
              </Anchor>
              <Text size="sm" c="dimmed" lineClamp={2}>
                {description}
              </Text>
            </Table.Td>
            <FigureCell>{rungCount}</FigureCell>
            <Table.Td style={{ whiteSpace: 'nowrap' }}>
              <When at={createdAt} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
