import { Center, Loader } from '@mantine/core';

/** Says, to the eye and to screen readers, that something is on its way. */
export function Loading({ what }: { what: string }) {
  return (
    <Center py={80} role="status" aria-label={what}>
      <Loader size="sm" type="dots" />
    </Center>
  );
}
