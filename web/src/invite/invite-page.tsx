import { Button, Center, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { fieldsOf } from '../session/fields-of';
import { useTitle } from '../shell/use-title';
import { Invitation } from './invitation';
import { tokenIn } from './token-in';

/** Where an invitation is accepted. Its token comes after `#`, and is taken out of the address at once. */
export function InvitePage() {
  useTitle('Invitation');
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [{ token, nth }, setGiven] = useState(() => ({ token: tokenIn(hash), nth: 0 }));
  const take = (next: string | null) => setGiven({ token: next, nth: nth + 1 });
  const given = tokenIn(hash);
  // A link that is opened while the page is open.
  if (given !== null && given !== token) take(given);
  useEffect(() => {
    if (hash !== '') void navigate(pathname, { replace: true });
  }, [hash, navigate, pathname]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w={440} maw="100%">
        {token === null ? (
          <TokenForm take={take} />
        ) : (
          <Invitation key={nth} nth={nth} token={token} forget={() => take(null)} />
        )}
      </Paper>
    </Center>
  );
}

/** For those who have the token, or came back to a page that has forgotten it. */
function TokenForm({ take }: { take: (token: string) => void }) {
  return (
    <form
      onSubmit={(event) => {
        const text = fieldsOf(event).text('token').trim();
        take(tokenIn(text) ?? text);
      }}
    >
      <Stack>
        <Title order={1} size="h2">
          Accept an invitation
        </Title>
        <Text size="sm">
          Open the link that you were given once more, or paste it here. It is not kept in the address of this
          page.
        </Text>
        <TextInput name="token" label="Link or token" autoComplete="off" required maxLength={2000} />
        <Button type="submit">Go on</Button>
      </Stack>
    </form>
  );
}
