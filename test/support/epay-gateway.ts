/** A small Epay gateway: the payment page, the order query, and notices with real signatures. Closed after each test. */
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';
import type { Client } from '../../src/core/contract/client.ts';

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
  /** The signed notice of a submitted order; `changes` are signed, `forged` replace fields afterwards. */
  notice(
    tradeNo: string,
    changes?: Readonly<Record<string, string>>,
    forged?: Readonly<Record<string, string>>,
  ): Record<string, string>;
  /** From now on every lookup fails with this status; 0: lookups work. */
  breakDown(status: number): void;
}

/** Written from the public description of the interface, independently of the gateway under test. */
export function epaySign(fields: Readonly<Record<string, string>>, key: string): string {
  const names = Object.keys(fields).filter((name) => name !== 'sign' && name !== 'sign_type' && fields[name] !== '');
  const text = names.sort().map((name) => `${name}=${fields[name]}`);
  return createHash('md5')
    .update(`${text.join('&')}${key}`, 'utf8')
    .digest('hex');
}

export async function startEpayGateway(pid = '1001', key = 'epay-test-key'): Promise<EpayGateway> {
  const orders = new Map<string, Record<string, string>>();
  const paid = new Map<string, Record<string, string>>();
  const lookups: string[] = [];
  let broken = 0;

  const reply = (query: URLSearchParams): object => {
    const tradeNo = query.get('out_trade_no') ?? '';
    lookups.push(tradeNo);
    if (query.get('act') !== 'order' || query.get('pid') !== pid || query.get('key') !== key)
      return { code: -3, msg: 'wrong key' };
    const order = orders.get(tradeNo);
    if (order === undefined) return { code: -1, msg: 'no such order' };
    const { type = '', name = '', money = '' } = order;
    const found = { code: 1, msg: 'ok', trade_no: `E${tradeNo}`, out_trade_no: tradeNo, type, pid: Number(pid), name, money };
    return { ...found, status: paid.has(tradeNo) ? 1 : 0, ...paid.get(tradeNo) };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://gateway');
    if (url.pathname !== '/pay/api.php') return response.writeHead(404).end();
    const body = JSON.stringify(reply(url.searchParams));
    return broken === 0 ? response.end(body) : response.writeHead(broken).end('down');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/pay`,
    pid,
    key,
    lookups,
    submit: (form) => {
      if (form['sign'] !== epaySign(form, key) || form['pid'] !== pid) throw new Error('the form is not signed correctly');
      orders.set(form['out_trade_no'] ?? '', { ...form });
    },
    markPaid: (tradeNo, changes = {}) => void paid.set(tradeNo, { ...changes }),
    notice: (tradeNo, changes = {}, forged = {}) => {
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
    },
    breakDown: (status) => {
      broken = status;
    },
  };
}

/** Points a site at the gateway. */
export async function configureEpay(operator: Client, gateway: Pick<EpayGateway, 'url' | 'pid' | 'key'>): Promise<void> {
  const options = {
    ServerAddress: 'https://gw.example',
    PayAddress: gateway.url,
    EpayId: gateway.pid,
    EpayKey: gateway.key,
  };
  for (const [key, value] of Object.entries(options)) await operator.option.set({ key, value });
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
