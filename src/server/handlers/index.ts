import type { App } from '../../core/app.ts';
import type { Api } from '../../core/contract/index.ts';
import { accountHandlers } from './accounts.ts';
import { budgetHandlers } from './budgets.ts';
import { bulkHandlers } from './bulk.ts';
import { catalogHandlers } from './catalog.ts';
import { channelHandlers } from './channels.ts';
import type { Handlers } from './context.ts';
import { doctorHandlers } from './doctor.ts';
import { fileHandlers } from './files.ts';
import { jobHandlers } from './jobs.ts';
import { logHandlers } from './logs.ts';
import { lossHandlers } from './losses.ts';
import { noticeHandlers } from './notices.ts';
import { oauthHandlers } from './oauth.ts';
import { paymentHandlers } from './payments.ts';
import { playgroundHandlers } from './playground.ts';
import { priceSyncHandlers } from './price-sync.ts';
import { publicHandlers } from './public.ts';
import { secondFactorHandlers } from './second-factor.ts';
import { sessionHandlers } from './sessions.ts';
import { setupHandlers } from './setup.ts';
import { siteHandlers } from './site.ts';
import { siteConfigHandlers } from './site-config.ts';
import { statementHandlers } from './statement.ts';
import { taskLogHandlers } from './task-logs.ts';
import { tokenHandlers } from './tokens.ts';
import { videoHandlers } from './videos.ts';

export type ApiHandlers = { readonly [G in keyof Api]: Handlers<Api[G]> };

/** A handler for every declared call, from one file per service. */
export function createHandlers(app: App): ApiHandlers {
  return {
    ...setupHandlers(app),
    ...siteHandlers(app),
    ...accountHandlers(app),
    ...publicHandlers(app),
    oauth: oauthHandlers(app),
    ...secondFactorHandlers(app),
    ...tokenHandlers(app),
    ...channelHandlers(app),
    ...catalogHandlers(app),
    ...paymentHandlers(app),
    priceSync: priceSyncHandlers(app),
    ...logHandlers(app),
    ...lossHandlers(app),
    statement: statementHandlers(app),
    ...taskLogHandlers(app),
    ...jobHandlers(app),
    doctor: doctorHandlers(app),
    files: fileHandlers(app),
    video: videoHandlers(app),
    notice: noticeHandlers(app),
    session: sessionHandlers(app),
    playground: playgroundHandlers(app),
    siteConfig: siteConfigHandlers(app),
    budgets: budgetHandlers(app),
    bulk: bulkHandlers(app),
  };
}
