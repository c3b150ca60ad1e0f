import { useLocation, useNavigate, useSearchParams } from 'react-router';

/** A choice that is kept in the address, beside the tab that its fragment names; the first value is not written down. */
export function useChoice<Value extends string = string>(
  name: string,
  initial: NoInfer<Value>,
): [Value, (value: Value) => void] {
  const [parameters] = useSearchParams();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const choose = (value: Value) => {
    const after = new URLSearchParams(parameters);
    if (value === initial) after.delete(name);
    else after.set(name, value);
    void navigate({ search: after.toString(), hash }, { preventScrollReset: true });
  };
  return [(parameters.get(name) as Value | null) ?? initial, choose];
}
