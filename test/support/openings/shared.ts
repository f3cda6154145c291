/** What the frame of the console and parts of several screens open. By their file in src/ui. */

import { siteModel } from '../console-site.ts';
import { phone } from '../screenshots.ts';
import { receipt, status } from './replies.ts';
import {
  changeRatio,
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
} from './steps.ts';

export const shared: Readonly<Record<string, Opening | readonly Opening[]>> = {
  'components/language-menu.tsx': { at: '/token', open: press('Change language') },
  'components/payer/payer-dialog.tsx': {
    at: '/topup/receipt?order=USR1NO1',
    replies: [receipt],
    open: press('Add payer'),
  },
  'components/phone/use-slider.tsx': {
    at: '/login',
    as: 'visitor',
    replies: [status({ phone_login: true, sms_delivery: true })],
    open: steps(fill('Phone number', '13700000001'), press('Get code')),
  },
  'components/prune-dialog.tsx': {
    at: '/log',
    open: steps(press('More actions'), item('Delete old logs')),
  },
  'components/second-factor/confirm-identity.tsx': {
    at: '/personal',
    open: steps(press('Generate'), (page) => page.getByRole('dialog').waitFor()),
    replies: [{ path: '/api/turnpike/self/step-up', data: { methods: ['password', 'totp'] } }],
  },
  'components/sign-in/telegram-dialog.tsx': {
    at: '/login',
    as: 'visitor',
    replies: [status({ telegram_oauth: true, telegram_bot_name: 'gate_bot' })],
    open: press('Telegram'),
  },
  'components/sign-in/wechat-code-dialog.tsx': {
    at: '/login',
    as: 'visitor',
    replies: [status({ wechat_login: true, wechat_qrcode: '' })],
    open: press('WeChat'),
  },
  'components/use-copy.tsx': {
    at: '/personal',
    open: steps(
      (page) =>
        page.evaluate(() => {
          navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
        }),
      press('Copy the invite link'),
    ),
  },
  'form/form-field.tsx': [
    { at: '/user?new=1', open: choose('Group') },
    { at: '/token?new=1', open: steps(flip('Limit models'), choose('Allowed models')) },
  ],
  'form/option-problem.ts': {
    at: prices,
    replies: [
      {
        path: '/api/turnpike/losses/below_cost',
        data: [{ model: siteModel, kind: 'input', price: 1, cost: 2, channel: 'main' }],
      },
    ],
    open: steps(changeRatio, press('Save')),
  },
  'form/overwritten.tsx': {
    at: '/user?edit=2',
    open: steps(
      fill('Display name', 'Mine'),
      (_, site) => site.api('PUT', '/api/user/', { id: 2, display_name: 'Theirs' }),
      press('Save'),
    ),
  },
  'form/use-entity-form.ts': {
    at: '/channel?edit=3',
    open: steps(fill('Base URL', 'https://example.com/v1'), press('Save')),
  },
  'form/use-leave-question.ts': {
    at: '/token?new=1',
    open: steps(fill('Name', 'changed'), (page) => page.keyboard.press('Escape')),
  },
  'list/bulk-control.tsx': { at: '/channel', open: steps(select, press('Change…')) },
  'list/bulk-dialog.tsx': {
    at: '/channel',
    open: steps(select, press('Change…'), choose('What to change')),
  },
  'list/column-menu.tsx': { at: '/channel', open: press('Columns and density') },
  'list/filter-bar.tsx': { at: '/channel', open: press(/^Status/) },
  'list/filter-sheet.tsx': { at: '/log', size: phone, open: press(/filter/i) },
  'list/filter-text-form.tsx': {
    at: '/log',
    open: steps(press(/^User/), (page) => page.keyboard.press('ArrowDown')),
  },
  'list/pager.tsx': { at: '/log', open: press(/per page$/) },
  'list/row-actions.tsx': [
    { at: '/channel', open: more('main', 'Delete') },
    { at: '/token', open: press('More actions for app') },
  ],
  'list/time-filter.tsx': { at: '/log', open: press(/^Time/) },
  'shell/account-menu.tsx': { at: '/token', open: press(/account menu/i) },
  'shell/notice-button.tsx': {
    at: '/token',
    replies: [status({ notice_id: 'a' }), { path: '/api/notice', data: 'Closed on Sunday' }],
    open: opensItself,
  },
  'shell/palette/key-list.tsx': { at: '/token', open: (page) => page.keyboard.press('Shift+?') },
  'shell/palette/open.tsx': { at: '/token', open: press('Search and go') },
  'shell/palette/use-own-items.ts': {
    at: '/token',
    open: steps(
      press('Search and go'),
      (page) => page.getByRole('combobox').fill('test all'),
      (page) => page.getByRole('option', { name: /^Test all/ }).click(),
    ),
  },
  'shell/phone-menu.tsx': { at: '/token', size: phone, open: press('Open menu') },
};
