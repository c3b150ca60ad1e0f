import { Anchor, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { formatChangeRatio, metricName } from '../explanation/change-words';
import { When } from '../runs/when';
import { regressionAddress } from '../session/addresses';
import { RegressionBadges } from './regression-badges';
import { RESOLUTIONS } from './states';
import classes from './regressions-table.module.css';

type Regression = Schemas['RegressionSummary'];

/** A regression is a row; narrow screens leave out what the first cell can say as well. */
export function RegressionsTable({
  team,
  regressions,
}: {
  team: string;
  regressions: readonly Regression[];
}) {
  return (
    <Table highlightOnHover verticalSpacing="xs" className={classes.table}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th className={classes.what}>What got worse</Table.Th>
          <Table.Th className={classes.change}>Change</Table.Th>
          <Table.Th className={classes.wide}>Where</Table.Th>
          <Table.Th className={classes.wide}>Since</Table.Th>
          <Table.Th className={classes.wide}>Assigned to</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {regressions.map((regression) => (
          <Row key={regression.id} team={team} regression={regression} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ team, regression }: { team: string; regression: Regression }) {
  const { unit, before, after, cluster, branch, firstBad, assignedTo } = regression;
  const [from, to] = [before, after].map((value) => formatFigure({ value, unit }));
  return (
    <Table.Tr>
      <Table.Td className={classes.what}>
        <Group gap="xs">
          <Anchor component={Link} to={regressionAddress(team, regression.id)} fw={600}>
            {regression.model}
            {regression.workload !== null && ` / ${regression.workload}`}
          </Anchor>
          <RegressionBadges regression={regression} />
        </Group>
        <Text size="sm">
          {metricName(regression.metricId)}
          {regression.metrics.length > 1 && (
            <Text span inherit c="dimmed">
              , and {regression.metrics.length - 1} more
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed" lineClamp={2}>
          {regression.resolution === null
            ? regression.acknowledgedReason
            : (RESOLUTIONS[regression.resolution] ?? regression.resolution)}
        </Text>
        <Text size="xs" c="dimmed" className={classes.narrow}>
          {cluster}, <When at={firstBad.at} />
          {assignedTo !== null && `, ${assignedTo.name || assignedTo.email}`}
        </Text>
      </Table.Td>
      <Table.Td className={classes.change}>
        <b>{formatChangeRatio(regression.changeRatio)}</b>
        <Text size="xs" c="dimmed">
          {from} → {to}
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>
        {cluster}
        <Text size="xs" c="dimmed">
          {branch}
        </Text>
      </Table.Td>
      <Table.Td className={classes.wide}>
        <When at={firstBad.at} />
        {firstBad.commit !== null && (
          <Text size="xs" c="dimmed" ff="monospace" title={firstBad.commit}>
            {firstBad.commit.slice(0, 10)}
          </Text>
        )}
      </Table.Td>
      <Table.Td className={classes.wide}>
        {assignedTo?.name || assignedTo?.email || (
          <Text span inherit c="dimmed">
            nobody
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
