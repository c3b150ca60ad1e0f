import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const INSTALL_BOUND_MS = 300_000;
// A sandbox needs rights that containers do not give; the pages are our own.
const ARGS = [
  ...['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  ...['--disable-sync', '--no-first-run'],
];

/** Path of the Chromium of this machine. As root on Debian it is installed when it is missing; undefined without one. */
export function findChromium(): string | undefined {
  return onPath() ?? (install() ? onPath() : undefined);
}

/** `describe` where there is a browser; elsewhere the suite counts as skipped, and a line says why. */
export function inChromium(): { describe: jest.Describe; executablePath: string } {
  const executablePath = findChromium();
  if (executablePath !== undefined) return { describe, executablePath };
  process.stderr.write(
    '\n[web tests] SKIPPED: there is no Chromium. Install it, for example with `sudo apt-get install chromium`.\n\n',
  );
  return { describe: describe.skip, executablePath: '' };
}

/** A browser without a window. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ARGS });

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Several suites may come here at once: apt lets one after the other. */
function install(): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  process.stderr.write('[web tests] Installing the Debian package chromium …\n');
  const apt = (...args: string[]) =>
    spawnSync('apt-get', ['-o', 'DPkg::Lock::Timeout=240', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
      timeout: INSTALL_BOUND_MS,
    }).status === 0;
  const get = () => apt('install', '-y', '--no-install-recommends', 'chromium');
  return get() || (apt('update') && get());
}
