import { useSearchParams } from 'react-router';
import { CursorPages } from '../filters/cursor-pages';

/** Where a list goes on; `name` is the parameter of the address, of which a page with two lists has two. */
export function useCursor(name = 'cursor') {
  const [parameters, setParameters] = useSearchParams();
  return {
    cursor: parameters.get(name) ?? undefined,
    go: (cursor: string | null) =>
      setParameters((before) => {
        const after = new URLSearchParams(before);
        if (cursor === null) after.delete(name);
        else after.set(name, cursor);
        return after;
      }),
  };
}

interface Props {
  list: ReturnType<typeof useCursor>;
  next: string | null;
}

/** Ways through the pages of a list. */
export function Pager({ list: { cursor, go }, next }: Props) {
  return <CursorPages cursor={cursor ?? null} next={next} go={go} />;
}
