import { Badge, Box, Group, Stack, Text, Title } from '@mantine/core';
import { Folded } from '../folded';
import { ReportPart } from '../report-part';
import { type Recording, type ReportOf } from '../report-query';
import { Section } from '../section';
import { RecordingCommands } from './recording-commands';

const STATES = { complete: 'teal', incomplete: 'orange', 'not-needed': 'gray' } as const;

/** The method step by step: what this run has, what is missing, and the commands that record it. */
export function RecordNext({ of }: { of: ReportOf }) {
  return (
    <ReportPart of={of} fields={['advice']}>
      {({ advice }) => {
        const next = advice?.recordings.find(({ state }) => state === 'incomplete');
        return (
          <Section title="What to record next">
            <Stack gap="sm">
              {advice?.recordings.map((step) => (
                <Step key={step.id} step={step} isNext={step === next} />
              ))}
            </Stack>
          </Section>
        );
      }}
    </ReportPart>
  );
}

function Step({ step, isNext }: { step: Recording; isNext: boolean }) {
  const { title, state, missingLabels, commands } = step;
  return (
    <Box>
      <Group gap="xs">
        <Title order={3} size="h6">
          {step.step}. {title}
        </Title>
        <Badge color={STATES[state]}>{state.replace('-', ' ')}</Badge>
      </Group>
      {missingLabels.length > 0 && (
        <Text size="sm" c="dimmed" mb={4}>
          Missing: {missingLabels.join(', ')}.
        </Text>
      )}
      {commands.length > 0 && isNext && <RecordingCommands commands={commands} />}
      {commands.length > 0 && !isNext && (
        <Folded summary="How to record it">{() => <RecordingCommands commands={commands} />}</Folded>
      )}
    </Box>
  );
}
