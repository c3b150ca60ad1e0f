import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ActDialog, type DialogProps } from './act-dialog';
import { useReason } from './use-reason';

const DAY_MS = 86_400_000;
const SPANS = [
  { value: '1', label: 'One day' },
  { value: '3', label: 'Three days' },
  { value: '7', label: 'One week' },
  { value: '14', label: 'Two weeks' },
  { value: '', label: 'Until …' },
];

/** Webhooks are told nothing of it for a while. */
export function MuteDialog(props: DialogProps) {
  const [days, setDays] = useState('7');
  const [day, setDay] = useState('');
  const [error, setError] = useState<string | null>(null);
  const { input, read } = useReason(false);
  const readUntil = (): string | null => {
    const untilMs = days === '' ? Date.parse(day) : Date.now() + Number(days) * DAY_MS;
    if (untilMs > Date.now()) return new Date(untilMs).toISOString();
    setError('Choose a time that is not past.');
    return null;
  };
  return (
    <ActDialog
      {...props}
      title="Mute the regression"
      about="Webhooks are told nothing of it until then. What changed meanwhile and still holds is told afterwards."
      confirm="Mute"
      toAct={() => {
        const until = readUntil();
        const reason = read();
        return until === null || reason === null ? null : { kind: 'mute', body: { until, reason } };
      }}
    >
      <NativeSelect
        label="For"
        data={SPANS}
        value={days}
        data-autofocus
        onChange={(event) => {
          setDays(event.currentTarget.value);
          setError(null);
        }}
      />
      {days === '' && (
        <TextInput
          type="datetime-local"
          label="Until"
          description="By the clock of this computer"
          required
          value={day}
          error={error}
          onChange={(event) => {
            setDay(event.currentTarget.value);
            setError(null);
          }}
        />
      )}
      {input}
    </ActDialog>
  );
}
