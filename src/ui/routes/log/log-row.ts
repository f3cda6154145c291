/** A usage log row as its screen needs it: figures out of `other`, read once. */
import type { LogEntity } from '../../../core/contract/entities.ts';
import { type LogOther, readLogOther } from '../../../core/contract/log-other.ts';
import { type Counting, countingOf } from '../../../core/pricing/counting.ts';
import { isFixedPrice } from '../../../core/pricing/explain.ts';
import { logTypes } from '../../../core/vocabulary/log-types.ts';
import { durationText, wholeSeconds } from '../../hooks/use-time-text.ts';

export interface LogRow {
  readonly entity: LogEntity;
  readonly other: LogOther;
  /** A request with model, tokens and cost; the rest are top-ups, acts and notes. */
  readonly isRequest: boolean;
  /** A request that failed, or was refused by an upstream: it has a cause and no cost. */
  readonly isError: boolean;
  /** Prompt tokens, cache reads and writes included. */
  readonly input: number;
  readonly cached: number;
  readonly ratio: number | undefined;
  /** How we counted what was charged; undefined: the upstream told it, or it did not matter. */
  readonly counting: Counting | undefined;
  /** Charged by the call, whatever it used. */
  readonly fixedPrice: boolean;
  /**
   * Channels tried, in order, the last one served unless the request failed; only administrators
   * are told.
   */
  readonly channels: readonly number[];
  /** Seconds the request took; whole ones in rows that tell no more. */
  readonly seconds: number;
  readonly secondsText: string;
  /** Seconds to the first token. */
  readonly firstToken: number | undefined;
}

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export function readLogRow(entity: LogEntity): LogRow {
  const other = readLogOther(entity.other);
  const cached = numberIn(other['cache_tokens']) ?? 0;
  const written = numberIn(other['cache_creation_tokens']) ?? 0;
  const special = numberIn(other['user_group_ratio']);
  const counting = countingOf(entity.model_name, other);
  const fixedPrice = counting !== 'images' && isFixedPrice(other);
  const tried = (other.admin_info?.use_channel ?? [])
    .map(Number)
    .filter((id) => Number.isInteger(id) && id > 0);
  return {
    entity,
    other,
    // Type 0 of older rows is a request too (docs/rules/usage-logs.md#log-types).
    isRequest:
      entity.type === logTypes.consume ||
      (entity.type === logTypes.unknown && entity.model_name !== ''),
    isError: entity.type === logTypes.error,
    // Rows of the Claude route count the prompt without cache reads and writes
    // (docs/rules/usage-logs.md#claude-rows).
    input: entity.prompt_tokens + (other.claude === true ? cached + written : 0),
    cached,
    ratio: special !== undefined && special >= 0 ? special : numberIn(other['group_ratio']),
    counting: fixedPrice ? undefined : counting,
    fixedPrice,
    channels: tried.length > 0 ? tried : entity.channel > 0 ? [entity.channel] : [],
    seconds: other.use_ms === undefined ? entity.use_time : other.use_ms / 1000,
    secondsText:
      other.use_ms === undefined
        ? wholeSeconds(entity.use_time)
        : durationText(other.use_ms / 1000),
    // The family writes −1000 for "none".
    firstToken: other.frt !== undefined && other.frt >= 0 ? other.frt / 1000 : undefined,
  };
}
