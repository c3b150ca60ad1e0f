import { Anchor, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatRatio } from '../../../src/presentation/quantity';
import { teamApi } from '../api/client';
import { unwrap } from '../api/problem';
import { FigureCell } from '../report/figure-cell';
import { Section } from '../report/section';
import { runsAddress } from '../session/addresses';
import { WideTable } from '../states/wide-table';
import { type Usage } from './causes';
import { formatGpuHours } from './gpu-hours';
import classes from './returns.module.css';

interface Props {
  team: string;
  total: Usage;
  show: 'hours' | 'share';
}

/** What was found, by what fixing it would return, the most first. */
export function Returns({ team, total, show }: Props) {
  const { data: rules } = useQuery({
    queryKey: ['rules'],
    queryFn: ({ signal }) => unwrap(teamApi(team).GET('/v1/rules-catalogue', { signal })),
    select: ({ items }) => new Map(items.map((rule) => [rule.id, rule])),
    staleTime: Infinity,
  });
  const ofWhole = show === 'hours' ? 'GPU-hours' : 'of the step';
  const gains = total.gains
    .map(({ rule, runs, ...gain }) => ({
      ...{ rule, runs },
      about: show === 'hours' ? gain.gpuHours : gain.share,
      most: show === 'hours' ? gain.mostGpuHours : gain.mostShare,
    }))
    .sort((a, b) => (b.about ?? 0) - (a.about ?? 0));
  const scale = Math.max(...gains.map(({ most }) => most ?? 0)) || 1;
  const format = (value: number | null) =>
    value === null ? 'not known' : show === 'hours' ? formatGpuHours(value) : formatRatio(value);
  if (gains.length === 0)
    return (
      <Section title="What fixing would return">
        <Text size="sm">No report of this time found anything to fix.</Text>
      </Section>
    );
  return (
    <Section
      title="What fixing would return"
      about="What is expected when a finding is fixed in all of its runs, and the most that could come back. They do not add up: fixing one uncovers another."
    >
      <WideTable label="What fixing would return">
        <Table verticalSpacing={6} fz="sm" miw={640}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Finding</Table.Th>
              <Table.Th ta="right">Runs</Table.Th>
              <Table.Th ta="right">About, {ofWhole}</Table.Th>
              <Table.Th ta="right">At most</Table.Th>
              <Table.Th w="30%">Range</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {gains.map(({ rule, runs, about, most }) => (
              <Table.Tr key={rule}>
                <Table.Th scope="row" fw={400}>
                  <Found
                    team={team}
                    name={rules?.get(rule)?.name ?? rule}
                    verdict={rules?.get(rule)?.bottleneck}
                  />
                </Table.Th>
                <FigureCell>{runs}</FigureCell>
                <FigureCell>
                  <b>{format(about)}</b>
                </FigureCell>
                <FigureCell>{format(most)}</FigureCell>
                <Table.Td>
                  <div className={classes.most} style={{ width: percent(most, scale) }} aria-hidden />
                  <div className={classes.about} style={{ width: percent(about, scale) }} aria-hidden />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
    </Section>
  );
}

/** The finding, which leads to the runs that it holds back most. */
function Found({ team, name, verdict }: { team: string; name: string; verdict: string | undefined }) {
  if (verdict === undefined) return name;
  return (
    <Anchor component={Link} to={runsAddress(team, { verdict })} size="sm">
      {name}
    </Anchor>
  );
}

const percent = (value: number | null, scale: number): string => `${(100 * (value ?? 0)) / scale}%`;
