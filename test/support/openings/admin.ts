/** What the screens of administrators open. By their file in src/ui. */

import { change, noChannels, preview } from './replies.ts';
import {
  choose,
  fill,
  flip,
  item,
  more,
  type Opening,
  opensItself,
  press,
  prices,
  select,
  steps,
  text,
} from './steps.ts';

export const admin: Readonly<Record<string, Opening | readonly Opening[]>> = {
  'routes/audit/audit-dialog.tsx': { at: '/audit', open: press(/^Details/) },
  'routes/budget/budget-drawer.tsx': [
    { at: '/budget?new=1', open: opensItself },
    { at: '/budget?edit=1', open: opensItself },
  ],
  'routes/budget/owner-field.tsx': { at: '/budget?new=1', open: choose('Which one') },
  'routes/budget/use-budget-fields.tsx': {
    at: '/budget?new=1',
    open: steps(press(/^Advanced/), press(/^Closed times/), press(/^Rates/), choose('Limits')),
  },
  'routes/budget/windows-dialog.tsx': { at: '/budget', open: more('daily', 'Spent now') },
  'routes/channel/batch-tag-dialog.tsx': { at: '/channel', open: steps(select, press('Set tag')) },
  'routes/channel/channel-drawer.tsx': [
    { at: '/channel?new=1', open: opensItself },
    { at: '/channel?edit=1', open: opensItself },
  ],
  'routes/channel/channel-header.tsx': [
    { at: '/channel', open: press('More actions') },
    {
      at: '/channel',
      replies: [
        change('/api/turnpike/overview', { channel_states: { ...noChannels, disabled: 1 } }),
      ],
      open: steps(press('More actions'), item('Delete all disabled channels')),
    },
  ],
  'routes/channel/keys-dialog.tsx': [
    { at: '/channel', open: more('several', 'Keys…') },
    { at: '/channel', open: steps(more('several', 'Keys…'), press(/^Delete key/)) },
  ],
  'routes/channel/model-checklist.tsx': {
    at: '/channel?edit=1',
    open: press('Fetch from upstream'),
  },
  'routes/channel/model-field.tsx': { at: '/channel?edit=1', open: choose('Models') },
  'routes/channel/tag-drawer.tsx': {
    at: '/channel?tags=1',
    open: press(/^Edit tag/),
  },
  'routes/channel/test-dialog.tsx': { at: '/channel', open: more('main', 'Test a model…') },
  'routes/channel/type-field.tsx': { at: '/channel?new=1', open: choose('Type') },
  'components/run-question.ts': {
    at: '/channel',
    replies: [change('/api/turnpike/overview', { channel_states: { enabled: 20 } })],
    open: press('Test all'),
  },
  'routes/detail/quick-start/quick-start.tsx': {
    at: '/detail',
    replies: [
      change('/api/turnpike/overview', { channel_states: noChannels }),
      change('/api/turnpike/data/usage', { totals: { quota: 0, count: 0, tokens: 0 } }),
    ],
    open: choose('Vendor'),
  },
  'routes/log/activity-dialog.tsx': {
    at: '/log',
    open: steps(press('More actions'), item('Export activity')),
  },
  'routes/log/cost-button.tsx': { at: '/log', open: press(/^\$0\.\d+/) },
  'routes/log/export-dialog.tsx': {
    at: '/log',
    open: steps(press('More actions'), item('Export logs')),
  },
  'routes/log/log-menu.tsx': { at: '/log', open: press('More actions') },
  'routes/log/user-button.tsx': { at: '/log', open: press('Show user root') },
  'routes/model-square-management/entry-drawer.tsx': {
    at: '/model_square_management?new=1',
    open: opensItself,
  },
  'routes/model-square-management/use-entry-fields.tsx': {
    at: '/model_square_management?new=1',
    open: steps(opensItself, fill('Vendor', 'A')),
  },
  'routes/redemption/code-dialog.tsx': { at: '/redemption', open: press(/^View/) },
  'routes/redemption/redemption-actions.tsx': {
    at: '/redemption',
    replies: [change('/api/redemption/', { total: 2 })],
    open: press('Delete invalid codes'),
  },
  'routes/redemption/redemption-drawer.tsx': [
    { at: '/redemption?new=1', open: opensItself },
    { at: '/redemption?edit=2', open: opensItself },
  ],
  'routes/setting/content/version-panel.tsx': {
    at: '/setting?tab=other',
    replies: [
      { path: '/api/status/latest_release', data: { tag_name: 'v99.0.0', body: '# News\n\nMany' } },
    ],
    open: press('Check for update'),
  },
  'routes/setting/prices/price-form.tsx': { at: prices, open: press('Add model') },
  'routes/setting/prices/price-json.tsx': {
    at: prices,
    open: steps(text('Model ratios (JSON)'), press('Reset model ratios')),
  },
  'routes/setting/prices/price-sources.tsx': {
    at: prices,
    replies: [preview],
    open: steps(text('Sources'), press('Compare'), choose('From now on')),
  },
  'routes/setting/prices/price-table.tsx': {
    at: prices,
    open: steps(
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select / })
          .nth(1)
          .check(),
      press('Delete price (1)'),
    ),
  },
  'routes/setting/review-changes.tsx': {
    at: '/setting?tab=system',
    open: steps(fill('Server address', 'https://a.example'), press(/^Review/)),
  },
  'routes/setting/use-guarded-form.ts': {
    at: '/setting?tab=system',
    open: flip('Password login'),
  },
  'routes/user/quota-dialog.tsx': { at: '/user', open: press('Adjust quota ann') },
  'routes/user/user-drawer.tsx': [
    { at: '/user?new=1', open: opensItself },
    { at: '/user?edit=2', open: opensItself },
    { at: '/user?edit=2', open: press('Reset two-step login') },
  ],
};
