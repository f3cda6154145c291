/** The site's options as the relay uses them: parsed, built and indexed once per change. */

import type { ProviderOptions } from '../canonical/provider.ts';
import type { Config } from '../config/schema.ts';
import { type Decimal, decimal } from '../kernel/decimal.ts';
import type { CatalogueData } from '../models/catalogue.ts';
import { knownModels } from '../models/known-models.ts';
import {
  type OptionKey,
  type OptionValue,
  type OptionValues,
  vendorOptionKeys,
} from '../options/index.ts';
import { withAddedPrices } from '../pricing/added-prices.ts';
import { catalogueDetails } from '../pricing/catalogue-details.ts';
import { buildPriceTables, type PriceTables, readPriceOptions } from '../pricing/tables.ts';
import { buildVideoRatios, type VideoRatioTable } from '../pricing/video-ratios.ts';
import type { OptionStore } from '../site/option-store.ts';
import { buildSensitiveWords, type SensitiveWords } from './body/sensitive-words.ts';
import type { FileWorker } from './files/file-fetcher.ts';

/** The options `ModelRequestRateLimit*`. */
export interface RateLimit {
  readonly windowMs: number;
  /** All requests, failed ones included; 0: no limit. */
  readonly total: number;
  /** Successful ones. */
  readonly success: number;
}

/** The options `channel_affinity_setting.*`. */
export interface AffinityPolicy {
  /** Another channel that served takes the remembered one's place. */
  readonly switchOnSuccess: boolean;
  /** Conversations remembered at most. */
  readonly most: number;
  /** Milliseconds. */
  readonly ttl: number;
}

/** The options of drawings. */
export interface DrawingPolicy {
  /** A caller's `notifyHook` and `accountFilter` are sent on. */
  readonly sendsHooks: boolean;
  readonly sendsAccountFilter: boolean;
  /** Flags that select a speed are taken out of prompts. */
  readonly clearsModes: boolean;
  /** Only a finished task may be continued. */
  readonly needsSuccess: boolean;
}

export interface RelayPolicy {
  readonly retryTimes: number;
  /** Null: conversations are not kept on their channel. */
  readonly affinity: AffinityPolicy | null;
  readonly prices: PriceTables;
  readonly videoRatios: VideoRatioTable;
  readonly quotaPerUnit: Decimal;
  /** The fewest tokens that a hold covers. */
  readonly leastHeldTokens: number;
  readonly selfUse: boolean;
  readonly logConsume: boolean;
  /** Rows keep the usage in the vendors' own words. */
  readonly logReportedUsage: boolean;
  readonly dataExport: boolean;
  /** Group → description. */
  readonly usableGroups: Readonly<Record<string, string>>;
  readonly autoDisable: boolean;
  /** Lower case. */
  readonly disableKeywords: readonly string[];
  /** New tasks (music, video) and drawings are accepted. */
  readonly tasks: boolean;
  readonly drawing: boolean;
  /** Null: not checked. */
  readonly sensitiveWords: SensitiveWords | null;
  /** Bodies are sent unchanged, without mapping and overrides. */
  readonly passThroughAll: boolean;
  /** Null: requests are not counted. */
  readonly rateLimit: RateLimit | null;
  /** Users without a threshold of their own are warned below this balance, in quota. */
  readonly warnBelow: number;
  /** Null: files are fetched from their own addresses. */
  readonly fileWorker: FileWorker | null;
  /** Amounts are reported in currency units instead of quota. */
  readonly showsCurrency: boolean;
  /** Billing calls report the figures of the token instead of its owner's. */
  readonly showsTokenFigures: boolean;
  /** Days that the contents of responses are kept; 0: none are. */
  readonly responseDays: number;
  /** Of stored contents for each user; 0: no limit. */
  readonly responseBytes: number;
  /** Background responses that a user may have under way. */
  readonly backgroundResponses: number;
  /** Milliseconds that the thinking of answers is remembered; 0: it is not. */
  readonly thinkingTtl: number;
  /** Milliseconds between keep-alives on quiet streams; 0: none. */
  readonly pingInterval: number;
  readonly drawings: DrawingPolicy;
  readonly provider: ProviderOptions;
}

export type OptionReader = <K extends OptionKey>(key: K) => OptionValue<K>;

/** `machine`: settings of the process. */
export function buildPolicy(
  option: OptionReader,
  machine: Pick<
    ProviderOptions,
    'azureApiVersion' | 'difyDebug' | 'geminiMaxImages' | 'cohereSafetyMode'
  > = {},
): RelayPolicy {
  return {
    retryTimes: option('RetryTimes'),
    affinity: option('channel_affinity_setting.enabled')
      ? {
          switchOnSuccess: option('channel_affinity_setting.switch_on_success'),
          most: option('channel_affinity_setting.max_entries'),
          ttl: option('channel_affinity_setting.default_ttl_seconds') * 1000,
        }
      : null,
    prices: buildPriceTables(
      withAddedPrices(readPriceOptions(option), knownModels, {
        margin: option('model_sync.margin'),
        quotaPerUnit: option('QuotaPerUnit'),
      }),
      catalogueDetails,
    ),
    videoRatios: buildVideoRatios(option('VideoRatios')),
    quotaPerUnit: decimal(option('QuotaPerUnit')),
    leastHeldTokens: option('PreConsumedQuota'),
    selfUse: option('SelfUseModeEnabled'),
    logConsume: option('LogConsumeEnabled'),
    logReportedUsage: option('LogReportedUsage'),
    dataExport: option('DataExportEnabled'),
    usableGroups: option('UserUsableGroups'),
    autoDisable: option('AutomaticDisableChannelEnabled'),
    disableKeywords: option('AutomaticDisableKeywords')
      .map((word) => word.trim().toLowerCase())
      .filter((word) => word !== ''),
    sensitiveWords:
      option('CheckSensitiveEnabled') && option('CheckSensitiveOnPromptEnabled')
        ? buildSensitiveWords(option('SensitiveWords'))
        : null,
    tasks: option('TaskEnabled'),
    drawing: option('DrawingEnabled'),
    passThroughAll: option('global.pass_through_request_enabled'),
    rateLimit: option('ModelRequestRateLimitEnabled')
      ? {
          windowMs: option('ModelRequestRateLimitDurationMinutes') * 60_000,
          total: option('ModelRequestRateLimitCount'),
          success: option('ModelRequestRateLimitSuccessCount'),
        }
      : null,
    warnBelow: option('QuotaRemindThreshold'),
    fileWorker:
      option('WorkerUrl') === ''
        ? null
        : { url: option('WorkerUrl'), key: option('WorkerValidKey') },
    showsCurrency: option('DisplayInCurrencyEnabled'),
    showsTokenFigures: option('DisplayTokenStatEnabled'),
    responseDays: option('global.stored_responses_days'),
    responseBytes: option('global.stored_responses_mb') * 1024 * 1024,
    backgroundResponses: option('global.background_responses'),
    thinkingTtl: option('global.thinking_minutes') * 60_000,
    pingInterval: option('general_setting.ping_interval_enabled')
      ? option('general_setting.ping_interval_seconds') * 1000
      : 0,
    drawings: {
      sendsHooks: option('MjNotifyEnabled'),
      sendsAccountFilter: option('MjAccountFilterEnabled'),
      clearsModes: option('MjModeClearEnabled'),
      needsSuccess: option('MjActionCheckSuccessEnabled'),
    },
    provider: {
      vendor: Object.fromEntries(vendorOptionKeys.map((key) => [key, option(key)])),
      siteAddress: option('ServerAddress'),
      siteName: option('SystemName'),
      yuanPerDollar: option('Price'),
      ...machine,
    },
  };
}

/** Built anew only when an option changed, or a price on its day. */
export function cachedPolicy(options: OptionStore, config: Config): () => RelayPolicy {
  const machine = {
    azureApiVersion: config.azureDefaultApiVersion,
    difyDebug: config.difyDebug,
    geminiMaxImages: config.geminiVisionMaxImageNum,
    cohereSafetyMode: config.cohereSafetySetting,
  };
  let known: { values: OptionValues; added: CatalogueData; policy: RelayPolicy } | undefined;
  return () => {
    const values = options.values();
    const { added } = knownModels;
    if (known?.values !== values || known.added !== added)
      known = { values, added, policy: buildPolicy(options.get, machine) };
    return known.policy;
  };
}
