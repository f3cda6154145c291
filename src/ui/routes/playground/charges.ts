/**
 * What requests of the playgrounds cost: the own usage log has the exact charge, under the id of
 * the request and the key that the page gave it (docs/rules/relay.md#playground).
 */
import { readLogOther } from '../../../core/contract/log-other.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { client } from '../../client/api.ts';
import type { MessageError } from './chat/message.ts';

export interface Charge {
  /** Quota. */
  readonly quota: number;
  readonly outputTokens: number;
}

/** A request, as far as the page knows it. */
export interface SentRequest {
  /** What the page called it: known also where it was stopped before its first word. */
  readonly key: string;
  readonly requestId?: string | undefined;
  /** Milliseconds. */
  readonly sentAt: number;
}

/**
 * Milliseconds until the log is read again where it has no row yet: a request that was stopped is
 * charged a little later.
 */
const delays = [0, 500, 1500, 4000, 10_000, 30_000];
/** Rows that are looked through for a key: those of the site's clock may be a day off. */
const pageSize = 100;
const mostPages = 5;
const daySeconds = 86_400;

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Row = Awaited<ReturnType<typeof client.log.listSelf>>['items'][number];

/**
 * The row of the charge, else that of a request that was given up before anything came. A reply
 * that was cut has a row of its failure besides.
 */
function choose(rows: readonly Row[]): Row | undefined {
  return (
    rows.find(({ type }) => type === logTypes.consume) ??
    rows.find(
      ({ type, other }) => type === logTypes.error && readLogOther(other).ended === undefined,
    )
  );
}

async function findRow({ key, requestId, sentAt }: SentRequest) {
  if (requestId !== undefined)
    return choose((await client.log.listSelf({ request_id: requestId, page_size: 10 })).items);
  for (let p = 1; p <= mostPages; p += 1) {
    const { items } = await client.log.listSelf({ p, page_size: pageSize });
    const row = choose(items.filter(({ other }) => readLogOther(other).playground_key === key));
    const last = items.at(-1);
    if (row !== undefined || last === undefined) return row;
    if (items.length < pageSize || last.created_at < sentAt / 1000 - daySeconds) return undefined;
  }
  return undefined;
}

/** Undefined: the log has no row, because the site does not log. */
export async function findCharge(request: SentRequest): Promise<Charge | undefined> {
  for (const delay of delays) {
    if (delay > 0) await wait(delay);
    const charge = await chargeNow(request);
    if (charge !== undefined) return charge;
  }
  return undefined;
}

/** Undefined: the log has no row yet. */
export async function chargeNow(request: SentRequest): Promise<Charge | undefined> {
  const row = await findRow(request).catch(() => undefined);
  return row && { quota: row.quota, outputTokens: row.completion_tokens };
}

/**
 * Whether a request may have cost something: one that the gateway refused did not, one that was
 * stopped or whose connection broke may have.
 */
export const mayHaveCost = (error: MessageError | undefined): boolean =>
  error === undefined || error.status === 0;
