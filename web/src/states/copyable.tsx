import { Button, Code, CopyButton, Group } from '@mantine/core';

/** Puts a text on the clipboard and says so. */
export function CopyText({ text, what }: { text: string; what: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Button size="compact-xs" variant="default" onClick={copy} aria-label={`Copy ${what}`}>
          <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
        </Button>
      )}
    </CopyButton>
  );
}

/** A command for a terminal, or another text as it is, to copy. */
export function Command({ text, what = 'the command' }: { text: string; what?: string }) {
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <Code block flex={1} tabIndex={0} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Code>
      <CopyText text={text} what={what} />
    </Group>
  );
}
