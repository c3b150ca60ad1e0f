/** Colours of lines: told apart by people who see few colours, and at a contrast of 3 to 1 in both schemes. */
export const LINE_COLORS = [
  ...['#4c6ef5', '#d9700a', '#0b9480', '#be4bdb', '#1088a0', '#d6568c', '#7a8a1e', '#868e96'],
] as const;
