import { inviteAddress } from '../session/addresses';
import { tokenIn } from './token-in';

describe('tokenIn', () => {
  it('finds the token of the links that are made here', () => {
    expect(tokenIn(inviteAddress('ssi_a-B_9'))).toBe('ssi_a-B_9');
    expect(tokenIn('#token=ssi_a')).toBe('ssi_a');
  });

  it('finds nothing where there is none, and not in the query, which servers see', () => {
    for (const link of ['', '#', '#token=', '#other=1', 'ssi_a', '/invite?token=ssi_a']) {
      expect(tokenIn(link)).toBeNull();
    }
  });
});
