import { createPasswordResetService } from '../modules/teams';
import { loadDatabaseConfig } from '../platform/config';
import { Database } from '../platform/database';

/**
 * Makes a token with which somebody sets a new password, and prints it as one line of JSON; how to use it goes to standard
 * error. Throws Error when no account has the address.
 */
export async function resetPassword(email: string): Promise<void> {
  const database = new Database(loadDatabaseConfig());
  try {
    await database.onModuleInit();
    const issued = await createPasswordResetService(database).issue(email);
    if (!issued) throw new Error(`There is no account with the address ${JSON.stringify(email)}.`);
    const { token, expiresAt } = issued;
    console.log(JSON.stringify({ email, token, expiresAt: expiresAt.toISOString() }));
    console.error(
      'Hand the token to the person over a way that only they read. It is good once, for an hour:\n' +
        '  POST /v1/auth/password-reset with {"token": "ssp_…", "newPassword": "…"}',
    );
  } finally {
    await database.close();
  }
}
