import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent } from 'react';
import { Dialog } from '../states/dialog';
import { ProblemAlert } from '../states/problem-alert';

interface Named {
  name: string;
  description: string;
}

interface Props {
  title: string;
  button: string;
  given?: Named;
  act: { mutate: (named: Named) => void; isPending: boolean; error: Error | null };
  close: () => void;
}

/** Name and description of a ladder. */
export function LadderForm({ title, button, given, act, close }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (field: string) => {
      const value = form.get(field);
      // A description is one line for the API.
      return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
    };
    act.mutate({ name: text('name'), description: text('description') });
  };
  return (
    <Dialog title={title} close={close}>
      <form onSubmit={submit}>
        <Stack>
          {act.error && <ProblemAlert error={act.error} />}
          <TextInput
            name="name"
            label="Name"
            placeholder="From fp32 to CUDA graphs"
            defaultValue={given?.name}
            maxLength={100}
            required
            data-autofocus
          />
          <Textarea
            name="description"
            label="What it is about"
            defaultValue={given?.description}
            maxLength={1_000}
            autosize
            minRows={2}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={act.isPending}>
              {button}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
