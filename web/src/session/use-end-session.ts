import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { signInAddress } from './addresses';
import { session } from './session';

/** Signs out after an act, if there is one; afterwards the page knows nothing of the person any more. */
export function useEndSession<Input = void>(
  act: (input: Input) => Promise<unknown> = () => Promise.resolve(),
) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (input: Input) => {
      await act(input);
      await session.signOut();
    },
    gcTime: 0,
    onSuccess: async () => {
      await navigate(signInAddress(), { replace: true });
      queries.clear();
    },
  });
}
