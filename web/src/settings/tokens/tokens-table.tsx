import { Badge, Button, Code, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { type Schemas } from '../../api/client';
import { unwrap } from '../../api/problem';
import { When } from '../../runs/when';
import { ConfirmButton } from '../confirm-button';
import classes from '../settings.module.css';
import { ListTable } from '../list-table';
import { RotateTokenDialog } from './rotate-token';
import { serviceAccountsQuery } from './service-accounts-query';

type Token = Schemas['Token'];

interface Props {
  tokens: readonly Token[];
  /** When they were as they are here. */
  atMs: number;
}

interface RowProps extends Pick<Props, 'atMs'> {
  token: Token;
  account: string | undefined;
  rotate: (token: Token) => void;
}

/** Tokens, by what they may do, with what may be done about those that still work. */
export function TokensTable({ tokens, atMs }: Props) {
  const { team = '' } = useParams();
  const { data: accounts } = useQuery(serviceAccountsQuery(team));
  const [rotating, setRotating] = useState<Token | null>(null);
  const names = new Map(accounts?.items.map(({ id, name }) => [id, name]));
  const columns = ['Token', 'Scopes', 'Limits', 'Last used', 'Ends', { name: 'Acts', kind: 'acts' }] as const;
  return (
    <>
      <ListTable label="API tokens" minWidthPx={820} columns={columns}>
        {tokens.map((token) => (
          <TokenRow
            key={token.id}
            token={token}
            atMs={atMs}
            account={names.get(token.serviceAccountId ?? '')}
            rotate={setRotating}
          />
        ))}
      </ListTable>
      <RotateTokenDialog token={rotating} close={() => setRotating(null)} />
    </>
  );
}

function TokenRow({ token, atMs, account, rotate }: RowProps) {
  const { name, prefix, scopes, lastUsedAt, createdAt } = token;
  const ended = endOf(token, atMs);
  return (
    <Table.Tr className={ended ? classes.ended : undefined}>
      <Table.Td className={classes.anywhere} maw={280}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Code>{prefix}…</Code>
        <Text size="xs" c="dimmed">
          Made <When at={createdAt} />
          {account !== undefined && `, for ${account}`}
        </Text>
      </Table.Td>
      <Table.Td>
        {scopes.map((scope) => (
          <Text key={scope} size="sm">
            {scope}
          </Text>
        ))}
      </Table.Td>
      <Table.Td className={classes.anywhere} maw={200}>
        <Limits limits={token.limits} />
      </Table.Td>
      <Table.Td>{lastUsedAt ? <When at={lastUsedAt} /> : 'never'}</Table.Td>
      <Table.Td>
        {ended ? (
          <Badge color="gray">{ended}</Badge>
        ) : token.expiresAt ? (
          <When at={token.expiresAt} />
        ) : (
          'never'
        )}
      </Table.Td>
      <Table.Td className={classes.acts}>
        {!ended && (
          <Group gap="xs" justify="flex-end" wrap="nowrap">
            <Button
              size="compact-sm"
              variant="default"
              fw={500}
              aria-label={`Rotate: ${name}`}
              onClick={() => rotate(token)}
            >
              Rotate
            </Button>
            <RevokeButton token={token} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function Limits({ limits: { models, clusters } }: Pick<Token, 'limits'>) {
  if (models.length + clusters.length === 0) return 'none';
  return (
    <>
      {models.length > 0 && <Text size="sm">models: {models.join(', ')}</Text>}
      {clusters.length > 0 && <Text size="sm">clusters: {clusters.join(', ')}</Text>}
    </>
  );
}

function RevokeButton({ token: { id, name } }: { token: Token }) {
  return (
    <ConfirmButton
      label="Revoke"
      to={name}
      title={`Revoke ${name}?`}
      confirm="Revoke"
      said={`The token ${name} is revoked.`}
      act={(api) => unwrap(api.DELETE('/v1/tokens/{id}', { params: { path: { id } } }))}
    >
      <Text size="sm">
        Whatever uses it is refused at once, for good. The tokens that it made are revoked with it, and so are
        their open invitations.
      </Text>
    </ConfirmButton>
  );
}

/** How a token ended; undefined while it works. */
function endOf({ revokedAt, expiresAt }: Token, atMs: number): 'revoked' | 'expired' | undefined {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= atMs ? 'expired' : undefined;
}
