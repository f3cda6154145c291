/** All repositories over one access to a database. */
import type { Storage } from '../storage.ts';
import { createAbilityRepository } from './ability-repository.ts';
import type { Access } from './access.ts';
import { createAuditLogRepository } from './audit-log-repository.ts';
import { createBackgroundResponseRepository } from './background-response-repository.ts';
import { createBudgetRepository } from './budget-repository.ts';
import { createModelSquareRepository } from './catalog-repositories.ts';
import { createChainRepository } from './chain-repository.ts';
import { createChannelHealthRepository } from './channel-health-repository.ts';
import { createChannelRepository } from './channel-repository.ts';
import { createConversationRepository } from './conversation-repository.ts';
import { createDeferredPostingRepository } from './deferred-posting-repository.ts';
import { createDiagnosisRepository } from './diagnosis-repository.ts';
import { createGiftedWayRepository } from './gifted-way-repository.ts';
import { createImportRepository } from './import-repository.ts';
import { createLedgerRepository } from './ledger-repository.ts';
import { createLogRepository } from './log-repository.ts';
import { createLossRepository } from './loss-repository.ts';
import { createMidjourneyRepository } from './midjourney-repository.ts';
import { createNodeRepository } from './node-repository.ts';
import { createOptionRepository } from './option-repository.ts';
import { createPlaygroundItemRepository } from './playground-item-repository.ts';
import { createQuotaDataRepository } from './quota-data-repository.ts';
import { createQuotaWarningRepository } from './quota-warning-repository.ts';
import { createRedemptionRepository } from './redemption-repository.ts';
import { createRequestOutcomesRepository } from './request-outcomes-repository.ts';
import { createRetentionRepository } from './retention-repository.ts';
import { createRowChangeRepository } from './row-change-repository.ts';
import { createSecondFactorRepository } from './second-factor-repository.ts';
import { createSessionRepository } from './session-repository.ts';
import { createStatementRepository } from './statement-repository.ts';
import { createStoredResponseRepository } from './stored-response-repository.ts';
import { createLockRepository, createSetupRepository } from './system-repositories.ts';
import { createTaskRepository } from './task-repository.ts';
import { createTaskResultRepository } from './task-result-repository.ts';
import { createTokenRepository } from './token-repository.ts';
import { createTopUpRepository } from './top-up-repository.ts';
import { createUploadRepository } from './upload-repository.ts';
import { createUserIdentityRepository } from './user-identity-repository.ts';
import { createUserRepository } from './user-repository.ts';
import { createVerificationCodeRepository } from './verification-code-repository.ts';

type RepositoryName = Exclude<keyof Storage, 'sign' | 'vault' | 'transaction' | 'close'>;
export type Repositories = Pick<Storage, RepositoryName>;

const makers: { readonly [Name in RepositoryName]: (access: Access) => Storage[Name] } = {
  users: createUserRepository,
  userIdentities: createUserIdentityRepository,
  giftedWays: createGiftedWayRepository,
  tokens: createTokenRepository,
  channels: createChannelRepository,
  abilities: createAbilityRepository,
  channelHealth: createChannelHealthRepository,
  storedResponses: createStoredResponseRepository,
  backgroundResponses: createBackgroundResponseRepository,
  conversations: createConversationRepository,
  playgroundItems: createPlaygroundItemRepository,
  options: createOptionRepository,
  redemptions: createRedemptionRepository,
  logs: createLogRepository,
  quotaData: createQuotaDataRepository,
  requestOutcomes: createRequestOutcomesRepository,
  topUps: createTopUpRepository,
  midjourneys: createMidjourneyRepository,
  tasks: createTaskRepository,
  modelSquare: createModelSquareRepository,
  uploads: createUploadRepository,
  taskResults: createTaskResultRepository,
  diagnosis: createDiagnosisRepository,
  setups: createSetupRepository,
  sessions: createSessionRepository,
  secondFactors: createSecondFactorRepository,
  verificationCodes: createVerificationCodeRepository,
  auditLogs: createAuditLogRepository,
  retention: createRetentionRepository,
  locks: createLockRepository,
  rowChanges: createRowChangeRepository,
  nodes: createNodeRepository,
  ledger: createLedgerRepository,
  chains: createChainRepository,
  statements: createStatementRepository,
  deferredPostings: createDeferredPostingRepository,
  quotaWarnings: createQuotaWarningRepository,
  losses: createLossRepository,
  budgets: createBudgetRepository,
  imports: createImportRepository,
};

export function createRepositories(access: Access): Repositories {
  return Object.fromEntries(
    Object.entries(makers).map(([name, make]) => [name, make(access)]),
  ) as unknown as Repositories;
}

class OnDemand {
  readonly access: Access;
  constructor(access: Access) {
    this.access = access;
  }
}
for (const [name, make] of Object.entries(makers)) {
  Object.defineProperty(OnDemand.prototype, name, {
    get(this: OnDemand) {
      const value = make(this.access);
      Object.defineProperty(this, name, { value, configurable: true, writable: true });
      return value;
    },
  });
}

/**
 * The same for a transaction: each is made when it is first read, because a transaction uses two or
 * three of the thirty. A copy of the object by `...` would have none of them.
 */
export function createRepositoriesOnDemand(access: Access): Repositories {
  return new OnDemand(access) as unknown as Repositories;
}
