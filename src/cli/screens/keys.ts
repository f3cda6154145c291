/**
 * All keys of the terminal screens: key handling, hint line, help and docs derive from this table.
 */

import type { Text } from '../base/text.ts';
import type { Glyphs } from '../kit/glyphs.ts';

export interface Binding {
  readonly action: string;
  /** Names of keys; single characters as they are. */
  readonly keys: readonly string[];
  readonly label: Text;
  /** Shown in the hint line instead of the first key. */
  readonly sign?: keyof Glyphs;
}

const bind = (
  action: string,
  keys: readonly string[],
  en: string,
  zh: string,
  sign?: keyof Glyphs,
): Binding => ({
  action,
  keys,
  label: { en, zh },
  ...(sign === undefined ? {} : { sign }),
});

export const bindings = {
  up: bind('up', ['up', 'k'], 'move', '移动', 'upDown'),
  down: bind('down', ['down', 'j'], 'down', '下移'),
  pageUp: bind('pageUp', ['pageup', 'ctrl+b'], 'page up', '上一页'),
  pageDown: bind('pageDown', ['pagedown', 'ctrl+f'], 'page down', '下一页'),
  top: bind('top', ['g', 'home'], 'top', '到顶部'),
  end: bind('end', ['G', 'end'], 'end', '到底部'),
  scroll: bind('scroll', ['up', 'k'], 'scroll', '滚动', 'upDown'),
  open: bind('open', ['enter'], 'open', '打开', 'enter'),
  back: bind('back', ['escape'], 'back', '返回'),
  previous: bind('previous', ['left', 'h'], 'previous/next', '上一条/下一条', 'leftRight'),
  next: bind('next', ['right', 'l'], 'next', '下一条'),
  pane: bind('pane', ['tab'], 'pane', '切换窗格'),
  filter: bind('filter', ['/'], 'filter', '筛选'),
  pause: bind('pause', ['space', 'p'], 'pause', '暂停'),
  select: bind('select', ['space'], 'select', '选择'),
  copy: bind('copy', ['y'], 'copy id', '复制编号'),
  sort: bind('sort', ['s'], 'sort', '排序'),
  explain: bind('explain', ['e'], 'explain route', '解释路由'),
  toggle: bind('toggle', ['d'], 'on/off', '启停'),
  test: bind('test', ['t'], 'test', '测试'),
  edit: bind('edit', ['e'], 'edit', '修改'),
  weight: bind('weight', ['w'], 'weight', '权重'),
  priority: bind('priority', ['P'], 'priority', '优先级'),
  quota: bind('quota', ['b'], 'balance', '余额'),
  grant: bind('grant', ['a'], 'add', '追加'),
  role: bind('role', ['R'], 'role', '角色'),
  signOut: bind('signOut', ['o'], 'sign out', '退出登录'),
  create: bind('create', ['n'], 'new codes', '新建'),
  newBudget: bind('newBudget', ['n'], 'new', '新建'),
  copyCode: bind('copyCode', ['y'], 'copy', '复制'),
  removeUsed: bind('removeUsed', ['X'], 'clear', '清理'),
  reset: bind('reset', ['D'], 'default', '默认值'),
  verify: bind('verify', ['v'], 'verify', '核对'),
  panel: bind('panel', ['T'], 'panel', '面板'),
  order: bind('order', ['s'], 'sort', '排序'),
  tag: bind('tag', ['T'], 'tag', '标签'),
  change: bind('change', ['enter'], 'change', '修改', 'enter'),
  remove: bind('remove', ['x'], 'delete', '删除'),
  reload: bind('reload', ['r'], 'reload', '刷新'),
  command: bind('command', [':'], 'command', '命令'),
  undo: bind('undo', ['U'], 'undo', '撤销'),
  help: bind('help', ['?'], 'keys', '按键'),
  suspend: bind('suspend', ['ctrl+z'], 'suspend', '挂起'),
  quit: bind('quit', ['q', 'ctrl+c'], 'quit', '退出'),
} as const satisfies Record<string, Binding>;
export type Action = keyof typeof bindings;

/** Actions of every view. */
export const globalActions: readonly Action[] = ['command', 'undo', 'help', 'suspend', 'quit'];
/** Actions of every list; the hint line only shows the first. */
export const listActions: readonly Action[] = ['up', 'down', 'pageUp', 'pageDown', 'top', 'end'];

/** Actions of a card. */
export const cardActions: readonly Action[] = ['back', 'previous', 'next'];
/** Actions of lines that may not fit. */
export const scrollActions: readonly Action[] = ['scroll', ...listActions.slice(1)];

/**
 * The action of a key among those of a view; the view's own take precedence over the global ones.
 */
export function findAction(key: string, actions: readonly Action[]): Action | undefined {
  return [...actions, ...globalActions].find((action) =>
    (bindings[action].keys as readonly string[]).includes(key),
  );
}

const names: Readonly<Record<string, string>> = { escape: 'esc', pageup: 'PgUp', pagedown: 'PgDn' };

export function signOf(action: Action, glyphs: Glyphs): string {
  const binding: Binding = bindings[action];
  if (binding.sign !== undefined) return glyphs[binding.sign];
  const key = binding.keys[0] ?? '';
  return names[key] ?? key;
}
export function allKeys(action: Action): string {
  return bindings[action].keys.map((key) => names[key] ?? key).join(', ');
}

/**
 * Full explanations for help and docs, where the label in the hint line is short or covers a pair
 * of keys.
 */
const explanations: { readonly [A in Action]?: Text } = {
  up: { en: 'up', zh: '上移' },
  scroll: { en: 'scroll up', zh: '向上滚动' },
  previous: { en: 'previous row', zh: '上一条' },
  next: { en: 'next row', zh: '下一条' },
  filter: { en: 'filter the list while typing', zh: '输入文字以筛选列表' },
  select: { en: 'select rows to enable, disable or delete', zh: '选择多行，再启用、停用或删除' },
  pause: { en: 'pause or resume the live list', zh: '暂停或继续实时刷新' },
  sort: { en: 'sort by time, cost or duration', zh: '按时间、费用或用时排序' },
  toggle: { en: 'enable or disable the selected rows', zh: '启用或停用选中的行' },
  test: { en: 'send a test request', zh: '发送测试请求' },
  edit: { en: 'edit the fields of the row', zh: '修改该行的字段' },
  weight: { en: 'weight of the selected rows', zh: '修改选中行的权重' },
  tag: { en: 'show the next tag only, or all tags', zh: '只看下一个标签，或所有标签' },
  priority: { en: 'priority of the selected rows', zh: '修改选中行的优先级' },
  quota: {
    en: 'balance: 500000 or $1 sets it, +$5 and -$5 change it',
    zh: '余额：500000 或 $1 为设定值，+$5、-$5 为增减',
  },
  grant: {
    en: 'add to what may be spent in this window: 500000 or $1',
    zh: '为当前窗口追加额度：500000 或 $1',
  },
  role: {
    en: 'make a user an administrator, or the reverse',
    zh: '将用户设为管理员，或取消管理员',
  },
  signOut: { en: 'sign the selected users out everywhere', zh: '让选中的用户在所有设备上退出登录' },
  create: { en: 'create redemption codes', zh: '批量新建兑换码' },
  newBudget: { en: 'make a budget', zh: '新建预算' },
  copyCode: { en: 'copy the selected codes to the clipboard', zh: '复制选中的兑换码到剪贴板' },
  removeUsed: {
    en: 'delete all used, disabled and expired codes',
    zh: '删除所有已使用、已停用和已过期的兑换码',
  },
  reset: { en: 'reset the option to its default', zh: '恢复该设置项的默认值' },
  verify: { en: 'recompute every balance from the postings', zh: '按账本核对每个余额' },
  panel: { en: 'show the next panel of settings only, or all', zh: '只看下一个设置面板，或全部' },
  order: { en: 'sort by the next column', zh: '按下一列排序' },
  undo: { en: 'take back the last change', zh: '撤销上一次修改' },
  remove: { en: 'delete the selected rows', zh: '删除选中的行' },
  copy: { en: 'copy the request id to the clipboard', zh: '复制请求编号到剪贴板' },
  explain: { en: 'channels such a request would try now', zh: '同样的请求现在会走哪些渠道' },
  suspend: {
    en: 'give the terminal back to the shell until fg (not on Windows)',
    zh: '把终端交还给 shell，fg 可恢复（Windows 除外）',
  },
  command: {
    en: 'view by name, optionally with a filter (:users linxi)',
    zh: '按名称切换视图，可加筛选词（:users linxi）',
  },
};

export function explanationOf(action: Action): Text {
  return explanations[action] ?? bindings[action].label;
}
