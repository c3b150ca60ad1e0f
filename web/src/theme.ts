import { createTheme, type CSSVariablesResolver } from '@mantine/core';

/** Shades are chosen so that text on them, and they on the page, have a contrast of 4.5 to 1 at least. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  components: {
    Badge: { defaultProps: { variant: 'dot' }, styles: { label: { textTransform: 'none' } } },
  },
});

const RED_BUTTONS = {
  '--mantine-color-red-filled': 'var(--mantine-color-red-9)',
  '--mantine-color-red-filled-hover': '#b02525',
};

/** Where the library's own are too pale: grey for secondary text, red for errors and buttons, the text of yellow alerts. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...RED_BUTTONS,
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-8)',
    '--mantine-color-yellow-light-color': '#7a4a00',
  },
  dark: {
    ...RED_BUTTONS,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
