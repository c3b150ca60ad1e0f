import { Modal } from '@mantine/core';
import { type ReactNode } from 'react';

interface Props {
  title: string;
  opened: boolean;
  close: () => void;
  /** Whether a click beside it closes it; not where something is filled in or shown only once. */
  isPassing?: boolean;
  children: ReactNode;
}

/** A dialog, which keeps the focus and gives it back. What is in it is gone when it is closed. */
export function Dialog({ title, opened, close, isPassing = false, children }: Props) {
  return (
    <Modal
      title={title}
      opened={opened}
      onClose={close}
      size="lg"
      closeOnClickOutside={isPassing}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
      // The header of the page is the only one that is a landmark.
      attributes={{ header: { role: 'presentation' } }}
    >
      {children}
    </Modal>
  );
}
