import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link, useParams } from 'react-router';
import { compareAddress, runsAddress } from '../session/addresses';
import { NotFoundPage } from '../shell/not-found-page';
import { useTitle } from '../shell/use-title';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { ChooseRun } from './choose-run';
import { Differences } from './differences';
import { NotReady } from './not-ready';
import { SideCard } from './side-card';
import { isEmpty, isNotThere, useComparison } from './use-comparison';

type Found = ReturnType<typeof useComparison>;

/** Two runs, or two groups of runs, side by side; the address says which. */
export function ComparePage() {
  useTitle('Compare runs');
  const { team = '' } = useParams();
  const found = useComparison(team);
  if (found.error && isNotThere(found.error)) return <NotFoundPage />;
  return (
    <Stack gap="lg">
      <Header team={team} found={found} />
      <Sides team={team} found={found} />
      <Outcome team={team} found={found} />
    </Stack>
  );
}

function Header({ team, found: { texts, base } }: { team: string; found: Found }) {
  const canSwap = texts.base && texts.head && base && !('before' in base);
  return (
    <header>
      <Anchor component={Link} to={runsAddress(team)} size="sm">
        Runs
      </Anchor>
      <Group justify="space-between">
        <Title order={1} size="h2">
          Compare runs
        </Title>
        {canSwap && (
          <Button
            component={Link}
            to={compareAddress(team, texts.head, texts.base)}
            size="xs"
            variant="default"
          >
            Swap before and after
          </Button>
        )}
      </Group>
    </header>
  );
}

function Sides({ team, found }: { team: string; found: Found }) {
  const { texts, base, head, comparison } = found;
  if (!base && !head) return null;
  const isWhole = base !== null && head !== null;
  const canChangeAfter = isWhole && !('before' in base);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <SideCard
        team={team}
        title="Before"
        side={base}
        found={comparison?.before}
        change={isWhole ? compareAddress(team, null, texts.head) : null}
      />
      <SideCard
        team={team}
        title="After"
        side={head}
        found={comparison?.after}
        change={canChangeAfter ? compareAddress(team, texts.base, null) : null}
      />
    </SimpleGrid>
  );
}

function Outcome({ team, found }: { team: string; found: Found }) {
  const { texts, base, head, baseRuns, headRuns, request, comparison, error, isPending, retry } = found;
  if (!base || !head) return <ChooseRun team={team} texts={texts} known={baseRuns[0] ?? headRuns[0]} />;
  if (error) {
    if (!isEmpty(error)) return <ProblemAlert error={error} retry={retry} />;
    return <NotReady team={team} runs={[...baseRuns, ...headRuns]} />;
  }
  if (isPending) return <Loading what="Comparing the runs" />;
  if (!request)
    return (
      <Alert color="gray" title="There is no run before it">
        <Text size="sm">
          The run is in no series yet: it is put into one some seconds after its analysis.
        </Text>
      </Alert>
    );
  return comparison ? <Differences comparison={comparison} /> : null;
}
