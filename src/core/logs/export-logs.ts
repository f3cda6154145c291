/** Usage logs as a file (docs/rules/usage-logs.md#export). */
import type { FileOutput } from '../contract/endpoint.ts';
import type { LogEntity } from '../contract/entities.ts';
import { byteOrderMark, type CsvCell, csvLine } from '../kernel/csv.ts';
import type { LogFilter, Storage, UsageLog } from '../storage/storage.ts';
import { logTypes } from '../vocabulary/log-types.ts';
import { presentLog, presentOwnLog } from './present-log.ts';

export interface ExportRequest {
  readonly filter: LogFilter;
  readonly format: 'csv' | 'jsonl';
  /** Begin CSV with a byte order mark. */
  readonly bom: boolean;
  /** With channels and what only administrators see. */
  readonly forAdmins: boolean;
}

/** Rows per read: one chunk of the file. Nothing else is held in memory. */
const pieceSize = 1000;

const mediaTypes = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
} as const;

/** Stable names of the types in the file, whatever the language. */
const typeNames = new Map<number, string>([
  [logTypes.topUp, 'top_up'],
  [logTypes.consume, 'usage'],
  [logTypes.manage, 'admin'],
  [logTypes.system, 'system'],
  [logTypes.error, 'error'],
  [logTypes.refund, 'refund'],
]);

type Column = readonly [name: string, value: (row: LogEntity) => CsvCell, isForAdmins?: true];

/**
 * The columns of the CSV in their order (docs/rules/usage-logs.md#csv-columns). New ones are added
 * at the end.
 */
const columns: readonly Column[] = [
  ['id', (row) => row.id, true],
  ['time', (row) => new Date(row.created_at * 1000).toISOString()],
  ['type', (row) => typeNames.get(row.type) ?? 'unknown'],
  ['user_id', (row) => row.user_id, true],
  ['username', (row) => row.username, true],
  ['token_name', (row) => row.token_name],
  ['model', (row) => row.model_name],
  ['group', (row) => row.group],
  ['channel_id', (row) => row.channel, true],
  ['channel_name', (row) => row.channel_name, true],
  ['prompt_tokens', (row) => row.prompt_tokens],
  ['completion_tokens', (row) => row.completion_tokens],
  ['quota', (row) => row.quota],
  ['seconds', (row) => row.use_time],
  ['stream', (row) => row.is_stream],
  ['request_id', (row) => row.request_id],
  ['content', (row) => row.content],
  ['other', (row) => row.other],
];

export interface ExportDeps {
  readonly storage: Pick<Storage, 'logs' | 'channels'>;
}

/** Newest first. Rows that are written while it is read are not part of it. */
export async function exportLogs(
  { storage }: ExportDeps,
  request: ExportRequest,
): Promise<FileOutput> {
  const { filter, format, bom, forAdmins } = request;
  const shown = columns.filter(([, , isForAdmins]) => forAdmins || isForAdmins === undefined);
  const write = (row: LogEntity) =>
    format === 'csv' ? csvLine(shown.map(([, value]) => value(row))) : `${JSON.stringify(row)}\n`;
  const head =
    format === 'csv' ? (bom ? byteOrderMark : '') + csvLine(shown.map(([name]) => name)) : '';

  async function* chunks(): AsyncGenerator<string> {
    if (head !== '') yield head;
    const present = forAdmins ? await createAdminPresenter(storage) : presentInOrder();
    let after: UsageLog | undefined;
    for (;;) {
      const rows = await storage.logs.listBefore(filter, after, pieceSize);
      if (rows.length > 0) yield rows.map((row) => write(present(row))).join('');
      if (rows.length < pieceSize) return;
      after = rows.at(-1);
    }
  }
  const { total } = await storage.logs.page(filter, { offset: 0, limit: 1 });
  return { name: `usage-logs.${format}`, type: mediaTypes[format], total, chunks: chunks() };
}

function presentInOrder(): (row: UsageLog) => LogEntity {
  let count = 0;
  return (row) => {
    count += 1;
    return presentOwnLog(row, count);
  };
}

/** Looks up the name of each channel once. */
async function createAdminPresenter(
  storage: Pick<Storage, 'channels'>,
): Promise<(row: UsageLog) => LogEntity> {
  const channels = await storage.channels.listAll();
  const names = new Map(channels.map(({ id, name }) => [id, name]));
  return (row) => presentLog(row, names);
}
