import { Button, type ButtonProps } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Dialog } from './dialog';

export interface NamedButtonProps extends Omit<ButtonProps, 'children'> {
  label: string;
  /** What it is about: for screen readers, which hear a button without the row that it is in. */
  to?: string;
}

/** The name of a button for those who do not see what is beside it. */
export const accessibleName = ({ label, to }: NamedButtonProps) => (to ? `${label}: ${to}` : label);

interface Props extends NamedButtonProps {
  title: string;
  /** Whether a click beside it closes it. */
  isPassing?: boolean;
  children: (close: () => void) => ReactNode;
}

/** A button with a dialog of its own. */
export function DialogButton({ title, isPassing, children, label, to, ...props }: Props) {
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
      <Dialog title={title} isPassing={isPassing} opened={isOpen} close={close}>
        {children(close)}
      </Dialog>
    </>
  );
}
