/**
 * A walk through every screen by keys: what is pressed, and what is then on the screen in either
 * language.
 */
import type { TestTerminal } from '../../support/terminal.ts';
import { checkFrame } from './check-frame.ts';

interface Step {
  readonly name: string;
  readonly keys: readonly string[];
  readonly see: RegExp;
  /** The screen has a list whose cursor must be visible. */
  readonly hasCursor?: true;
}

const step = (name: string, keys: readonly string[], see: RegExp): Step => ({ name, keys, see });
const list = (name: string, keys: readonly string[], see: RegExp): Step => ({
  name,
  keys,
  see,
  hasCursor: true,
});

/** What looks the same at every size is shown at the small one only. */
const smallOnly: ReadonlySet<string> = new Set([
  'request, route now',
  'help',
  'channel, field',
  'users, next page',
  'user, balance',
  'users, selected',
  'codes, new batch',
  'option',
  'options of a panel',
  'ledger, verified',
  'command',
]);

/** `wide`: cards stand beside their lists. */
function stepsOf(wide: boolean): readonly Step[] {
  const card = (view: string) => (wide ? /(esc back|esc 返回) /i : new RegExp(`(${view}) › `));
  return [
    step('overview', ['1'], /claude-sonnet-4-5 .*[█▎]/),
    step('overview, channels', ['Tab', 'Down'], /OpenAI main/),
    step('overview, paused', ['p'], /paused|已暂停/),
    list('requests', ['p', '2'], /─ (Requests|请求) ─/),
    list(
      'requests, one user',
      ['/', '/', 'BSpace', 'linxi', 'Enter'],
      /─ (Requests|请求) · \/linxi/,
    ),
    list('requests, by cost', ['/', 'C-u', 'Enter', 's', 'g'], /by cost|按费用/),
    step('request', ['Enter'], card('Requests|请求')),
    step(
      'request, end of a long card',
      ['Escape', 's', 's', '/', 'req-', 'Enter', 'g', ...Array(2).fill('Down'), 'Enter', 'G'],
      /req-/,
    ),
    step('request, route now', ['e'], /would try|现在会依次尝试/),
    step('help', ['Escape', '?'], /In this view|当前视图/),
    list('channels', ['Escape', '3'], /─ (Channels|渠道) 16 /),
    step('channel', ['Enter'], card('Channels|渠道')),
    list('channel, fields', ['e'], /› (edit|修改) ─/),
    step('channel, field', ['Enter'], /enter applies|回车确认/),
    list(
      'channels, filtered',
      ['Escape', 'Escape', 'Escape', '/', 'hundreds', 'Enter'],
      /─ (Channels|渠道) 1 /,
    ),
    step('channel of 300 models', ['Enter', 'G'], /model-299-preview/),
    step('channels, question', ['Escape', 'x'], /y\/N/),
    list('channels, no filter', ['n', '/', 'C-u', 'Enter'], /─ (Channels|渠道) 16 /),
    list('channels of a tag', ['T'], /(tag: |标签：)main/),
    list('users', ['4'], /─ (Users 100 of 10002|用户 100\/10002) /),
    list('users, next page', ['G'], /─ (Users 200 of 10002|用户 200\/10002) /),
    step('user', ['g', 'Enter'], card('Users|用户')),
    step('user, balance', ['b'], /\+\$5/),
    list(
      'users, filter while it is typed',
      ['Escape', 'Escape', '/', 'user-99'],
      /─ (Users|用户) [\d/ of]+ · \/user-99 ─/,
    ),
    step(
      'users, no match',
      ['zzz', 'Enter'],
      /\/user-99zzz ─[\s\S]*(Nothing matches|没有符合条件)/,
    ),
    list('users, no filter', ['/', 'C-u', 'Enter'], /─ (Users 100 of 10002|用户 100\/10002) ─/),
    list('users, selected', ['Space', 'Down', 'Space', 'd'], /2 (users|个用户)/),
    list('tokens', ['n', '5'], /─ (Tokens|令牌) 15 /),
    step('token', ['Enter'], card('Tokens|令牌')),
    list('codes', ['Escape', '6'], /─ (Codes 100 of 120|兑换码 100\/120) /),
    list('codes of a batch', ['T'], /spring 🎁 ─/),
    step('codes, new batch', ['n'], /500000 (or|或) \$1/),
    list('options', ['Escape', '7'], /─ (Options|设置项) \d+ /),
    list('options, search', ['/', 'group ratio', 'Enter'], /GroupRatio/),
    step('option', ['Enter'], card('Options|设置项')),
    list('options of a panel', ['Escape', '/', 'C-u', 'Enter', 'T'], /(panel: |面板：)\w+\.\w+/),
    list('tasks', ['8'], /─ (Tasks|任务) 30 /),
    step('task', ['Enter'], card('Tasks|任务')),
    list('drawings', ['Escape', '9'], /─ (Drawings|绘图) 30 /),
    step('drawing', ['Enter'], card('Drawings|绘图')),
    list('ledger', ['Escape', '0'], /─ (Ledger|账本) 100/),
    step('ledger, verified', ['v'], /10,002/),
    step('posting', ['Enter'], card('Ledger|账本')),
    list('budgets', ['Escape', 'B'], /─ (Budgets|预算) 3/),
    step('budget', ['Enter'], card('Budgets|预算')),
    step('conversations', ['Escape', 'C'], /─ (Conversations|会话) \d+ /),
    step('command', ['Escape', ':', 't'], /tokens tasks|:t/),
  ];
}

export interface Frame {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Walks through all screens and checks every frame. */
export async function walk(
  terminal: TestTerminal,
  columns: number,
  rows: number,
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  for (const { name, keys, see, hasCursor } of stepsOf(columns >= 120)) {
    if (columns >= 120 && smallOnly.has(name)) continue;
    await terminal.press(...keys);
    // with its last line: it is drawn completely
    const lines = await terminal.see(new RegExp(`${see.source}[\\s\\S]*┘$`));
    checkFrame(lines, columns, rows, name);
    if (hasCursor && !lines.some((line) => /[▸▪]/.test(line)))
      throw new Error(`no cursor in ${name}:\n${lines.join('\n')}`);
    frames.push({ name, lines });
  }
  await terminal.press('Escape');
  return frames;
}
