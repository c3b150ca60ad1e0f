import { NativeSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { useKnownNames } from '../../runs/use-known-names';
import { fieldsOf } from '../../session/fields-of';
import { ProblemAlert } from '../../states/problem-alert';
import { DialogButton } from '../dialog-button';
import { FormButtons } from '../form-buttons';
import { useAct } from '../use-act';
import { type Scope, ScopeChoice } from './scopes';
import { serviceAccountsQuery } from './service-accounts-query';
import { TokenShown } from './token-shown';

const LIFETIMES = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'No end' },
];

/** Creates a token and shows it, this once. */
export function NewTokenButton() {
  return (
    <DialogButton label="New token" title="New API token" size="sm" variant="filled">
      {(close) => <NewToken close={close} />}
    </DialogButton>
  );
}

function NewToken({ close }: { close: () => void }) {
  const { team = '' } = useParams();
  const known = useKnownNames(team);
  const { data: accounts } = useQuery(serviceAccountsQuery(team));
  const [models, setModels] = useState<string[]>([]);
  const [clusters, setClusters] = useState<string[]>([]);
  const create = useAct((api, body: Schemas['NewToken']) => unwrap(api.POST('/v1/tokens', { body })));
  if (create.data) return <TokenShown token={create.data} close={close} />;
  const usable = accounts?.items.filter(({ disabledAt }) => disabledAt === null) ?? [];
  return (
    <form
      onSubmit={(event) => {
        const { text, texts } = fieldsOf(event);
        create.mutate({
          name: text('name').trim(),
          scopes: texts('scopes') as Scope[],
          expiresInDays: text('days') ? Number(text('days')) : undefined,
          serviceAccountId: text('account') || undefined,
          limits: { models, clusters },
        });
      }}
    >
      <Stack>
        <TextInput
          name="name"
          label="Name"
          description="What it is for, such as the job that uses it"
          required
          maxLength={100}
          data-autofocus
        />
        <ScopeChoice />
        <NativeSelect name="days" label="Good for" data={LIFETIMES} defaultValue="90" w={200} />
        {usable.length > 0 && (
          <NativeSelect
            name="account"
            label="Service account"
            description="The token is disabled and deleted with it"
            data={[
              { value: '', label: 'None' },
              ...usable.map(({ id, name }) => ({ value: id, label: name })),
            ]}
          />
        )}
        <TagsInput
          label="Only these models"
          description="Without any it is for all models. A limited token cannot manage the team."
          data={known.model}
          value={models}
          onChange={setModels}
          acceptValueOnBlur
        />
        <TagsInput
          label="Only these clusters"
          data={known.cluster}
          value={clusters}
          onChange={setClusters}
          acceptValueOnBlur
        />
        {create.error && <ProblemAlert error={create.error} />}
        <FormButtons submit="Create the token" isPending={create.isPending} close={close} />
      </Stack>
    </form>
  );
}
