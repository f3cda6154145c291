import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../kernel/json.ts';
import { Secret } from '../kernel/secret.ts';
import { z } from '../kernel/zod.ts';
import { writePrivateFile } from './data-folder.ts';
import { isDataFolderLocked } from './data-lock.ts';

/**
 * Address of the gateway that runs on a data folder, and the key with which its reader acts as root
 * (docs/rules/process.md#address-file).
 */
export interface GatewayAddress {
  readonly url: string;
  readonly pid: number;
  readonly key: Secret;
}

const shape = z.object({ url: z.url(), pid: z.number().int().positive(), key: z.string().min(32) });
const fileName = 'gateway.json';

/** Written with mode 0600, because anyone who can read it can act as root. */
export function writeGatewayFile(folder: string, address: GatewayAddress): void {
  writePrivateFile(
    join(folder, fileName),
    `${JSON.stringify({ ...address, key: address.key.reveal() })}\n`,
  );
}

/** Undefined when no gateway runs on the folder; a file left behind by a crash is ignored. */
export function readGatewayFile(folder: string): GatewayAddress | undefined {
  let text: string;
  try {
    text = readFileSync(join(folder, fileName), 'utf8');
  } catch {
    return undefined;
  }
  const parsed = shape.safeParse(parseJson(text));
  if (!parsed.success || !isAlive(parsed.data.pid) || !isDataFolderLocked(folder)) return undefined;
  return { ...parsed.data, key: new Secret(parsed.data.key) };
}

export function removeGatewayFile(folder: string): void {
  rmSync(join(folder, fileName), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
