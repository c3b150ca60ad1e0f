import { Badge, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { ProblemAlert } from '../../states/problem-alert';
import { ActButton } from '../act-button';
import { ConfirmButton } from '../confirm-button';
import { Part } from '../part';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { NewServiceAccountButton } from './new-service-account-button';
import { serviceAccountsQuery } from './service-accounts-query';

type Account = Schemas['ServiceAccountSummary'];

/** Accounts that tokens of one pipeline or machine belong to, to be disabled and deleted together. */
export function ServiceAccounts() {
  const { team = '' } = useParams();
  const { data, error, refetch } = useQuery(serviceAccountsQuery(team));
  return (
    <Part title="Service accounts" beside={<NewServiceAccountButton />}>
      {error && <ProblemAlert error={error} retry={refetch} />}
      {data?.items.length === 0 && (
        <Text size="sm" c="dimmed">
          There is none. Tokens of a pipeline or a machine can belong to one, and are then disabled and
          deleted together.
        </Text>
      )}
      {data && data.items.length > 0 && (
        <ListTable
          label="Service accounts"
          minWidthPx={560}
          columns={['Account', 'State', 'Made', { name: 'Acts', kind: 'acts' }]}
        >
          {data.items.map((account) => (
            <AccountRow key={account.id} account={account} />
          ))}
        </ListTable>
      )}
      {data?.nextCursor && (
        <Text size="sm" c="dimmed">
          These are the newest {data.items.length}; the API lists all of them.
        </Text>
      )}
    </Part>
  );
}

function AccountRow({ account: { id, name, description, createdAt, disabledAt } }: { account: Account }) {
  const params = { path: { id } };
  const isDisabled = disabledAt !== null;
  return (
    <Table.Tr>
      <Table.Td className={classes.anywhere}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {description}
        </Text>
      </Table.Td>
      <Table.Td>
        <Badge color={isDisabled ? 'gray' : 'teal'}>{isDisabled ? 'disabled' : 'enabled'}</Badge>
      </Table.Td>
      <Table.Td>
        <When at={createdAt} />
      </Table.Td>
      <Table.Td className={classes.acts}>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {isDisabled ? (
            <ActButton
              label="Enable"
              to={name}
              said={`${name} is enabled; its tokens work again.`}
              act={(api) =>
                unwrap(api.PATCH('/v1/service-accounts/{id}', { params, body: { disabled: false } }))
              }
            />
          ) : (
            <ConfirmButton
              label="Disable"
              to={name}
              title={`Disable ${name}?`}
              confirm="Disable"
              said={`${name} is disabled.`}
              act={(api) =>
                unwrap(api.PATCH('/v1/service-accounts/{id}', { params, body: { disabled: true } }))
              }
            >
              <Text size="sm">
                Its tokens are refused until it is enabled again. Tokens of others that its tokens made are
                revoked for good, and so are the open invitations of all of them.
              </Text>
            </ConfirmButton>
          )}
          <ConfirmButton
            label="Delete"
            to={name}
            title={`Delete ${name}?`}
            confirm="Delete"
            said={`${name} is deleted.`}
            act={(api) => unwrap(api.DELETE('/v1/service-accounts/{id}', { params }))}
          >
            <Text size="sm">
              Its tokens and what these made are gone at once, for good. Whatever uses them is refused.
            </Text>
          </ConfirmButton>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
