import { Badge } from '@mantine/core';
import { type Schemas } from '../api/client';
import { REGRESSION_STATES } from './states';

type Regression = Pick<Schemas['RegressionSummary'], 'state' | 'mutedUntil'>;

/** The state of a regression, and whether webhooks are told of it. */
export function RegressionBadges({
  regression,
  size = 'md',
}: {
  regression: Regression;
  size?: 'md' | 'lg';
}) {
  const { label, color } = REGRESSION_STATES[regression.state];
  return (
    <>
      <Badge size={size} color={color}>
        {label}
      </Badge>
      {regression.mutedUntil !== null && (
        <Badge
          size={size}
          variant="default"
          title={`until ${new Date(regression.mutedUntil).toLocaleString()}`}
        >
          Muted
        </Badge>
      )}
    </>
  );
}
