import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';

/** Follows the system until it is used; then this browser remembers. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'dark' ? 'light' : 'dark';
  return (
    <Button variant="subtle" color="gray" c="dimmed" size="compact-sm" onClick={() => setColorScheme(other)}>
      {other === 'dark' ? 'Dark' : 'Light'}
    </Button>
  );
}
