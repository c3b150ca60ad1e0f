import { Textarea } from '@mantine/core';
import { useRef, useState } from 'react';

const MOST_CHARACTERS = 1_000;

/** A field for why something is done, which nobody may leave empty. `read` gives the reason, or null and says what is wrong. */
export function useReason(isFirst = true) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const read = (): string | null => {
    // The history shows it in one line.
    const reason = text.replace(/\s+/g, ' ').trim();
    if (reason !== '') return reason;
    setError('Say why, for whoever reads the history.');
    field.current?.focus();
    return null;
  };
  const input = (
    <Textarea
      ref={field}
      label="Why"
      required
      autosize
      minRows={2}
      maxLength={MOST_CHARACTERS}
      data-autofocus={isFirst || undefined}
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        setError(null);
      }}
    />
  );
  return { input, read };
}
