import { TextInput } from '@mantine/core';
import { useId } from 'react';

interface Props {
  label: string;
  /** As it is in the address. */
  value: string;
  /** What there is to choose from; other values may be typed. */
  known?: readonly string[];
  onChange: (value: string) => void;
}

/** A text to filter by, which takes effect when it is left or with Enter. */
export function TextFilter({ label, value, known = [], onChange }: Props) {
  const id = useId();
  return (
    <div>
      <TextInput
        // A new value from the address, as with the back button, is a new field.
        key={value}
        label={label}
        size="xs"
        placeholder="Any"
        list={id}
        defaultValue={value}
        onBlur={({ currentTarget }) => {
          if (currentTarget.value !== value) onChange(currentTarget.value.trim());
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onChange(currentTarget.value.trim());
        }}
      />
      <datalist id={id}>
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  );
}
