import { Anchor, Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { type Schemas, teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { RunBadge } from '../runs/run-badge';
import { compareAddress, runsAddress } from '../session/addresses';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { WideTable } from '../states/wide-table';
import { idIn } from './sides';

/** Runs to choose from; others are pasted. */
const RUNS = 20;

interface Props {
  team: string;
  /** The sides as the address has them. */
  texts: { base: string | null; head: string | null };
  /** A run of the side that is chosen already. */
  known: Schemas['Run'] | undefined;
}

/** Where the other side of a comparison is chosen: among the latest runs of the same model and cluster, or by its id. */
export function ChooseRun({ team, texts: { base, head }, known }: Props) {
  const navigate = useNavigate();
  const [wrong, setWrong] = useState(false);
  if (!base && !head)
    return (
      <Text>
        Select two runs in the <Link to={runsAddress(team)}>list of runs</Link>, or open a run and choose
        Compare.
      </Text>
    );
  const addressWith = (id: string) =>
    base ? compareAddress(team, base, id) : compareAddress(team, id, head);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const pasted = new FormData(event.currentTarget).get('run');
    const id = typeof pasted === 'string' ? idIn(pasted) : null;
    setWrong(id === null);
    if (id !== null) void navigate(addressWith(id));
  };
  return (
    <Section title={base ? 'Choose the run after' : 'Choose the run before'}>
      <Stack>
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs">
            <TextInput
              name="run"
              label="Id or address of a run"
              w={340}
              maw="100%"
              required
              error={wrong && 'There is no id of a run in it'}
            />
            <Button type="submit" variant="default">
              Compare
            </Button>
          </Group>
        </form>
        {known && <Candidates team={team} known={known} addressWith={addressWith} />}
      </Stack>
    </Section>
  );
}

interface CandidatesProps {
  team: string;
  known: Schemas['Run'];
  addressWith: (id: string) => string;
}

function Candidates({ team, known, addressWith }: CandidatesProps) {
  const { model, cluster } = known;
  const query = { model, cluster, limit: RUNS + 1 };
  const { data, error, refetch } = useQuery({
    queryKey: [team, 'runs', query],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/runs', { params: { query }, signal })),
  });
  if (error) return <ProblemAlert error={error} retry={refetch} />;
  if (!data) return <Loading what="Loading the runs" />;
  const runs = data.items.filter(({ id, verdict }) => id !== known.id && verdict !== null).slice(0, RUNS);
  if (runs.length === 0)
    return (
      <Text size="sm">
        {model} has no other run with a report on {cluster}.
      </Text>
    );
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4} style={{ overflowWrap: 'anywhere' }}>
        Or one of the latest runs of {model} on {cluster}:
      </Text>
      <WideTable label="Runs to compare with">
        <Table verticalSpacing={4} fz="sm" miw={560}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Created</Table.Th>
              <Table.Th>Branch, commit</Table.Th>
              <Table.Th>Verdict</Table.Th>
              <Table.Th ta="right">Step time</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {runs.map((run) => (
              <Table.Tr key={run.id}>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  <Anchor component={Link} to={addressWith(run.id)} size="sm">
                    {new Date(run.createdAt).toLocaleString()}
                  </Anchor>
                </Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>
                  {[run.branch, run.commit?.slice(0, 10)].filter(Boolean).join(', ') || '–'}
                </Table.Td>
                <Table.Td>
                  <RunBadge run={run} />
                </Table.Td>
                <FigureCell>{stepTime(run)}</FigureCell>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </div>
  );
}

function stepTime({ metrics }: Schemas['RunSummary']): string {
  const step = metrics.find(({ id }) => id === 'step-time');
  return step?.value == null ? '–' : formatFigure(step);
}
