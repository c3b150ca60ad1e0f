import { Anchor, Badge, Code, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { Link, useLocation } from 'react-router';
import { formatFigure, formatNs } from '../../../src/presentation/quantity';
import { CopyText } from '../states/copyable';
import { type ShownReport } from './report-query';

type Finding = ShownReport['findings'][number];

/** The tab with the figures behind a finding. */
const DETAIL: Readonly<Record<Finding['bottleneck'], string>> = {
  'input-pipeline': 'idle',
  'host-cpu': 'idle',
  'memory-pressure': 'memory',
  communication: 'communication',
  'launch-overhead': 'idle',
  'arithmetic-intensity': 'roofline',
  straggler: 'communication',
  'step-jitter': 'step-times',
};
const SEVERITY_COLORS = { critical: 'red', major: 'orange', minor: 'gray' } as const;
/** Operations that are named; the report as JSON has all. */
const MOST_OPERATIONS = 5;

/** One bottleneck: why we say so, what to do about it, and how to see that it helped. */
export function FindingCard({ finding }: { finding: Finding }) {
  const { title, severity, confidence, explanation, causes = [], fixes, verify, costNs } = finding;
  const { search } = useLocation();
  return (
    <Paper withBorder p="md" component="article" aria-label={title} style={{ overflowWrap: 'anywhere' }}>
      <Stack gap="sm">
        <div>
          <Group gap="xs">
            <Title order={3} size="h5">
              {title}
            </Title>
            <Badge color={SEVERITY_COLORS[severity]}>{severity}</Badge>
            <Text size="sm" c="dimmed">
              {costNs > 0 && `${formatNs(costNs)} of each step, `}confidence {confidence}
            </Text>
          </Group>
          <Text mt={4}>{explanation}</Text>
          {causes.length > 0 && (
            <List mt={4}>
              {causes.map(({ text }, i) => (
                <List.Item key={i}>{text}</List.Item>
              ))}
            </List>
          )}
        </div>
        <Fixes fixes={fixes} />
        <Text size="sm">
          <b>How to verify:</b> {verify}
        </Text>
        <Evidence evidence={finding.evidence} />
        <Anchor component={Link} to={{ search, hash: DETAIL[finding.bottleneck] }} size="sm">
          The figures behind it
        </Anchor>
      </Stack>
    </Paper>
  );
}

function Fixes({ fixes }: { fixes: Finding['fixes'] }) {
  if (fixes.length === 0) return null;
  return (
    <div>
      <Title order={4} size="h6" mb={4}>
        What to do, most promising first
      </Title>
      <List type="ordered" spacing="xs">
        {fixes.map(({ id, title, how }) => (
          <List.Item key={id}>
            <Group gap="xs">
              <b>{title}</b>
              <CopyText text={how} what={`how to: ${title}`} />
            </Group>
            {how}
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** The figures and operations that the finding rests on. */
function Evidence({ evidence: { figures, operations, ranks, steps } }: { evidence: Finding['evidence'] }) {
  const numbers = (name: string, of: readonly number[]) =>
    of.length > 0 && `${name} ${of.slice(0, 12).join(', ')}`;
  const where = [numbers('ranks', ranks), numbers('steps', steps)].filter(Boolean).join('; ');
  return (
    <details>
      <summary>Evidence{where && `, seen on ${where}`}</summary>
      <List size="sm" mt={4}>
        {figures.map((figure, i) => (
          <List.Item key={i}>
            {figure.id.replaceAll('-', ' ')}: {formatFigure(figure)}
            {figure.source !== 'measured' && ` (${figure.reason ?? figure.source})`}
          </List.Item>
        ))}
        {operations.slice(0, MOST_OPERATIONS).map(({ name, kind, count, totalNs, rank }, i) => (
          <List.Item key={`${i}/${name}`}>
            <Code style={{ overflowWrap: 'anywhere' }}>{name}</Code> {kind}, {count} times,{' '}
            {formatNs(totalNs)}
            {rank !== null && `, rank ${rank}`}
          </List.Item>
        ))}
      </List>
    </details>
  );
}
