import type { BackgroundResponseRepository } from './entities/background-response.ts';
import type { BudgetRepository } from './entities/budget.ts';
import type { ModelSquareRepository } from './entities/catalog.ts';
import type { ChainRepository } from './entities/chain.ts';
import type { AbilityRepository, ChannelRepository } from './entities/channel.ts';
import type { ChannelHealthRepository } from './entities/channel-health.ts';
import type { ConversationRepository } from './entities/conversation.ts';
import type { DeferredPostingRepository } from './entities/deferred-posting.ts';
import type { DiagnosisRepository } from './entities/diagnosis.ts';
import type { GiftedWayRepository } from './entities/gifted-way.ts';
import type { ImportRepository } from './entities/import.ts';
import type { LedgerRepository } from './entities/ledger.ts';
import type {
  LogRepository,
  QuotaDataRepository,
  RequestOutcomesRepository,
} from './entities/log.ts';
import type { LossRepository } from './entities/loss.ts';
import type { NodeRepository } from './entities/node.ts';
import type { OptionRepository } from './entities/option.ts';
import type { PlaygroundItemRepository } from './entities/playground-item.ts';
import type { QuotaWarningRepository } from './entities/quota-warning.ts';
import type { RedemptionRepository } from './entities/redemption.ts';
import type { RetentionRepository } from './entities/retention.ts';
import type { RowChangeRepository } from './entities/row-change.ts';
import type { SecondFactorRepository } from './entities/second-factor.ts';
import type { SessionRepository, VerificationCodeRepository } from './entities/session.ts';
import type { StatementRepository } from './entities/statement.ts';
import type { StoredResponseRepository } from './entities/stored-response.ts';
import type { AuditLogRepository, LockRepository, SetupRepository } from './entities/system.ts';
import type { MidjourneyRepository, TaskRepository } from './entities/task.ts';
import type { TaskResultRepository } from './entities/task-result.ts';
import type { TokenRepository } from './entities/token.ts';
import type { TopUpRepository } from './entities/top-up.ts';
import type { UploadRepository } from './entities/upload.ts';
import type { UserRepository } from './entities/user.ts';
import type { UserIdentityRepository } from './entities/user-identity.ts';
import type { Vault } from './vault.ts';

export type * from './entities/background-response.ts';
export type * from './entities/budget.ts';
export type * from './entities/catalog.ts';
export type * from './entities/chain.ts';
export type * from './entities/channel.ts';
export type * from './entities/channel-health.ts';
export type * from './entities/conversation.ts';
export type * from './entities/deferred-posting.ts';
export type * from './entities/diagnosis.ts';
export type * from './entities/gifted-way.ts';
export type * from './entities/import.ts';
export type * from './entities/ledger.ts';
export type * from './entities/listing.ts';
export type * from './entities/log.ts';
export type * from './entities/loss.ts';
export type * from './entities/node.ts';
export type * from './entities/option.ts';
export type * from './entities/playground-item.ts';
export type * from './entities/quota-warning.ts';
export type * from './entities/redemption.ts';
export type * from './entities/retention.ts';
export type * from './entities/row-change.ts';
export type * from './entities/second-factor.ts';
export type * from './entities/session.ts';
export type * from './entities/statement.ts';
export type * from './entities/stored-response.ts';
export type * from './entities/system.ts';
export type * from './entities/task.ts';
export type * from './entities/task-result.ts';
export type * from './entities/token.ts';
export type * from './entities/top-up.ts';
export type * from './entities/upload.ts';
export type * from './entities/user.ts';
export type * from './entities/user-identity.ts';

/**
 * The storage interface: all other code uses these repositories and no SQL. A violated unique
 * column throws `AppError('conflict', { field })`; an unreachable database throws
 * `AppError('database_unavailable')`.
 */
export interface Storage {
  readonly users: UserRepository;
  readonly userIdentities: UserIdentityRepository;
  readonly giftedWays: GiftedWayRepository;
  readonly tokens: TokenRepository;
  readonly channels: ChannelRepository;
  readonly abilities: AbilityRepository;
  readonly channelHealth: ChannelHealthRepository;
  readonly storedResponses: StoredResponseRepository;
  readonly backgroundResponses: BackgroundResponseRepository;
  readonly conversations: ConversationRepository;
  readonly playgroundItems: PlaygroundItemRepository;
  readonly options: OptionRepository;
  readonly redemptions: RedemptionRepository;
  readonly logs: LogRepository;
  readonly quotaData: QuotaDataRepository;
  readonly requestOutcomes: RequestOutcomesRepository;
  readonly topUps: TopUpRepository;
  readonly midjourneys: MidjourneyRepository;
  readonly tasks: TaskRepository;
  readonly modelSquare: ModelSquareRepository;
  readonly uploads: UploadRepository;
  readonly taskResults: TaskResultRepository;
  readonly diagnosis: DiagnosisRepository;
  readonly setups: SetupRepository;
  readonly sessions: SessionRepository;
  readonly secondFactors: SecondFactorRepository;
  readonly verificationCodes: VerificationCodeRepository;
  readonly auditLogs: AuditLogRepository;
  readonly retention: RetentionRepository;
  readonly locks: LockRepository;
  readonly rowChanges: RowChangeRepository;
  readonly nodes: NodeRepository;
  readonly ledger: LedgerRepository;
  readonly chains: ChainRepository;
  readonly statements: StatementRepository;
  readonly deferredPostings: DeferredPostingRepository;
  readonly quotaWarnings: QuotaWarningRepository;
  readonly losses: LossRepository;
  readonly budgets: BudgetRepository;
  readonly imports: ImportRepository;
  /** HMAC-SHA-256 with a key of this site, as hex, for what it gives away and gets back. */
  sign(text: string): string;
  /** For secrets that are kept elsewhere for a while. */
  readonly vault: Pick<Vault, 'seal' | 'read' | 'hash'>;
  /**
   * Runs `work` in one transaction: committed when it resolves, rolled back when it rejects. Use
   * only the storage passed to `work`: on SQLite the outer one waits for the end of the
   * transaction. SQLite rolls a transaction back after 10 s, so never wait for the network in it. A
   * nested call joins the outer transaction.
   */
  transaction<T>(work: (storage: Storage) => Promise<T>): Promise<T>;
  /** Waits for running calls, then closes. */
  close(): Promise<void>;
}
