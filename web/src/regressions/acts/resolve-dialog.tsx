import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { type Schemas } from '../../api/client';
import { ActDialog, type DialogProps } from './act-dialog';
import { useReason } from './use-reason';

type Resolution = Schemas['Resolve']['resolution'];

const RESOLUTIONS: readonly { value: Resolution; label: string; description: string }[] = [
  {
    value: 'fixed',
    label: 'Fixed',
    description: 'Runs that begin after this confirm it, or open it again.',
  },
  {
    value: 'accepted',
    label: 'Accepted',
    description: 'The level is the new baseline, from the first bad run on.',
  },
  {
    value: 'no-regression',
    label: 'No regression',
    description: 'Its runs count as good ones, and the same change is not told again for 60 runs.',
  },
];

/** It is over, in one of three ways. */
export function ResolveDialog(props: DialogProps) {
  const [resolution, setResolution] = useState<Resolution | null>(null);
  const [error, setError] = useState<string | null>(null);
  const { input, read } = useReason(false);
  return (
    <ActDialog
      {...props}
      title="Resolve the regression"
      about="Runs that are good again resolve it by themselves; this is for what the runs cannot say."
      confirm="Resolve"
      toAct={() => {
        if (resolution === null) setError('Choose one.');
        const reason = read();
        return resolution === null || reason === null
          ? null
          : { kind: 'resolve', body: { resolution, reason } };
      }}
    >
      <Radio.Group
        label="It is over, because it is"
        required
        error={error}
        value={resolution}
        onChange={(value) => {
          setResolution(value);
          setError(null);
        }}
      >
        <Stack gap="xs" mt={4} mb={4}>
          {RESOLUTIONS.map(({ value, label, description }, i) => (
            <Radio
              key={value}
              value={value}
              label={label}
              description={description}
              data-autofocus={i === 0 || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {input}
    </ActDialog>
  );
}
