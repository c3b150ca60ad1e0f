import { Button, Menu, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatBytes } from '../../../src/presentation/quantity';
import { type Schemas } from '../api/client';
import { artifactsQuery } from './artifacts-query';
import { whyNot } from './perfetto';
import { type Perfetto } from './use-perfetto';

interface Props {
  team: string;
  run: Schemas['Run'];
  perfetto: Perfetto;
}

/** The one trace of a run, or the choice of one, to look at in Perfetto; nothing for a run without. */
export function OpenTrace({ team, run, perfetto }: Props) {
  const { data } = useQuery(artifactsQuery(team, run));
  const traces = data?.items.filter((file) => whyNot(file) === null) ?? [];
  if (traces.length === 0) return null;
  const button = (onClick?: () => void) => (
    <Button size="xs" loading={perfetto.isOpening} onClick={onClick}>
      Open in Perfetto
    </Button>
  );
  if (traces.length === 1) return button(() => perfetto.open(traces[0]));
  return (
    <Menu position="bottom-end" width={320} withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>{button()}</Menu.Target>
      <Menu.Dropdown mah={360} style={{ overflowY: 'auto' }}>
        {traces.map((trace) => (
          <Menu.Item key={trace.id} onClick={() => perfetto.open(trace)}>
            <Text span inherit style={{ overflowWrap: 'anywhere' }}>
              {trace.name}
            </Text>{' '}
            <Text span size="xs" c="dimmed">
              {formatBytes(trace.sizeBytes)}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
