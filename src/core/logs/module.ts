import type { Audit } from '../audit/audit-log.ts';
import type { Config } from '../config/schema.ts';
import type { Overview } from '../contract/overview.ts';
import type { Language } from '../i18n/translate.ts';
import { type Clock, nowSeconds } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { ServiceModule } from '../runtime/service-module.ts';
import type { OptionStore } from '../site/option-store.ts';
import type { Storage } from '../storage/storage.ts';
import type { ChannelState } from '../vocabulary/channel-states.ts';
import type { ArchivePlace } from './archive-logs.ts';
import { createLogArchive, type LogArchive } from './log-archive.ts';
import { createOutcomeRecorder, type OutcomeRecorder } from './outcome-recorder.ts';
import { bindChannelStates, bindOverview, type OverviewDeps } from './overview.ts';
import { createPruneRunner, type PruneRunner } from './prune-runner.ts';
import { createRetention } from './retention.ts';
import { createTrafficMeter, type TrafficMeter } from './traffic-meter.ts';
import { createUsageLogService, type UsageLogService } from './usage-log-service.ts';
import { createUsageSummary, type UsageSummaryService } from './usage-summary.ts';
import { createWriteLog, type WriteLog } from './write-log.ts';

export interface LogsModuleDeps {
  readonly config: Pick<Config, 'archiveDir'>;
  readonly storage: Pick<
    Storage,
    | 'logs'
    | 'retention'
    | 'quotaData'
    | 'requestOutcomes'
    | 'channels'
    | 'users'
    | 'ledger'
    | 'transaction'
  >;
  readonly options: Pick<OptionStore, 'get'>;
  readonly audit: Audit;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly siteLanguage: () => Language;
  readonly version: string;
  readonly startedAt: number;
  readonly baseUrl: () => string;
  readonly isCircuitOpen: (channelId: number) => boolean;
  readonly lateJobs: OverviewDeps['lateJobs'];
  readonly endingModels: OverviewDeps['endingModels'];
  readonly lowDiskSpace: OverviewDeps['lowDiskSpace'];
  readonly separateNodes: OverviewDeps['separateNodes'];
  /** Of a folder's path or `s3://…`. */
  readonly openPlace: (place: string) => ArchivePlace;
}

export interface LogServices extends UsageLogService, UsageSummaryService {
  readonly write: WriteLog;
  readonly traffic: TrafficMeter;
  readonly outcomes: OutcomeRecorder;
  readonly pruning: PruneRunner;
  readonly archives: LogArchive;
  readonly overview: (userId?: number, mostChannels?: number) => Promise<Overview>;
  /** Ids of the channels that are in a state now. */
  readonly channelsInState: (state: ChannelState) => Promise<readonly number[]>;
}

/** Seconds between two writes of outcomes: what a crash may lose. */
const outcomeInterval = 5;
/** Seconds that such a write may take. */
const outcomeTimeout = 30;

/**
 * Seconds between two looks for days that are over, and what one run may take: it goes on with the
 * next.
 */
const sumsInterval = 60;
const sumsTimeout = 300;

/**
 * Seconds between two looks for days whose rollups can be gathered, and after the end of a day
 * until no charge is added to it.
 */
const gatherInterval = 600;
const lateCharges = 7200;

/**
 * Seconds between two deletions of old rows, and what one may take: the next goes on where it
 * stopped.
 */
const retentionInterval = 3600;
const retentionTimeout = 3000;

export function createLogsModule(deps: LogsModuleDeps): ServiceModule<LogServices> {
  const { storage, options, audit, clock, siteLanguage } = deps;
  const write = createWriteLog({ logs: storage.logs, options, siteLanguage, clock });
  const traffic = createTrafficMeter(clock);
  const outcomes = createOutcomeRecorder(deps);
  const pruning = createPruneRunner({
    storage,
    writeLog: write,
    audit,
    clock,
    logger: deps.logger,
  });
  return {
    services: {
      ...createUsageLogService({ storage, clock }),
      ...createUsageSummary({ storage, options, clock }),
      pruning,
      archives: createLogArchive(deps),
      write,
      traffic,
      outcomes,
      overview: bindOverview({ ...deps, traffic }),
      channelsInState: bindChannelStates({ ...deps, traffic }),
    },
    jobs: [
      {
        name: 'request-outcomes',
        interval: () => outcomeInterval,
        // Each process counts its own requests.
        scope: 'process',
        timeout: outcomeTimeout,
        run: () => outcomes.save(),
      },
      {
        name: 'log-sums',
        interval: () => sumsInterval,
        scope: 'gateway',
        timeout: sumsTimeout,
        run: async (signal) => {
          await storage.logs.sumDays(nowSeconds(clock), signal);
        },
      },
      {
        name: 'gather-rollups',
        interval: () => gatherInterval,
        scope: 'gateway',
        timeout: sumsTimeout,
        run: (signal) => storage.quotaData.gather(nowSeconds(clock) - lateCharges, signal),
      },
      {
        name: 'retention',
        interval: () => retentionInterval,
        scope: 'gateway',
        timeout: retentionTimeout,
        run: createRetention({ ...deps, archiveDir: deps.config.archiveDir }),
      },
    ],
    stop: async () => {
      pruning.stop();
      await pruning.finished().catch(() => {}); // it is in the process log
    },
    close: () =>
      outcomes
        .save()
        .catch((error: unknown) =>
          deps.logger.error({ error }, 'the outcomes of requests could not be stored'),
        ),
  };
}
