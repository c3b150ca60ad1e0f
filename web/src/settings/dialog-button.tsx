import { Button, type ButtonProps, Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';

export interface NamedButtonProps extends Omit<ButtonProps, 'children'> {
  label: string;
  /** What it is about: for screen readers, which hear a button without the row that it is in. */
  to?: string;
}

/** The name of a button for those who do not see what is beside it. */
export const accessibleName = ({ label, to }: NamedButtonProps) => (to ? `${label}: ${to}` : label);

interface Props extends NamedButtonProps {
  title: string;
  /** Whether a click beside it closes it; not where something is filled in or shown only once. */
  isPassing?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button with a dialog, which keeps the focus and gives it back. What is in the dialog is gone when it is closed. */
export function DialogButton({ title, isPassing = false, children, label, to, ...props }: Props) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        fw={500}
        {...props}
        aria-label={accessibleName({ label, to })}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <Modal
        title={title}
        opened={isOpen}
        onClose={close}
        size="lg"
        closeOnClickOutside={isPassing}
        transitionProps={{ duration: 0 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
        // The header of the page is the only one that is a landmark.
        attributes={{ header: { role: 'presentation' } }}
      >
        {children(close)}
      </Modal>
    </>
  );
}
