import type { App } from '../../core/app.ts';
import type { Api } from '../../core/contract/index.ts';
import { authHandlers } from './auth.ts';
import { catalogHandlers } from './catalog.ts';
import { channelHandlers } from './channel.ts';
import type { Handlers } from './context.ts';
import { dataHandlers, logHandlers, turnpikeLogHandlers } from './log.ts';
import { optionHandlers } from './option.ts';
import { redemptionHandlers, walletHandlers } from './redemption.ts';
import { systemHandlers } from './system.ts';
import { tokenHandlers } from './token.ts';
import { turnpikeHandlers } from './turnpike.ts';
import { selfHandlers, userHandlers } from './user.ts';

export type ApiHandlers = { readonly [G in keyof Api]: Handlers<Api[G]> };

/** A handler for every declared call. */
export function createHandlers(app: App): ApiHandlers {
  return {
    system: systemHandlers(app),
    auth: authHandlers(app),
    self: selfHandlers(app),
    user: userHandlers(app),
    token: tokenHandlers(app),
    channel: channelHandlers(app),
    catalog: catalogHandlers(app),
    redemption: redemptionHandlers(app),
    wallet: walletHandlers(app),
    option: optionHandlers(app),
    log: logHandlers(app),
    data: dataHandlers(app),
    turnpikeLog: turnpikeLogHandlers(app),
    turnpike: turnpikeHandlers(app),
  };
}
