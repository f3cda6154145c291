/** What the relay depends on, and what is known of one request. */
import type { IncomingMessage } from 'node:http';
import type { ConsoleLogin } from '../accounts/console-login.ts';
import type { Ledger } from '../billing/index.ts';
import type { BudgetGate } from '../budgets/budget-gate.ts';
import type { AssistantPart, ChatMessage, ChatRequest } from '../canonical/chat.ts';
import type { GivenTypes } from '../channels/offered.ts';
import type { RoutingIndex } from '../channels/routing-index.ts';
import type { Changes } from '../cluster/changes.ts';
import type { Awaitable, Cluster } from '../cluster/cluster.ts';
import type { ForUpstream } from '../files/for-upstream.ts';
import type { TaskResults } from '../files/results/task-results.ts';
import type { Language } from '../i18n/translate.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { OutcomeRecorder } from '../logs/outcome-recorder.ts';
import type { TrafficMeter } from '../logs/traffic-meter.ts';
import type { TokenCounter } from '../metering/token-counter.ts';
import type { Tracer } from '../metrics/tracer.ts';
import type { ChannelNotices } from '../notices/channel-notices.ts';
import type { QuotaWarnings } from '../notices/quota-warnings.ts';
import type { Storage } from '../storage/storage.ts';
import type { DrawingImages } from '../tasks/drawing-image.ts';
import type { ImageTasks } from '../tasks/images/image-tasks.ts';
import type { TaskEngine } from '../tasks/task-engine.ts';
import type { VideoTasks } from '../tasks/videos/video-tasks.ts';
import type { Caller, TokenDirectory } from '../tokens/token-directory.ts';
import type { UpstreamChannel } from '../upstream/channel.ts';
import type { GuardPolicy } from '../upstream/guard.ts';
import type { Upstream } from '../upstream/send.ts';
import type { ClientReply, ClientRequest } from './client/client.ts';
import type { ClientWatch } from './client/client-watch.ts';
import type { LateReaders } from './client/late-readers.ts';
import type { RunningImages } from './client/running-images.ts';
import type { ContainerTime } from './container-time.ts';
import type { MemoryBudget, RequestMemory } from './memory.ts';
import type { RelayPolicy } from './policy.ts';
import type { RequestedPath } from './requested-path.ts';
import type { BackgroundResponses } from './stored-responses/background-responses.ts';
import type { ConversationStore } from './stored-responses/conversation-store.ts';
import type { ResponseStore } from './stored-responses/response-store.ts';
import type { SummedTags } from './summed-tags.ts';

export interface RelayLimits {
  /** Largest request body in bytes, after decompression. */
  readonly maxBodyBytes: number;
  /**
   * Largest reply in one piece, in bytes (MAX_REPLY_MB); {@link replyLimit} says which operations
   * may have how much of it.
   */
  readonly maxReplyBytes: number;
  /** Largest event of an upstream's stream, in bytes. */
  readonly maxEventBytes: number;
  /** Milliseconds until an upstream's first byte: streams, and replies in one piece. 0: none. */
  readonly firstByteTimeout: number;
  readonly wholeReplyTimeout: number;
  /** Milliseconds between two pieces of a stream (STREAMING_TIMEOUT). */
  readonly idleTimeout: number;
  /** Milliseconds after which no further channel is tried; 0: no limit. */
  readonly retryWindow: number;
  /** Largest file fetched for a caller, in bytes (MAX_FILE_DOWNLOAD_MB). */
  readonly maxFileBytes: number;
}

/** Remembers the thinking of answers (docs/rules/formats.md#remembered-thinking). */
export interface Thinking {
  /** Whether answers to this request are remembered. */
  remembers(job: RememberingJob): boolean;
  /** Keeps the thinking of an answer that the channel gave to these messages. */
  remember(
    job: RememberingJob,
    channel: UpstreamChannel,
    messages: readonly ChatMessage[],
    content: readonly AssistantPart[],
  ): void;
  /** The request with the thinking of its earlier turns, as far as it is valid at this channel. */
  restore(
    job: RememberingJob,
    channel: UpstreamChannel,
    request: ChatRequest,
  ): Awaitable<ChatRequest>;
}

export type RememberingJob = Pick<CallerContext, 'caller' | 'policy'> & {
  readonly model: string;
  readonly isTest?: boolean;
};

export interface RelayDeps {
  readonly consoleLogin: ConsoleLogin;
  readonly lateReaders: LateReaders;
  readonly thinking: Thinking;
  readonly directory: TokenDirectory;
  readonly routing: RoutingIndex;
  /** What the operator says in the model square that models are for. */
  readonly givenTypes: () => Promise<GivenTypes>;
  readonly ledger: Ledger;
  readonly counter: TokenCounter;
  readonly upstream: Upstream;
  readonly responses: ResponseStore;
  readonly background: BackgroundResponses;
  readonly conversations: ConversationStore;
  readonly storage: Pick<
    Storage,
    'tokens' | 'channels' | 'users' | 'tasks' | 'midjourneys' | 'vault'
  >;
  readonly tasks: TaskEngine;
  readonly videos: VideoTasks;
  readonly drawingImages: DrawingImages;
  readonly imageTasks: ImageTasks;
  /** Orders of images by playgrounds that are under way. */
  readonly runningImages: RunningImages;
  readonly results: Pick<TaskResults, 'open' | 'forward'>;
  /** Images that tasks name, in the form in which upstreams get them. */
  readonly images: ForUpstream;
  readonly changes: Changes;
  readonly cluster: Pick<Cluster, 'counter' | 'slidingLog'>;
  readonly traffic: TrafficMeter;
  readonly outcomes: Pick<OutcomeRecorder, 'record'>;
  /** Undefined: requests are not traced. */
  readonly tracer?: Tracer | undefined;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly notices: Pick<ChannelNotices, 'disabled'>;
  readonly quotaWarnings: Pick<QuotaWarnings, 'note'>;
  readonly containers: ContainerTime;
  /** What of their tags the hourly sums keep apart. */
  readonly summedTags: SummedTags;
  readonly budgets: Pick<BudgetGate, 'windowsOf' | 'enterRates' | 'leastLeft' | 'budgets'>;
  readonly limits: RelayLimits;
  /** What requests hold in memory, all of them together. */
  readonly memory: MemoryBudget;
  readonly guard: GuardPolicy;
  /** The options as the relay uses them, current at each call. */
  readonly policy: () => RelayPolicy;
  /** The caller's address by the trusted-proxy rules. */
  readonly clientAddress: (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;
  readonly version: string;
  /** Where the site is reached: ServerAddress, or the address that the gateway listens on. */
  readonly baseUrl: () => string;
  /** The language of what is stored as text. */
  readonly siteLanguage: () => Language;
}

/** One client request. */
export interface RelayContext {
  readonly deps: RelayDeps;
  /** Fixed for the whole request: options that change meanwhile take effect with the next one. */
  readonly policy: RelayPolicy;
  readonly request: ClientRequest;
  readonly response: ClientReply;
  readonly client: ClientWatch;
  readonly route: RequestedPath;
  readonly requestId: string;
  /** Milliseconds. */
  readonly startedAt: number;
  readonly language: Language;
  readonly address: string;
}

/** A request whose caller is known. */
export interface CallerContext extends RelayContext {
  readonly caller: Caller;
  /** Effective group. */
  readonly group: string;
  /** What this request holds; released when it is over. */
  readonly memory: RequestMemory;
  /** Channel id of `sk-KEY-ID`, or undefined. */
  readonly pin: number | undefined;
  /** What a playground calls the request (docs/rules/relay.md#playground). */
  readonly playgroundKey?: string;
}
