import { Select } from '@mantine/core';
import { useState } from 'react';
import { personName, usePeople } from '../people';
import { ActDialog, type DialogProps } from './act-dialog';

const NOBODY = 'nobody';

/** Somebody of the team has it from now on. */
export function AssignDialog(props: DialogProps) {
  const { team, regression } = props;
  const { people, isComplete } = usePeople(team);
  const current = regression.assignedTo?.userId ?? null;
  const [chosen, setChosen] = useState<string | null>(current);
  const [error, setError] = useState<string | null>(null);
  const nobody = current === null ? [] : [{ value: NOBODY, label: 'Nobody' }];
  return (
    <ActDialog
      {...props}
      title="Assign the regression"
      about="One member of the team has it from then on, and everybody sees who."
      confirm="Assign"
      toAct={() => {
        if (chosen === null) {
          setError('Choose somebody.');
          return null;
        }
        return { kind: 'assign', body: { userId: chosen === NOBODY ? null : chosen } };
      }}
    >
      <Select
        label="To"
        description={
          isComplete ? null : 'You, and who has had a regression. Admins of the team can choose any member.'
        }
        placeholder="Choose somebody"
        searchable
        openOnFocus={false}
        required
        nothingFoundMessage="Nobody of that name"
        comboboxProps={{ transitionProps: { duration: 0 } }}
        data={[...nobody, ...people.map((person) => ({ value: person.userId, label: personName(person) }))]}
        value={chosen}
        error={error}
        data-autofocus
        onChange={(value) => {
          setChosen(value);
          setError(null);
        }}
      />
    </ActDialog>
  );
}
