import { Alert, Anchor, List, Loader, Text } from '@mantine/core';
import { Link } from 'react-router';
import { type Schemas } from '../api/client';
import { isUnderWay } from '../runs/run-badge';
import { STATES } from '../runs/verdicts';
import { reportAddress } from '../session/addresses';

/** What a side without a report is waiting for. */
export function NotReady({ team, runs }: { team: string; runs: readonly Schemas['Run'][] }) {
  const without = runs.filter(({ analyses }) => analyses.length === 0);
  if (without.length === 0)
    return (
      <Alert color="gray" title="There is no run before it">
        <Text size="sm">
          No earlier run of its series has a report. Choose another run to compare it with.
        </Text>
      </Alert>
    );
  const isComing = without.some(isUnderWay);
  return (
    <Alert
      role="status"
      color={isComing ? 'blue' : 'gray'}
      icon={isComing ? <Loader size={16} aria-hidden /> : undefined}
      title="There is nothing to compare yet"
    >
      <List size="sm">
        {without.map((run) => (
          <List.Item key={run.id}>
            <Anchor
              component={Link}
              to={reportAddress(team, run.id)}
              size="sm"
              c="inherit"
              underline="always"
            >
              {run.model}
            </Anchor>{' '}
            has no report: {STATES[run.state].label.toLowerCase()}
            {run.failure && `, ${run.failure.reason}`}
          </List.Item>
        ))}
      </List>
      {isComing && (
        <Text size="sm" mt="xs">
          The comparison appears here by itself.
        </Text>
      )}
    </Alert>
  );
}
