/** A small Epay gateway: the payment page, the order query, and notices with real signatures. */
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Client } from '../../src/core/contract/client.ts';
import { type Lifetime, startProvider } from './provider-server.ts';

export interface EpayGateway {
  readonly url: string;
  readonly pid: string;
  readonly key: string;
  /** Numbers of the orders that were looked up, in order. */
  readonly lookups: readonly string[];
  /** What the payer's browser does with the form. Throws on a wrong signature. */
  submit(form: Readonly<Record<string, string>>): void;
  /** Marks an order paid, as the lookup shows it; `changes` replace fields of the reply. */
  markPaid(tradeNo: string, changes?: Readonly<Record<string, string>>): void;
  /**
   * The signed notice of a submitted order; `changes` are signed, `forged` replace fields
   * afterwards.
   */
  notice(
    tradeNo: string,
    changes?: Readonly<Record<string, string>>,
    forged?: Readonly<Record<string, string>>,
  ): Record<string, string>;
  /** The replies to the notices that were sent when a browser paid. */
  readonly notified: readonly string[];
  /** From now on no notice is sent when a browser pays. */
  loseNotices(): void;
  /** Pays back at the gateway itself, which sends no notice; in yuan. */
  payBack(tradeNo: string, money: string): void;
  /** From now on every lookup fails with this status; 0: lookups work. */
  breakDown(status: number): void;
}

/**
 * Written from the public description of the interface, independently of the gateway under test.
 */
export function epaySign(fields: Readonly<Record<string, string>>, key: string): string {
  const names = Object.keys(fields).filter(
    (name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '',
  );
  const text = names.sort().map((name) => `${name}=${fields[name]}`);
  return createHash('md5')
    .update(`${text.join('&')}${key}`, 'utf8')
    .digest('hex');
}

const pid = '1001';
const key = 'epay-test-key';

/**
 * Its payment page for browsers is `submit.php`, which checks the form and redirects to the
 * cashier; there the payer pays or goes back. Then the gateway sends its notice and the browser
 * back to the shop.
 */
export async function startEpayGateway(lifetime: Lifetime = 'test'): Promise<EpayGateway> {
  const orders = new Map<string, Record<string, string>>();
  const paid = new Map<string, Record<string, string>>();
  /** Cents. */
  const paidBack = new Map<string, number>();
  const lookups: string[] = [];
  const notified: string[] = [];
  let broken = 0;
  let silent = false;

  const reply = (query: URLSearchParams): object => {
    const tradeNo = query.get('out_trade_no') ?? '';
    lookups.push(tradeNo);
    if (query.get('act') !== 'order' || query.get('pid') !== pid || query.get('key') !== key)
      return { code: -3, msg: 'wrong key' };
    const order = orders.get(tradeNo);
    if (order === undefined) return { code: -1, msg: 'no such order' };
    const { type = '', name = '', money = '' } = order;
    const found = {
      code: 1,
      msg: 'ok',
      trade_no: `E${tradeNo}`,
      out_trade_no: tradeNo,
      type,
      pid: Number(pid),
      name,
      money,
    };
    const refundmoney = paidBack.get(tradeNo);
    const status = refundmoney === undefined ? Number(paid.has(tradeNo)) : 2;
    return {
      ...found,
      status,
      ...(refundmoney !== undefined && { refundmoney: (refundmoney / 100).toFixed(2) }),
      ...paid.get(tradeNo),
    };
  };
  const payBack = (tradeNo: string, money: string): boolean => {
    const cents = (yuan: string | undefined) => Math.round(Number(yuan) * 100);
    const sum = (paidBack.get(tradeNo) ?? 0) + cents(money);
    if (!(sum <= cents(orders.get(tradeNo)?.['money']))) return false;
    paidBack.set(tradeNo, sum);
    return true;
  };
  const refund = (form: URLSearchParams): object => {
    if (form.get('pid') !== pid || form.get('key') !== key) return { code: -3, msg: 'wrong key' };
    return payBack(form.get('out_trade_no') ?? '', form.get('money') ?? '')
      ? { code: 1, msg: 'refunded' }
      : { code: -1, msg: 'more than was paid' };
  };
  const submit = (form: Readonly<Record<string, string>>) => {
    if (form['sign'] !== epaySign(form, key) || form['pid'] !== pid)
      throw new Error('the form is not signed correctly');
    orders.set(form['out_trade_no'] ?? '', { ...form });
  };
  const notice: EpayGateway['notice'] = (tradeNo, changes = {}, forged = {}) => {
    const { type = '', name = '', money = '' } = orders.get(tradeNo) ?? {};
    const fields = {
      pid,
      trade_no: `E${tradeNo}`,
      out_trade_no: tradeNo,
      type,
      name,
      money,
      trade_status: 'TRADE_SUCCESS',
      ...changes,
    };
    return { ...fields, sign: epaySign(fields, key), sign_type: 'MD5', ...forged };
  };
  /** The address to which the payer's browser goes on. */
  const visit = async (path: string, fields: Readonly<Record<string, string>>): Promise<string> => {
    const tradeNo = fields['out_trade_no'] ?? '';
    if (path === '/pay/submit.php') {
      submit(fields);
      return `/pay/cashier?${new URLSearchParams({ out_trade_no: tradeNo })}`;
    }
    const { return_url: returnUrl = '', notify_url: notifyUrl = '' } = orders.get(tradeNo) ?? {};
    const sent = new URLSearchParams(notice(tradeNo));
    if (path === '/pay/paid') {
      paid.set(tradeNo, {});
      if (!silent) notified.push(await fetch(`${notifyUrl}?${sent}`).then((reply) => reply.text()));
    }
    return `${returnUrl}?${sent}`;
  };
  const url = await startProvider(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gateway');
    if (pathname === '/pay/api.php' && searchParams.get('act') === 'refund')
      return response.end(JSON.stringify(refund(new URLSearchParams(await readBody(request)))));
    if (pathname === '/pay/api.php') {
      const body = JSON.stringify(reply(searchParams));
      return broken === 0 ? response.end(body) : response.writeHead(broken).end('down');
    }
    if (pathname === '/pay/cashier') {
      return response
        .setHeader('content-type', 'text/html')
        .end(cashier(searchParams.get('out_trade_no') ?? ''));
    }
    const fields = new URLSearchParams(await readBody(request));
    try {
      response
        .writeHead(302, { location: await visit(pathname, Object.fromEntries(fields)) })
        .end();
    } catch (error) {
      response.writeHead(400).end(String(error));
    }
  }, lifetime);
  const cashier = (tradeNo: string): string => {
    const field = `<input type="hidden" name="out_trade_no" value="${tradeNo}">`;
    const form = (action: string, label: string) =>
      `<form method="post" action="/pay/${action}">${field}<button>${label}</button></form>`;
    return `<title>Cashier</title><h1>${orders.get(tradeNo)?.['money']}</h1>${form('paid', 'Pay')}${form('back', 'Go back')}`;
  };

  return {
    url: `${url}/pay`,
    pid,
    key,
    lookups,
    notified,
    submit,
    markPaid: (tradeNo, changes = {}) => void paid.set(tradeNo, { ...changes }),
    notice,
    loseNotices: () => {
      silent = true;
    },
    payBack: (tradeNo, money) => void payBack(tradeNo, money),
    breakDown: (status) => {
      broken = status;
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** The options of a site that uses the gateway. */
export function epayOptions(
  gateway: Pick<EpayGateway, 'url' | 'pid' | 'key'>,
  serverAddress = 'https://gw.example',
): Record<string, string> {
  return {
    ServerAddress: serverAddress,
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
  };
}

/** Points a site at the gateway. */
export async function configureEpay(
  operator: Client,
  gateway: Pick<EpayGateway, 'url' | 'pid' | 'key'>,
): Promise<void> {
  for (const [key, value] of Object.entries(epayOptions(gateway)))
    await operator.option.set({ key, value });
}
