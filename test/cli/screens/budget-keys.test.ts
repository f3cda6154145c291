/** Keys of budgets and conversations, with the calls that they make. */
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { neverEnds } from '../../../src/core/vocabulary/budgets.ts';
import { now } from '../fake-site.ts';
import { open } from './open.ts';

const user = { id: 2, username: 'linxi', display_name: '', role: 1, status: 1, group: 'vip' };
const page = (items: readonly object[], total = items.length) => ({ items, total });

describe('budgets', () => {
  const window = { id: 31, subject: '', name: '', starts_at: now - 3600, ends_at: now + 7200 };
  const budget = {
    id: 3,
    user_id: 1,
    name: 'daily',
    owner: 'token',
    owner_id: '12',
    owner_name: 'app',
    each: '',
    amount: 1_000_000,
    period: 'day',
    window: 'calendar',
    time_zone: 'UTC',
    week_start: 1,
    closed_days: '',
    closed_hours: '',
    models: '',
    carry_over: 0,
    most_requests: 0,
    most_minutes: 0,
    most_repeats: 0,
    most_pace: 0,
    at_end: 'refuse',
    thresholds: '80,100',
    enabled: true,
    created_time: now,
  };
  const unused = { ...budget, id: 4, name: '', owner: 'group', owner_id: 'vip', owner_name: '' };

  async function openBudgets() {
    const opened = await open();
    const { replies } = opened.site;
    replies['GET /api/turnpike/budgets/status'] = () => ({
      items: [
        { ...unused, windows: [] },
        {
          ...budget,
          windows: [{ ...window, spent: 900_000, limit: 1_000_000, left: 100_000 }],
        },
      ],
      total: 2,
      page: 1,
      page_size: 100,
    });
    replies['POST /api/turnpike/budgets/:id/grant'] = () => undefined;
    replies['PUT /api/turnpike/budgets/:id'] = (input) => ({ ...budget, ...input });
    replies['DELETE /api/turnpike/budgets/:id'] = () => undefined;
    await opened.press('B');
    return opened;
  }

  test('are listed with bars, the fullest first, and fit every terminal', async () => {
    const { draw } = await openBudgets();
    const lines = draw(160, 50);
    expect(lines[2]).toMatch(/0 Ledger {2}B Budgets/);
    const [first = '', second = ''] = lines.filter((shown) => /[▲●] #[34]/.test(shown));
    expect(first).toMatch(/▲ #3 daily +token app +31 █{9}· 90 % +\$1\.80 \/ \$2\.00 +2 h 0 min/);
    expect(second).toMatch(/● #4 +group vip +·{10} 0 % +\$0\.00 \/ \$2\.00/);
    for (const shown of draw()) expect(stringWidth(shown), shown).toBe(80);
    expect(draw().join('\n')).toMatch(/▲ #3 daily +token app .*█{9}· 90 %/);
  });

  test('a adds to the window under the cursor, and says where there is none', async () => {
    const { press, site } = await openBudgets();
    await press('a', ...'$5', 'enter');
    expect(site.changes).toEqual([
      ['POST /api/turnpike/budgets/:id/grant', { id: 3, window: 31, amount: 2_500_000 }],
    ]);
    expect((await press('down', 'a')).join('\n')).toContain('It has no open window');
  });

  test('n makes one, and says what cannot be read', async () => {
    const { press, site } = await openBudgets();
    site.replies['POST /api/turnpike/budgets'] = (input) => ({ ...budget, ...input, id: 9 });
    const wrong = await press('n', 'ctrl+u', ...'vip', 'enter');
    expect(wrong.at(-2)).toContain('"vip" is not token, user, group or model');
    await press('escape', 'n', 'ctrl+u', ...'group vip', 'enter', 'ctrl+u', ...'$2', 'enter');
    expect((await press('ctrl+u', ...'year', 'enter')).at(-2)).toContain('"year" is no period');
    await press('escape', 'n', 'ctrl+u', ...'token #12', 'enter', 'ctrl+u', ...'$2', 'enter');
    const made = await press('ctrl+u', ...'day', 'enter', ...'pocket', 'enter');
    expect(made.at(-2)).toContain('Made budget #9');
    expect(site.changes).toEqual([
      [
        'POST /api/turnpike/budgets',
        { owner: 'token', owner_id: '12', amount: 1_000_000, period: 'day', name: 'pocket' },
      ],
    ]);
  });

  test('are filtered, edited, switched off and deleted', async () => {
    const { press, site } = await openBudgets();
    expect((await press('/', ...'vip', 'enter')).join('\n')).not.toContain('daily');
    await press('escape', '/', 'ctrl+u', 'enter', 'g', 'd', 'y');
    await press('x', 'y');
    expect(site.changes).toEqual([
      ['PUT /api/turnpike/budgets/:id', { id: 3, enabled: false }],
      ['DELETE /api/turnpike/budgets/:id', { id: 3 }],
    ]);
  });
});

describe('conversations', () => {
  const part = (used: number, limit: number) => ({ used, limit });
  const talk = (id: number, subject: string, spent: number, used: number) => ({
    id,
    subject,
    name: '',
    starts_at: now - 3600,
    ends_at: neverEnds,
    spent,
    limit: 2_500_000,
    left: 2_500_000 - spent,
    budget_id: 3,
    budget_name: 'talks',
    each: 'conversation',
    at_end: 'refuse',
    user_id: 2,
    username: 'linxi',
    used_percent: used,
    fence: {
      requests: part(90, 100),
      minutes: part(0, 0),
      repeats: part(2, 4),
      pace: part(0, 0),
    },
  });

  async function openConversations() {
    const opened = await open();
    const { replies } = opened.site;
    const requested: object[] = [];
    replies['GET /api/turnpike/budgets/conversations'] = (input) => {
      requested.push(input);
      return page([talk(41, 'dear', 1_000_000, 100), talk(42, 'cheap', 500_000, 90)]);
    };
    replies['GET /api/user/search'] = ({ keyword }) => page(keyword === 'linxi' ? [user] : []);
    replies['POST /api/turnpike/budgets/:id/grant'] = () => null;
    await opened.press('C');
    return { ...opened, requested };
  }

  test('are listed by their cost with bars and fences, and fit every terminal', async () => {
    const { draw, press } = await openConversations();
    const [dear = '', cheap = ''] = draw(160, 50).filter((shown) =>
      /[▲✕] (dear|cheap)/.test(shown),
    );
    expect(dear).toMatch(/✕ dear +linxi .*41 +\$2\.00 \/ \$5\.00 .*█{10} 100 %/);
    expect(cheap).toMatch(/▲ cheap +linxi .*42 +\$1\.00 \/ \$5\.00 .*█{9}· 90 %/);
    expect(draw(240, 50).join('\n')).toContain('90 / 100 requests, 2 / 4 repetitions');
    for (const shown of draw()) expect(stringWidth(shown), shown).toBe(80);
    expect(draw().join('\n')).toMatch(/▲ cheap +linxi +42 +\$1\.00 \/ \$5\.00 +█{9}· 90 %/);
    const card = (await press('enter')).join('\n');
    expect(card).toContain('90 / 100 requests, 2 / 4');
    expect(card).toMatch(/budget +#3 talks/);
  });

  test('a lets the one under the cursor go on', async () => {
    const { press, site, requested } = await openConversations();
    const before = requested.length;
    expect((await press('a', ...'+$5', 'enter')).join('\n')).toContain('Added to dear');
    expect(site.changes).toEqual([
      ['POST /api/turnpike/budgets/:id/grant', { id: 3, window: 41, amount: 2_500_000 }],
    ]);
    expect(requested.length).toBeGreaterThan(before);
    expect((await press('a', ...'many', 'enter')).join('\n')).toContain('many is no amount');
    expect(site.changes).toHaveLength(1);
  });

  test('are filtered by user and budget, and the gateway does it', async () => {
    const { press, requested } = await openConversations();
    const filter = (text: string) => press('/', 'ctrl+u', ...text, 'enter');
    await filter('linxi');
    expect(requested.at(-1)).toMatchObject({ user_id: 2, p: 1 });
    await filter('#3');
    expect(requested.at(-1)).toMatchObject({ budget: 3, p: 1 });
    await filter('7');
    expect(requested.at(-1)).toMatchObject({ user_id: 7, p: 1 });
    expect((await filter('nobody')).join('\n')).toContain('Nothing matches');
  });
});
