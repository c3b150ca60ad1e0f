import { Button, Group } from '@mantine/core';

interface Props {
  submit: string;
  isPending: boolean;
  close: () => void;
}

/** The end of a form in a dialog. */
export function FormButtons({ submit, isPending, close }: Props) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={close}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}
