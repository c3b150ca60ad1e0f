import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { type Log } from './local-stack-error';
import { findProgram } from './redis-program';

/** Debian's switch that keeps a package's installation from starting its service: exit status 101 forbids it. */
const SERVICE_POLICY = '/usr/sbin/policy-rc.d';
const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * A shell, so that the policy is removed even when we are killed meanwhile. A policy that the system has already,
 * whatever it says, is left alone.
 */
const INSTALL_SCRIPT = `
set -e
apt=$1 policy=$2
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 130' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' >"$policy"
  chmod 755 "$policy"
fi
timeout 120 "$apt" update >&2
timeout 300 "$apt" -o DPkg::Lock::Timeout=60 install -y --no-install-recommends redis-server >&2`;

/**
 * Installs Debian's redis-server when we are root and have apt, and leaves no service behind. Returns undefined
 * when it did, or why it did not try; throws when apt fails.
 */
export async function installRedis(
  env: NodeJS.ProcessEnv,
  log: Log,
  policyFile = SERVICE_POLICY,
): Promise<string | undefined> {
  const apt = findProgram('apt-get', env.PATH);
  if (!apt)
    return 'neither redis-server nor valkey-server is on the PATH, and there is no apt-get to install one';
  if (process.getuid?.() !== 0) {
    return 'neither redis-server nor valkey-server is on the PATH; `sudo apt-get install redis-server` installs one';
  }
  log(
    'Installing Debian package redis-server (apt-get update, then install); STALLSCOPE_QUEUE=postgres avoids it.',
  );
  await run('/bin/sh', ['-c', INSTALL_SCRIPT, 'sh', apt, policyFile], env);
  await disableService(env);
  log('Installed redis-server. Its system service is neither running nor enabled.');
  return undefined;
}

/** Under systemd the package enables its service for the next boot, and an existing policy may have allowed a start. */
async function disableService(env: NodeJS.ProcessEnv): Promise<void> {
  const systemctl = findProgram('systemctl', env.PATH);
  if (!systemctl || !existsSync('/run/systemd/system')) return;
  await run(systemctl, ['disable', '--now', 'redis-server'], env);
}

async function run(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const variables = {
    DEBIAN_FRONTEND: 'noninteractive',
    LC_ALL: 'C',
    PATH: `${env.PATH ?? ''}:${SYSTEM_PATH}`,
  };
  try {
    await promisify(execFile)(program, args, { env: { ...env, ...variables }, maxBuffer: 64 * 1024 * 1024 });
  } catch (error) {
    const { stderr = '', code } = error as { stderr?: string; code?: number };
    const said = stderr.trim().split('\n').slice(-2).join(' ');
    throw new Error(`${said || 'it said nothing'} (exit status ${code ?? 'unknown'})`, { cause: error });
  }
}
