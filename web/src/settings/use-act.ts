import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Client } from 'openapi-fetch';
import { useParams } from 'react-router';
import { teamApi } from '../api/client';
import { hasCode } from '../api/problem';
import { type paths } from '../api/schema';

export type Act<Answer, Input = void> = (api: Client<paths>, input: Input) => Promise<Answer>;

/**
 * Something that a person does to the team. Afterwards all that is shown of the team is asked for anew, and then `done` is
 * called. Passwords that went out and secrets that came back are forgotten with the component.
 */
export function useAct<Answer, Input = void>(
  act: Act<Answer, Input>,
  done?: (answer: Answer, input: Input) => void,
) {
  const { team = '' } = useParams();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => act(teamApi(team), input),
    gcTime: 0,
    onSuccess: async (answer, input) => {
      const isFresh = queries.invalidateQueries({ queryKey: [team] });
      // Where nobody waits, as for a secret that is to be shown, the answer is there at once.
      if (!done) return;
      await isFresh;
      done(answer, input);
    },
    onError: (error) => {
      // The role is another one by now.
      if (hasCode(error, 'scope-missing')) void queries.invalidateQueries({ queryKey: [team, 'me'] });
    },
  });
}
