/** Usage logs as a file (docs/rules/usage-logs.md#export). */
import type { FileOutput } from '../contract/endpoint.ts';
import type { LogEntity } from '../contract/entities.ts';
import { byteOrderMark, type CsvCell, csvLine } from '../kernel/csv.ts';
import type { LogFilter, Storage, UsageLog } from '../storage/storage.ts';
import { logTypeNames } from '../vocabulary/log-types.ts';
import { type LogView, readLog } from './log-view.ts';
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

type Column = readonly [name: string, value: (log: LogView) => CsvCell, isForAdmins?: true];

/**
 * The columns of the CSV in their order (docs/rules/usage-logs.md#csv-columns). New ones are added
 * at the end.
 */
const columns: readonly Column[] = [
  ['id', ({ entity }) => entity.id, true],
  ['time', ({ entity }) => new Date(entity.created_at * 1000).toISOString()],
  ['type', ({ entity }) => logTypeNames[entity.type] ?? 'unknown'],
  ['user_id', ({ entity }) => entity.user_id, true],
  ['username', ({ entity }) => entity.username, true],
  ['token_name', ({ entity }) => entity.token_name],
  ['model', ({ entity }) => entity.model_name],
  ['group', ({ entity }) => entity.group],
  ['channel_id', ({ entity }) => entity.channel, true],
  ['channel_name', ({ entity }) => entity.channel_name, true],
  ['prompt_tokens', ({ entity }) => entity.prompt_tokens],
  ['completion_tokens', ({ entity }) => entity.completion_tokens],
  ['quota', ({ entity }) => entity.quota],
  ['seconds', ({ seconds }) => seconds],
  ['stream', ({ entity }) => entity.is_stream],
  ['request_id', ({ entity }) => entity.request_id],
  ['content', ({ entity }) => entity.content],
  ['other', ({ entity }) => entity.other],
  ['input_tokens', ({ input }) => input],
  ['cached_tokens', ({ cached }) => cached],
  ['tags', ({ entity }) => entity.tags],
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
  const write = (row: LogEntity) => {
    if (format !== 'csv') return `${JSON.stringify(row)}\n`;
    const log = readLog(row);
    return csvLine(shown.map(([, value]) => value(log)));
  };
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
