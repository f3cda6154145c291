/** Whether every request has the row, the charge and the answer that it should have. */
import type { Row } from './database.ts';
import type { Sent } from './load.ts';
import { usageOf, wordsOf } from './orders.ts';
import type { Reached } from './upstream.ts';

export interface Evidence {
  readonly sent: readonly Sent[];
  /** What reached upstreams, by the number of the request. */
  readonly reached: ReadonlyMap<number, Reached>;
  readonly rows: readonly Row[];
  /** When processes were killed, by their id. */
  readonly killedAt: ReadonlyMap<number, number>;
}

export interface Judgement {
  readonly violations: readonly string[];
  /** Requests that reached an upstream and have no row, described. */
  readonly missing: readonly string[];
  /** Rows of requests whose address was not known any more: they are of some that are missing. */
  readonly nameless: number;
  readonly whole: number;
  readonly charged: number;
}

/** Milliseconds for which rows of errors may still be in memory, so that kill -9 loses them. */
const unsaved = 6500;
/** Reports of usage that cannot be. */
const honest: ReadonlySet<string> = new Set(['proper', 'slow']);

export function judgeRows({ sent, reached, rows, killedAt }: Evidence): Judgement {
  const byNumber = Map.groupBy(rows, ({ number }) => number);
  const violations: string[] = [];
  const missing: string[] = [];
  let whole = 0;
  let charged = 0;
  for (const one of sent) {
    const { number } = one.order;
    const own = byNumber.get(number) ?? [];
    const attempts = reached.get(number)?.attempts ?? [];
    const charges = own.filter(({ type }) => type === 2);
    const failures = own.filter(({ type, ended }) => type === 5 && ended === undefined);
    const killed = killedAt.get(one.process);
    const isLost = killed !== undefined && one.endedAt > killed - unsaved;
    const say = (what: string) =>
      violations.push(`request ${number}: ${what}${describe(one, attempts, own)}`);
    charged += charges.length;
    if (charges.length > 1) say('charged more than once');
    if (failures.length > 1) say('more than one row of its failure');
    if (charges.length > 0 && failures.length > 0) say('charged and failed');
    if (charges.length > 0 && attempts.length === 0) say('charged, but no upstream was reached');
    for (const row of charges) judgeCharge(row, one, attempts.at(-1), say);
    if (attempts.length > 0 && own.length === 0 && !isLost)
      missing.push(`request ${number}${describe(one, attempts, own)}`);
    const { ending } = one;
    if (ending.kind === 'hanging') say('neither answered nor ended');
    if (ending.kind !== 'answered') continue;
    if (ending.raw.includes('"internal_error"')) say('an internal error');
    if (!ending.isWhole) continue;
    whole += 1;
    if (ending.text !== wordsOf(one.order).join(''))
      say(`a part of an answer that looks whole: ${ending.text}`);
    if (charges.length === 0) say('answered, but not charged');
    if (charges.some(({ ended }) => ended !== undefined))
      say('a whole answer whose row says that it was cut');
  }
  return { violations, missing, nameless: byNumber.get(undefined)?.length ?? 0, whole, charged };
}

function judgeCharge(
  row: Row,
  { order }: Sent,
  last: string | undefined,
  say: (what: string) => void,
): void {
  const { quota, promptTokens, completionTokens, ended, source } = row;
  if (last !== 'lies' && quota !== promptTokens + completionTokens)
    say(`charged ${quota} for what costs ${promptTokens + completionTokens}`);
  if (!Number.isSafeInteger(quota) || quota < 0) say(`charged ${quota}`);
  const usage = usageOf(order);
  if (ended === undefined && source === 'upstream' && last !== undefined && honest.has(last)) {
    if (promptTokens !== usage.prompt || completionTokens !== usage.completion)
      say(
        `charged for ${promptTokens} and ${completionTokens} tokens instead of ${usage.prompt} and ${usage.completion}`,
      );
  }
  // What is counted is about as long as the texts.
  if (last !== 'lies' && quota > usage.prompt + 150 + 10 * order.words)
    say(`charged ${quota}, which is more than there was`);
}

function describe(
  { order, ending }: Sent,
  attempts: readonly string[],
  rows: readonly Row[],
): string {
  const { format, wire, stream, client } = order;
  const seen = rows.map(({ type, quota, ended, code, source }) =>
    [type, quota, ended, code, source].filter(Boolean).join(' '),
  );
  const { kind } = ending;
  const reply = kind === 'answered' ? ` ${ending.status} ${ending.raw.slice(-300)}` : '';
  return [
    ` (${format} from ${wire}${stream ? ', streamed' : ''}; client ${client.leaves}`,
    `upstreams ${attempts.join(', ') || 'none'}`,
    `rows ${seen.join(' | ') || 'none'}`,
    `ended ${kind}${reply})`,
  ].join('; ');
}
