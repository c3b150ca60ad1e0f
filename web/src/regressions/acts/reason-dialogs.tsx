import { ActDialog, type DialogProps } from './act-dialog';
import { useReason } from './use-reason';

/** It was seen, and stays for now. */
export function AcknowledgeDialog(props: DialogProps) {
  const { input, read } = useReason();
  return (
    <ActDialog
      {...props}
      title="Acknowledge the regression"
      about="Says that it was seen, and why it stays for now. It is still watched, and resolved when the runs are good again."
      confirm="Acknowledge"
      toAct={() => {
        const reason = read();
        return reason === null ? null : { kind: 'acknowledge', body: { reason } };
      }}
    >
      {input}
    </ActDialog>
  );
}

/** It is not over after all. */
export function ReopenDialog(props: DialogProps) {
  const { input, read } = useReason();
  return (
    <ActDialog
      {...props}
      title="Open the regression again"
      about="Takes an acceptance back. Only runs from now on say whether it is over."
      confirm="Open again"
      toAct={() => {
        const reason = read();
        return reason === null ? null : { kind: 'reopen', body: { reason } };
      }}
    >
      {input}
    </ActDialog>
  );
}
