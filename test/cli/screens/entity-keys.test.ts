/**
 * Keys of users, tokens, codes, options, tasks, drawings and the ledger, with the calls that
 * they make. Budgets: budget-keys.test.ts.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test, vi } from 'vitest';
import { now, tokenRow } from '../fake-site.ts';
import { open } from './open.ts';

const page = (items: readonly object[], total = items.length) => ({ items, total });

const linxi = {
  id: 2,
  username: 'linxi',
  display_name: '',
  role: 1,
  status: 1,
  group: 'vip',
  quota: 1_000_000,
  used_quota: 7,
};
const user = { ...linxi, request_count: 3, inviter_id: 0, DeletedAt: null };

async function openUsers(total = 1) {
  const opened = await open();
  const rows = Array.from({ length: total }, (_, index) => ({
    ...user,
    id: index + 2,
    username: index === 0 ? 'linxi' : `u${index}`,
  }));
  opened.site.replies['GET /api/user/'] = ({ p, page_size: size }) =>
    page(rows.slice((Number(p) - 1) * Number(size), Number(p) * Number(size)), total);
  opened.site.replies['GET /api/user/:id'] = () => user;
  opened.site.replies['PUT /api/user/'] = () => null;
  opened.site.replies['POST /api/user/manage'] = () => ({});
  await opened.press('4');
  return opened;
}

describe('users', () => {
  test.each([
    ['+$5', 3_500_000],
    ['-500000', 500_000],
    ['$0.50', 250_000],
    ['7', 7],
  ])('b changes the balance: %s', async (typed, quota) => {
    const { site, press } = await openUsers();
    await press('b', ...typed, 'enter');
    expect(site.changes).toEqual([['PUT /api/user/', { id: 2, quota, quota_base: 1_000_000 }]]);
  });

  test('U takes a change of the balance back, and only once', async () => {
    const { site, press } = await openUsers();
    expect((await press('b', ...'+$1', 'enter')).at(-2)).toContain(
      'Balance of linxi: $2.00, now $3.00 · U takes it back',
    );
    expect((await press('U')).at(-2)).toContain('Taken back');
    expect(site.changes[1]).toEqual([
      'PUT /api/user/',
      { id: 2, quota: 500_000, quota_base: 1_000_000 },
    ]);
    expect((await press('U')).at(-2)).toContain('Nothing to undo');
    expect(site.changes).toHaveLength(2);
  });

  test('an amount that is none changes nothing', async () => {
    const { site, press } = await openUsers();
    for (const typed of ['five', '1.5', '$', '--1', '$1e9', '9'.repeat(16)]) {
      expect((await press('b', ...typed, 'enter')).at(-2), typed).toContain('is no amount');
    }
    expect(site.changes).toEqual([]);
  });

  test('a refused amount is there to be mended at the next b, once, and for this row alone', async () => {
    const { press } = await openUsers(2);
    expect((await press('b', ...'+$1o', 'enter')).at(-2)).toContain('+$1o is no amount');
    expect((await press('b')).at(-2)).toContain('+$5, -$5): +$1o');
    expect((await press('backspace', '0', 'enter')).at(-2)).toContain('now $12.00');
    expect((await press('b')).at(-2)).not.toContain('+$10');
    await press(...'x', 'enter', 'down', 'b');
    expect((await press('escape', 'up', 'b')).at(-2)).not.toContain('): x');
  });

  test('R asks before it promotes, o before it signs out', async () => {
    const { site, press } = await openUsers();
    expect((await press('R')).at(-2)).toContain('make linxi an administrator? y/N');
    await press('n');
    expect(site.changes).toEqual([]);
    await press('R', 'y');
    site.replies['POST /api/turnpike/users/:id/sign-out'] = () => ({ ended: 3 });
    expect((await press('o', 'y')).at(-2)).toContain('linxi: 3 sessions ended');
    expect(site.changes).toEqual([
      ['POST /api/user/manage', { id: 2, action: 'promote' }],
      ['POST /api/turnpike/users/:id/sign-out', { id: 2 }],
    ]);
  });

  test('a refusal of the gateway is shown as it is, and the list loads again', async () => {
    const { site, press } = await openUsers();
    site.replies['POST /api/user/manage'] = () => new Error('Only root may promote');
    expect((await press('R', 'y')).at(-2)).toContain('Only root may promote');
  });

  test('further pages follow the cursor, however many there are', async () => {
    const { press, draw } = await openUsers(5_250);
    expect(draw()[3]).toContain('Users 100 of 5250');
    expect((await press('G'))[3]).toContain('Users 200 of 5250');
    expect((await press(...Array<string>(51).fill('G')))[3]).toContain('Users 5250');
    expect((await press('G')).join('\n')).toContain('u5249');
  });

  test('the gateway sorts users, page by page, and an order that fails is not shown', async () => {
    const { site, press } = await openUsers(250);
    const asked: unknown[] = [];
    site.replies['GET /api/user/search'] = (input) => {
      asked.push(input);
      return page([{ ...user, id: 9_000, username: `first by ${String(input['sort'])}` }], 12_000);
    };
    expect((await press('s')).slice(3, 7).join('\n')).toMatch(
      /Users 1 of 12000 · by balance[\s\S]*first by quota/,
    );
    expect(asked).toEqual([{ p: 1, page_size: 100, keyword: '', sort: 'quota', ascending: false }]);
    await press('s', 's', 's');
    expect(asked.at(-1)).toMatchObject({ p: 1, sort: 'name', ascending: true });
    expect((await press('s'))[3]).toMatch(/Users 100 of 250 ─/);
    site.replies['GET /api/user/search'] = () => new Error('The database is away');
    const failed = await press('s');
    expect(failed.at(-2)).toContain('The database is away');
    expect(failed[3]).toMatch(/Users 100 of 250 ─/);
  });
});

describe('tokens', () => {
  test('a list that the gateway cannot sort is loaded up to 5,000 rows, and says so', async () => {
    const { site, press } = await open();
    const tokens = (count: number) => {
      site.replies['GET /api/turnpike/token'] = ({ p }) =>
        page(
          Array.from({ length: 100 }, (_, index) =>
            tokenRow((Number(p) - 1) * 100 + index + 1, {}),
          ).filter(({ id }) => id <= count),
          count,
        );
    };
    tokens(250);
    expect((await press('5', 's'))[3]).toContain('Tokens 250 · by balance');
    tokens(6_000);
    expect((await press('s', 's', 's', 's', 'r', 's'))[3]).toContain(
      'Tokens 5000 of 6000 · these by balance',
    );
  });

  test('e edits the declared fields; a list of models switches its limit on', async () => {
    const { site, press } = await open();
    site.replies['PUT /api/turnpike/token'] = () => ({});
    const lines = await press('5', 'e');
    for (const name of [
      'name',
      'balance',
      'unlimited',
      'expires',
      'models',
      'IP allowlist',
      'group',
    ])
      expect(lines.join('\n')).toMatch(new RegExp(`│.* ${name} `));
    await press('down', 'enter', 'ctrl+u', ...'$2', 'enter');
    await press('down', 'enter', 'ctrl+u', ...'on', 'enter');
    await press('down', 'enter', 'ctrl+u', ...'2027-01-02', 'enter');
    await press('down', 'enter', ...'gpt-5.1, o4', 'enter');
    await press('down', 'enter', ...'10.0.0.1,10.0.0.2', 'enter');
    expect(site.changes.map(([, input]) => input)).toEqual([
      { id: 1, remain_quota: 1_000_000 },
      { id: 1, unlimited_quota: true },
      { id: 1, expired_time: new Date(2027, 0, 2).getTime() / 1000 },
      { id: 1, model_limits: 'gpt-5.1,o4', model_limits_enabled: true },
      { id: 1, allow_ips: '10.0.0.1\n10.0.0.2' },
    ]);
    expect((await press('up', 'up', 'enter', 'ctrl+u', ...'soon', 'enter')).at(-2)).toContain(
      'soon: use 2026-11-20',
    );
    expect(site.changes).toHaveLength(5);
  });
});

const code = (id: number, name: string) => ({
  id,
  name,
  key: `${id}`.repeat(32),
  status: 1,
  quota: 500_000,
  created_time: now,
  expired_time: 0,
  redeemed_time: 0,
  used_user_id: 0,
});

describe('redemption codes', () => {
  async function openCodes() {
    const opened = await open();
    opened.site.replies['GET /api/redemption/'] = () =>
      page([code(1, 'spring'), code(2, 'spring'), code(3, 'fair')]);
    opened.site.replies['POST /api/turnpike/redemption/batch'] = () =>
      page([code(4, 'x'), code(5, 'x')]);
    opened.site.replies['DELETE /api/redemption/invalid'] = () => 12;
    await opened.press('6');
    return opened;
  }

  test('n creates a batch and copies it', async () => {
    const { site, press, raw } = await openCodes();
    expect((await press('n')).at(-2)).toContain('amount per code (500000 or $1): $1');
    await press('ctrl+u', ...'$2', 'enter');
    await press('ctrl+u', '2', 'enter');
    expect((await press(...'gift', 'enter')).at(-2)).toContain(
      'file (empty: clipboard only): codes-20261120-1200.txt',
    );
    expect((await press('ctrl+u', 'enter')).at(-2)).toContain('Created 2 codes and copied them');
    expect(site.changes).toEqual([
      ['POST /api/turnpike/redemption/batch', { quota: 1_000_000, count: 2, name: 'gift' }],
    ]);
    expect(Buffer.from((raw[0] ?? '').split(';')[2] ?? '', 'base64').toString()).toBe(
      `${'4'.repeat(32)}\n${'5'.repeat(32)}\n`,
    );
  });

  test('a batch goes to a new file that only its owner can read, and never over another', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'codes-'));
    const file = join(folder, 'codes.txt');
    const { site, press } = await openCodes();
    const fill = ['n', 'enter', 'ctrl+u', '2', 'enter', 'enter', 'ctrl+u', file, 'enter'];
    await press(...fill);
    await vi.waitFor(async () =>
      expect((await press()).at(-2)).toContain('Created 2 codes, copied and in'),
    );
    expect(readFileSync(file, 'utf8')).toBe(`${'4'.repeat(32)}\n${'5'.repeat(32)}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await press(...fill);
    await vi.waitFor(async () => expect((await press()).at(-2)).toContain('exists already'));
    expect(site.changes).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });

  test('escape on any question of a batch creates nothing', async () => {
    for (const before of [[], ['enter'], ['enter', 'enter'], ['enter', 'enter', 'enter']]) {
      const { site, press } = await openCodes();
      await press('n', ...before, 'escape');
      expect(site.changes).toEqual([]);
    }
  });

  test('T shows one batch after the other, X clears after a question', async () => {
    const { press } = await openCodes();
    expect((await press('T'))[3]).toContain('Codes 1 · batch: fair');
    expect((await press('T'))[3]).toContain('Codes 2 · batch: spring');
    expect((await press('X')).at(-2)).toContain('delete all used, disabled and expired codes? y/N');
    expect((await press('y')).at(-2)).toContain('Deleted 12 codes');
  });
});

describe('options', () => {
  async function openOptions() {
    const opened = await open();
    const stored = [
      { key: 'RetryTimes', value: '3', default: '0' },
      { key: 'SMTPServer', value: 'mail.example.com', default: '' },
      { key: 'SMTPToken', value: '', configured: true },
      { key: 'ServerAddress', value: '' },
    ];
    opened.site.replies['GET /api/option/'] = () => stored;
    opened.site.replies['PUT /api/option/'] = () => null;
    opened.site.replies['POST /api/turnpike/option/reset'] = () => null;
    await opened.press('7');
    return opened;
  }

  test('e sets an option, and an error of the gateway is shown', async () => {
    const { site, press } = await openOptions();
    await press('/', ...'retrytimes', 'enter');
    expect((await press('e')).at(-2)).toContain('RetryTimes: 3');
    expect((await press('ctrl+u', '5', 'enter')).at(-2)).toContain(
      'Set RetryTimes · U takes it back',
    );
    await press('U');
    expect(site.changes.map(([, input]) => input)).toEqual([
      { key: 'RetryTimes', value: '5' },
      { key: 'RetryTimes', value: '3' },
    ]);
    site.replies['PUT /api/option/'] = () => new Error('RetryTimes: at most 10');
    expect((await press('e', '9', 'enter')).at(-2)).toContain('RetryTimes: at most 10');
  });

  test('a secret is written but never shown', async () => {
    const { site, press, draw } = await openOptions();
    const listed = await press('/', ...'smtptoken', 'enter');
    expect(listed.join('\n')).toMatch(/SMTPToken +set/);
    const typed = await press('e', ...'hunter2');
    expect(typed.at(-2)).toContain('new SMTPToken (not shown): *******');
    expect((await press('enter')).join('\n')).not.toContain('hunter2');
    expect(site.changes).toEqual([['PUT /api/option/', { key: 'SMTPToken', value: 'hunter2' }]]);
    expect((await press('e', 'enter')).at(-2)).toContain('Nothing was changed');
    expect(site.changes).toHaveLength(1);
    expect(draw().join('\n')).not.toContain('hunter2');
  });

  test('JSON is edited in an editor, laid out; what is wrong with it is shown and can be edited again', async () => {
    const { site, model, press, edited, edits } = await openOptions();
    site.replies['GET /api/option/'] = () => [
      { key: 'GroupRatio', value: '{"default":1,"vip":0.8}', default: '{}' },
    ];
    await press('/', ...'groupratio', 'enter');
    model.lendTerminal = (work) => work();
    edits.push('{"default": 1\n "vip": 2}', '{"default": 1}');
    const asked = (await press('e')).at(-2) ?? '';
    expect(asked).toMatch(/line 2, column 2: Expected ',' .*- edit again\? y\/N/);
    expect(edited[0]).toEqual(['GroupRatio.json', '{\n  "default": 1,\n  "vip": 0.8\n}\n']);
    expect(site.changes).toEqual([]);
    expect((await press('y')).at(-2)).toContain('Set GroupRatio · U takes it back');
    expect(edited[1]?.[1]).toBe('{"default": 1\n "vip": 2}');
    expect(site.changes.map(([, input]) => input)).toEqual([
      { key: 'GroupRatio', value: '{"default": 1}' },
    ]);
    // Left as it is: nothing is sent.
    expect((await press('e')).at(-2)).toContain('Nothing was changed');
    site.replies['PUT /api/option/'] = () => new Error('GroupRatio: default must be there');
    edits.push('{}');
    expect((await press('e')).at(-2)).toContain(
      'GroupRatio: default must be there - edit again? y/N',
    );
    await press('n');
    expect(site.changes).toHaveLength(2);
  });

  test('a switch is turned by a question', async () => {
    const { site, press } = await openOptions();
    site.replies['GET /api/option/'] = () => [{ key: 'RegisterEnabled', value: 'true' }];
    await press('/', ...'registerenabled', 'enter');
    expect((await press('e')).at(-2)).toContain('turn RegisterEnabled off? y/N');
    await press('y');
    expect(site.changes[0]).toEqual([
      'PUT /api/option/',
      { key: 'RegisterEnabled', value: 'false' },
    ]);
  });

  test('search finds labels in both languages, T shows one panel after the other', async () => {
    const { press } = await openOptions();
    expect((await press('/', ...'服务器地址', 'enter')).join('\n')).toContain('ServerAddress');
    await press('/', 'ctrl+u', 'enter');
    const titles = new Set<string>();
    for (let turn = 0; turn < 40; turn++) titles.add((await press('T'))[3] ?? '');
    expect([...titles].some((title) => title.includes('panel: system.smtp'))).toBe(true);
  });

  test('D resets after a question', async () => {
    const { site, press } = await openOptions();
    await press('/', ...'retrytimes', 'enter');
    expect((await press('D')).at(-2)).toContain('reset RetryTimes to its default? y/N');
    await press('y');
    expect(site.changes).toEqual([['POST /api/turnpike/option/reset', { key: 'RetryTimes' }]]);
  });
});

const task = {
  id: 1,
  task_id: 'task-1',
  platform: 'suno',
  action: 'MUSIC',
  status: 'FAILURE',
  username: '林溪',
  user_id: 2,
  channel_id: 3,
  channel_name: 'Suno',
  quota: 0,
  refunded: 16_789,
  progress: '100%',
  fail_reason: 'x\u001b[2K\u202eno credits',
  submit_time: now - 60,
  start_time: now - 50,
  finish_time: now,
  created_at: now,
  updated_at: now,
  properties: {},
  data: null,
};
const drawing = {
  ...task,
  mj_id: 'mj-1',
  code: 1,
  submit_time: (now - 60) * 1000,
  finish_time: 0,
  status: 'IN_PROGRESS',
  prompt: 'a bridge',
  prompt_en: '',
  image_url: '',
  video_url: '',
};
const posting = {
  id: 9,
  user_id: 2,
  token_id: 1,
  kind: 'charge',
  amount: -16_789,
  balance_after: 983_211,
  reference: 'req-1',
  subject: { kind: 'request', id: 'req-1', name: 'gpt-4o' },
  created_at: now,
};

test('the audit log is sentences, searched by words', async () => {
  const { press, site } = await open();
  const asked: unknown[] = [];
  const entry = {
    id: 1,
    actor_id: 1,
    actor_name: 'ann',
    actor_role: 100,
    ip: '',
    created_at: now,
    action: 'user.grant',
    target: '2',
    detail: '{"username":"bob","quota":100000}',
  };
  site.replies['GET /api/turnpike/audit'] = (input) => {
    asked.push(input);
    return { items: [entry], total: 1, page: 1, page_size: 100 };
  };
  expect((await press('A')).join('\n')).toMatch(/ann #1 +granted \$0\.20 to user bob/);
  await press('/', ...'granted', 'enter');
  expect(asked.at(-1)).toMatchObject({ keyword: 'granted' });
});

describe('tasks, drawings and the ledger', () => {
  async function openRest() {
    const opened = await open();
    const { replies } = opened.site;
    replies['GET /api/task/'] = ({ status, username }) =>
      status === 'SUCCESS' || username === 'nobody' ? [] : [task];
    replies['GET /api/mj/'] = () => [drawing];
    replies['GET /api/turnpike/ledger'] = () => page([posting]);
    return opened;
  }

  test('tasks show state, cost and the reason of a failure, and filter by status', async () => {
    const { press } = await openRest();
    expect((await press('8')).join('\n')).toMatch(/✕ task-1 +林溪 +MUSIC +FAILURE/);
    const card = (await press('enter')).join('\n');
    expect(card).toMatch(/refunded +\$0\.033578/);
    expect(card).toMatch(/reason +x \[2Kno credits/);
    expect((await press('escape', '/', ...'success', 'enter')).join('\n')).toContain(
      'Nothing matches the filter',
    );
    expect((await press('9')).join('\n')).toMatch(/▲ mj-1 .*IN_PROGRESS/);
  });

  test('v verifies the ledger', async () => {
    const { site, press } = await openRest();
    expect((await press('0')).join('\n')).toMatch(/9 .* Charge +\S*\$0\.033578/);
    const chain = { linked: 9, earlier: 0, noted_at: null, breaks: [] as object[] };
    site.replies['GET /api/turnpike/ledger/verify'] = () => ({
      ok: true,
      users: 3,
      postings: 1200,
      sum: 0,
      stale_holds: 1,
      chain,
      drifts: [],
    });
    expect((await press('v')).at(-2)).toContain(
      'adds up: 3 users, 1,200 postings; 1 hold without a request',
    );
    const drifts = [{ account: 'user', id: 2, name: 'linxi', expected: 5, actual: 6, drift: 1 }];
    site.replies['GET /api/turnpike/ledger/verify'] = () => ({
      ok: false,
      users: 3,
      postings: 9,
      sum: 0,
      stale_holds: 0,
      chain,
      drifts,
    });
    expect((await press('v')).at(-2)).toContain('1 difference, first user 2 linxi: 1');
    chain.breaks.push({ table: 'ledger', reason: 'missing', id: 7, until: 9 });
    expect((await press('v')).at(-2)).toContain('the end is missing: posting 7 to 9');
  });

  test('every view fills the frame', async () => {
    const { press, draw } = await openRest();
    for (const key of ['8', '9', '0', '7', '6', '5', '4']) {
      await press(key);
      for (const [columns, rows] of [
        [80, 24],
        [160, 50],
      ] as const) {
        const lines = draw(columns, rows);
        expect(lines).toHaveLength(rows);
        for (const shown of lines) expect(stringWidth(shown), shown).toBe(columns);
      }
    }
  });

  test('at 80 columns every key has the beginning of its name', async () => {
    const { press, draw } = await openRest();
    expect(draw()[2]).toMatch(/1 Overview 2 Req 3 Cha 4 Use .* 0 Le B Bu C Co A Au /);
    expect((await press('0'))[2]).toMatch(/ 1 Ov.*9 Dra 0 Ledger B Bud/);
    expect(draw(160, 50)[2]).toMatch(/1 Overview .*7 Options {2}8 Tasks {2}9 Drawings {2}0 Ledger/);
    expect((await press(':', ...'tasks', 'enter'))[3]).toContain('Tasks 1');
  });
});
