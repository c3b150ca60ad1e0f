import { Group, Modal } from '@mantine/core';
import { type ReactNode } from 'react';

interface Props {
  title: string;
  close: () => void;
  children: ReactNode;
}

/** A question in front of the page. Not in a Modal.Header: a page has one banner. */
export function Dialog({ title, close, children }: Props) {
  return (
    <Modal.Root opened onClose={close} transitionProps={{ duration: 0 }}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Body>
          <Group justify="space-between" wrap="nowrap" mb="sm" align="flex-start">
            <Modal.Title fw={600}>{title}</Modal.Title>
            <Modal.CloseButton aria-label="Close" />
          </Group>
          {children}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
