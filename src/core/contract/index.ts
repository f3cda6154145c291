/** The HTTP API, once (design, examples 3.6). */
import { authApi } from './auth.ts';
import { catalogApi } from './catalog.ts';
import { channelApi } from './channel.ts';
import { dataApi, logApi, turnpikeLogApi } from './log.ts';
import { optionApi } from './option.ts';
import { redemptionApi, walletApi } from './redemption.ts';
import { systemApi } from './system.ts';
import { tokenApi } from './token.ts';
import { turnpikeApi } from './turnpike.ts';
import { selfApi, userApi } from './user.ts';

export const api = {
  system: systemApi,
  auth: authApi,
  self: selfApi,
  user: userApi,
  token: tokenApi,
  channel: channelApi,
  catalog: catalogApi,
  redemption: redemptionApi,
  wallet: walletApi,
  option: optionApi,
  log: logApi,
  data: dataApi,
  turnpikeLog: turnpikeLogApi,
  turnpike: turnpikeApi,
};
export type Api = typeof api;
