import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Keeps a second server off the folder: it would sweep away the first one's unfinished files. A lock left behind by a
 * process that no longer runs is taken over.
 */
export async function lockDataDir(dataDir: string): Promise<{ release(): Promise<void> }> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, 'server.pid');
  // In a container a process often has the pid of the one before it, so the start time tells them apart.
  const self = `${process.pid} ${performance.timeOrigin}`;
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      const file = await open(path, 'wx');
      await file.writeFile(self);
      await file.close();
      return { release: () => rm(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await readFile(path, 'utf8').catch(() => '');
    const owner = parseInt(holder, 10);
    const inUse = owner === process.pid ? holder === self : owner > 0 && isAlive(owner);
    if (inUse) {
      throw new Error(
        `local S3: ${dataDir} is in use by process ${owner}; stop it, or delete ${path} if it is no S3 server.`,
      );
    }
    await rm(path, { force: true });
  }
  throw new Error(`local S3: could not lock ${dataDir}; another server is starting on it.`);
}
