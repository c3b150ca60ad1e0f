import { onDemand } from './models-on-demand';

describe('onDemand', () => {
  it('asks the client for a property when it is asked itself, and for no other', () => {
    const asked: string[] = [];
    const client = {
      get run() {
        asked.push('run');
        return 'runs';
      },
      get series() {
        asked.push('series');
        return 'many';
      },
      secret: 'not given out',
    };
    const models = onDemand<typeof client, 'run' | 'series'>(['run', 'series'])(client);
    expect(asked).toEqual([]);
    expect(models.run).toBe('runs');
    expect(asked).toEqual(['run']);
    expect(models).not.toHaveProperty('secret');
  });

  it('keeps clients apart', () => {
    const give = onDemand<{ name: string }, 'name'>(['name']);
    const [first, second] = [give({ name: 'first' }), give({ name: 'second' })];
    expect([first.name, second.name]).toEqual(['first', 'second']);
  });
});
