/**
 * Every call that changes something, made so that it succeeds, or why nothing follows its commit. A
 * call that is declared and not listed here fails after-commit.test.ts.
 */

import { fromBase32, totpCode } from '../../src/core/accounts/factors/totp.ts';
import type { Caller } from '../../src/core/accounts/gate/caller.ts';
import { createDisavowalLinks } from '../../src/core/accounts/gate/disavowal-links.ts';
import { createVerificationCodes } from '../../src/core/accounts/verification-codes.ts';
import { systemIds } from '../../src/core/config/system-ids.ts';
import type { Client } from '../../src/core/contract/client.ts';
import { toQuota } from '../../src/core/kernel/quota.ts';
import type { TestApp } from '../support/app.ts';
import { signByTelegram } from '../support/sign-in-providers.ts';
import { createSoftwarePasskey } from '../support/software-passkey.ts';

export interface CommitSite extends TestApp {
  /** A user without rights, id 2. */
  readonly ann: Client;
}

/** Arranges a site, and returns the call. */
export type CommitCall = (site: CommitSite) => Promise<() => Promise<unknown>>;

const password = 'another long password';
const itemId = '7d5b6d0c-8c0f-4f8e-9d6e-0d5f4d3c2b1a';
const channel = { name: 'c', type: 1, key: 'sk-a', models: 'gpt-4o', tag: 'east' };
const entry = {
  model: 'gpt-4o',
  icon: '/a.png',
  description: 'd',
  type: '对话',
  manufacturer: 'OpenAI',
  price_type: 1,
  tags: ['t'],
  specification: ['s'],
  publish_time: '2026-01-01',
  status: 1,
  context: '8',
};

const withChannel =
  (
    call: (client: Client, id: number) => Promise<unknown>,
    fields: Partial<typeof channel & { setting: string }> = {},
  ): CommitCall =>
  async ({ operator }) => {
    const { ids } = await operator.channel.create({ ...channel, ...fields });
    return () => call(operator, ids[0] ?? 0);
  };
const withToken =
  (call: (client: Client, id: number) => Promise<unknown>): CommitCall =>
  async ({ as, operator }) => {
    const me = await as(1);
    const { id } = await me.token.create({ name: 't' });
    return () => call({ ...me, userTokens: operator.userTokens }, id);
  };
const withCode =
  (call: (client: Client, id: number) => Promise<unknown>): CommitCall =>
  async ({ operator }) => {
    await operator.redemption.create({ name: 'code', quota: 5, count: 1 });
    return () => call(operator, 1);
  };
const budget = { owner: 'user', owner_id: '2', amount: 5 };
const withBudget =
  (call: (client: Client, id: number) => Promise<unknown>): CommitCall =>
  async ({ ann }) => {
    const { id } = await ann.budgets.create(budget);
    return () => call(ann, id);
  };
const byOperator =
  (call: (client: Client) => Promise<unknown>): CommitCall =>
  async ({ operator }) =>
  () =>
    call(operator);
const byAnn =
  (call: (client: Client) => Promise<unknown>): CommitCall =>
  async ({ ann }) =>
  () =>
    call(ann);

async function storeCode(
  { app, clock }: CommitSite,
  purpose: 'email' | 'phone' | 'reset',
  subject: string,
  payload = '',
) {
  // Codes are only stored here, and guessed by the calls themselves.
  const guard = { begin: () => Promise.reject(new Error('nobody guesses')) };
  const codes = createVerificationCodes({
    storage: app.storage,
    cluster: app.cluster,
    guard,
    clock,
  });
  await codes.store(purpose, subject, '123456', payload);
}

async function withMail({ operator }: CommitSite): Promise<void> {
  await operator.option.set({ key: 'SMTPServer', value: '127.0.0.1' });
  await operator.option.set({ key: 'SMTPFrom', value: 'a@gw.example' });
}

/** Who may change the ways into ann's account. */
const annOf = ({ root }: CommitSite): Caller => ({
  actor: { ...root, id: 2, username: 'ann', role: 1 },
  proof: 'operator',
  waysIn: [
    'password',
    'email',
    'phone',
    'identity',
    'totp',
    'passkey',
    'recovery_codes',
    'factors',
    'system_token',
    'account',
  ],
});

async function totpOf(given: CommitSite): Promise<string> {
  const { secret } = await given.app.accounts.factors.beginTotp(annOf(given));
  return totpCode(fromBase32(secret), Math.floor(given.clock.now() / 30_000));
}

const address = 'https://gw.example';
async function passkeyOf(given: CommitSite): Promise<unknown> {
  await given.operator.option.set({ key: 'ServerAddress', value: address });
  const options = await given.app.accounts.factors.beginPasskey(annOf(given));
  return createSoftwarePasskey().register(options as unknown as Record<string, unknown>, address);
}

async function telegramFields({ operator, clock }: CommitSite): Promise<Record<string, string>> {
  const token = '42:bot';
  const values = { TelegramBotToken: token, TelegramBotName: 'bot', TelegramOAuthEnabled: 'true' };
  await operator.option.setMany({
    values: Object.entries(values).map(([key, value]) => ({ key, value })),
  });
  return signByTelegram(token, { id: '42', auth_date: String(Math.floor(clock.now() / 1000)) });
}

/** Calls that need a confirmed session are made at the service. */
export const commitCalls: Readonly<Record<string, CommitCall>> = {
  'auth.register': byOperator((client) => client.auth.register({ username: 'newcomer', password })),
  'auth.reset': async (given) => {
    await given.app.storage.users.update(2, { email: 'ann@gw.example', emailVerified: true });
    await storeCode(given, 'reset', 'ann@gw.example', '2');
    return () => given.operator.auth.reset({ email: 'ann@gw.example', token: '123456' });
  },
  'auth.disavow': async (given) => {
    const links = createDisavowalLinks({
      storage: given.app.storage,
      clock: given.clock,
      ids: systemIds,
    });
    const token = await links.make(await given.app.accounts.own.get(2), 'password', {});
    return () => given.operator.auth.disavow({ token });
  },
  'phone.bind': async (given) => {
    await storeCode(given, 'phone', '+8613800000000');
    return () => given.app.accounts.phone.binding.bind(annOf(given), '13800000000', '123456');
  },
  'phone.unbind': async (given) => {
    await given.app.storage.users.update(2, { phone: '+8613800000000', phoneVerifiedAt: 1 });
    return () => given.app.accounts.phone.binding.unbind(annOf(given));
  },
  'oauth.telegramBind': async (given) => {
    const fields = await telegramFields(given);
    return () => given.app.accounts.bindings.bind(annOf(given), 'telegram', fields);
  },
  'oauth.emailBind': async (given) => {
    await withMail(given);
    await storeCode(given, 'email', 'ann@gw.example');
    return () => given.app.accounts.bindings.bindEmail(annOf(given), 'ann@gw.example', '123456');
  },
  'oauth.unbind': async (given) => {
    await telegramFields(given);
    await given.app.storage.userIdentities.insert({
      userId: 2,
      provider: 'telegram',
      subject: '42',
      createdAt: 1,
    });
    return () => given.app.accounts.bindings.unbind(annOf(given), 'telegram');
  },
  'self.update': byAnn((client) => client.self.update({ display_name: 'Ann' })),
  'self.remove': async (given) => () => given.app.accounts.own.remove(annOf(given)),
  'self.systemToken': async (given) => () => given.app.accounts.own.makeSystemToken(annOf(given)),
  'self.transferInviteQuota': async ({ app, ann }) => {
    await app.storage.users.adjustInvite(2, { affQuota: 1_000_000 });
    return () => ann.self.transferInviteQuota({ quota: 500_000 });
  },
  'self.updateSetting': byAnn((client) => client.self.updateSetting({ notify_type: 'email' })),
  'secondFactor.confirmTotp': async (given) => {
    const code = await totpOf(given);
    return () => given.app.accounts.factors.confirmTotp(annOf(given), code);
  },
  'secondFactor.removeTotp': async (given) => {
    await given.app.accounts.factors.confirmTotp(annOf(given), await totpOf(given));
    return () => given.app.accounts.factors.removeTotp(annOf(given));
  },
  'secondFactor.addPasskey': async (given) => {
    const answer = await passkeyOf(given);
    return () => given.app.accounts.factors.addPasskey(annOf(given), answer, 'p');
  },
  'secondFactor.removePasskey': async (given) => {
    await given.app.accounts.factors.addPasskey(annOf(given), await passkeyOf(given), 'p');
    return () => given.app.accounts.factors.removePasskey(annOf(given), 1);
  },
  'secondFactor.renewRecoveryCodes': async (given) => {
    await given.app.accounts.factors.confirmTotp(annOf(given), await totpOf(given));
    return () => given.app.accounts.factors.renewRecoveryCodes(annOf(given));
  },
  'secondFactor.reset': byOperator((client) => client.secondFactor.reset({ id: 2 })),
  'user.create': byOperator((client) => client.user.create({ username: 'bob', password })),
  'user.update': byOperator((client) =>
    client.user.update({ id: 2, display_name: 'Ann', password }),
  ),
  'user.grant': byOperator((client) => client.user.grant({ user_id: 2, quota: 5, remark: 'r' })),
  'user.manage': byOperator((client) => client.user.manage({ id: 2, action: 'disable' })),
  'user.remove': byOperator((client) => client.user.remove({ id: 2 })),
  'token.create': byAnn((client) => client.token.create({ name: 't' })),
  'token.update': withToken((client, id) => client.token.update({ id, name: 'u' })),
  'token.remove': withToken((client, id) => client.token.remove({ id })),
  'token.createMany': byAnn((client) => client.token.createMany({ name: 't', count: 2 })),
  'token.setStatusMany': withToken((client, id) =>
    client.token.setStatusMany({ ids: [id], status: 2 }),
  ),
  'token.removeMany': withToken((client, id) => client.token.removeMany({ ids: [id] })),
  'channel.create': byOperator((client) => client.channel.create(channel)),
  'channel.copy': withChannel((client, id) => client.channel.copy({ id })),
  'channel.update': withChannel((client, id) =>
    client.channel.update({ id, name: 'd', status: 2 }),
  ),
  'channel.remove': withChannel((client, id) => client.channel.remove({ id })),
  'channel.removeDisabled': async ({ operator }) => {
    const { ids } = await operator.channel.create(channel);
    await operator.channel.setStatusMany({ ids: [...ids], status: 2 });
    return () => operator.channel.removeDisabled();
  },
  'channel.removeMany': withChannel((client, id) => client.channel.removeMany({ ids: [id] })),
  'channel.setStatusMany': withChannel((client, id) =>
    client.channel.setStatusMany({ ids: [id], status: 2 }),
  ),
  'channel.tagMany': withChannel((client, id) =>
    client.channel.tagMany({ ids: [id], tag: 'west' }),
  ),
  'channel.enableTag': withChannel((client) => client.channel.enableTag({ tag: 'east' })),
  'channel.disableTag': withChannel((client) => client.channel.disableTag({ tag: 'east' })),
  'channel.editTag': withChannel((client) => client.channel.editTag({ tag: 'east', priority: 5 })),
  'bulk.channels': withChannel((client, id) =>
    client.bulk.channels({ ids: [id], change: { priority: 4 } }),
  ),
  'bulk.users': byOperator((client) => client.bulk.users({ ids: [2], change: { status: 2 } })),
  'bulk.tokens': withToken((client, id) =>
    client.bulk.tokens({ ids: [id], change: { status: 2 } }),
  ),
  'bulk.userTokens': withToken((client, id) =>
    client.bulk.userTokens({ ids: [id], change: { status: 2 } }),
  ),
  'channel.fix': withChannel((client) => client.channel.fix()),
  'channelKeys.change': withChannel(
    async (client, id) => {
      const { keys } = await client.channelKeys.list({ id });
      return client.channelKeys.change({ id, action: 'disable', names: [keys[0]?.name ?? ''] });
    },
    { key: 'a\nb', setting: '{"multi_key_mode":"random"}' },
  ),
  'channelKeys.add': withChannel((client, id) => client.channelKeys.add({ id, keys: 'sk-added' })),
  'modelSquare.add': byOperator((client) => client.modelSquare.add(entry)),
  'modelSquare.update': async ({ operator }) => {
    await operator.modelSquare.add(entry);
    return () => operator.modelSquare.update({ model: 'gpt-4o', description: 'changed' });
  },
  'modelSquare.remove': async ({ operator }) => {
    await operator.modelSquare.add(entry);
    return () => operator.modelSquare.remove({ model: 'gpt-4o' });
  },
  'budgets.create': byAnn((client) => client.budgets.create(budget)),
  'budgets.update': withBudget((client, id) => client.budgets.update({ id, amount: 9 })),
  'budgets.remove': withBudget((client, id) => client.budgets.remove({ id })),
  'budgets.grant': withBudget(async (client, id) => {
    const [status] = (await client.budgets.status({})).items;
    return client.budgets.grant({ id, window: status?.windows[0]?.id ?? 0, amount: 9 });
  }),
  'redemption.create': byOperator((client) =>
    client.redemption.create({ name: 'code', quota: 5, count: 1 }),
  ),
  'redemption.createBatch': byOperator((client) =>
    client.redemption.createBatch({ name: 'code', quota: 5, count: 2 }),
  ),
  'redemption.removeInvalid': byOperator((client) => client.redemption.removeInvalid()),
  'redemption.update': withCode((client, id) => client.redemption.update({ id, name: 'renamed' })),
  'redemption.remove': withCode((client, id) => client.redemption.remove({ id })),
  'topUp.complete': async ({ app, operator }) => {
    await app.storage.topUps.insert({
      amount: 1,
      topUpCode: '',
      userId: 2,
      moneyCents: 700,
      quota: toQuota(500_000),
      tradeNo: 'USR2NOx',
      status: 'pending',
      paymentMethod: 'alipay',
      goodsName: 'g',
      createTime: 1,
    });
    return () => operator.topUp.complete({ trade_no: 'USR2NOx' });
  },
  'topUp.refund': async ({ app, operator }) => {
    await app.storage.topUps.insert({
      amount: 1,
      topUpCode: '',
      userId: 2,
      moneyCents: 700,
      quota: toQuota(500_000),
      tradeNo: 'USR2NOy',
      status: 'success',
      paymentMethod: 'alipay',
      goodsName: 'g',
      createTime: 1,
    });
    return () => operator.topUp.refund({ trade_no: 'USR2NOy', noted: true });
  },
  'priceSync.apply': async ({ operator }) => {
    await operator.channel.create({ name: 'c', type: 1, key: 'k', models: 'gpt-4o' });
    const text = JSON.stringify({
      data: [{ model_name: 'gpt-4o', quota_type: 0, model_ratio: 9 }],
    });
    const source = { source: 'a list', text };
    const { models } = await operator.priceSync.preview({ ...source, days: 0 });
    return () => operator.priceSync.apply({ ...source, models });
  },
  'option.set': byOperator((client) => client.option.set({ key: 'Footer', value: 'x' })),
  'option.setMany': byOperator((client) =>
    client.option.setMany({ values: [{ key: 'Footer', value: 'x' }] }),
  ),
  'option.reset': async ({ operator }) => {
    await operator.option.set({ key: 'Footer', value: 'x' });
    return () => operator.option.reset({ key: 'Footer' });
  },
  'option.resetModelRatio': byOperator((client) => client.option.resetModelRatio()),
  'userTokens.create': byOperator((client) => client.userTokens.create({ name: 't', user: 'ann' })),
  'userTokens.update': withToken((client, id) => client.userTokens.update({ id, name: 'u' })),
  'userTokens.remove': withToken((client, id) => client.userTokens.remove({ id })),
  'session.end': async ({ app, ann }) => {
    await app.accounts.sessions.start(2, 'password', { ip: '', userAgent: '' });
    const [session] = await ann.session.list();
    return () => ann.session.end({ id: session?.id ?? '' });
  },
  'task.removeSelf': async ({ app, ann }) => {
    const row = { userId: 2, taskId: 't', platform: 'image', createdAt: 1, progress: '100%' };
    const id = await app.storage.tasks.insert(row);
    return () => ann.task.removeSelf({ id });
  },
  'drawing.removeSelf': async ({ app, ann }) => {
    const row = { userId: 2, action: 'IMAGINE', submitTime: 1, progress: '100%' };
    const id = await app.storage.midjourneys.insert(row);
    return () => ann.drawing.removeSelf({ id });
  },
  'playground.putPrompt': byAnn((client) =>
    client.playground.putPrompt({ id: itemId, name: 'n', text: 't' }),
  ),
  'playground.removePrompt': async ({ ann }) => {
    await ann.playground.putPrompt({ id: itemId, name: 'n', text: 't' });
    return () => ann.playground.removePrompt({ id: itemId });
  },
  'playground.putChat': async ({ ann }) => {
    await ann.self.updateSetting({ playground_history: true });
    return () => ann.playground.putChat({ id: itemId, content: '{}' });
  },
  'playground.removeChat': async ({ ann }) => {
    await ann.self.updateSetting({ playground_history: true });
    await ann.playground.putChat({ id: itemId, content: '{}' });
    return () => ann.playground.removeChat({ id: itemId });
  },
  'session.endAll': byAnn((client) => client.session.endAll({})),
  'session.endOf': byOperator((client) => client.session.endOf({ id: 2 })),
  'modelSync.run': byOperator((client) =>
    client.modelSync.run({
      source: 'given',
      adopt: true,
      list: {
        name: 'list.json',
        own: true,
        models: [{ server: 'openai', name: 'gpt-9-test', price: { input: 1, output: 2 } }],
        rules: [],
      },
    }),
  ),
  'siteConfig.apply': byOperator((client) =>
    client.siteConfig.apply({ options: [{ key: 'Footer', value: 'x' }] }),
  ),
  'nodes.drain': async ({ app, operator }) => {
    await app.nodes.begin('http://127.0.0.1:1');
    const [node] = await operator.nodes.list();
    return () => operator.nodes.drain({ node: node?.id ?? '' });
  },
  'nodes.resume': async ({ app, operator }) => {
    await app.nodes.begin('http://127.0.0.1:1');
    const [node] = await operator.nodes.list();
    return () => operator.nodes.resume({ node: node?.id ?? '' });
  },
  'system.setup': async ({ operator }) => {
    const root = {
      username: 'root',
      password,
      confirmPassword: password,
      SiteLanguage: 'en',
    } as const;
    return () => operator.system.setup(root);
  },
};

const signsIn = 'starts or ends a session, which no process keeps in memory';
const asks = 'changes nothing, or notes a code, a state or a challenge';
const upstream = 'what an upstream said of a channel: figures that no cache holds';
/** Usage logs are read where they are needed. */
const archives = 'moves rows of usage logs, which no cache holds';
const background = 'begins or ends work in the background';

export const withoutFollowers: Readonly<Record<string, string>> = {
  'channelKeys.test': 'a request to the upstream; only its log row is written',
  'system.checkSetupToken': asks,
  'files.showForeign': 'signs an address',
  'ledger.checkSeals': 'compares',
  'auth.login': signsIn,
  'auth.logout': signsIn,
  'losses.belowCost': asks,
  'priceSync.preview': asks,
  'auth.sendCode': asks,
  'auth.requestReset': asks,
  'public.messageCode': asks,
  'public.login': signsIn,
  'public.accountLogin': signsIn,
  'oauth.state': asks,
  'oauth.begin': asks,
  'oauth.callback': 'signs in, or binds as oauth.telegramBind does',
  'oauth.wechat': signsIn,
  'oauth.wechatBind': 'binds as oauth.telegramBind does',
  'oauth.telegram': signsIn,
  'secondStep.passkeyOptions': asks,
  'secondStep.passkey': signsIn,
  'secondStep.challengeOptions': asks,
  'secondStep.complete': signsIn,
  'secondFactor.beginTotp': asks,
  'secondFactor.beginPasskey': asks,
  'secondFactor.renamePasskey': 'one statement without an audit entry',
  'stepUp.options': asks,
  'stepUp.confirm': signsIn,
  'channel.previewModels': asks,
  'catalog.unpriced': asks,
  'channelTypes.modelEnds': asks,
  'channel.test': upstream,
  'channel.testMany': upstream,
  'channel.updateBalance': upstream,
  'channel.testAll': background,
  'channel.updateAllBalances': background,
  'channelRuns.stopTests': background,
  'channelRuns.stopBalances': background,
  'log.archive': archives,
  'log.restore': archives,
  'log.prune': background,
  'log.startPrune': background,
  'log.stopPrune': background,
  'modelSquare.list': asks,
  'modelSquare.manage': asks,
  'wallet.redeem': 'one posting of the ledger with its guard',
  'topUp.amount': asks,
  'topUp.pay': 'one statement',
  'topUp.wechatPay': 'one statement',
  'option.oidcDiscovery': asks,
  'files.clean': 'deletes what has expired, piece by piece',
  'files.uploadImage': 'one statement',
  'notice.sendTest': asks,
};
