/**
 * Every key of the query cache. Keys of one subject share their first part, so that `all`
 * invalidates them together; keys of what belongs to an account hold the id of its user.
 */
type UserId = number | undefined;

export const queryKeys = {
  status: ['status'],
  setup: ['setup'],
  pricing: {
    all: ['pricing'],
    of: (user: UserId) => ['pricing', user],
    unpriced: (models: readonly string[]) => ['pricing', 'unpriced', models],
    costs: (model: string, option: string) => ['pricing', 'costs', model, option],
    list: (user: UserId, quotaPerUnit: number) => ['pricing', 'list', user, quotaPerUnit],
  },
  modelSquare: {
    all: ['modelSquare'],
    list: (user: UserId) => ['modelSquare', 'list', user],
    entries: ['modelSquare', 'entries'],
    choices: ['modelSquare', 'choices'],
  },
  /** A text of the site as HTML. */
  content: (kind: string, text: string, language: string) => ['content', kind, text, language],
  /** Where the gateway passes on a file of another site. */
  foreignFile: (address: string) => ['foreign-file', address],
  siteText: (name: 'home' | 'about' | 'notice', id = '') => ['siteText', name, id],
  selfAll: ['self'],
  self: (user: UserId) => ['self', user],
  inviteCode: (user: UserId) => ['invite-code', user],
  prompts: (user: UserId) => ['prompts', user],
  sessions: (user: UserId) => ['sessions', user],
  jobs: (user: UserId) => ['jobs', user],
  credentials: (user: UserId) => ['credentials', user],
  overview: {
    all: ['overview'],
    of: (user: UserId) => ['overview', user],
    channelNames: ['overview', 'channel-names'],
  },
  usage: {
    range: (user: UserId, view: unknown) => ['usage', user, view],
    margins: (user: UserId, range: string, by: string) => ['usage', 'margins', user, range, by],
    tags: (user: UserId, view: unknown) => ['usage', 'tags', user, view],
    losses: (user: UserId) => ['usage', 'losses', user],
    week: (user: UserId) => ['usage', 'week', user],
    fortnight: (user: UserId) => ['usage', 'fortnight', user],
  },
  token: {
    all: ['token'],
    list: (user: UserId) => ['token', 'list', user],
    count: (user: UserId) => ['token', 'count', user],
    expiring: (user: UserId) => ['token', 'expiring', user],
    enabledKey: (user: UserId) => ['token', 'enabled-key', user],
  },
  log: {
    all: ['log'],
    lists: ['log', 'list'],
    list: (user: UserId, wholeSite: boolean) => ['log', 'list', user, wholeSite],
    figures: (user: UserId, wholeSite: boolean, filters: unknown) => [
      'log',
      'figures',
      user,
      wholeSite,
      filters,
    ],
    prune: ['log-prune'],
    older: (before: number) => ['log', 'older', before],
  },
  video: {
    list: (user: UserId) => ['video', 'list', user],
    one: (user: UserId, id: string) => ['video', 'one', user, id],
  },
  drawing: {
    all: ['drawing'],
    list: (user: UserId, wholeSite: boolean) => ['drawing', user, wholeSite],
  },
  task: { all: ['task'], list: (user: UserId, wholeSite: boolean) => ['task', user, wholeSite] },
  statement: (user: UserId, of: number | undefined, month: string) => [
    'statement',
    user,
    of,
    month,
  ],
  redemption: { all: ['redemption'] },
  budget: {
    all: ['budget'],
    list: ['budget', 'list'],
    siteRate: ['budget', 'site rate'],
    about: (user: UserId, kind: string, ids: readonly number[]) => [
      'budget',
      'about',
      user,
      kind,
      ids,
    ],
    ending: (user: UserId) => ['budget', 'ending', user],
  },
  audit: { all: ['audit'] },
  node: { all: ['node'] },
  channel: {
    all: ['channel'],
    list: ['channel', 'list'],
    keys: (id: number) => ['channel', 'keys', id],
    runs: ['channel-runs'],
    types: ['channel-types'],
  },
  group: { names: ['group', 'names'], own: (user: UserId) => ['group', 'own', user] },
  model: { enabled: ['model', 'enabled'], own: (user: UserId) => ['model', 'own', user] },
  palette: (of: string, text: string, user: UserId) => ['palette', of, text, user],
  suggestion: (of: string, user: UserId, wholeSite: boolean) => ['suggestion', of, user, wholeSite],
  ledger: { all: ['ledger'], latest: (user: UserId) => ['ledger', 'latest', user] },
  /** Not part of `topUp`: it is read at fixed intervals, whatever else changes. */
  orderState: (tradeNo: string) => ['orderState', tradeNo],
  topUp: {
    all: ['topUp'],
    list: (user: UserId) => ['topUp', 'list', user],
    income: (user: UserId, username: string, own: boolean) => [
      'topUp',
      'income',
      user,
      username,
      own,
    ],
    receipt: (order: string, user: UserId) => ['topUp', 'receipt', order, user],
    sum: (amount: number, code: string, user: UserId) => ['topUp', 'sum', amount, code, user],
  },
  /** What a drawer edits, read by its id. */
  draft: (subject: string, id: number | string | undefined) => ['draft', subject, id],
  secondFactor: (user: UserId) => ['second-factor', user],
  user: { all: ['user'], list: ['user', 'list'], of: (id: number) => ['user', 'one', id] },
  option: { all: ['option'], list: ['option', 'list'] },
} as const;
