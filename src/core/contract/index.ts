/** All calls of the HTTP API (docs/rules/console-api.md#declared-once). */
import { auditApi } from './audit.ts';
import { authApi } from './auth.ts';
import { budgetsApi } from './budgets.ts';
import { bulkApi } from './bulk.ts';
import { catalogApi } from './catalog.ts';
import { channelApi } from './channel.ts';
import { channelKeysApi } from './channel-keys.ts';
import { channelRunsApi } from './channel-runs.ts';
import { channelTagsApi } from './channel-tags.ts';
import { channelTypesApi } from './channel-types.ts';
import { dataApi } from './data.ts';
import { doctorApi } from './doctor.ts';
import { filesApi } from './files.ts';
import { jobsApi } from './jobs.ts';
import { ledgerApi } from './ledger.ts';
import { logApi } from './log.ts';
import { lossesApi } from './losses.ts';
import { modelSquareApi } from './model-square.ts';
import { modelSyncApi } from './model-sync.ts';
import { nodesApi } from './nodes.ts';
import { noticeApi } from './notice.ts';
import { oauthApi } from './oauth.ts';
import { optionApi } from './option.ts';
import { overviewApi } from './overview.ts';
import { playgroundApi } from './playground.ts';
import { priceSyncApi } from './price-sync.ts';
import { phoneApi, publicApi } from './public.ts';
import { redemptionApi, walletApi } from './redemption.ts';
import { routesApi } from './routes.ts';
import { secondFactorApi, secondStepApi, stepUpApi } from './second-factor.ts';
import { sessionApi } from './sessions.ts';
import { siteConfigApi } from './site-config.ts';
import { statementApi } from './statement.ts';
import { systemApi } from './system.ts';
import { drawingApi, taskApi } from './task-logs.ts';
import { tokenApi } from './token.ts';
import { topUpApi } from './top-up.ts';
import { selfApi, userApi } from './user.ts';
import { userTokensApi } from './user-tokens.ts';
import { videoApi } from './video.ts';

export const api = {
  system: systemApi,
  auth: authApi,
  public: publicApi,
  phone: phoneApi,
  oauth: oauthApi,
  secondStep: secondStepApi,
  self: selfApi,
  secondFactor: secondFactorApi,
  stepUp: stepUpApi,
  user: userApi,
  token: tokenApi,
  channel: channelApi,
  catalog: catalogApi,
  modelSquare: modelSquareApi,
  modelSync: modelSyncApi,
  redemption: redemptionApi,
  wallet: walletApi,
  topUp: topUpApi,
  option: optionApi,
  priceSync: priceSyncApi,
  log: logApi,
  data: dataApi,
  losses: lossesApi,
  overview: overviewApi,
  ledger: ledgerApi,
  statement: statementApi,
  audit: auditApi,
  userTokens: userTokensApi,
  channelTypes: channelTypesApi,
  channelKeys: channelKeysApi,
  channelRuns: channelRunsApi,
  channelTags: channelTagsApi,
  routes: routesApi,
  jobs: jobsApi,
  nodes: nodesApi,
  doctor: doctorApi,
  files: filesApi,
  video: videoApi,
  drawing: drawingApi,
  task: taskApi,
  notice: noticeApi,
  session: sessionApi,
  playground: playgroundApi,
  siteConfig: siteConfigApi,
  budgets: budgetsApi,
  bulk: bulkApi,
};
export type Api = typeof api;
