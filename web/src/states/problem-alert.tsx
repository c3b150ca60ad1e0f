import { Alert, type AlertProps, Button, Code, Group, List, Text } from '@mantine/core';
import { ProblemError } from '../api/problem';

interface Props extends AlertProps {
  error: Error;
  /** Asks again; without it there is no button. */
  retry?: () => unknown;
}

/** A problem of the API in its own words: what, why, what to do. */
export function ProblemAlert({ error, retry, ...props }: Props) {
  if (!(error instanceof ProblemError)) {
    return (
      <Alert role="alert" color="red" title="This page is broken" {...props}>
        {error.message}
      </Alert>
    );
  }
  const { title, detail, action, errors = [], code } = error.problem;
  return (
    <Alert role="alert" color="red" title={title} {...props}>
      <Text size="sm">{detail}</Text>
      {errors.length > 0 && (
        <List size="sm">
          {errors.map(({ field, message }) => (
            <List.Item key={field + message}>
              <b>{field}</b>: {message}
            </List.Item>
          ))}
        </List>
      )}
      <Text size="sm" mt={4}>
        {action}
      </Text>
      <Group mt="xs" justify="space-between">
        <Code>{code}</Code>
        {retry && (
          <Button size="compact-sm" variant="default" onClick={() => void retry()}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
