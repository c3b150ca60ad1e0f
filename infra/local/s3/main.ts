#!/usr/bin/env node
import { startLocalS3 } from './index';

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} must be set`);
  return value;
}

function parsePort(text: string | undefined): number {
  const port = text ? Number(text) : 0;
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error('LOCAL_S3_PORT must be a port number');
  return port;
}

/** Runs the local S3 server until a signal comes, or until the process that forked it goes away. */
async function main(): Promise<void> {
  const server = await startLocalS3({
    dataDir: required('LOCAL_S3_DATA_DIR'),
    accessKeyId: required('S3_ACCESS_KEY_ID'),
    secretAccessKey: required('S3_SECRET_ACCESS_KEY'),
    port: parsePort(process.env.LOCAL_S3_PORT),
  });
  const stop = () => void server.stop().then(() => process.exit(0));
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  process.once('disconnect', stop);
  console.log(`listening on ${server.endpoint}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
