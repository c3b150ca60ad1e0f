import { Stack, Text, TextInput } from '@mantine/core';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { fieldsOf } from '../../session/fields-of';
import { ProblemAlert } from '../../states/problem-alert';
import { useAnnounce } from '../announcements';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';

/** Creates a service account. */
export function NewServiceAccountButton() {
  return (
    <DialogButton label="New service account" title="New service account">
      {(close) => <NewServiceAccount close={close} />}
    </DialogButton>
  );
}

function NewServiceAccount({ close }: { close: () => void }) {
  const announce = useAnnounce();
  const create = useAct(
    (api, body: Schemas['NewServiceAccount']) => unwrap(api.POST('/v1/service-accounts', { body })),
    ({ name }) => {
      close();
      announce(`${name} is there. Give it a token with New token.`);
    },
  );
  return (
    <form
      onSubmit={(event) => {
        const { text } = fieldsOf(event);
        create.mutate({ name: text('name').trim(), description: text('description').trim() });
      }}
    >
      <Stack>
        <TextInput name="name" label="Name" required maxLength={100} data-autofocus />
        <TextInput name="description" label="Description" maxLength={500} />
        <Text size="sm" c="dimmed">
          It does nothing by itself: it holds tokens that are disabled and deleted together.
        </Text>
        {create.error && <ProblemAlert error={create.error} />}
        <FormButtons submit="Create" isPending={create.isPending} close={close} />
      </Stack>
    </form>
  );
}
