import { Button, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { compareAddress } from '../session/addresses';
import { type RunSelection } from './use-run-selection';

/** What to do with the selected runs; nothing while there are none. */
export function CompareSelected({ team, selection }: { team: string; selection: RunSelection }) {
  const { runs, clear } = selection;
  const [older, newer] = runs;
  return (
    <Group gap="xs" role="status" aria-label="Selection">
      {runs.length === 1 && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {older.model} is selected: select another run to compare it with.
        </Text>
      )}
      {runs.length === 2 && (
        <Button component={Link} to={compareAddress(team, older.id, newer.id)} size="xs">
          Compare the two selected runs
        </Button>
      )}
      {runs.length > 0 && (
        <Button size="xs" variant="subtle" onClick={clear}>
          Clear the selection
        </Button>
      )}
    </Group>
  );
}
