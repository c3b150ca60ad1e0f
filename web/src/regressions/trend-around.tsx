import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatFigure } from '../../../src/presentation/quantity';
import { metricName } from '../explanation/change-words';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { reportAddress, trendsAddress } from '../session/addresses';
import { Loading } from '../states/loading';
import { ProblemAlert } from '../states/problem-alert';
import { WideTable } from '../states/wide-table';
import { type Regression } from './regression-query';
import { TrendAroundChart } from './trend-around-chart';
import { trendAroundQuery, type TrendPoint } from './trend-points';

/** Rows of the table: the newest; the page of trends has all. */
const MOST_ROWS = 100;

/** How the metric developed around the change. */
export function TrendAround({ team, regression }: { team: string; regression: Regression }) {
  const { data: points, error, refetch } = useQuery(trendAroundQuery(team, regression));
  const { metricId, unit, model, seriesId, branch } = regression;
  const filter = { metric: metricId, model, series: seriesId, ...(branch !== null && { branch }) };
  return (
    <Section title={`${metricName(metricId)} around the change`}>
      {error && <ProblemAlert error={error} retry={refetch} />}
      {!points && !error && <Loading what="Loading the trend" />}
      {points?.length === 0 && <Text size="sm">The runs of this time are not kept any more.</Text>}
      {points && points.length > 0 && (
        <>
          <TrendAroundChart points={points} regression={regression} />
          <details>
            <summary>The same as a table</summary>
            <Points team={team} points={points} unit={unit} />
          </details>
        </>
      )}
      <Anchor component={Link} to={trendsAddress(team, filter)} size="sm">
        Open the whole trend
      </Anchor>
    </Section>
  );
}

function Points({ team, points, unit }: { team: string; points: readonly TrendPoint[]; unit: string }) {
  return (
    <WideTable label="Points of the trend">
      <Table verticalSpacing={2} fz="sm" maw={640}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Time</Table.Th>
            <Table.Th>Of</Table.Th>
            <Table.Th ta="right">Value</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {points
            .slice(-MOST_ROWS)
            .reverse()
            .map(({ atMs, name, runId, value }) => (
              <Table.Tr key={runId ?? name}>
                <Table.Td>{new Date(atMs).toLocaleString()}</Table.Td>
                <Table.Td>
                  {runId === null ? (
                    name
                  ) : (
                    <Anchor component={Link} to={reportAddress(team, runId)} size="sm">
                      {name}
                    </Anchor>
                  )}
                </Table.Td>
                <FigureCell>{formatFigure({ value, unit })}</FigureCell>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </WideTable>
  );
}
