/** The usage log's row of one charge. */
import type { Hold, NewLog } from '../../billing/index.ts';
import type { Usage } from '../../canonical/usage.ts';
import type { LogOther, RouteStep } from '../../contract/log-other.ts';
import { type Language, translate } from '../../i18n/translate.ts';
import { decimal, multiply, toNumber } from '../../kernel/decimal.ts';
import { isObject, type JsonObject, type JsonValue } from '../../kernel/json.ts';
import { specialGroupRatio } from '../../pricing/find-price.ts';
import type { ImageOrder } from '../../pricing/images.ts';
import { unitFields } from '../../pricing/per-call.ts';
import {
  imageFields,
  otherModelFields,
  priceFields,
  realtimeFields,
} from '../../pricing/price-fields.ts';
import { logTypes } from '../../vocabulary/log-types.ts';
import { joinTags } from '../../vocabulary/tags.ts';
import type { AttemptOutcome } from '../attempt.ts';
import type { CallerContext } from '../context.ts';
import type { CallerFormat } from '../formats/shared/caller-format.ts';
import type { PricingContext, UsageCharge } from './charge.ts';

/** Characters of JSON, of all usages of an answer together. */
const longestUsage = 1000;
/** Characters of a word; longer ones are no figures. */
const longestWord = 64;
const deepest = 4;
const mostReplies = 20;

/** Without what says nothing: zeros, empty texts, lists and objects, long texts. */
function saying(value: unknown, depth: number): JsonValue | undefined {
  switch (typeof value) {
    case 'number':
      return value === 0 || !Number.isFinite(value) ? undefined : value;
    case 'string':
      return value === '' || value.length > longestWord ? undefined : value;
    case 'boolean':
      return value || undefined;
    default:
  }
  if (depth === 0) return undefined;
  if (Array.isArray(value)) {
    const items = value.flatMap((item) => saying(item, depth - 1) ?? []);
    return items.length === 0 ? undefined : items;
  }
  return isObject(value) ? sayingMembers(value, depth) : undefined;
}

function sayingMembers(value: Readonly<Record<string, unknown>>, depth: number) {
  const kept: [string, JsonValue][] = [];
  for (const [name, member] of Object.entries(value)) {
    const said = name.length > longestWord ? undefined : saying(member, depth - 1);
    if (said !== undefined) kept.push([name, said]);
  }
  return kept.length === 0 ? undefined : (Object.fromEntries(kept) as JsonObject);
}

/**
 * What the vendor wrote as usage, one object for each of its replies, without zeros; members for
 * which there is no room are `cut`. Undefined: it wrote none.
 */
export function reportedUsage(raw: Usage['raw'] = []): JsonObject[] | undefined {
  const said = raw
    .slice(0, mostReplies)
    .map((one) => sayingMembers(one, deepest))
    .filter((one) => one !== undefined);
  if (said.length === 0) return undefined;
  if (JSON.stringify(said).length <= longestUsage) return said;
  let room = longestUsage;
  return said.map((usage) => {
    const kept = Object.entries(usage).filter((member) => {
      const { length } = JSON.stringify(member);
      if (length > room) return false;
      room -= length;
      return true;
    });
    return { ...Object.fromEntries(kept), cut: true };
  });
}

/** What a row is written from, besides the request's context. */
interface ChargedRequest {
  readonly format: CallerFormat;
  readonly pricing: PricingContext;
  readonly hold: Hold;
  readonly tags: readonly string[];
  readonly outcome: AttemptOutcome;
  readonly used: UsageCharge;
  /** Quota. */
  readonly amount: number;
  /** What the upstream charges, in thousandths of a quota; undefined: unknown. */
  readonly cost: number | undefined;
  /** Clock milliseconds. */
  readonly now: number;
}

export function usageLogRow(context: CallerContext, charged: ChargedRequest): NewLog {
  const { format, pricing, outcome, used, amount, tags, now } = charged;
  const { usage, images } = used;
  const { caller, group, requestId } = context;
  const { startedAt = context.startedAt } = outcome;
  const cacheTokens =
    (usage.cachedTokens ?? 0) + (usage.cacheWriteTokens ?? usage.cacheWrite1hTokens ?? 0);
  const prompt = usage.promptTokens ?? 0;
  return {
    userId: caller.userId,
    username: caller.username,
    createdAt: Math.floor(now / 1000),
    type: logTypes.consume,
    content: images === undefined ? '' : imageSentence(context.deps.siteLanguage(), images),
    tokenName: caller.tokenName,
    tokenId: caller.tokenId,
    modelName: pricing.model,
    quota: amount,
    promptTokens:
      format.logsPromptWithoutCache === true ? Math.max(0, prompt - cacheTokens) : prompt,
    completionTokens: usage.completionTokens ?? 0,
    useTime: Math.round(elapsed(startedAt, now) / 1000),
    isStream: outcome.stream,
    channelId: outcome.channel.id,
    group,
    requestId,
    tags: joinTags(tags),
    other: JSON.stringify(otherFields(context, charged)),
  };
}

function otherFields(
  context: CallerContext,
  { format, pricing, hold, outcome, used, amount, cost, now }: ChargedRequest,
): LogOther {
  const { caller, group, route, policy, address, playgroundKey } = context;
  const { model, groupRatio, measure, quotaPerUnit } = pricing;
  const { startedAt = context.startedAt } = outcome;
  const mapped = outcome.upstreamModel !== model;
  return {
    ...priceFields(
      used.usage,
      used.price,
      groupRatio,
      specialGroupRatio(caller.userGroup, group, policy.prices),
    ),
    ...otherModelFields(used.others, groupRatio),
    ...(used.images === undefined ? {} : imageFields(model, used.images, pricing.price)),
    ...unitFields(used.charge.lines, quotaPerUnit),
    ...(measure?.realtime ? realtimeFields(used.usage, used.price) : {}),
    group,
    ...(outcome.firstByteAt === undefined
      ? {}
      : { frt: Math.round(elapsed(startedAt, outcome.firstByteAt)) }),
    ...(mapped ? { is_model_mapped: true, upstream_model_name: outcome.upstreamModel } : {}),
    ...(outcome.reasoningEffort === undefined ? {} : { reasoning_effort: outcome.reasoningEffort }),
    // The console explains such rows: their prompt is shown without cache reads and writes.
    ...(format.logsPromptWithoutCache === true ? { claude: true } : {}),
    ...(outcome.ended === undefined ? {} : { ended: outcome.ended }),
    ...(used.charge.uncharged === undefined ? {} : { uncharged: used.charge.uncharged }),
    usage_source: used.source,
    request_path: route.path,
    use_ms: Math.round(elapsed(startedAt, now)),
    ...(playgroundKey === undefined ? {} : { playground_key: playgroundKey }),
    admin_info: {
      use_channel: outcome.steps.map((step) => String(step.channel)),
      route: withSaid(outcome, used.usage, pricing, policy),
      ip: address,
      held: hold.amount,
      ...(hold.small ? { small_hold: true } : {}),
      ...(cost !== undefined && cost > amount * 1000 ? { below_cost: cost / 1000 } : {}),
    },
  };
}

/** Milliseconds; 0 where the clock was put back meanwhile. */
function elapsed(from: number, to: number): number {
  return Math.max(0, to - from);
}

/** Size and quality, where they made the price; log rows are written in the site's language. */
function imageSentence(language: Language, { count, size, quality }: ImageOrder): string {
  return translate(language, 'log.images', { count, size, ...(quality === '' ? {} : { quality }) });
}

/** The last step served, and its vendor said so. */
function withSaid(
  { steps, channel, usage }: AttemptOutcome,
  { thinkingDropped: dropped, cacheMiss: missed, toolCalls, statedCost }: Usage,
  { quotaPerUnit }: PricingContext,
  { logReportedUsage }: CallerContext['policy'],
): RouteStep[] {
  const served = steps.at(-1);
  if (served === undefined) return [];
  const reported = logReportedUsage ? reportedUsage(usage?.raw) : undefined;
  const tools = Object.entries(toolCalls ?? {}).filter(([, count]) => count > 0);
  const cost = channel.provider.statesCost === true ? statedCost : undefined;
  const said: Partial<RouteStep> = {
    ...(dropped && { dropped_thinking: [...dropped] }),
    ...(missed !== undefined && { cache_miss: missed }),
    ...(tools.length > 0 && { hosted_tools: tools.map(([tool, count]) => ({ tool, count })) }),
    ...(cost !== undefined && {
      stated_cost: toNumber(multiply(decimal(cost), quotaPerUnit)),
    }),
    ...(reported && { reported_usage: reported }),
  };
  return Object.keys(said).length === 0
    ? [...steps]
    : [...steps.slice(0, -1), { ...served, ...said }];
}
