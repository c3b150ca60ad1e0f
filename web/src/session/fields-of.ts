import { type FormEvent } from 'react';

/** What was filled into a form that is sent, and keeps the browser from sending it itself. */
export function fieldsOf(event: FormEvent<HTMLFormElement>) {
  event.preventDefault();
  const form = new FormData(event.currentTarget);
  const texts = (name: string) => form.getAll(name).filter((value) => typeof value === 'string');
  return {
    /** Of one field; empty where there is none. */
    text: (name: string) => texts(name)[0] ?? '',
    /** Of all fields with the name, such as boxes that were ticked. */
    texts,
  };
}
