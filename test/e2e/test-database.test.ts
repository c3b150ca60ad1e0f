import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { createEmptyDatabase } from '../harness/database';
import { superuserUrlOf } from '../harness/superuser';

describe('a database of a test', () => {
  it('is removed although a superuser, such as autovacuum, was at work in it', async () => {
    const database = await createEmptyDatabase();
    const url = await superuserUrlOf(database.ownerUrl);
    const superuser = new Client({ connectionString: url });
    await superuser.connect();
    const dropped = database.drop();
    await sleep(600);
    await superuser.end();
    await dropped;
    const late = new Client({ connectionString: url });
    await expect(late.connect()).rejects.toMatchObject({ code: '3D000' });
  });
});
