import { existsSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { parseJson } from '../kernel/json.ts';
import { Secret } from '../kernel/secret.ts';
import { z } from '../kernel/zod.ts';
import { writePrivateFile } from './data-folder.ts';
import { isDataFolderLocked } from './data-lock.ts';
import type { Config } from './schema.ts';

/**
 * Address of the gateway that runs on a data folder, and the key with which its reader acts as root
 * (docs/rules/process.md#address-file).
 */
export interface GatewayAddress {
  readonly url: string;
  readonly pid: number;
  readonly key: Secret;
  /** Absent in the file of an earlier version. */
  readonly data?: GatewayData | undefined;
}

/** Where a gateway's data is: a command that reads it beside the gateway has to read the same. */
export interface GatewayData {
  /** The path of the SQLite file, or `PostgreSQL`. */
  readonly database: string;
  /** The folder of uploaded files. */
  readonly uploads: string;
}

type DataPlaces = Pick<Config, 'databaseUrl' | 'sqlitePath' | 'uploadDir'>;

export const gatewayDataOf = ({ databaseUrl, sqlitePath, uploadDir }: DataPlaces): GatewayData => ({
  database: databaseUrl === '' ? sqlitePath : 'PostgreSQL',
  uploads: uploadDir,
});

const shape = z.object({
  url: z.url(),
  pid: z.number().int().positive(),
  key: z.string().min(32),
  data: z.object({ database: z.string(), uploads: z.string() }).optional(),
});
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

/**
 * A command that reads the data beside a running gateway has settings of its own, which may lack
 * those of the gateway's unit. Throws AppError gateway_data_elsewhere where it would read another
 * database, or, with its files, another folder of uploads.
 */
export function requireDataOfGateway(
  config: DataPlaces & Pick<Config, 'dataDir'>,
  withFiles: boolean,
): void {
  const found = readGatewayFile(config.dataDir)?.data;
  if (found === undefined) return;
  const own = gatewayDataOf(config);
  const refuse = (wanted: string, read: string, setting: string) => {
    throw new AppError('gateway_data_elsewhere', { wanted, read, setting });
  };
  if (differ(found.database, own.database))
    refuse(
      found.database,
      own.database,
      [found, own].some(({ database }) => database === 'PostgreSQL')
        ? 'TURNPIKE_DATABASE_URL'
        : 'TURNPIKE_SQLITE_PATH',
    );
  if (withFiles && differ(found.uploads, own.uploads))
    refuse(found.uploads, own.uploads, 'TURNPIKE_UPLOAD_DIR');
}

/**
 * Whether they are two places. A path that is not there is none of this machine, as that of a
 * gateway in a container; one place may have several names.
 */
function differ(found: string, own: string): boolean {
  if (found === own) return false;
  if (found === 'PostgreSQL' || own === 'PostgreSQL') return true;
  return existsSync(found) && (!existsSync(own) || realpathSync(found) !== realpathSync(own));
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
