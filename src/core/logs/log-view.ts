/**
 * A usage log row as people see it, the same in the console, in tables, in the terminal and in CSV
 * files: figures out of `other`, read once.
 */
import type { LogEntity } from '../contract/entities.ts';
import { type LogOther, readLogOther } from '../contract/log-other.ts';
import { type Counting, countingOf, isFixedPrice } from '../pricing/counting.ts';
import { formatSeconds } from '../pricing/format.ts';
import type { Language } from '../vocabulary/languages.ts';
import { logTypes } from '../vocabulary/log-types.ts';

/** What sets a request apart: `counted` is usage that nobody but the gateway counted. */
export type LogMark = 'test' | 'realtime' | 'counted';

export interface LogView {
  readonly entity: LogEntity;
  readonly other: LogOther;
  /** A request with model, tokens and cost; the rest are failures, top-ups, acts and notes. */
  readonly isRequest: boolean;
  /** A request that failed, or was refused by an upstream: it has a cause and no cost. */
  readonly isError: boolean;
  /** Prompt tokens, cache reads and writes included. */
  readonly input: number;
  /** Cache reads. */
  readonly cached: number;
  /** What the price was multiplied by for the user's group. */
  readonly ratio: number | undefined;
  /** How the gateway counted what was charged; undefined: the upstream did, or it did not matter. */
  readonly counting: Counting | undefined;
  /** Charged by the call, whatever it used. */
  readonly fixedPrice: boolean;
  /** The group whose prices and channels were used. */
  readonly group: string;
  readonly marks: readonly LogMark[];
  /**
   * Ids of the channels tried, in order, the last one served unless the request failed. Only rows
   * for administrators have them.
   */
  readonly channels: readonly number[];
  /** Seconds the request took: exact where the row has them, else whole. */
  readonly seconds: number;
  /** The same to be shown: `0.84`, `14.2`; `<1` where only whole seconds are known. */
  readonly secondsText: string;
  /** Seconds to the first token. */
  readonly firstToken: number | undefined;
  /** HTTP status of a failed request; undefined where a stream was cut. */
  readonly status: number | undefined;
  /** What the row says in words: of a failed request its status and cause. */
  readonly note: string;
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export function readLog(entity: LogEntity): LogView {
  const other = readLogOther(entity.other);
  const cached = numberIn(other['cache_tokens']) ?? 0;
  const written = numberIn(other['cache_creation_tokens']) ?? 0;
  const special = numberIn(other['user_group_ratio']);
  const counted = countingOf(entity.model_name, other);
  const fixedPrice = counted !== 'images' && isFixedPrice(other);
  const counting = fixedPrice ? undefined : counted;
  const isError = entity.type === logTypes.error;
  const status = isError && other.ended === undefined ? other.status_code : undefined;
  const { use_ms: ms, frt } = other;
  return {
    entity,
    other,
    // Type 0 of older rows is a request too (docs/rules/usage-logs.md#log-types).
    isRequest:
      entity.type === logTypes.consume ||
      (entity.type === logTypes.unknown && entity.model_name !== ''),
    isError,
    // Rows of the Claude route count the prompt without cache reads and writes
    // (docs/rules/usage-logs.md#claude-rows).
    input: entity.prompt_tokens + (other.claude === true ? cached + written : 0),
    cached,
    ratio: special !== undefined && special >= 0 ? special : numberIn(other['group_ratio']),
    counting,
    fixedPrice,
    group: other.group || entity.group,
    marks: marksOf(other, counting),
    channels: channelsOf(entity, other),
    seconds: ms === undefined ? entity.use_time : ms / 1000,
    secondsText: ms === undefined ? String(entity.use_time || '<1') : formatSeconds(ms / 1000),
    // The family writes −1000 for "none".
    firstToken: frt !== undefined && frt >= 0 ? frt / 1000 : undefined,
    status,
    note: status === undefined ? entity.content : `${status} ${entity.content}`,
  };
}

/** The text of a row in the language of its reader, where the row has it. */
export const textIn = (language: Language, { entity, other }: LogView): string =>
  other.texts?.[language] ?? entity.content;

function marksOf(other: LogOther, counting: Counting | undefined): readonly LogMark[] {
  const marks: LogMark[] = [];
  if (other.is_test === true) marks.push('test');
  if (other['ws'] === true) marks.push('realtime');
  if (counting === 'text') marks.push('counted');
  return marks;
}

function channelsOf({ channel }: LogEntity, other: LogOther): readonly number[] {
  const tried = (other.admin_info?.use_channel ?? [])
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
  if (tried.length > 0) return tried;
  return channel > 0 ? [channel] : [];
}
