import { Anchor, Button, Divider, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { publicApi } from '../api/client';
import { unwrap } from '../api/problem';

/** The organisation's own sign-in, where the service has one. */
export function OtherWays({ wanted }: { wanted: { to: string; team: string } | null }) {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: () => unwrap(publicApi().GET('/v1/auth/methods')),
    staleTime: Infinity,
  });
  if (!data?.oidc) return null;
  const query = new URLSearchParams({ returnTo: wanted?.to ?? '/', ...(wanted && { team: wanted.team }) });
  const { host } = new URL(data.oidc.issuer);
  return (
    <Stack mt="md">
      <Divider label="or" />
      <Button component="a" variant="default" href={`${data.oidc.startPath}?${query}`}>
        Sign in with {host}
      </Button>
      <Anchor size="sm" component="a" href="/docs">
        API documentation
      </Anchor>
    </Stack>
  );
}
